"""What handing in a sheet came to, kept on the sheet so that a repeated request gets the same reply."""

from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction

from annotation.assignments.models import Sheet
from annotation.judgments.rules import LATE_WORDS
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
    """The sheet was handed out to its rater again, with other answers than this request knows."""

    code = "sheet_changed"


class Outcome(NamedTuple):
    """How many answers were taken in, how many came too late to count, and that in words."""

    counted: int
    surplus: int
    message: str


def outcome_of(*, taken: int, late: int) -> Outcome:
    """Return an outcome with its words."""
    return Outcome(counted=taken, surplus=late, message=LATE_WORDS.format(count=late) if late else "")


def repeated_outcome(*, sheet: Sheet, submission_key: str) -> Outcome | None:
    """Return what the same request came to the first time, or None where it is new.

    Raises `SheetClosed` where another request closed the sheet, `SubmissionKeyReused` where this one
    was taken back since.
    """
    same = sheet.submission_key == submission_key
    is_open = sheet.state in STILL_OPEN
    if submission_key in sheet.former_keys or (is_open and same):
        raise SubmissionKeyReused("This submit was taken back. Hand the sheet in anew.")
    if is_open:
        return None
    if same and sheet.outcome is not None:
        return Outcome(**sheet.outcome)
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
    """Close a sheet by one conditional UPDATE; raises `SheetClosed` or `SubmissionKeyReused`."""
    try:
        with transaction.atomic():
            closed = Sheet.objects.filter(pk=sheet.pk, state__in=STILL_OPEN).update(
                state=state,
                submission_key=submission_key,
                outcome=outcome._asdict(),
                draft=None,
                seconds=seconds,
                closed_at=at,
            )
    except IntegrityError:
        raise SubmissionKeyReused("This request was already used for another sheet.") from None
    if not closed:
        raise SheetClosed("This sheet was closed by another request. Load the page again.")
