"""What only later steps know of what messages say."""

from typing import NamedTuple

from annotation.accounts.models import User
from common.events import Port


class Waiting(NamedTuple):
    """What waits for a person in one project: questions to judge, or else answers to decide."""

    project_name: str
    project_slug: str
    is_judging: bool
    number: int


@Port
def what_waits(*, user: User) -> list[Waiting]:
    """Return what waits for a person, only where something does: no more than their list of projects says."""
    raise NotImplementedError


class Share(NamedTuple):
    """What awaits each annotator of a project: about so many answers, in about so many seconds."""

    answers: int
    seconds: float


@Port
def share_of(*, project_id: int) -> Share | None:
    """Return what awaits each annotator, those invited among them; None where nothing is left to judge."""
    raise NotImplementedError


@Port
def is_invitation_open(*, public_id: str) -> bool:
    """Return whether an invitation still lets somebody in."""
    raise NotImplementedError
