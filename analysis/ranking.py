"""Ranks, what moves between two rankings, and how far two rankings agree."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.undefined import Undefined, Value

TOO_FEW = "A ranking needs at least two systems with both scores."
ALL_TIED = "All systems have the same score, so there is no ranking to compare."


def rank_scores(scores: Sequence[float]) -> list[int]:
    """Rank from 1, the highest score first; equal scores share the best rank they take (1, 2, 2, 4)."""
    values = np.asarray(scores, dtype=np.float64)
    higher = values[np.newaxis, :] > values[:, np.newaxis]
    return [int(count) + 1 for count in higher.sum(axis=1)]


def rank_changes(*, before: Sequence[float], after: Sequence[float]) -> list[int]:
    """Count the ranks each system gains from one list of scores to the other; negative where it falls."""
    return [old - new for old, new in zip(rank_scores(before), rank_scores(after), strict=True)]


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
