"""A number about a rater with the uncertainty it has, or words where there are too few votes for one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import Interval, wilson_interval
from analysis.undefined import Undefined, Value

# Below this a share says more about chance than about a person.
FEWEST = 8


class Tally(NamedTuple):
    """How often something was so, of how many times it could have been."""

    hits: int
    total: int


class Figure(NamedTuple):
    """A value between its bounds, or words why there is none; `tally`: what a share is made of."""

    value: float | None
    low: float | None
    high: float | None
    words: str
    tally: Tally | None = None


def tally_of(outcomes: Sequence[bool] | NDArray[np.bool_]) -> Tally:
    """Count the outcomes that are true."""
    return Tally(int(np.count_nonzero(outcomes)), len(outcomes))


def share(tally: Tally, *, nothing: str) -> Figure:
    """Return a share with Wilson's 95 % interval; `nothing` says what lacks where there are no cases."""
    hits, total = tally
    if total == 0:
        return Figure(None, None, None, nothing, tally)
    bounds = wilson_interval(successes=hits, total=total)
    if total < FEWEST or isinstance(bounds, Undefined):
        return Figure(None, None, None, f"{hits:,} of {total:,}, too few for a share.", tally)
    words = f"{hits:,} of {total:,}, {_percent(bounds.low)}–{_percent(bounds.high)} %"
    return Figure(hits / total, bounds.low, bounds.high, words, tally)


def estimate(value: Value, bounds: Interval | Undefined) -> Figure:
    """Return a value that is no share of cases, such as κ; without an interval the words say why."""
    if isinstance(value, Undefined):
        return Figure(None, None, None, value.reason)
    if isinstance(bounds, Undefined):
        return Figure(value, None, None, bounds.reason)
    return Figure(value, bounds.low, bounds.high, "")


def _percent(value: float) -> str:
    return f"{100 * value:.0f}"
