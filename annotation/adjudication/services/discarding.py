"""Take replayed votes back when the import that held them is undone as a whole."""

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import WITHDRAWN_TOGETHER
from annotation.adjudication.services.settling import settle_candidates
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services import lock_due_questions, release_slots
from annotation.items.models import Candidate, DataImport
from annotation.items.services.opening import open_again
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.projects.models import Project
from common.errors import Conflict
from common.events import publish
from common.shares import in_shares

# Whose votes are discarded at a time, while their raters wait.
QUESTIONS_A_SHARE = 10
NOT_BY_VOTES = (Decision.Source.PREJUDGED, Decision.Source.REUSED)
MADE_TOGETHER = Q(rule=WITHDRAWN_TOGETHER) | Q(source=Decision.Source.REUSED, is_reopening=False)


class VotesInUse(Conflict):
    """People decided on the strength of the replayed votes."""

    code = "votes_in_use"


def refuse_discarding(*, data_import: DataImport) -> None:
    """Refuse that an import goes whose votes a person decided answers with; raises `VotesInUse`."""
    answers = Assignment.objects.filter(sheet__in=replayed_sheets(data_import)).values("candidate")
    decisions = Decision.objects.filter(candidate__in=answers, decided_by__isnull=False)
    if decisions.exclude(MADE_TOGETHER).exists():
        raise VotesInUse("A person decided answers with these votes. They stay.")


def discard_replay(*, data_import: DataImport) -> None:
    """Delete the votes of an import with the decisions that rest on them alone.

    Answers on which others voted, too, are settled anew from those votes. The one place where votes are
    deleted: the import's own row stays and says that it was undone, when and by whom. Share by share, each
    in a transaction of its own; safe to repeat. Raises `VotesInUse` where a person decided one of them.
    """
    refuse_discarding(data_import=data_import)
    sheets = replayed_sheets(data_import)
    question_ids = sorted(set(sheets.values_list("question_id", flat=True)))
    for share in in_shares(question_ids, of=QUESTIONS_A_SHARE):
        _discard_share(data_import, share)


@transaction.atomic
def _discard_share(data_import: DataImport, question_ids: Sequence[int]) -> None:
    locked = lock_due_questions(question_ids=question_ids, waits=True)
    sheets = replayed_sheets(data_import).filter(question__in=locked)
    candidate_ids = set(Assignment.objects.filter(sheet__in=sheets).values_list("candidate_id", flat=True))
    decisions = Decision.objects.filter(candidate__in=candidate_ids)
    _delete_votes(sheets)
    release_slots(candidate_ids=candidate_ids)
    still_judged = set(
        Assignment.objects.votes().filter(candidate__in=candidate_ids).values_list("candidate_id", flat=True)
    )
    # What a machine or another project decided does not rest on these votes, and its history stays.
    ruled = set(decisions.filter(source__in=NOT_BY_VOTES).values_list("candidate_id", flat=True))
    kept = still_judged | ruled
    forget_decisions(candidate_ids - kept, project=data_import.project, question_ids=locked)
    settle_candidates(project_id=data_import.project_id, candidate_ids=kept)


def replayed_sheets(data_import: DataImport) -> QuerySet[Sheet]:
    """Return the sheets of an import's votes: a replay hands every one out when its import was made."""
    return Sheet.objects.filter(
        project=data_import.project_id,
        rater__user__is_imported=True,
        handed_out_at=data_import.created_at,
    )


def _delete_votes(sheets: QuerySet[Sheet]) -> None:
    ids = list(sheets.order_by("pk").values_list("pk", flat=True))
    JudgmentRevision.objects.filter(judgment__assignment__sheet__in=ids).delete()
    Judgment.objects.filter(assignment__sheet__in=ids).delete()
    Assignment.objects.filter(sheet__in=ids).delete()
    CheckAnswer.objects.filter(sheet__in=ids).delete()
    Sheet.objects.filter(pk__in=ids).delete()


def forget_decisions(candidate_ids: Collection[int], *, project: Project, question_ids: list[int]) -> None:
    """Make answers nobody else judged what they were before: open for raters, without a decision."""
    decisions = Decision.objects.filter(candidate__in=candidate_ids)
    publish(event="decisions_discarded", decision_ids=list(decisions.values_list("pk", flat=True)))
    decisions.delete()
    Candidate.objects.filter(pk__in=candidate_ids).update(
        state=Candidate.State.UNASKED, wanted=0, least_votes=0
    )
    open_again(candidate_ids=candidate_ids, project=project)
    publish(event="decisions_changed", project_id=project.pk, question_ids=question_ids)
