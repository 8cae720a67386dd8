"""How sure agreement's figures are: what each question moves, 95 %."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from analysis import agreement
from analysis.agreement import Coefficient, PairTables, Ratings
from analysis.agreement.votes import Floats, Integers
from analysis.figures import Interval, Undefined, Why
from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    Scale,
    linearize,
    students_intervals,
)
from analysis.sampling import bound_ratios

# As many cells of tables at most as there is room for at a time.
MOST_PAIR_CELLS = 20_000_000

OBSERVED = "observed_agreement"
ORDINAL = "krippendorff_alpha_ordinal"
COHEN = "cohen_kappa"

# In the order in which people read them.
OF_RATERS = (OBSERVED, COHEN, "fleiss_kappa", "krippendorff_alpha", ORDINAL, "gwet_ac1")

Bounds: TypeAlias = list[Interval | Undefined]
Intervals: TypeAlias = dict[str, Interval | Undefined]


class PairBounds(NamedTuple):
    """Of the mean of the pairs' kappas, and of every pair in its order: share of equal votes, and kappa."""

    mean_kappa: Interval | Undefined
    observed: Bounds
    kappas: Bounds


def bound_coefficients(
    ratings: Ratings,
    *,
    ordered: Integers,
    ordered_count: int,
    groups: Integers,
    nominal: Mapping[str, Coefficient],
) -> Intervals:
    """Bound every coefficient of all items together; groups: each item's question, numbered from 0.

    ordered: the votes that have a place in the order of `ordered_count` labels.
    """
    count = int(groups.max(initial=-1)) + 1
    if count < SMALLEST_CLUSTER_COUNT:
        return dict.fromkeys((*nominal, ORDINAL), Undefined(Why.TOO_FEW_QUESTIONS))
    unordered = agreement.sum_groups(
        votes=ratings.votes, groups=groups, group_count=count, label_count=ratings.label_count
    )
    in_order = agreement.sum_groups(
        votes=ordered, groups=groups, group_count=count, label_count=ordered_count
    )
    width = unordered.shape[1]

    def figures(counts: Floats) -> Floats:
        sums = agreement.unpack_sums(counts[..., :width], label_count=ratings.label_count)
        of_order = agreement.unpack_sums(counts[..., width:], label_count=ordered_count)
        values = [coefficient(sums) for coefficient in nominal.values()]
        return np.stack([*values, agreement.krippendorff_alpha_ordinal(of_order)], axis=-1)

    own = agreement.unpack_sums(unordered, label_count=ratings.label_count)
    clusters = [int(np.count_nonzero(own.items))] * (len(nominal) + 1)
    found = linearize(sums=np.hstack([unordered, in_order]), figures=figures, clusters=clusters)
    bounds = students_intervals(found=found, clusters=clusters, scale=Scale.COEFFICIENT)
    (observed,) = bound_ratios(parts=own.agreeing[:, np.newaxis], wholes=own.items[:, np.newaxis])
    return {**dict(zip((*nominal, ORDINAL), bounds, strict=True)), OBSERVED: observed}


def bound_pairs(pairs: PairTables, *, groups: Integers, label_count: int) -> PairBounds:
    """Bound how far every two raters agree; groups: each item's question, numbered from 0."""
    width, count = len(pairs.pairs), int(groups.max(initial=-1)) + 1
    if count < SMALLEST_CLUSTER_COUNT:
        return _no_pair(width, Undefined(Why.TOO_FEW_QUESTIONS))
    if width > agreement.MOST_PAIRS or width * label_count**2 * count > MOST_PAIR_CELLS:
        return _no_pair(width, Undefined(Why.TOO_MANY_PAIRS))
    sums = agreement.sum_pairs(tables=pairs, groups=groups, group_count=count, label_count=label_count)
    equal, both = _count_equal(sums, label_count)
    clusters = np.count_nonzero(both, axis=0).tolist()

    def figures(packed: Floats) -> Floats:
        kappas = agreement.cohen_kappa(packed.reshape(*packed.shape[:-1], -1, label_count, label_count))
        mean = agreement.mean_cohen_kappa(packed, label_count=label_count)
        return np.concatenate([np.asarray(mean)[..., np.newaxis], kappas], axis=-1)

    of_each = [count, *clusters]
    found = linearize(sums=sums, figures=figures, clusters=of_each)
    mean, *kappas = students_intervals(found=found, clusters=of_each, scale=Scale.COEFFICIENT)
    return PairBounds(mean, bound_ratios(parts=equal, wholes=both), kappas)


def bound_labels(ratings: Ratings, *, groups: Integers) -> Bounds:
    """Bound each label's share of all votes, in the labels' order; groups: each item's question."""
    items, places = np.nonzero(ratings.votes != agreement.NOT_RATED)
    return bound_kinds(ratings.votes[items, places], groups=groups[items], kind_count=ratings.label_count)


def bound_kinds(
    kinds: Integers, *, groups: Integers, kind_count: int, counts: Integers | None = None
) -> Bounds:
    """Bound each kind's share of all, in the order of their numbers.

    kinds, groups: each row's kind and question, both numbered from 0. counts: for how many a row stands, one
    unless told.
    """
    size = int(groups.max(initial=-1)) + 1
    flat = np.bincount(groups * kind_count + kinds, weights=counts, minlength=size * kind_count)
    parts = flat.reshape(size, kind_count).astype(np.float64)
    wholes = np.repeat(parts.sum(axis=1, keepdims=True), kind_count, axis=1)
    return bound_ratios(parts=parts, wholes=wholes)


def _no_pair(width: int, why: Undefined) -> PairBounds:
    return PairBounds(why, [why] * width, [why] * width)


def _tables(packed: Floats, label_count: int) -> Floats:
    return packed.reshape(len(packed), -1, label_count, label_count)


def _count_equal(packed: Floats, label_count: int) -> tuple[Floats, Floats]:
    """Return rows × pairs: equal votes, and votes that both gave."""
    tables = _tables(packed, label_count)
    return np.trace(tables, axis1=-2, axis2=-1), np.asarray(tables.sum(axis=(-2, -1)))
