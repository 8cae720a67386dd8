"""Ranks, how sure they are, and how far two rankings agree."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import (
    LEVEL,
    RESAMPLES,
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    divide,
    percentile_interval,
    resample_sums,
)
from analysis.undefined import Undefined, Value

TOO_FEW = "A ranking needs at least two systems with both scores."
ALL_TIED = "All systems have the same score, so there is no ranking to compare."
NOT_ANSWERED = "The system answered none of the questions."
# Bounds the memory of one block of resamples × systems × systems.
BLOCK_CELLS = 4_000_000


class RankRange(NamedTuple):
    """Best and worst rank a system takes in the middle of the resamples, whole numbers from 1."""

    best: int
    worst: int


def rank_scores(scores: Sequence[float]) -> list[int]:
    """Rank from 1, the highest score first; equal scores share the best rank they take (1, 2, 2, 4)."""
    values = np.asarray(scores, dtype=np.float64)
    higher = values[np.newaxis, :] > values[:, np.newaxis]
    return [int(count) + 1 for count in higher.sum(axis=1)]


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> Value:
    """Compute Kendall's tau-b of two lists of scores, -1 to 1, ties counted as in Kendall 1945."""
    if len(first) < 2:
        return Undefined(TOO_FEW)
    one, other = _signs(first), _signs(second)
    untied = float(np.abs(one).sum()) * float(np.abs(other).sum())
    if untied == 0:
        return Undefined(ALL_TIED)
    return float((one * other).sum()) / math.sqrt(untied)


def _signs(
    scores: Sequence[float],
) -> NDArray[np.float64]:
    values = np.asarray(scores, dtype=np.float64)
    return np.sign(values[:, np.newaxis] - values[np.newaxis, :])


def rank_intervals(
    *, scores: NDArray[np.float64], seed: int, resamples: int = RESAMPLES, level: float = LEVEL
) -> list[RankRange | Undefined]:
    """Bound each system's rank by ranking the systems' means again in every resample of questions.

    scores: systems × questions, NaN = not answered; ties share the best rank, as in `rank_scores`. In a
    resample without any question that it answered a system takes no rank and pushes nobody down.
    Source: Goldstein and Spiegelhalter 1996, section 3; percentile bootstrap over questions.
    """
    answered = [bool(count) for count in (~np.isnan(scores)).sum(axis=1)]
    if scores.shape[1] < SMALLEST_CLUSTER_COUNT:
        return [Undefined(TOO_FEW_CLUSTERS if known else NOT_ANSWERED) for known in answered]
    means = _resample_means(scores, seed=seed, resamples=resamples)
    tail = (1.0 - level) / 2.0
    return [
        _rank_range(_ranks_of(system, means), tail) if known else Undefined(NOT_ANSWERED)
        for system, known in enumerate(answered)
    ]


def _resample_means(scores: NDArray[np.float64], *, seed: int, resamples: int) -> NDArray[np.float64]:
    """Return resamples × systems: means over the drawn questions that each system answered."""
    answered = ~np.isnan(scores)
    sums = np.vstack([np.where(answered, scores, 0.0), answered]).T
    resampled = resample_sums(sums=np.ascontiguousarray(sums), seed=seed, resamples=resamples)
    return divide(resampled[:, : len(scores)], resampled[:, len(scores) :])


def _ranks_of(system: int, means: NDArray[np.float64]) -> NDArray[np.float64]:
    own = means[:, system, np.newaxis]
    # Equal scores may differ in the last bit after adding in another order.
    ranks = 1.0 + (means > own + 1e-12).sum(axis=1)
    return np.where(np.isnan(own[:, 0]), np.nan, ranks)


def _rank_range(ranks: NDArray[np.float64], tail: float) -> RankRange:
    known = ranks[~np.isnan(ranks)]
    best, worst = np.quantile(known, [tail, 1.0 - tail], method="inverted_cdf")
    return RankRange(int(best), int(worst))


def kendall_tau_b_interval(
    *,
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    seed: int,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval | Undefined:
    """Bound tau-b between the rankings of two ways of judging by resampling the questions of both together.

    first, second: systems × questions, NaN = no score; the rankings are those of the systems' means.
    """
    if len(first) < 2:
        return Undefined(TOO_FEW)
    if first.shape[1] < SMALLEST_CLUSTER_COUNT:
        return Undefined(TOO_FEW_CLUSTERS)
    means = _resample_means(np.vstack([first, second]), seed=seed, resamples=resamples)
    ones, others = means[:, : len(first)], means[:, len(first) :]
    block = max(1, BLOCK_CELLS // len(first) ** 2)
    values = [
        _tau_b(ones[start : start + block], others[start : start + block])
        for start in range(0, resamples, block)
    ]
    return percentile_interval(values=np.concatenate(values), level=level)


def _tau_b(ones: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute resamples × systems against resamples × systems; systems without a mean stand aside."""
    one, other = _pair_signs(ones), _pair_signs(others)
    known = ~(np.isnan(one) | np.isnan(other))
    one, other = np.where(known, one, 0.0), np.where(known, other, 0.0)
    untied = np.abs(one).sum(axis=(1, 2)) * np.abs(other).sum(axis=(1, 2))
    return divide((one * other).sum(axis=(1, 2)), np.sqrt(untied))


def _pair_signs(means: NDArray[np.float64]) -> NDArray[np.float64]:
    differences = means[:, :, np.newaxis] - means[:, np.newaxis, :]
    return np.where(np.abs(differences) <= 1e-12, 0.0, np.sign(differences))
