"""Votes as lists of who gave which item which label, and items that have the same votes."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.agreement import NOT_RATED

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


class Votes(NamedTuple):
    """Who gave which item which label: one entry a vote, numbers from 0 up to their count.

    A rater may have voted on an item more than once: each vote counts.
    """

    items: Integers
    raters: Integers
    labels: Integers
    item_count: int
    rater_count: int
    label_count: int


class Kinds(NamedTuple):
    """Items that have the same votes of the same raters, taken as one.

    votes: one item a kind. indicators: of those. sizes: items of each kind. numbers: each item's kind.
    """

    votes: Votes
    indicators: Any
    sizes: Integers
    numbers: Integers


def list_votes(*, votes: Integers, raters: Integers, label_count: int, rater_count: int) -> Votes:
    """List the votes of items × slots (-1 = not rated); `raters` has the same shape: who filled the slot."""
    items, slots = np.nonzero(votes != NOT_RATED)
    return Votes(
        items=items.astype(np.int64),
        raters=raters[items, slots],
        labels=votes[items, slots],
        item_count=len(votes),
        rater_count=rater_count,
        label_count=label_count,
    )


def group_alike(votes: Votes) -> Kinds:
    """Take all items that have the same votes of the same raters as one.

    Their true labels are equally probable, and a hundred thousand answers of three raters hold few kinds.
    """
    columns = votes.raters * votes.label_count + votes.labels
    order = np.lexsort((columns, votes.items))
    counts = np.bincount(votes.items, minlength=votes.item_count)
    places = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = np.full((votes.item_count, max(1, counts.max(initial=0))), NOT_RATED, dtype=np.int64)
    rows[votes.items[order], places] = columns[order]
    rows, numbers = _distinct(rows)
    items, slots = np.nonzero(rows != NOT_RATED)
    raters, labels = np.divmod(rows[items, slots], votes.label_count)
    alike = votes._replace(items=items, raters=raters, labels=labels, item_count=len(rows))
    return Kinds(alike, _indicators(alike), np.bincount(numbers, minlength=len(rows)), numbers)


def _distinct(rows: Integers) -> tuple[Integers, Integers]:
    """Return the different rows, sorted, and the number of each row's; far faster than `np.unique`."""
    order = np.lexsort(rows.T[::-1])
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    numbers = np.empty(len(rows), dtype=np.int64)
    numbers[order] = np.cumsum(is_new) - 1
    return rows[order[is_new]], numbers


def _indicators(votes: Votes) -> Any:
    """Return items × (raters · labels), sparse: how often the rater gave the item the label."""
    # SciPy is loaded where it is first used: processes that estimate nothing start without it.
    from scipy.sparse import csr_array

    columns = votes.raters * votes.label_count + votes.labels
    shape = (votes.item_count, votes.rater_count * votes.label_count)
    return csr_array((np.ones(len(columns)), (votes.items, columns)), shape=shape)
