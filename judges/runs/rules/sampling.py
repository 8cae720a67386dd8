"""Which answers are judged at all and which first, and what these say of the rest."""

import random
from collections.abc import Sequence
from typing import NamedTuple


class Scope(NamedTuple):
    """Which answers a run takes: those that people judge or all, of one data set, of one system (by its id).

    only_judged: None lets the judge and the study decide.
    """

    only_judged: bool | None = None
    dataset: str = ""
    system: str = ""


UNLIMITED = Scope()


class Means(NamedTuple):
    """What one answer took on average; seconds: of the run's time, not of a call's, None if not known."""

    cost: float
    input_tokens: float
    output_tokens: float
    seconds: float | None


class Forecast(NamedTuple):
    """What so many answers are expected to take; cost in pico-USD, rounded up. seconds: None if not known."""

    answers: int
    cost: int
    input_tokens: int
    output_tokens: int
    seconds: float | None


def draw_sample(ids: Sequence[int], *, size: int, seed: int) -> list[int]:
    """Draw ids at random, each set equally likely, in the order they came; all where there are no more."""
    if size >= len(ids):
        return list(ids)
    places = sorted(random.Random(seed).sample(range(len(ids)), size))
    return [ids[place] for place in places]


def forecast(*, answers: int, means: Means) -> Forecast:
    """Return what so many answers will take if they are like those before."""
    return Forecast(
        answers=answers,
        cost=_round_up(answers * means.cost),
        input_tokens=_round_up(answers * means.input_tokens),
        output_tokens=_round_up(answers * means.output_tokens),
        seconds=None if means.seconds is None else answers * means.seconds,
    )


def _round_up(number: float) -> int:
    return int(-(-number // 1))
