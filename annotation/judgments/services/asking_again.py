"""Ask raters again where their answers about a question differ from the others', as EVOUNA's team did."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from django.db.models import F, QuerySet

from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.items.models import Candidate
from annotation.judgments.rules import SKIPPED_BY_CHECK, inquire
from annotation.judgments.selectors import marks_on
from annotation.projects.models import Membership
from common.events import publish

Again = Sheet.Again
IN_NOBODYS_HANDS = (Sheet.State.DUE, Sheet.State.EXPIRED)
NOT_HANDED_IN = (*IN_NOBODYS_HANDS, Sheet.State.OPEN)


def ask_again(*, sheet: Sheet, at: datetime) -> None:
    """Make the sheets that the answers about this sheet's question call for, and drop those they do not.

    To be called whenever such answers came or were taken back; the caller holds the question's lock. Safe
    to repeat.
    """
    protocol = sheet.protocol_version.rules
    if not protocol.skipping_keys or sheet.purpose != Purpose.VOTE:
        return
    inquiry = inquire(
        protocol=protocol,
        marks=marks_on(question_id=sheet.question_id),
        is_waiting=_is_waiting(sheet.question_id),
    )
    asked = Sheet.objects.votes().filter(question=sheet.question_id, asks_again=Again.CHECKS)
    asked.filter(state__in=IN_NOBODYS_HANDS).exclude(rater__in=inquiry.checks).delete()
    already = set(asked.values_list("rater", flat=True))
    for rater in _present(inquiry.checks - already):
        _make_sheet(sheet, rater=rater, again=Again.CHECKS, at=at)
    _ask_for_answers(sheet, raters=inquiry.answers, at=at)


def _is_waiting(question_id: int) -> bool:
    """Whether an answer is in a rater's hands or has a free slot: its rater answers the checks first."""
    answers = Candidate.objects.filter(question=question_id, state=Candidate.State.OPEN)
    live = Assignment.objects.votes().filter(candidate__question=question_id, state=Assignment.State.LIVE)
    return answers.filter(taken__lt=F("wanted")).exists() or live.exists()


def _present(raters: Collection[int]) -> QuerySet[Membership]:
    # A file's raters cannot be asked.
    return Membership.objects.filter(pk__in=raters, user__is_imported=False).order_by("pk")


def _make_sheet(sheet: Sheet, *, rater: Membership, again: str, at: datetime) -> Sheet:
    return Sheet.objects.create(
        project_id=sheet.project_id,
        question_id=sheet.question_id,
        rater=rater,
        protocol_version=sheet.protocol_version,
        state=Sheet.State.DUE,
        asks_again=again,
        handed_out_at=at,
        lease_expires_at=at,
    )


def _ask_for_answers(sheet: Sheet, *, raters: Collection[int], at: datetime) -> None:
    """Give answers that a check had skipped back to their raters, on a sheet of their own."""
    skipped = skipped_by_check().filter(
        candidate__question=sheet.question_id, candidate__state=Candidate.State.OPEN, rater__in=raters
    )
    by_rater: dict[int, list[Assignment]] = defaultdict(list)
    for assignment in skipped.order_by("pk"):
        by_rater[assignment.rater_id].append(assignment)
    for rater in Membership.objects.filter(pk__in=by_rater).order_by("pk"):
        made = _make_sheet(sheet, rater=rater, again=Again.ANSWERS, at=at)
        ids = [assignment.pk for assignment in by_rater[rater.pk]]
        Assignment.objects.filter(pk__in=ids).update(
            sheet=made, state=Assignment.State.EXPIRED, skip_reason=""
        )
    candidate_ids = [item.candidate_id for each in by_rater.values() for item in each]
    if candidate_ids:
        publish(event="answers_judged", project_id=sheet.project_id, candidate_ids=candidate_ids)


def skipped_by_check() -> QuerySet[Assignment]:
    """Return the answers left unjudged because their rater, no file's, said yes to a check."""
    return Assignment.objects.votes().filter(
        state=Assignment.State.SKIPPED,
        skip_reason__startswith=SKIPPED_BY_CHECK,
        rater__user__is_imported=False,
    )


def merge_later_sheets(*, sheet: Sheet) -> None:
    """Move what the same rater has at hand of the same question onto a sheet that is taken back.

    What a later sheet asked again is asked anew when this one is handed in.
    """
    later = Sheet.objects.filter(
        question=sheet.question_id, rater=sheet.rater_id, purpose=sheet.purpose, state__in=NOT_HANDED_IN
    ).exclude(pk=sheet.pk)
    Assignment.objects.filter(sheet__in=later).update(sheet=sheet)
    later.delete()
