"""Write labels and their history."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from annotation.assignments.models import Assignment, Sheet
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.rules import AnswerGiven, Fate

JUDGMENT_STATE = {
    Fate.COUNTED: Judgment.State.COUNTED,
    Fate.SURPLUS: Judgment.State.SURPLUS,
    Fate.MISSING: Judgment.State.MISSING,
}
JUDGMENT_FIELDS = [
    "slot",
    "round",
    "state",
    "label",
    "comment",
    "evidence_url",
    "evidence_quote",
    "judged_at",
]


class Vote(NamedTuple):
    """An answer on the sheet, what its rater says of it, and what becomes of that."""

    assignment: Assignment
    given: AnswerGiven
    fate: Fate
    held_slot: bool


def store_judgments(*, sheet: Sheet, votes: Sequence[Vote], seconds: float | None, at: datetime) -> None:
    """Store the labels of votes and add to their history; skipped answers have none.

    `seconds`: of one answer.
    """
    labelled = [vote for vote in votes if vote.fate is not Fate.SKIPPED]
    known = {
        judgment.assignment_id: judgment
        for judgment in Judgment.objects.filter(assignment__in=[vote.assignment for vote in labelled])
    }
    judgments = [_judgment(vote, known.get(vote.assignment.pk), at=at) for vote in labelled]
    Judgment.objects.bulk_create([item for item in judgments if item.pk is None])
    Judgment.objects.bulk_update([item for item in judgments if item.assignment_id in known], JUDGMENT_FIELDS)
    add_revisions(
        judgments=judgments,
        action=JudgmentRevision.Action.SUBMIT,
        protocol_version_id=sheet.protocol_version_id,
        seconds=seconds,
        at=at,
        are_new=not known,
    )


def _judgment(vote: Vote, known: Judgment | None, *, at: datetime) -> Judgment:
    assignment, given = vote.assignment, vote.given
    judgment = known or Judgment(assignment=assignment)
    judgment.candidate_id = assignment.candidate_id
    judgment.rater_id = assignment.rater_id
    judgment.slot = assignment.slot
    judgment.round = assignment.round
    judgment.purpose = assignment.purpose
    judgment.state = JUDGMENT_STATE[vote.fate]
    judgment.label = given.label or ""
    judgment.comment = given.comment
    judgment.evidence_url = given.evidence_url
    judgment.evidence_quote = given.evidence_quote
    judgment.judged_at = at
    return judgment


def add_revisions(
    *,
    judgments: Sequence[Judgment],
    action: str,
    protocol_version_id: int,
    seconds: float | None,
    at: datetime,
    are_new: bool,
) -> None:
    """Add one row to the history of each judgment, as the judgment now stands."""
    numbers = {} if are_new else _last_numbers(judgments)
    JudgmentRevision.objects.bulk_create(
        JudgmentRevision(
            judgment=judgment,
            number=numbers.get(judgment.pk, 0) + 1,
            action=action,
            state=judgment.state,
            label=judgment.label,
            comment=judgment.comment,
            evidence_url=judgment.evidence_url,
            evidence_quote=judgment.evidence_quote,
            seconds=seconds,
            protocol_version_id=protocol_version_id,
            at=at,
        )
        for judgment in judgments
    )


def _last_numbers(judgments: Sequence[Judgment]) -> dict[int, int]:
    rows = JudgmentRevision.objects.filter(judgment__in=judgments).order_by("number")
    return dict(rows.values_list("judgment", "number"))
