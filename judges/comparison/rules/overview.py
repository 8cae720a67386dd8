"""How fast people judge, and what work is left at that pace."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

# From less, a pace tells nothing: the first sheets are read slowly, and one pause is half of the time.
ENOUGH_VOTES = 50
ENOUGH_SECONDS = 30 * 60


# What a vote is taken to need where nobody has a pace yet; pages count with as many.
SECONDS_A_VOTE = 30


class Pace(NamedTuple):
    """How many votes a rater gave in how many seconds of judging."""

    votes: int
    seconds: float


@dataclass(frozen=True)
class Forecast:
    """How much work is left, in seconds of one annotator’s time, at the annotators’ average pace so far.

    `votes_per_hour`: that pace, for one annotator.
    """

    seconds: float
    votes_per_hour: float


def votes_per_hour(pace: Pace | None) -> float | None:
    """Return a rater's pace; None where no time was measured."""
    return 3600 * pace.votes / pace.seconds if pace and pace.seconds > 0 else None


def forecast(*, votes_left: int, paces: Iterable[Pace]) -> Forecast | None:
    """Return what is left at the pace of all raters; None while too little is judged to tell one."""
    paces = list(paces)
    total = Pace(sum(pace.votes for pace in paces), sum(pace.seconds for pace in paces))
    per_hour = votes_per_hour(total)
    is_enough = total.votes >= ENOUGH_VOTES or total.seconds >= ENOUGH_SECONDS
    if not per_hour or not is_enough or votes_left <= 0:
        return None
    return Forecast(seconds=3600 * votes_left / per_hour, votes_per_hour=per_hour)


@dataclass(frozen=True)
class Load:
    """About how many answers one annotator judges, rounded to two digits, and the seconds that they take."""

    answers: int
    seconds: float


def load_of_each(*, votes: int, people: int, found: Forecast | None) -> Load | None:
    """Return what each of the people judges, at their pace or `SECONDS_A_VOTE`; None where it is nothing.

    votes: those left, where there is no forecast.
    """
    seconds = (found.seconds if found else votes * SECONDS_A_VOTE) / max(1, people)
    per_hour = found.votes_per_hour if found else 3600 / SECONDS_A_VOTE
    answers = round(seconds / 3600 * per_hour)
    # No more digits than an estimate has.
    return Load(answers=int(float(f"{answers:.2g}")), seconds=seconds) if answers else None
