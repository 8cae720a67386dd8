"""Pass a whole sheet on to other raters."""

from datetime import datetime

from django.db import transaction

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services import judges_blindly, lock_sheet, release_slots
from annotation.judgments.services.older_versions import WAITING
from annotation.judgments.services.outcomes import (
    Outcome,
    SheetChanged,
    close_sheet,
    outcome_of,
    repeated_outcome,
    require_open,
)
from annotation.judgments.services.settling_due import settle_at_once
from annotation.projects.models import Membership
from common.clock import now


@transaction.atomic
def skip_sheet(
    *,
    rater: Membership,
    sheet_id: str,
    submission_key: str,
    reason: str,
    version: int | None = None,
    at: datetime | None = None,
) -> Outcome:
    """Pass every answer of a sheet on; the same key again changes nothing.

    `version`: of the sheet as its rater saw it; answers that they were not shown are not passed on. Raises
    `SheetNotFound`, `SheetChanged`, `SheetClosed`, `SubmissionKeyReused`, `NotHandedOut`.
    """
    at = at or now()
    judges_blindly(rater=rater)
    sheet = lock_sheet(rater=rater, public_id=sheet_id)
    repeated = repeated_outcome(sheet=sheet, submission_key=submission_key)
    if repeated is not None:
        return repeated
    require_open(sheet=sheet)
    if version is not None and version < sheet.version:
        raise SheetChanged("You were given this sheet again, perhaps with other answers. Look at it first.")
    outcome = outcome_of(taken=0, late=0)
    close_sheet(sheet=sheet, state=Sheet.State.SKIPPED, submission_key=submission_key, outcome=outcome, at=at)
    waiting = Assignment.objects.filter(sheet=sheet, state__in=WAITING)
    # Of hidden sheets, too, which hold no slots: they take as long as work does.
    candidate_ids = list(waiting.order_by("pk").values_list("candidate", flat=True))
    waiting.update(state=Assignment.State.SKIPPED, skip_reason=reason)
    release_slots(candidate_ids=candidate_ids)
    settle_at_once(question_id=sheet.question_id)
    return outcome
