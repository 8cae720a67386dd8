"""Votes as label numbers: what stands for a missing one, how labels are merged, which rows look alike."""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

NOT_RATED = -1
# Above this many possible rows of votes a table of them costs more than sorting those there are.
MOST_CODES = 1 << 20


class MissingVotes(StrEnum):
    """What stands for a vote that a rater was asked for and did not give."""

    OWN_CATEGORY = "own-category"
    DROP = "drop"
    AS_INCORRECT = "as-incorrect"
    AS_CORRECT = "as-correct"


class Ratings(NamedTuple):
    """Votes as label numbers.

    votes: items × raters, 0 … label_count - 1, -1 = not rated.
    rows: for each item its row number in the array that the ratings were made from.
    """

    votes: Integers
    label_count: int
    rows: Integers


def fill_missing_votes(
    *,
    votes: Integers,
    label_count: int,
    rule: MissingVotes,
    incorrect: int,
    correct: int,
) -> Ratings:
    """Apply a missing-vote rule to items × raters, -1 = asked and not given.

    `drop` leaves out every item with a missing vote; `own-category` makes a further label of it where there
    is one: a label that nobody could choose and nobody missed is none, and Gwet's AC1 would count it.
    """
    rows = np.arange(len(votes), dtype=np.int64)
    if rule is MissingVotes.DROP:
        complete = (votes != NOT_RATED).all(axis=1)
        return Ratings(votes[complete], label_count, rows[complete])
    fillers = {
        MissingVotes.OWN_CATEGORY: label_count,
        MissingVotes.AS_INCORRECT: incorrect,
        MissingVotes.AS_CORRECT: correct,
    }
    filled = np.where(votes == NOT_RATED, fillers[rule], votes)
    own_label = rule is MissingVotes.OWN_CATEGORY and bool((votes == NOT_RATED).any())
    return Ratings(filled, label_count + own_label, rows)


def merge_labels(*, votes: Integers, numbers: Integers) -> Integers:
    """Give each label another number, such as the same one to all labels that count as correct.

    votes: any shape, -1 = not rated, which stays so. numbers: for each label its new number.
    """
    return np.asarray(np.append(numbers, NOT_RATED)[votes], dtype=np.int64)


class Patterns(NamedTuple):
    """The different rows of votes: a million answers of three raters hold few.

    votes: patterns × raters. counts: items of each pattern. numbers: each item's pattern.
    """

    votes: Integers
    counts: Integers
    numbers: Integers


def find_patterns(*, votes: Integers, label_count: int) -> Patterns:
    """Find the different rows of items × raters, 0 … label_count - 1, -1 = not rated."""
    base, raters = label_count + 1, votes.shape[1]
    if base**raters > MOST_CODES:
        rows, numbers, counts = np.unique(votes, axis=0, return_inverse=True, return_counts=True)
        return Patterns(rows, counts, numbers.reshape(-1))
    codes = np.zeros(len(votes), dtype=np.int64)
    for column in votes.T:
        codes *= base
        codes += column
        codes += 1
    counts = np.bincount(codes, minlength=base**raters)
    present = np.flatnonzero(counts)
    place = np.zeros(base**raters, dtype=np.int64)
    place[present] = np.arange(len(present))
    digits = base ** np.arange(raters - 1, -1, -1)
    return Patterns(present[:, np.newaxis] // digits % base - 1, counts[present], place[codes])
