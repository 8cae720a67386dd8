"""Samples that stand for more rows than they hold: weights, and shares of weighted rows with intervals."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    divide,
    percentile_interval,
    resample_sums,
)
from analysis.shares import can_vary, none_or_all_interval
from analysis.undefined import Undefined, Value

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]

NEVER_DRAWN = -1
NOTHING_SAMPLED = "Nothing of this has been looked at yet."


class Ratio(NamedTuple):
    """A share of weighted rows, three weights a row, 0 where the row is not in it.

    sampled: the most the numerator could be, which is the denominator's weight unless that knows rows nobody
    looked at.
    """

    numerator: Floats
    denominator: Floats
    sampled: Floats


class Share(NamedTuple):
    """A ratio with its interval, 95 %, over clusters."""

    value: Value
    interval: Interval | Undefined


def weigh_sample(*, target: Flags, sampled: Flags, cells: Integers) -> Floats:
    """Return how many rows of the target each sampled row of it stands for; 0 for all others.

    cells: rows of one number could have been drawn alike, so those sampled stand for all of the target in
    their cell, in equal parts; `NEVER_DRAWN` marks rows that no draw could find, and a cell without a sampled
    row is stood for by none. The weights add up to the rows stood for.
    Source: post-stratification, Holt and Smith 1979, eq. 1.
    """
    drawable = target & (cells != NEVER_DRAWN)
    looked_at = drawable & sampled
    size = int(cells.max(initial=NEVER_DRAWN)) + 1
    rows = np.bincount(cells[drawable], minlength=size)
    seen = np.bincount(cells[looked_at], minlength=size)
    weights = np.zeros(len(target))
    weights[looked_at] = rows[cells[looked_at]] / seen[cells[looked_at]]
    return weights


def measure_shares(
    *, ratios: Iterable[Ratio], clusters: Integers, seed: int, resamples: int = 1_000
) -> list[Share]:
    """Return every ratio of sums with a percentile bootstrap interval over clusters, drawn once for all.

    clusters: one a row. A ratio of none or all of its sampled rows never varies in a bootstrap; its interval
    is the exact one over the clusters that have sampled rows (Clopper and Pearson 1934). Weights are taken
    as given. Undefined where nothing is sampled; the interval, too, where one cluster is, or where all
    clusters have the same share.
    """
    names, numbers = np.unique(clusters, return_inverse=True)
    sums = [_add(ratio, numbers.reshape(-1), len(names)) for ratio in ratios]
    varied = [each for each in sums if _varies(each)]
    bounds = iter(_bootstrap(varied, seed=seed, resamples=resamples))
    return [_share(each, next(bounds) if _varies(each) else None) for each in sums]


def _add(ratio: Ratio, numbers: Integers, size: int) -> Ratio:
    def add(weights: Floats) -> Floats:
        found: Floats = np.bincount(numbers, weights=weights, minlength=size).astype(np.float64)
        return found

    return Ratio(add(ratio.numerator), add(ratio.denominator), add(ratio.sampled))


def _clusters(sums: Ratio) -> int:
    return int(np.count_nonzero(sums.sampled))


def _varies(sums: Ratio) -> bool:
    is_between = can_vary(part=sums.numerator.sum(), whole=sums.sampled.sum())
    return is_between and _clusters(sums) >= SMALLEST_CLUSTER_COUNT


def _bootstrap(sums: list[Ratio], *, seed: int, resamples: int) -> list[Interval | Undefined]:
    if not sums:
        return []
    columns = [column for each in sums for column in (each.numerator, each.denominator)]
    drawn = resample_sums(sums=np.column_stack(columns), seed=seed, resamples=resamples)
    values = divide(drawn[:, 0::2], drawn[:, 1::2])
    return [percentile_interval(values=values[:, place]) for place in range(len(sums))]


def _share(sums: Ratio, bootstrapped: Interval | Undefined | None) -> Share:
    part, whole, sampled = (float(each.sum()) for each in sums)
    if not sampled or not whole:
        return Share(Undefined(NOTHING_SAMPLED), Undefined(NOTHING_SAMPLED))
    value = part / whole
    if bootstrapped is not None:
        return Share(value, bootstrapped)
    if can_vary(part=part, whole=sampled):
        return Share(value, Undefined(TOO_FEW_CLUSTERS))
    exact = none_or_all_interval(part=part, clusters=_clusters(sums))
    if isinstance(exact, Undefined):
        return Share(value, exact)
    # Of the denominator only `sampled` was looked at.
    return Share(value, Interval(exact.low * sampled / whole, exact.high * sampled / whole))
