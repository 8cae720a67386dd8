"""Pass a whole sheet on to other raters."""

from datetime import datetime

from django.db import transaction

from annotation.assignments.models import IS_VOTE, Assignment, Sheet
from annotation.assignments.services import lock_sheet, release_slots
from annotation.judgments.services.outcomes import Outcome, close_sheet, outcome_of, repeated_outcome
from annotation.judgments.services.submitting import WAITING
from annotation.projects.models import Membership
from common.clock import now
from common.events import publish


@transaction.atomic
def skip_sheet(
    *, rater: Membership, sheet_id: str, submission_key: str, reason: str, at: datetime | None = None
) -> Outcome:
    """Pass every answer of a sheet on; the same key again changes nothing.

    Raises `SheetNotFound`, `SheetClosed`, `SubmissionKeyReused`.
    """
    at = at or now()
    sheet = lock_sheet(rater=rater, public_id=sheet_id)
    repeated = repeated_outcome(sheet=sheet, submission_key=submission_key)
    if repeated is not None:
        return repeated
    outcome = outcome_of(taken=0, late=0)
    close_sheet(sheet=sheet, state=Sheet.State.SKIPPED, submission_key=submission_key, outcome=outcome, at=at)
    waiting = Assignment.objects.filter(sheet=sheet, state__in=WAITING)
    votes = waiting.filter(IS_VOTE).order_by("pk")
    candidate_ids = list(votes.values_list("candidate", flat=True))
    waiting.update(state=Assignment.State.SKIPPED, skip_reason=reason)
    release_slots(candidate_ids=candidate_ids)
    publish(event="answers_judged", project_id=sheet.project_id, candidate_ids=candidate_ids)
    return outcome
