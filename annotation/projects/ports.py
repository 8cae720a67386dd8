"""What only later steps know about projects."""

from dataclasses import dataclass

from annotation.projects.models import Membership, Organization, Project
from common.events import Port


@Port
def questions_left(*, rater: Membership) -> int:
    """Return how many questions the judging page says are left."""
    raise NotImplementedError


@Port
def decisions_waiting(*, project: Project) -> int:
    """Return how many answers wait for a person's decision, as the queue counts them."""
    raise NotImplementedError


@Port
def answers_by_project(*, organization: Organization) -> dict[int, int]:
    """Return how many answers were imported into each project of an organization, by the project's key.

    Equal answers to a question count once; projects without any may be left out.
    """
    raise NotImplementedError


@dataclass(frozen=True)
class MonthlySpending:
    """What an organization spends on language models this month (UTC), including calls in progress.

    Amounts are in USD. `limit_usd`: null if there is no limit.
    """

    month: str
    used_usd: str
    limit_usd: str | None


@Port
def spending_of(*, organization: Organization) -> MonthlySpending:
    """Return what an organization has spent this month."""
    raise NotImplementedError
