"""Write down who has read which guidelines."""

from datetime import datetime

from django.db import transaction

from annotation.projects.events import GuidelinesRead
from annotation.projects.models import GuidelinesReading, Membership
from annotation.projects.selectors import guidelines_for
from common.clock import now
from common.errors import Conflict
from common.events import publish


class GuidelinesChanged(Conflict):
    """The guidelines were changed since the member was shown them."""

    code = "guidelines_changed"


@transaction.atomic
def read_guidelines(*, member: Membership, seen_hash: str, at: datetime | None = None) -> None:
    """Note that a member has read the guidelines in force; saying it again changes nothing.

    What the member has in hand is judged under this version from now on. `seen_hash` names what was shown.
    Raises `GuidelinesChanged`.
    """
    guidelines = guidelines_for(member=member)
    if guidelines.hash != seen_hash:
        raise GuidelinesChanged("The guidelines have just been changed again. Please read them once more.")
    if guidelines.standing == "read" or member.project.protocol is None:
        return
    GuidelinesReading.objects.create(
        member=member, version=member.project.protocol, text=guidelines.text, read_at=at or now()
    )
    publish(GuidelinesRead(member_id=member.pk))
