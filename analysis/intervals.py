"""Intervals around shares, means and any statistic of sums that are resampled question by question."""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.undefined import Undefined

Draws: TypeAlias = NDArray[np.unsignedinteger[Any]]

RESAMPLES = 2_000
LEVEL = 0.95
SMALLEST_CLUSTER_COUNT = 2
# Above this share of resamples without a value the rest would be a biased selection.
LARGEST_UNDEFINED_SHARE = 0.05
# Sums of weights are not exact.
ROUNDING = 1e-9
# Bounds the memory of one block of resamples × clusters.
BLOCK_CELLS = 4_000_000
# Draws of at most as many cells are kept, a byte each.
MOST_KEPT_CELLS = 16_000_000

TOO_FEW_CLUSTERS = "An interval needs at least two questions."
NEVER_VARIES = "It is the same in every resample, so it has no interval."
TOO_OFTEN_UNDEFINED = "The value is undefined in too many resamples for an interval."
NO_ROWS = "There is nothing to count yet."


class Interval(NamedTuple):
    """Both ends, in the unit of the statistic."""

    low: float
    high: float


def divide(numerator: NDArray[np.float64], denominator: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide, NaN where the denominator is zero (rounding errors of sums count as zero)."""
    defined = np.abs(denominator) > 1e-12
    return np.where(defined, numerator / np.where(defined, denominator, 1.0), np.nan)


def add_by_cluster(*, sums: NDArray[np.float64], clusters: NDArray[np.int64]) -> NDArray[np.float64]:
    """Add items × sums to clusters × sums; clusters are numbered as their sorted names are."""
    names, numbers = np.unique(clusters, return_inverse=True)
    flat = numbers.reshape(-1)
    columns = [np.bincount(flat, weights=column, minlength=len(names)) for column in sums.T]
    return np.column_stack(columns) if columns else np.zeros((len(names), 0))


def percentile_interval(
    *, values: NDArray[np.float64], level: float = LEVEL, clusters: int = SMALLEST_CLUSTER_COUNT
) -> Interval | Undefined:
    """Return the middle `level` of resampled values; NaN = undefined in that resample.

    clusters: how many the values were drawn from, where that may be too few. Undefined, too, where the
    values never vary.
    """
    if clusters < SMALLEST_CLUSTER_COUNT:
        return Undefined(TOO_FEW_CLUSTERS)
    if np.isnan(values).mean() > LARGEST_UNDEFINED_SHARE:
        return Undefined(TOO_OFTEN_UNDEFINED)
    tail = (1.0 - level) / 2.0
    low, high = np.nanquantile(values, [tail, 1.0 - tail])
    return unless_fixed(Interval(float(low), float(high)))


def unless_fixed(interval: Interval) -> Interval | Undefined:
    """Return an interval, undefined where it has no width: that would claim to be certain."""
    return interval if interval.high - interval.low > ROUNDING else Undefined(NEVER_VARIES)


def percentile_intervals(
    *, values: NDArray[np.float64], clusters: Sequence[int], level: float = LEVEL
) -> list[Interval | Undefined]:
    """Return `percentile_interval` of each column: resamples × statistics, and of each how many clusters."""
    is_whole = ~np.isnan(values).any(axis=0) & (np.array(clusters) >= SMALLEST_CLUSTER_COUNT)
    tail = (1.0 - level) / 2.0
    ends = np.empty((2, values.shape[1]))
    # All at once where no resample lacks a value: column by column takes ten times as long.
    ends[:, is_whole] = np.quantile(values[:, is_whole], [tail, 1.0 - tail], axis=0)
    return [
        unless_fixed(Interval(float(low), float(high)))
        if whole
        else percentile_interval(values=column, level=level, clusters=count)
        for low, high, whole, column, count in zip(*ends, is_whole, values.T, clusters, strict=True)
    ]


def resample_sums(*, sums: NDArray[np.float64], seed: int, resamples: int) -> NDArray[np.float64]:
    """Draw clusters with replacement and add their counts: resamples × counts."""
    blocks = draw_clusters(clusters=len(sums), seed=seed, resamples=resamples)
    return np.concatenate([block.astype(np.float64) @ sums for block in blocks])


def draw_clusters(*, clusters: int, seed: int, resamples: int) -> Iterable[Draws]:
    """Return how often each cluster is drawn, block by block: resamples × clusters, to be read only."""
    is_small = clusters * resamples <= MOST_KEPT_CELLS
    return _kept_draws(clusters, seed, resamples) if is_small else _draws(clusters, seed, resamples)


@lru_cache(maxsize=2)
def _kept_draws(clusters: int, seed: int, resamples: int) -> tuple[Draws, ...]:
    # Drawing takes far longer than adding up, and pages resample the same number of questions many times.
    return tuple(_draws(clusters, seed, resamples))


def _draws(clusters: int, seed: int, resamples: int) -> Iterator[Draws]:
    """Yield how often each cluster is drawn, block by block: resamples × clusters."""
    generator = np.random.default_rng(seed)
    block = max(1, BLOCK_CELLS // clusters)
    for start in range(0, resamples, block):
        yield _draw(generator, clusters, min(block, resamples - start))


def _draw(generator: np.random.Generator, clusters: int, resamples: int) -> Draws:
    drawn = generator.integers(0, clusters, size=(resamples, clusters))
    drawn += np.arange(resamples)[:, np.newaxis] * clusters
    counts = np.bincount(drawn.reshape(-1), minlength=resamples * clusters)
    # The smallest type that holds them: nearly always a byte.
    return counts.reshape(resamples, clusters).astype(np.min_scalar_type(int(counts.max())))


def wilson_interval(*, successes: int, total: int, level: float = LEVEL) -> Interval | Undefined:
    """Bound a share of independent rows. Source: Wilson 1927; without continuity correction."""
    if total == 0:
        return Undefined(NO_ROWS)
    z = NormalDist().inv_cdf(0.5 + level / 2.0)
    share = successes / total
    shrink = 1.0 + z * z / total
    center = (share + z * z / (2.0 * total)) / shrink
    reach = z / shrink * (share * (1.0 - share) / total + z * z / (4.0 * total * total)) ** 0.5
    # Rounding may push a bound past the share itself where that is 0 or 1.
    return Interval(max(0.0, min(center - reach, share)), min(1.0, max(center + reach, share)))


def clopper_pearson_interval(*, successes: int, total: int, level: float = LEVEL) -> Interval | Undefined:
    """Bound a share exactly: the interval covers it at least as often as `level` says, however few the rows.

    For rows drawn without replacement from a finite number of them it is wider than it need be, never
    narrower. Source: Clopper and Pearson 1934, by quantiles of the beta distribution.
    """
    if total == 0:
        return Undefined(NO_ROWS)
    # Loaded where it is first used: processes that need no interval start without SciPy.
    from scipy.special import betaincinv

    tail = (1.0 - level) / 2.0
    misses = total - successes
    low = 0.0 if successes == 0 else float(betaincinv(successes, misses + 1, tail))
    high = 1.0 if misses == 0 else float(betaincinv(successes + 1, misses, 1.0 - tail))
    return Interval(low, high)


def mean_interval(*, count: int, total: float, squares: float, level: float = LEVEL) -> Interval | Undefined:
    """Bound the mean of independent values between 0 and 1 by its standard error, cut off at 0 and 1.

    total, squares: sums of the values and of their squares.
    """
    if count < SMALLEST_CLUSTER_COUNT:
        return Undefined(TOO_FEW_CLUSTERS)
    z = NormalDist().inv_cdf(0.5 + level / 2.0)
    mean = total / count
    variance = max(0.0, squares - count * mean * mean) / (count - 1)
    reach = z * math.sqrt(variance / count)
    return Interval(max(0.0, mean - reach), min(1.0, mean + reach))
