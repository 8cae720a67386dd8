"""What only later steps know about projects."""

from annotation.projects.models import Membership, Project
from common.events import Port


@Port
def questions_left(*, rater: Membership) -> int:
    """Return how many questions the judging page says are left."""
    raise NotImplementedError


@Port
def decisions_waiting(*, project: Project) -> int:
    """Return how many answers wait for a person's decision, as the queue counts them."""
    raise NotImplementedError
