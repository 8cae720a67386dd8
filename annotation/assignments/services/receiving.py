"""What a rater goes on with: sheets in hand, and new ones once the guidelines in force are read."""

from datetime import datetime

from annotation.assignments.models import Sheet
from annotation.assignments.selectors import open_sheets
from annotation.assignments.services.handing_out import hand_out, require_may_judge
from annotation.assignments.services.leases import expire_leases
from annotation.projects.models import Membership
from annotation.projects.selectors import unread_guidelines
from common.clock import now


def receive_sheets(*, rater: Membership, ahead: int = 1, at: datetime | None = None) -> list[Sheet]:
    """Return up to `ahead` sheets for the rater, none but those in hand while guidelines are unread.

    A question is nobody's before its rater is ready for it: it can still serve a pilot, or another rater.
    Guidelines come before the training, too. Raises `NotHandedOut`.
    """
    if not unread_guidelines(member=rater):
        return hand_out(rater=rater, ahead=ahead, at=at)
    at = at or now()
    require_may_judge(rater=rater, is_reading=True)
    expire_leases(project_id=rater.project_id, at=at)
    return list(open_sheets(rater=rater, at=at)[:ahead])
