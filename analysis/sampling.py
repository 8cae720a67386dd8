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
    """Bound a share of none or all of its rows, 95 %: exactly, with each cluster as one row.

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


def bound_ratios(*, parts: Floats, wholes: Floats, are_weighted: bool = False) -> list[Interval | Undefined]:
    """Bound sums of parts divided by sums of wholes, 95 %; both are clusters × figures.

    A share of 0 or 1 has the exact interval over the clusters that have rows in the whole; the others have
    Wilson's with the effective number of rows (`students_interval`). Undefined with fewer than two such
    clusters, and where all have the same share, neither 0 nor 1. are_weighted: a few clusters may weigh more
    than all others, so that only as many count as they are worth (`worth_of`).
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
ONE_HALF = 0.5
# Drawn from replays of EVOUNA-NQ: with two, five rows a cell cover 91 to 99 % by system, with eight 94 to 99.
PRIOR_ROWS = 4.0


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


def weigh_audit(*, ruled: Flags, seen: Flags, probability: Floats, cells: Integers) -> Floats:
    """Return how many of the rows that programs settled each row seen stands for; 0 for all others.

    One over the probability with which it was drawn, so scaled that the rows seen of a cell stand for all
    ruled ones of it. ruled, seen: a rule spoke for the row; it was drawn, and people decided it.
    """
    weights = np.divide(1.0, probability, out=np.zeros(len(probability)), where=seen)
    size = int(cells.max(initial=0)) + 1
    rows = np.bincount(cells, weights=ruled, minlength=size).astype(np.float64)
    total = np.bincount(cells, weights=weights, minlength=size).astype(np.float64)
    scaled: Floats = weights * np.nan_to_num(divide(rows, total))[cells]
    return scaled


class Corrected(NamedTuple):
    """Rows with what programs settled corrected by its audit, and how much that leaves unknown, by group.

    values: a value a row, whose mean over a group is its share; NaN = unknown. A single value may lie
    outside 0 to 1. variance: of each group's mean, by the audit alone. expected: a value a row with the same
    means, in which the rows a group's programs accepted, or rejected, have one value. chance: of each group's
    mean, the variance that these lack because such rows differ, and few of them were seen.
    """

    values: Floats
    variance: Floats
    expected: Floats
    chance: Floats


def correct_by_audit(
    *, people: Floats, programs: Floats, seen: Flags, probability: Floats, groups: Integers, group_count: int
) -> Corrected:
    """Correct what programs said by what people said of the rows drawn for the audit, group by group.

    people: 1 right, 0 wrong, NaN = unknown. programs: the same of rows that a rule spoke for, NaN = of none.
    seen: drawn and decided by people. probability: with which a row that a rule spoke for was to be drawn.
    groups: 0 to group_count - 1.

    A row of no rule keeps what people say. A row seen moves its group's mean by the difference between
    people and programs over its probability, so scaled that the rows seen stand for all that programs
    accepted, or rejected, in the group. What a group has nothing seen of is corrected by all groups' rate.
    Rates of few rows, none at all where no error was found, would have variances too small, so these are of
    rates drawn towards all groups' as by `PRIOR_ROWS` more rows. A group is unknown where one of its rows
    could not have been drawn, or where nobody has seen any row that programs accepted, or rejected, though
    it has some. Source: Särndal, Swensson and Wretman 1992, sections 6.3 (the difference estimator) and 7.6
    (post-stratification); that a row drawn and not yet seen counts as not drawn is ours.
    """
    is_ruled = ~np.isnan(programs)
    seen = is_ruled & seen & ~np.isnan(people) & (probability > 0)
    said = np.nan_to_num(programs) > ONE_HALF
    # Two cells a group: what programs rejected there, then what they accepted.
    cells = groups * 2 + said
    weights = np.divide(1.0, probability, out=np.zeros(len(people)), where=seen)
    erred = weights * (seen & (np.nan_to_num(people) != np.nan_to_num(programs)))

    def add(each: Floats) -> Floats:
        found: Floats = np.bincount(cells, weights=each, minlength=2 * group_count).astype(np.float64)
        return found

    rows, total, missed = add(is_ruled.astype(np.float64)), add(weights), add(erred)
    rates = divide(missed, total)
    # Rows of different weights say as much as so many equal ones (Kish 1965).
    known = np.nan_to_num(divide(total * total, add(weights * weights)))
    of_all = np.tile(divide(_by_sides(missed), _by_sides(total)), group_count)
    stands_for = weigh_audit(ruled=is_ruled, seen=seen, probability=probability, cells=cells)
    error = np.where(total[cells] > 0, stands_for * (erred > 0), of_all[cells])
    values = np.where(is_ruled, programs + np.where(said, -error, error), people)
    rate = np.where(total > 0, rates, of_all)[cells]
    expected = np.where(is_ruled, programs + np.where(said, -rate, rate), people)
    is_lost = np.zeros(group_count, dtype=bool)
    is_lost[groups[is_ruled & (np.isnan(values) | (probability <= 0))]] = True
    values[is_lost[groups]] = expected[is_lost[groups]] = np.nan
    counted = np.bincount(groups[~np.isnan(values)], minlength=group_count).astype(np.float64)
    shares = np.nan_to_num(divide(rows, np.repeat(counted, 2)))
    one = shares * shares * _variance_of_rates(np.nan_to_num(rates), known)
    few = 1.0 / np.maximum(known, 1.0)
    audit = one * np.maximum(0.0, few - np.nan_to_num(divide(np.ones(len(rows)), rows)))
    variance, chance = (each.reshape(group_count, 2).sum(axis=1) for each in (audit, one * few))
    return Corrected(values, variance, expected, chance)


def _by_sides(cells: Floats) -> Floats:
    found: Floats = cells.reshape(-1, 2).sum(axis=0)
    return found


def _variance_of_rates(rates: Floats, known: Floats) -> Floats:
    """Return the variance of one row of each cell, of rates drawn towards all groups'."""
    everywhere = (_by_sides(rates * known) + 0.5) / (_by_sides(known) + 1.0)
    prior = np.tile(everywhere, len(rates) // 2)
    smooth = (rates * known + PRIOR_ROWS * prior) / (known + PRIOR_ROWS)
    return smooth * (1.0 - smooth)


def measure_shares(*, ratios: Iterable[Ratio], clusters: Integers) -> list[Figure]:
    """Return every ratio of sums with its interval over clusters, 95 %, as `analysis.sampling` has it.

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
