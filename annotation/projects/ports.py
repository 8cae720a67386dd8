"""What only later steps know about projects."""

from annotation.projects.models import Membership
from common.events import Port


@Port
def questions_left(*, rater: Membership) -> int:
    """Return how many questions the judging page says are left."""
    raise NotImplementedError
