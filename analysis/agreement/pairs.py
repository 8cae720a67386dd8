"""Pairs of raters: how the two voted on what both judged, and Cohen's kappa of each."""

from typing import NamedTuple

import numpy as np

from analysis.agreement.coefficients import beyond_chance
from analysis.agreement.sums import Sums
from analysis.agreement.votes import NOT_RATED, Floats, Integers
from analysis.intervals import divide

# The work of intervals for Cohen's kappa grows with questions × pairs; beyond so many pairs there is none.
MOST_PAIRS = 200


def cohen_kappa(tables: Floats) -> Floats:
    """Cohen's kappa of … × labels × labels counts; NaN where empty or each rater used the same one label.

    Source: Cohen 1960, eq. 1.
    """
    totals = np.asarray(tables.sum(axis=(-2, -1)))
    observed = divide(np.trace(tables, axis1=-2, axis2=-1), totals)
    chance = np.asarray((tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1))
    return beyond_chance(observed, divide(chance, np.square(totals)))


def tabulate_two(*, first: Integers, second: Integers, label_count: int) -> Floats:
    """Count labels × labels of two raters' votes on the same items; -1 = not rated, left out."""
    base = label_count + 1
    codes = (first + 1) * base
    codes += second + 1
    counts = np.bincount(codes, minlength=base * base).reshape(base, base)
    return counts[1:, 1:].astype(np.float64)


def sums_of_table(table: Floats) -> Sums:
    """Return what every coefficient needs of … × labels × labels tables of two raters."""
    total = np.asarray(table.sum(axis=(-2, -1)))
    agreeing = np.asarray(np.trace(table, axis1=-2, axis2=-1))
    both = table + np.swapaxes(table, -2, -1)
    return Sums(
        items=total,
        agreeing=agreeing,
        disagreeing=np.asarray(total - agreeing),
        shares=np.asarray(both.sum(axis=-2) / 2.0),
        coincidences=both,
    )


class PairTables(NamedTuple):
    """How two named raters voted on the items both rated.

    pairs: pairs × 2 rater numbers, the smaller first. items, pair_numbers, cells: one entry per item and
    pair; a cell is first rater's label × label_count + second rater's label.
    """

    pairs: Integers
    items: Integers
    pair_numbers: Integers
    cells: Integers


def tabulate_pairs(*, votes: Integers, raters: Integers, label_count: int) -> PairTables:
    """Find the pairs of raters who voted on the same items.

    votes: items × slots, -1 = not rated. raters: items × slots, who filled the slot, numbers from 0.
    """
    people = int(raters.max(initial=0)) + 1
    names, cells, items = [], [], []
    for one, other in zip(*np.triu_indices(votes.shape[1], k=1), strict=True):
        rows = np.flatnonzero((votes[:, one] != NOT_RATED) & (votes[:, other] != NOT_RATED))
        swapped = raters[rows, one] > raters[rows, other]
        first, second = np.where(swapped, other, one), np.where(swapped, one, other)
        names.append(raters[rows, first] * people + raters[rows, second])
        cells.append(votes[rows, first] * label_count + votes[rows, second])
        items.append(rows)
    pairs, numbers = _number_pairs(_join(names), people)
    return PairTables(pairs, _join(items), numbers, _join(cells))


def _join(parts: list[Integers]) -> Integers:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _number_pairs(names: Integers, people: int) -> tuple[Integers, Integers]:
    present = np.flatnonzero(np.bincount(names, minlength=people * people))
    place = np.zeros(people * people, dtype=np.int64)
    place[present] = np.arange(len(present))
    return np.stack([present // people, present % people], axis=1), place[names]


def sum_pairs(*, tables: PairTables, groups: Integers, group_count: int, label_count: int) -> Floats:
    """Count groups × (pairs · labels²) votes; `groups` names each item's group, such as its question."""
    width = len(tables.pairs) * label_count**2
    cells = tables.pair_numbers * label_count**2 + tables.cells
    flat = groups[tables.items] * width + cells
    return np.bincount(flat, minlength=group_count * width).reshape(group_count, width).astype(np.float64)


def mean_cohen_kappa(packed: Floats, *, label_count: int) -> Floats:
    """Mean of the pairs' kappas, weighted by the items they share; pairs without a kappa stand aside."""
    tables = packed.reshape(*packed.shape[:-1], -1, label_count, label_count)
    kappas = cohen_kappa(tables)
    weights = np.where(np.isnan(kappas), 0.0, tables.sum(axis=(-2, -1)))
    return divide((np.nan_to_num(kappas) * weights).sum(axis=-1), weights.sum(axis=-1))
