"""Keep votes that were given where none was needed, or where none is needed any more."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services import lock_question, release_slots, require_may_judge
from annotation.items.models import Candidate, Question
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.rules import AnswerGiven, Fate
from annotation.judgments.services.recording import Vote, add_revisions, store_judgments
from annotation.projects.models import Membership
from common.clock import now
from common.errors import Conflict


class AlreadyJudged(Conflict):
    """The rater has had this answer before."""

    code = "already_judged"


@transaction.atomic
def record_surplus(
    *,
    rater: Membership,
    question: Question,
    labels: Mapping[int, str],
    round_name: str = Assignment.Round.TIE_BREAK,
    at: datetime | None = None,
) -> list[Assignment]:
    """Store a rater's labels for answers of one question as surplus: kept and shown, never counted.

    `labels`: by candidate id. For votes in imported files that no rule had asked for. Raises
    `AlreadyJudged`, and `NotHandedOut` for somebody who could not have judged.
    """
    at = at or now()
    version = require_may_judge(rater=rater)
    lock_question(question_id=question.pk)
    _require_new(rater, labels)
    sheet = Sheet.objects.create(
        project_id=rater.project_id,
        question=question,
        rater=rater,
        protocol_version=version,
        state=Sheet.State.SUBMITTED,
        handed_out_at=at,
        lease_expires_at=at,
        closed_at=at,
    )
    candidates = Candidate.objects.filter(question=question, pk__in=list(labels)).order_by("pk")
    assignments = Assignment.objects.bulk_create(
        Assignment(
            sheet=sheet,
            candidate=candidate,
            rater=rater,
            slot=0,
            round=round_name,
            state=Assignment.State.SURPLUS,
            position=position,
        )
        for position, candidate in enumerate(candidates)
    )
    votes = [
        Vote(
            item,
            AnswerGiven(id=item.candidate.public_id, label=labels[item.candidate_id]),
            Fate.SURPLUS,
            False,
        )
        for item in assignments
    ]
    store_judgments(sheet=sheet, votes=votes, seconds=None, at=at)
    return assignments


def set_aside_tie_breaks(
    *, candidate_ids: Collection[int], raters_per_answer: int, at: datetime | None = None
) -> None:
    """Make the counted tie-breaks of these answers surplus: their first raters agree after all.

    That happens where one of them took a vote back. Votes that are too many only because the protocol
    asks fewer raters than before are no tie-breaks: they stay, and count again when it asks for more.
    The caller holds the questions' locks.
    """
    judgments = list(
        Judgment.objects.votes()
        .filter(
            candidate__in=candidate_ids,
            slot__gt=raters_per_answer,
            round=Assignment.Round.TIE_BREAK,
            state=Judgment.State.COUNTED,
        )
        .select_related("assignment__sheet")
        .order_by("pk")
    )
    for judgment in judgments:
        judgment.state = Judgment.State.SURPLUS
        judgment.assignment.state = Assignment.State.SURPLUS
        judgment.save(update_fields=["state"])
        judgment.assignment.save(update_fields=["state"])
        add_revisions(
            judgments=[judgment],
            action=JudgmentRevision.Action.SET_ASIDE,
            protocol_version_id=judgment.assignment.sheet.protocol_version_id,
            seconds=None,
            at=at or now(),
            are_new=False,
        )
    release_slots(candidate_ids=candidate_ids)


def _require_new(rater: Membership, labels: Mapping[int, str]) -> None:
    if Assignment.objects.votes().filter(rater=rater, candidate__in=list(labels)).exists():
        raise AlreadyJudged("This rater has had one of these answers before.")
