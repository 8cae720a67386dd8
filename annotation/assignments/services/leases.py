"""End leases lazily: whoever asks for work first takes back what others have abandoned."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services.locks import lock_due_questions
from annotation.assignments.services.slots import release_slots

ON_A_SHEET = (Assignment.State.LIVE, Assignment.State.FILLER)


def lease_end(*, at: datetime) -> datetime:
    """Return when a sheet handed out now must be handed in."""
    return at + timedelta(seconds=settings.ASSAY_LEASE_SECONDS)


def expire_leases(*, project_id: int, at: datetime, waits: bool = False) -> None:
    """Take back every sheet whose lease has ended, and free the slots it held.

    Questions that somebody else holds at this moment are left to the next request, unless `waits`.
    """
    due = _due_sheets(project_id=project_id, at=at)
    question_ids = set(due.values_list("question", flat=True))
    if not question_ids:
        return
    with transaction.atomic():
        locked = lock_due_questions(question_ids=question_ids, waits=waits)
        # Read again under the locks: some may have been handed in since.
        sheets = list(due.filter(question__in=locked).values_list("pk", flat=True))
        end_leases(sheets, at=at)


def _due_sheets(*, project_id: int, at: datetime) -> QuerySet[Sheet]:
    return Sheet.objects.filter(project=project_id, state=Sheet.State.OPEN, lease_expires_at__lte=at)


def end_leases(sheet_ids: list[int], *, at: datetime) -> None:
    """Take these sheets back and free their slots; the caller holds the locks of their questions."""
    Sheet.objects.filter(pk__in=sheet_ids, state=Sheet.State.OPEN).update(
        state=Sheet.State.EXPIRED, closed_at=at
    )
    left = Assignment.objects.filter(sheet__in=sheet_ids, state__in=ON_A_SHEET)
    candidate_ids = set(left.values_list("candidate", flat=True))
    left.update(state=Assignment.State.EXPIRED)
    release_slots(candidate_ids=candidate_ids)
