"""Which of two systems or judges is better, on the same questions, and when that cannot be told."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import (
    LEVEL,
    RESAMPLES,
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    TOO_OFTEN_UNDEFINED,
    Interval,
    add_by_cluster,
    divide,
    percentile_interval,
    resample_sums,
)
from analysis.undefined import Undefined, Value

SIGNIFICANCE = 0.05
# How many resamples each comparison of a family adds: Holm multiplies the smallest p-value there can be,
# 2 / (resamples + 1), by the number of comparisons, and this keeps the product at half of `SIGNIFICANCE`.
RESAMPLES_A_COMPARISON = 80
# Bounds time and memory.
MOST_RESAMPLES = 20_000

NO_SHARED_ROWS = "The two share no row on which both have a score."


class McNemar(NamedTuple):
    """Rows that only one of two gets right, and how easily chance alone gives such counts."""

    rows: int
    first_only: int
    second_only: int
    p_value: Value


class PairedDifference(NamedTuple):
    """Mean of the first's scores minus the second's over the rows both have, in the unit of the scores.

    p_value: two-sided, of no difference. Undefined where fewer than two questions are shared.
    """

    rows: int
    difference: Value
    interval: Interval | Undefined
    p_value: Value


def mcnemar_exact(*, first_right: NDArray[np.bool_], second_right: NDArray[np.bool_]) -> McNemar:
    """Test whether two get equally many of the same rows right; rows are taken as independent.

    p is 1 where no row tells them apart, and undefined without rows.
    Source: McNemar 1947, with the exact binomial distribution of the rows that tell them apart.
    """
    first_only = int((first_right & ~second_right).sum())
    second_only = int((~first_right & second_right).sum())
    rows = len(first_right)
    if rows == 0:
        return McNemar(0, 0, 0, Undefined(NO_SHARED_ROWS))
    return McNemar(rows, first_only, second_only, _two_sided_coin(first_only, second_only))


def _two_sided_coin(heads: int, tails: int) -> float:
    # Loaded where it is first used: processes that compare nothing start without SciPy.
    from scipy.special import bdtr

    return min(1.0, 2.0 * float(bdtr(min(heads, tails), heads + tails, 0.5)))


def paired_difference(
    *,
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    clusters: NDArray[np.int64],
    seed: int,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> PairedDifference:
    """Bound the difference of two on the same rows by resampling whole clusters, such as questions.

    first, second: one score a row, NaN = none; a row that lacks either is left out of both.
    """
    both = ~(np.isnan(first) | np.isnan(second))
    sums = np.column_stack([first[both] - second[both], np.ones(int(both.sum()))])
    by_cluster = add_by_cluster(sums=sums, clusters=clusters[both])
    resampled = _resample(by_cluster, seed=seed, resamples=resamples)
    return _summarize(by_cluster, resampled, level=level)


def paired_differences(
    *,
    scores: NDArray[np.float64],
    pairs: Sequence[tuple[int, int]],
    seed: int,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> list[PairedDifference]:
    """Compare many pairs of one table on the same draws: as `paired_difference`, with one row a question.

    scores: systems × questions, NaN = not answered. Correct the p-values with `holm_adjust`.
    """
    if not pairs:
        return []
    sums = _pair_sums(scores, pairs)
    resampled = _resample(sums, seed=seed, resamples=resamples)
    starts = range(0, sums.shape[1], 2)
    return [_summarize(sums[:, at : at + 2], resampled[:, at : at + 2], level=level) for at in starts]


def _pair_sums(scores: NDArray[np.float64], pairs: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Return questions × (2 · pairs): each pair's difference, and 1 where both answered."""
    answered = ~np.isnan(scores)
    filled = np.where(answered, scores, 0.0)
    columns: list[NDArray[np.float64]] = []
    for first, second in pairs:
        both = (answered[first] & answered[second]).astype(np.float64)
        columns += [(filled[first] - filled[second]) * both, both]
    return np.column_stack(columns)


def _resample(sums: NDArray[np.float64], *, seed: int, resamples: int) -> NDArray[np.float64]:
    if len(sums) < SMALLEST_CLUSTER_COUNT:
        return np.zeros((0, sums.shape[1]))
    return resample_sums(sums=sums, seed=seed, resamples=resamples)


def _summarize(
    sums: NDArray[np.float64], resampled: NDArray[np.float64], *, level: float
) -> PairedDifference:
    total, rows = (float(value) for value in sums.sum(axis=0))
    if rows == 0:
        nothing = Undefined(NO_SHARED_ROWS)
        return PairedDifference(0, nothing, nothing, nothing)
    difference = total / rows
    if np.count_nonzero(sums[:, 1]) < SMALLEST_CLUSTER_COUNT:
        few = Undefined(TOO_FEW_CLUSTERS)
        return PairedDifference(int(rows), difference, few, few)
    drawn = divide(resampled[:, 0], resampled[:, 1])
    interval = percentile_interval(values=drawn, level=level)
    return PairedDifference(int(rows), difference, interval, bootstrap_p_value(values=drawn))


def enough_resamples(*, comparisons: int, least: int) -> int:
    """Return how many resamples let corrected p-values of so many comparisons fall below `SIGNIFICANCE`.

    Beyond 499 comparisons there are too few, and nothing is distinguishable.
    """
    return min(max(least, RESAMPLES_A_COMPARISON * comparisons), max(least, MOST_RESAMPLES))


def bootstrap_p_value(*, values: NDArray[np.float64]) -> Value:
    """Turn resampled differences into a two-sided p-value of "no difference", 2 / (resamples + 1) to 1.

    Twice the smaller share of resamples on either side of zero, so that p < 1 - level goes with a
    percentile interval that leaves zero out. One is added to each count, so that p is never 0.
    Source: Efron and Tibshirani 1993, section 15.4; the added one after Davison and Hinkley 1997, eq. 4.11.
    """
    known = values[~np.isnan(values)]
    if len(known) < len(values) / 2 or len(known) == 0:
        return Undefined(TOO_OFTEN_UNDEFINED)
    smaller = min(int((known <= 0).sum()), int((known >= 0).sum()))
    return min(1.0, 2.0 * (smaller + 1) / (len(known) + 1))


def holm_adjust(p_values: Sequence[Value]) -> list[Value]:
    """Correct p-values of one family of comparisons, in their order; 0 to 1, never below the uncorrected.

    What is undefined stays so and is no member of the family.
    Source: Holm 1979: the smallest of m is multiplied by m, the next by m - 1, and none falls below one
    before it.
    """
    known = [(value, place) for place, value in enumerate(p_values) if not isinstance(value, Undefined)]
    adjusted = list(p_values)
    largest = 0.0
    for rank, (value, place) in enumerate(sorted(known)):
        largest = max(largest, min(1.0, value * (len(known) - rank)))
        adjusted[place] = largest
    return adjusted


def is_distinguishable(p_value: Value, *, significance: float = SIGNIFICANCE) -> bool:
    """Say whether a difference may be called one: its (corrected) p-value is below `significance`.

    What is undefined is not distinguishable.
    """
    return not isinstance(p_value, Undefined) and p_value < significance
