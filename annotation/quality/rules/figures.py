"""A number about a rater with the uncertainty it has, or words where there are too few votes for one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import Interval, Undefined, Value, add_by_cluster
from analysis.sampling import bound_ratios
from common.figures import WHY

# Below this a share says more about chance than about a person.
FEWEST = 8


@dataclass(frozen=True)
class Tally:
    """A count, and the total of which it is a part."""

    hits: int
    total: int


@dataclass(frozen=True)
class Figure:
    """A value with the bounds of its 95% interval.

    `value`: null if there is none; `words` then says why. `low`, `high`: null if there is no interval.
    `words`: the counts behind a share, or why the value or interval is missing; otherwise empty. `tally`: the
    counts behind a share; null for other values.
    """

    value: float | None
    low: float | None
    high: float | None
    words: str
    tally: Tally | None = None


def share(
    hits: Sequence[int] | NDArray[np.generic],
    totals: Sequence[int] | NDArray[np.generic] | None = None,
    *,
    questions: Sequence[int] | NDArray[np.integer[Any]],
    nothing: str,
) -> Figure:
    """Return a share with its 95% interval over questions; `nothing` says what lacks without cases.

    hits, totals, questions: a value a vote; every vote is one case unless totals say of how many.
    """
    columns = [np.asarray(hits), np.ones(len(hits)) if totals is None else np.asarray(totals)]
    sums = add_by_cluster(
        sums=np.column_stack(columns).astype(np.float64), clusters=np.asarray(questions, dtype=np.int64)
    )
    tally = Tally(*(int(count) for count in sums.sum(axis=0)))
    return _bounded(tally, bound_ratios(parts=sums[:, :1], wholes=sums[:, 1:])[0], nothing=nothing)


def _bounded(tally: Tally, bounds: Interval | Undefined, *, nothing: str) -> Figure:
    hits, total = tally.hits, tally.total
    if total == 0:
        return Figure(None, None, None, nothing, tally)
    if total < FEWEST:
        return Figure(None, None, None, f"{hits:,} of {total:,}, too few to give a percentage.", tally)
    if isinstance(bounds, Undefined):
        return Figure(hits / total, None, None, f"{hits:,} of {total:,}. {WHY[bounds.why]}", tally)
    words = f"{hits:,} of {total:,}, {_percent(bounds.low)}–{_percent(bounds.high)}%"
    return Figure(hits / total, bounds.low, bounds.high, words, tally)


def estimate(value: Value, bounds: Interval | Undefined) -> Figure:
    """Return a value that is no share of cases, such as κ; without an interval the words say why."""
    if isinstance(value, Undefined):
        return Figure(None, None, None, WHY[value.why])
    if isinstance(bounds, Undefined):
        return Figure(value, None, None, WHY[bounds.why])
    return Figure(value, bounds.low, bounds.high, "")


def _percent(value: float) -> str:
    return f"{100 * value:.0f}"
