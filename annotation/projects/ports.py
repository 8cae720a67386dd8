"""What only later steps know about projects."""

from annotation.projects.models import Membership
from common.ports import Port


@Port
def questions_left(*, rater: Membership) -> int:
    """Return how many questions the judging page says are left."""
    raise NotImplementedError
