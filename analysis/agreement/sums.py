"""Sums over answers that every coefficient is a function of, so that leaving some out only subtracts."""

from typing import NamedTuple

import numpy as np

from analysis.agreement.votes import Floats, Integers, find_patterns


class Sums(NamedTuple):
    """What every coefficient needs, for one item or added over many; leading axes are free.

    items: 1 where at least two raters voted. agreeing: share of rater pairs that agree.
    disagreeing: 1 where not all votes are equal. shares: of each label among the item's votes.
    coincidences: label × label pairs of votes, each item weighted by 1 / (its votes - 1).
    """

    items: Floats
    agreeing: Floats
    disagreeing: Floats
    shares: Floats
    coincidences: Floats


def count_labels(*, votes: Integers, label_count: int) -> Integers:
    """Count items × labels from items × raters; votes not given (-1) are in no column."""
    labels = np.arange(label_count)
    return np.asarray((votes[:, :, np.newaxis] == labels).sum(axis=1), dtype=np.int64)


def sum_items(*, votes: Integers, label_count: int) -> Floats:
    """Compute each item's sums as items × (3 + labels + labels²); `unpack_sums` gives them names.

    Items with fewer than two votes are zero in every sum: nothing there can agree.
    """
    counts = count_labels(votes=votes, label_count=label_count).astype(np.float64)
    given = counts.sum(axis=1)
    paired = given >= 2
    pairs = np.where(paired, given * (given - 1), 1.0)
    agreeing = (counts * (counts - 1)).sum(axis=1) / pairs
    shares = counts / np.maximum(given, 1.0)[:, np.newaxis]
    products = counts[:, :, np.newaxis] * counts[:, np.newaxis, :]
    products -= counts[:, :, np.newaxis] * np.eye(label_count)
    coincidences = products / np.maximum(given - 1, 1.0)[:, np.newaxis, np.newaxis]
    disagreeing = counts.max(axis=1, initial=0.0) < given
    columns = [np.ones_like(given), agreeing, disagreeing.astype(np.float64)]
    packed = np.column_stack([*columns, shares, coincidences.reshape(len(votes), label_count**2)])
    return np.asarray(packed * paired[:, np.newaxis], dtype=np.float64)


def sum_groups(*, votes: Integers, groups: Integers, group_count: int, label_count: int) -> Floats:
    """Add `sum_items` by group, such as an item's question: groups × (3 + labels + labels²).

    Equal rows of votes have equal sums, so rows are counted and their sums computed once.
    """
    patterns = find_patterns(votes=votes, label_count=label_count)
    width = len(patterns.votes)
    counts = np.bincount(groups * width + patterns.numbers, minlength=group_count * width)
    packed = sum_items(votes=patterns.votes, label_count=label_count)
    return np.asarray(counts.reshape(group_count, width).astype(np.float64) @ packed)


def sum_votes(*, votes: Integers, label_count: int) -> Sums:
    """Add what every coefficient needs over all items × raters."""
    patterns = find_patterns(votes=votes, label_count=label_count)
    packed = sum_items(votes=patterns.votes, label_count=label_count)
    return unpack_sums(patterns.counts.astype(np.float64) @ packed, label_count=label_count)


def unpack_sums(packed: Floats, *, label_count: int) -> Sums:
    """Name the last axis of what `sum_items` computed, before or after adding over items."""
    shares_end = 3 + label_count
    square = (*packed.shape[:-1], label_count, label_count)
    return Sums(
        items=packed[..., 0],
        agreeing=packed[..., 1],
        disagreeing=packed[..., 2],
        shares=packed[..., 3:shares_end],
        coincidences=packed[..., shares_end:].reshape(square),
    )
