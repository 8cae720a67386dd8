"""What handing in a sheet came to, kept on the sheet so that a repeated request gets the same reply."""

from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction

from annotation.assignments.models import Sheet
from annotation.judgments.rules import CAME_BACK_WORDS, KNOWN_WORDS, LATE_WORDS, UNBLINDED_WORDS
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


class Outcome(NamedTuple):
    """How many answers were taken in, how many came too late to count, and that in words."""

    counted: int
    surplus: int
    message: str
    came_back: bool = False
    unblinded: bool = False


def outcome_of(
    *, taken: int, late: int, came_back: bool = False, known: int = 0, is_blind: bool = True
) -> Outcome:
    """Return an outcome with its words.

    `came_back`: it was handed in as an older version; `known`: answers judged meanwhile in another tab.
    """
    words = [
        "" if is_blind else UNBLINDED_WORDS,
        LATE_WORDS.format(count=late) if late and is_blind else "",
        CAME_BACK_WORDS if came_back else "",
        KNOWN_WORDS.format(count=known) if known else "",
    ]
    return Outcome(
        counted=taken,
        surplus=late,
        message=" ".join(filter(None, words)),
        came_back=came_back,
        unblinded=not is_blind,
    )


def repeated_outcome(*, sheet: Sheet, submission_key: str) -> Outcome | None:
    """Return what the same request came to the first time, or None where it is new.

    Raises `SubmissionKeyReused` where it was taken back since.
    """
    for each in [sheet, *_beside(sheet)]:
        same = each.submission_key == submission_key
        if submission_key in each.former_keys or (each.state in STILL_OPEN and same):
            raise SubmissionKeyReused("This submit was taken back. Hand the sheet in anew.")
        outcome = Outcome(**each.outcome) if same and each.outcome is not None else None
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
    outcome: Outcome,
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
