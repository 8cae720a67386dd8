"""Shares and differences from samples drawn with known probability."""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import (
    ROUNDING,
    SMALLEST_CLUSTER_COUNT,
    Figure,
    Interval,
    Linearized,
    Scale,
    Undefined,
    Why,
    clopper_pearson_interval,
    divide,
    standard_errors,
    students_intervals,
)

# Bounds the memory of clusters × columns.
_BLOCK = 512
# Of which a board of failures has hundreds, each with three sums a cluster.
_RATIOS_AT_ONCE = 32


def can_vary(*, part: float, whole: float) -> bool:
    """Say whether a share is neither of none nor of all."""
    return ROUNDING < part < whole - ROUNDING


def none_or_all_interval(*, part: float, clusters: int) -> Interval | Undefined:
    """Bound a share of none or all of its rows, 95%: exactly, with each cluster as one row.

    Rows of one cluster may be alike, so that more rows of it say no more than one. clusters: those that
    have rows in the whole; one alone has no interval, as it has none of any other share.
    Source: Clopper and Pearson 1934.
    """
    if clusters < SMALLEST_CLUSTER_COUNT:
        return Undefined(Why.TOO_FEW_QUESTIONS)
    return clopper_pearson_interval(successes=clusters if part > ROUNDING else 0, total=clusters)


def worth_of(wholes: Floats) -> Integers:
    """Return how many equal clusters those of each column are worth; wholes: clusters × columns.

    A few that weigh more than all others are worth hardly more than themselves. At least two of those there
    are: what one cluster alone outweighs has next to no interval, and says so by its width.
    Source: Kish 1965, section 11.7.
    """
    counts = np.count_nonzero(wholes, axis=0)
    worth = np.square(wholes.sum(axis=0)) / np.maximum(np.square(wholes).sum(axis=0), ROUNDING)
    found: Integers = np.minimum(counts, np.maximum((worth + ROUNDING).astype(np.int64), 2))
    return found


def bound_ratios(
    *,
    parts: Floats,
    wholes: Floats,
    are_weighted: bool = False,
    doubts: tuple[Floats, Floats] | None = None,
) -> list[Interval | Undefined]:
    """Bound sums of parts divided by sums of wholes, 95%; both are clusters × figures.

    A share of 0 or 1 has the exact interval over the clusters that have rows in the whole; the others have
    Wilson's with the effective number of rows (`students_interval`). Undefined with fewer than two such
    clusters, and where all have the same share, neither 0 nor 1. are_weighted: a few clusters may weigh more
    than all others, so that only as many count as they are worth (`worth_of`). doubts: parts and wholes of
    further rows that nobody saw, which make intervals wider and move no share.
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
    if doubts is not None:
        influences = (doubts[0] - np.nan_to_num(values) * doubts[1]) / np.maximum(whole, ROUNDING)
        squares += np.square(influences).sum(axis=0)
    found = Linearized(values, standard_errors(squares=squares, counts=counts))
    worth = (worth_of(wholes) if are_weighted else counts).tolist()
    bounds = students_intervals(found=found, clusters=worth, scale=Scale.SHARE)
    return [
        bound
        if not count or can_vary(part=own_part, whole=own_whole)
        else none_or_all_interval(part=own_part, clusters=count)
        for bound, count, own_part, own_whole in zip(
            bounds, worth, part.tolist(), whole.tolist(), strict=True
        )
    ]


NEVER_DRAWN = -1


class Ratio(NamedTuple):
    """A share of weighted rows, three weights a row, 0 where the row is not in it.

    sampled: the most the numerator could be, which is the denominator's weight unless that knows rows nobody
    looked at.
    """

    numerator: Floats
    denominator: Floats
    sampled: Floats


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


def weigh_audit(*, ruled: Flags | Floats, seen: Flags, probability: Floats, cells: Integers) -> Floats:
    """Return how many of the rows that programs settled each row seen stands for; 0 for all others.

    One over the probability with which it was drawn, so scaled that the rows seen of a cell stand for all
    ruled ones of it. ruled, seen: a rule spoke for the row; it was drawn, and people decided it. Where rows
    were themselves drawn, ruled is how many each stands for, and the probability that of both draws.
    """
    weights = np.divide(1.0, probability, out=np.zeros(len(probability)), where=seen)
    size = int(cells.max(initial=0)) + 1
    rows = np.bincount(cells, weights=ruled, minlength=size).astype(np.float64)
    total = np.bincount(cells, weights=weights, minlength=size).astype(np.float64)
    scaled: Floats = weights * np.nan_to_num(divide(rows, total))[cells]
    return scaled


def measure_shares(*, ratios: Iterable[Ratio], clusters: Integers) -> list[Figure]:
    """Return every ratio of sums with its interval over clusters, 95%, as `analysis.sampling` has it.

    clusters: one a row. The interval of a ratio of none or all of its sampled rows is the exact one over as
    many clusters as those with sampled rows are worth (`worth_of`). Weights are taken as given. Undefined
    where nothing is sampled; the interval, too, where one cluster is, or where all clusters have the same
    share.
    """
    names, numbers = np.unique(clusters, return_inverse=True)
    places, left, found = numbers.reshape(-1), iter(ratios), list[Figure]()
    while sums := [_add(ratio, places, len(names)) for ratio in islice(left, _RATIOS_AT_ONCE)]:
        bounds = iter(_bound([each for each in sums if _varies(each)]))
        found += [_share(each, next(bounds) if _varies(each) else None) for each in sums]
    return found


def _add(ratio: Ratio, numbers: Integers, size: int) -> Ratio:
    def add(weights: Floats) -> Floats:
        found: Floats = np.bincount(numbers, weights=weights, minlength=size).astype(np.float64)
        return found

    return Ratio(add(ratio.numerator), add(ratio.denominator), add(ratio.sampled))


def _varies(sums: Ratio) -> bool:
    is_between = can_vary(part=sums.numerator.sum(), whole=sums.sampled.sum())
    return is_between and bool(np.count_nonzero(sums.sampled) >= SMALLEST_CLUSTER_COUNT)


def _bound(sums: list[Ratio]) -> list[Interval | Undefined]:
    if not sums:
        return []
    return bound_ratios(
        parts=np.column_stack([each.numerator for each in sums]),
        wholes=np.column_stack([each.denominator for each in sums]),
        are_weighted=True,
    )


def _share(sums: Ratio, bounds: Interval | Undefined | None) -> Figure:
    part, whole, sampled = (float(each.sum()) for each in sums)
    if not sampled or not whole:
        return Figure(None, why=Why.NOTHING_SAMPLED)
    value = part / whole
    if bounds is not None:
        return Figure.of(value, bounds)
    if can_vary(part=part, whole=sampled):
        return Figure.of(value, Undefined(Why.TOO_FEW_QUESTIONS))
    (worth,) = worth_of(sums.sampled[:, np.newaxis]).tolist()
    exact = none_or_all_interval(part=part, clusters=worth)
    if isinstance(exact, Undefined):
        return Figure.of(value, exact)
    # Of the denominator only `sampled` was looked at.
    return Figure.of(value, Interval(exact.low * sampled / whole, exact.high * sampled / whole))
