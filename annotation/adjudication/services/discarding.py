"""Take replayed votes back when the import that held them is undone as a whole."""

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import WITHDRAWN_TOGETHER
from annotation.adjudication.services.settling import settle_candidates
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services import release_slots
from annotation.items.models import Candidate, DataImport, Question
from annotation.items.services.opening import open_sampled_answers
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.projects.models import Project
from common.errors import Conflict
from common.events import publish

NOT_BY_VOTES = (Decision.Source.PREJUDGED, Decision.Source.REUSED)
MADE_TOGETHER = Q(rule=WITHDRAWN_TOGETHER) | Q(source=Decision.Source.REUSED, is_reopening=False)


class VotesInUse(Conflict):
    """People decided on the strength of the replayed votes."""

    code = "votes_in_use"


@transaction.atomic
def discard_replay(*, data_import: DataImport) -> None:
    """Delete the votes of an import with the decisions that rest on them alone.

    Answers on which others voted, too, are settled anew from those votes. The one place where votes are
    deleted: the import's own row stays and says that it was undone, when and by whom. Raises
    `VotesInUse` where a person decided one of the answers.
    """
    sheets = _sheets(data_import)
    question_ids = sorted(set(sheets.values_list("question_id", flat=True)))
    list(Question.objects.select_for_update().filter(pk__in=question_ids).order_by("pk"))
    candidate_ids = set(Assignment.objects.filter(sheet__in=sheets).values_list("candidate_id", flat=True))
    decisions = Decision.objects.filter(candidate__in=candidate_ids)
    if decisions.filter(decided_by__isnull=False).exclude(MADE_TOGETHER).exists():
        raise VotesInUse("A person decided answers with these votes. They stay.")
    _delete_votes(sheets)
    release_slots(candidate_ids=candidate_ids)
    still_judged = set(
        Assignment.objects.votes().filter(candidate__in=candidate_ids).values_list("candidate_id", flat=True)
    )
    # What a machine or another project decided does not rest on these votes, and its history stays.
    ruled = set(decisions.filter(source__in=NOT_BY_VOTES).values_list("candidate_id", flat=True))
    kept = still_judged | ruled
    forget_decisions(candidate_ids - kept, project=data_import.project, question_ids=question_ids)
    settle_candidates(project_id=data_import.project_id, candidate_ids=kept)


def _sheets(data_import: DataImport) -> QuerySet[Sheet]:
    # A replay hands every sheet out at the moment its import was made.
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


def forget_decisions(candidate_ids: set[int], *, project: Project, question_ids: list[int]) -> None:
    """Make answers nobody else judged what they were before: open for raters, without a decision."""
    decisions = Decision.objects.filter(candidate__in=candidate_ids)
    publish(event="decisions_discarded", decision_ids=list(decisions.values_list("pk", flat=True)))
    decisions.delete()
    Candidate.objects.filter(pk__in=candidate_ids).update(
        state=Candidate.State.UNASKED, wanted=0, least_votes=0
    )
    open_sampled_answers(project=project)
    publish(event="decisions_changed", project_id=project.pk, question_ids=question_ids)
