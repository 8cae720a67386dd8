"""Shares of rows with intervals over clusters, exact where a share is of none or of all."""

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import (
    ROUNDING,
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    Linearized,
    Scale,
    clopper_pearson_interval,
    divide,
    standard_errors,
    students_intervals,
)
from analysis.undefined import Undefined

Floats = NDArray[np.float64]

# Bounds the memory of clusters × columns.
_BLOCK = 512


def can_vary(*, part: float, whole: float) -> bool:
    """Say whether a share is neither of none nor of all."""
    return ROUNDING < part < whole - ROUNDING


def none_or_all_interval(*, part: float, clusters: int) -> Interval | Undefined:
    """Bound a share of none or all of its rows, 95 %: exactly, with each cluster as one row.

    Rows of one cluster may be alike, so that more rows of it say no more than one. clusters: those that
    have rows in the whole; one alone has no interval, as it has none of any other share.
    Source: Clopper and Pearson 1934.
    """
    if clusters < SMALLEST_CLUSTER_COUNT:
        return Undefined(TOO_FEW_CLUSTERS)
    return clopper_pearson_interval(successes=clusters if part > ROUNDING else 0, total=clusters)


def bound_ratios(*, parts: Floats, wholes: Floats, are_weighted: bool = False) -> list[Interval | Undefined]:
    """Bound sums of parts divided by sums of wholes, 95 %; both are clusters × figures.

    A share of 0 or 1 has the exact interval over the clusters that have rows in the whole; the others have
    Wilson's with the effective number of rows (`students_interval`). Undefined with fewer than two such
    clusters, and where all have the same share, neither 0 nor 1. are_weighted: a few clusters may weigh more
    than all others, so that only as many count as equal ones would be worth (Kish 1965, section 11.7).
    """
    part, whole = parts.sum(axis=0), wholes.sum(axis=0)
    values = divide(part, whole)
    counts = np.count_nonzero(wholes, axis=0)
    squares = np.zeros(len(values))
    for first in range(0, len(values), _BLOCK):
        own = slice(first, first + _BLOCK)
        influences = (parts[:, own] - np.nan_to_num(values[own]) * wholes[:, own]) / np.maximum(
            whole[own], ROUNDING
        )
        squares[own] = np.square(influences).sum(axis=0)
    found = Linearized(values, standard_errors(squares=squares, counts=counts))
    worth = np.square(whole) / np.maximum(np.square(wholes).sum(axis=0), ROUNDING)
    # At least two: what one cluster alone outweighs has next to no interval, and says so by its width.
    freedom = np.minimum(counts, np.maximum(worth.astype(np.int64), 2)) if are_weighted else counts
    bounds = students_intervals(found=found, clusters=freedom.tolist(), scale=Scale.SHARE)
    return [
        bound
        if not count or can_vary(part=own_part, whole=own_whole)
        else none_or_all_interval(part=own_part, clusters=count)
        for bound, count, own_part, own_whole in zip(
            bounds, counts.tolist(), part.tolist(), whole.tolist(), strict=True
        )
    ]
