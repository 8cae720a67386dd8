"""How fast people judge, and what time is left at that pace."""

from collections.abc import Iterable
from typing import NamedTuple


class Pace(NamedTuple):
    """How many votes a rater gave in how many seconds of judging."""

    votes: int
    seconds: float


def votes_per_hour(pace: Pace | None) -> float | None:
    """Return a rater's pace; None where no time was measured."""
    return 3600 * pace.votes / pace.seconds if pace and pace.seconds > 0 else None


def seconds_of_work(*, votes_left: int, paces: Iterable[Pace]) -> float | None:
    """Return how much judging is left at the pace of all raters so far; None where no time was measured."""
    paces = list(paces)
    votes, seconds = sum(pace.votes for pace in paces), sum(pace.seconds for pace in paces)
    return votes_left * seconds / votes if votes and votes_left > 0 else None
