"""Judgments are written, and the reply says what that came to."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction

from annotation.assignments.models import Assignment, Sheet
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.rules import (
    CAME_BACK_WORDS,
    KNOWN_WORDS,
    LATE_WORDS,
    UNBLINDED_WORDS,
    AnswerGiven,
    Fate,
)
from common.errors import Conflict, Invalid

STILL_OPEN = (Sheet.State.OPEN, Sheet.State.EXPIRED)


class SheetClosed(Conflict):
    """The sheet was handed in or skipped already, by another request than this one."""

    code = "sheet_closed"


class SubmissionKeyReused(Conflict):
    """This request's key was used before, for another sheet or for a submit that was taken back."""

    code = "submission_key_reused"


class IncompleteSheet(Invalid):
    """The sheet lacks labels, or names answers, labels or checks it does not have."""

    code = "incomplete_sheet"


class SheetChanged(Conflict):
    """The sheet was given to its rater again since this request's client saw it."""

    code = "sheet_changed"


class SubmitOutcome(NamedTuple):
    """How many answers were taken in, how many came too late to count, and that in words."""

    counted: int
    surplus: int
    message: str
    came_back: bool = False
    unblinded: bool = False


def outcome_of(
    *, taken: int, late: int, came_back: bool = False, known: int = 0, is_blind: bool = True
) -> SubmitOutcome:
    """Return an outcome with its words.

    `came_back`: it was handed in as an older version; `known`: answers judged meanwhile in another tab.
    """
    words = [
        "" if is_blind else UNBLINDED_WORDS,
        LATE_WORDS.format(count=late) if late and is_blind else "",
        CAME_BACK_WORDS if came_back else "",
        KNOWN_WORDS.format(count=known) if known else "",
    ]
    return SubmitOutcome(
        counted=taken,
        surplus=late,
        message=" ".join(filter(None, words)),
        came_back=came_back,
        unblinded=not is_blind,
    )


def repeated_outcome(*, sheet: Sheet, submission_key: str) -> SubmitOutcome | None:
    """Return what the same request came to the first time, or None where it is new.

    Raises `SubmissionKeyReused` where it was taken back since.
    """
    for each in [sheet, *_beside(sheet)]:
        same = each.submission_key == submission_key
        if submission_key in each.former_keys or (each.state in STILL_OPEN and same):
            raise SubmissionKeyReused("This submit was taken back. Hand the sheet in anew.")
        outcome = SubmitOutcome(**each.outcome) if same and each.outcome is not None else None
        if outcome is not None and (each == sheet or outcome.came_back):
            return outcome
    return None


def _beside(sheet: Sheet) -> list[Sheet]:
    # An older version is handed in on a sheet of its own, beside the one that the request names.
    if sheet.version == 1:
        return []
    same = Sheet.objects.filter(rater=sheet.rater_id, question=sheet.question_id)
    return list(same.exclude(pk=sheet.pk).order_by("pk"))


def require_open(*, sheet: Sheet) -> None:
    """Raise `SheetClosed` where another request closed the sheet."""
    if sheet.state in STILL_OPEN:
        return
    done = "skipped" if sheet.state == Sheet.State.SKIPPED else "handed in"
    raise SheetClosed(f"This sheet was {done} already, perhaps in another tab. Load the page again.")


def close_sheet(
    *,
    sheet: Sheet,
    state: str,
    submission_key: str,
    outcome: SubmitOutcome,
    at: datetime,
    seconds: float | None = None,
) -> None:
    """Close a sheet by one conditional UPDATE, and have it settled.

    Raises `SheetClosed`, `SubmissionKeyReused`.
    """
    try:
        with transaction.atomic():
            closed = Sheet.objects.filter(pk=sheet.pk, state__in=STILL_OPEN).update(
                state=state,
                submission_key=submission_key,
                outcome=outcome._asdict(),
                draft=None,
                seconds=seconds,
                closed_at=at,
                settling_due=True,
            )
    except IntegrityError:
        raise SubmissionKeyReused("This request was already used for another sheet.") from None
    if not closed:
        raise SheetClosed("This sheet was closed by another request. Load the page again.")


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
