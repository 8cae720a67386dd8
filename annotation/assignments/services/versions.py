"""Under which version of the protocol a rater judges what is in hand."""

from annotation.assignments.models import Sheet
from annotation.projects.models import Membership, ProtocolVersion
from annotation.projects.selectors import unread_guidelines

# A sheet whose lease ended was perhaps judged before, without a network; handed out again it is renewed.
IN_HAND = (Sheet.State.DUE, Sheet.State.OPEN)


def renew_versions(*, member_id: int) -> None:
    """Put what a rater has in hand under the version whose guidelines they have just read.

    What was handed in before keeps the version under which it was judged.
    """
    rater = Membership.objects.select_related("project").get(pk=member_id)
    if rater.project.protocol_id is not None:
        in_hand = Sheet.objects.filter(rater=rater, state__in=IN_HAND)
        in_hand.update(protocol_version=rater.project.protocol_id)


def version_in_use(*, rater: Membership, former: ProtocolVersion) -> ProtocolVersion:
    """Return the version under which a rater judges a sheet that comes back.

    It is the one in force once they know its guidelines.
    """
    current = rater.project.protocol
    return former if current is None or unread_guidelines(member=rater) else current
