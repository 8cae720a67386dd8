"""Ranks, how sure they are, and how far two rankings agree."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.comparing import Table, tell_apart
from analysis.intervals import SMALLEST_CLUSTER_COUNT, TOO_FEW_CLUSTERS, Interval
from analysis.undefined import Undefined, Value

TOO_FEW = "A ranking needs at least two systems with both scores."
ALL_TIED = "All systems have the same score, so there is no ranking to compare."
NOT_ANSWERED = "The system answered none of the questions."
NONE_APART = "Tested with this way of judging as one family, people's scores tell no two systems apart."


class RankRange(NamedTuple):
    """Best and worst rank that a system may have, whole numbers from 1."""

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


def rank_intervals(table: Table) -> list[RankRange | Undefined]:
    """Bound the ranks of all systems together: with 95 % all of them lie in their ranges.

    A system's best rank comes after all that are told apart
    from it and above it, its worst before all below it; see `analysis.comparing.tell_apart`.
    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, section 3 (simultaneous sets of ranks).
    """
    answered: NDArray[np.bool_] = np.count_nonzero(~np.isnan(table.scores), axis=1) > 0
    if table.scores.shape[1] < SMALLEST_CLUSTER_COUNT:
        return [Undefined(TOO_FEW_CLUSTERS if known else NOT_ANSWERED) for known in answered]
    (beats,) = tell_apart(tables=[table])
    total = int(answered.sum())
    return [
        RankRange(1 + above, total - below) if known else Undefined(NOT_ANSWERED)
        for known, above, below in zip(
            answered, beats.sum(axis=0).tolist(), beats.sum(axis=1).tolist(), strict=True
        )
    ]


class SameOrder(NamedTuple):
    """Of the pairs of systems that people's scores tell apart, how many another way puts in the same order.

    interval: of the share whose true order is the same, 95 %.
    """

    pairs: int
    same: int
    interval: Interval | Undefined

    @property
    def share(self) -> Value:
        """Share of the pairs; undefined where none is told apart."""
        return self.same / self.pairs if self.pairs else Undefined(NONE_APART)


def compare_orders(*, people: Table, other: Table) -> SameOrder | Undefined:
    """Compare the order of systems by another way of judging with people's, where people's is sure.

    The interval's low end counts the pairs that the other
    way tells apart, too, and alike; its high end all but those that it tells apart the other way round. All
    pairs of both ways are one family of tests, so that it holds however many pairs there are.
    """
    known = people.has_scores & other.has_scores
    if known.sum() < 2:
        return Undefined(TOO_FEW)
    people, other = people.keep(known), other.keep(known)
    sure, told = tell_apart(tables=[people, other])
    means = np.nanmean(other.scores, axis=1)
    above = means[:, np.newaxis] > means[np.newaxis, :] + 1e-12
    pairs, same = int(sure.sum()), int((sure & above).sum())
    if not pairs:
        return SameOrder(0, 0, Undefined(NONE_APART))
    alike, reversed_ = int((sure & told).sum()), int((sure & told.T).sum())
    return SameOrder(pairs, same, Interval(alike / pairs, 1.0 - reversed_ / pairs))
