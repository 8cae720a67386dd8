"""Take in what was given on an older version of a sheet, beside what was given anew since."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, Q

from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.judgments.services.outcomes import STILL_OPEN, SheetClosed

WAITING = (Assignment.State.LIVE, Assignment.State.FILLER, Assignment.State.EXPIRED)
ON_A_SHEET = (Assignment.State.LIVE, Assignment.State.FILLER)


class Part(NamedTuple):
    """The sheet that a submit closes, and the answers on it that it speaks of.

    `known`: ids of answers that the rater has judged meanwhile in another tab.
    """

    sheet: Sheet
    assignments: list[Assignment]
    known: frozenset[str]


def is_older(*, sheet: Sheet, version: int | None, ids: Collection[str]) -> bool:
    """Whether a submit speaks of what the sheet showed before it was given anew or its lease ended.

    A client that sends no version does where it names other answers than a sheet shows that came back.
    """
    # Of a sheet that was given anew and expired since, no row tells any more which answers it showed last.
    if sheet.state == Sheet.State.EXPIRED and sheet.version > 1:
        return True
    if version is not None:
        return version < sheet.version
    shown = Assignment.objects.filter(sheet=sheet, state__in=ON_A_SHEET)
    is_open = sheet.state in STILL_OPEN
    return (
        is_open
        and sheet.version > 1
        and set(shown.values_list("candidate__public_id", flat=True)) != set(ids)
    )


def older_part(*, sheet: Sheet, ids: Collection[str], at: datetime) -> Part:
    """Return what an older version brought that is not judged yet; what it did not show stays as it is.

    The sheet itself is closed where nothing else is on it; otherwise the answers move to a sheet of their
    own. The caller holds the question's lock. Raises `SheetClosed` where all was judged already.
    """
    mine = _mine(sheet, ids)
    waiting = [item for item in mine if item.state in WAITING]
    taken = {item.candidate.public_id for item in waiting}
    known = frozenset(item.candidate.public_id for item in mine) - taken
    if not waiting and (known or sheet.state not in STILL_OPEN):
        raise SheetClosed("You handed these answers in already, perhaps in another tab. Load the page again.")
    target = sheet if _is_all_of(sheet, waiting) else _sheet_beside(sheet)
    _move(waiting, to=target, at=at)
    return Part(target, waiting, known)


def _mine(sheet: Sheet, ids: Collection[str]) -> list[Assignment]:
    # What expired on one sheet may have been given anew on a later one.
    elsewhere = Q(sheet__question=sheet.question_id, sheet__purpose=sheet.purpose, purpose=Purpose.VOTE)
    mine = Assignment.objects.filter(
        Q(sheet=sheet) | elsewhere, rater=sheet.rater_id, candidate__public_id__in=list(ids)
    )
    return list(mine.select_related("candidate").order_by("position", "pk"))


def _is_all_of(sheet: Sheet, waiting: Sequence[Assignment]) -> bool:
    shown = Assignment.objects.filter(sheet=sheet, state__in=ON_A_SHEET)
    return sheet.state in STILL_OPEN and not shown.exclude(pk__in=[item.pk for item in waiting]).exists()


def _sheet_beside(sheet: Sheet) -> Sheet:
    # Not in its rater's hands for a moment: of a question only one sheet may be.
    return Sheet.objects.create(
        project_id=sheet.project_id,
        question_id=sheet.question_id,
        rater_id=sheet.rater_id,
        protocol_version=sheet.protocol_version,
        state=Sheet.State.EXPIRED,
        purpose=sheet.purpose,
        asks_again=sheet.asks_again,
        handed_out_at=sheet.handed_out_at,
        lease_expires_at=sheet.lease_expires_at,
    )


def _move(waiting: Sequence[Assignment], *, to: Sheet, at: datetime) -> None:
    left = {item.sheet_id for item in waiting if item.sheet_id != to.pk and item.state in ON_A_SHEET}
    Assignment.objects.filter(pk__in=[item.pk for item in waiting]).update(sheet=to)
    for item in waiting:
        item.sheet = to
    changed = Sheet.objects.filter(pk__in=left)
    changed.update(version=F("version") + 1)
    # A sheet that shows nothing any more is nobody's work.
    shows = Assignment.objects.filter(sheet__in=left, state__in=ON_A_SHEET).values("sheet")
    changed.filter(state=Sheet.State.OPEN).exclude(pk__in=shows).update(
        state=Sheet.State.SKIPPED, closed_at=at
    )
