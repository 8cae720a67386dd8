"""Agreement among raters, computed from sums that are weighed anew instead of counted anew."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np

from analysis.arrays import Floats, Integers
from analysis.intervals import Figure, Undefined, Value, Why, divide

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
    *, votes: Integers, label_count: int, rule: MissingVotes, incorrect: int, correct: int
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


PARADOX_OBSERVED = 0.8
PARADOX_KAPPA = 0.6
PARADOX_GAP = 0.2


BANDS = (
    (0.0, "slight"),
    (0.2, "fair"),
    (0.4, "moderate"),
    (0.6, "substantial"),
    (0.8, "almost perfect"),
)


def name_band(kappa: float) -> str:
    """Name the band of a kappa. Source: Landis and Koch 1977, table 2; a convention, not a test."""
    names = [name for lower, name in BANDS if kappa > lower]
    return names[-1] if names else ("slight" if kappa == 0 else "poor")


def name_bands(kappa: Figure) -> str:
    """Name the bands that the interval of a kappa reaches: "fair to substantial", or the one it lies in.

    One word for a kappa whose interval spans several would say more than is known. Without an interval the
    band of its value; "" where it has none.
    """
    if kappa.value is None:
        return ""
    low, high = kappa.interval or (kappa.value, kappa.value)
    first, last = name_band(low), name_band(high)
    return first if first == last else f"{first} to {last}"


def is_paradox(*, observed: Value, kappa: Value, ac1: Value) -> bool:
    """Say whether a low kappa tells of rare labels rather than of raters who disagree.

    True where raters agree on at least .8 of their votes, kappa is at most .6, and Gwet's AC1, which does
    not fall when one label prevails, is at least .2 above it. False where one of them is undefined.
    Source: the paradox of Feinstein and Cicchetti 1990; the three bounds are ours.
    """
    if isinstance(observed, Undefined) or isinstance(kappa, Undefined) or isinstance(ac1, Undefined):
        return False
    return observed >= PARADOX_OBSERVED and kappa <= PARADOX_KAPPA and ac1 - kappa >= PARADOX_GAP


Coefficient: TypeAlias = Callable[[Sums], Floats]


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """Scale agreement so that chance is 0 and full agreement 1; NaN where chance alone is full agreement."""
    return divide(observed - expected, 1.0 - expected)


def observed_agreement(sums: Sums) -> Floats:
    """Share of rater pairs that agree, each item weighing the same; 0 to 1."""
    return divide(sums.agreeing, sums.items)


def label_shares(sums: Sums) -> Floats:
    """Share of each label among the votes (prevalence), each item weighing the same."""
    return divide(sums.shares, sums.items[..., np.newaxis])


def fleiss_kappa(sums: Sums) -> Floats:
    """Fleiss' kappa; with two raters it is Scott's pi. NaN where only one label was used.

    Source: Fleiss 1971, eq. 3 to 7. With unequal numbers of votes per item the label shares are means of
    the items' shares (as irrCAC does; statsmodels refuses such tables).
    """
    expected = np.square(label_shares(sums)).sum(axis=-1)
    return beyond_chance(observed_agreement(sums), expected)


def gwet_ac1(sums: Sums) -> Floats:
    """Gwet's AC1, which does not fall when one label prevails. Source: Gwet 2008, eq. 6 and 7.

    The number of labels counts those nobody used; NaN where the project has a single label.
    """
    shares = label_shares(sums)
    label_count = shares.shape[-1]
    spread = np.asarray((shares * (1.0 - shares)).sum(axis=-1))
    expected = divide(spread, np.full_like(spread, label_count - 1.0))
    return beyond_chance(observed_agreement(sums), expected)


def _nominal_distances(totals: Floats) -> Floats:
    label_count = totals.shape[-1]
    return np.broadcast_to(1.0 - np.eye(label_count), (*totals.shape, label_count))


def _ordinal_distances(totals: Floats) -> Floats:
    """Squared number of votes from the middle of one label to the middle of another."""
    middles = np.cumsum(totals, axis=-1) - totals / 2.0
    return np.square(middles[..., :, np.newaxis] - middles[..., np.newaxis, :])


def _alpha(sums: Sums, distances_of: Callable[[Floats], Floats]) -> Floats:
    totals = np.asarray(sums.coincidences.sum(axis=-1))
    distances = distances_of(totals)
    observed = np.asarray((sums.coincidences * distances).sum(axis=(-2, -1)))
    products = totals[..., :, np.newaxis] * totals[..., np.newaxis, :]
    expected = np.asarray((products * distances).sum(axis=(-2, -1)))
    return 1.0 - divide(observed * (totals.sum(axis=-1) - 1.0), expected)


def krippendorff_alpha(sums: Sums) -> Floats:
    """Krippendorff's alpha for labels without order; NaN where only one label was used.

    Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C.
    """
    return _alpha(sums, _nominal_distances)


def krippendorff_alpha_ordinal(sums: Sums) -> Floats:
    """Krippendorff's alpha for labels in order; NaN where one label was used. Source: section D there."""
    return _alpha(sums, _ordinal_distances)


def compute(coefficient: Coefficient, sums: Sums) -> Value:
    """Compute one coefficient of sums over all items, as a number or the reason why there is none."""
    if sums.items == 0:
        return Undefined(Why.NO_TWO_VOTES)
    value = float(coefficient(sums))
    return Undefined(Why.ONE_LABEL) if np.isnan(value) else value


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
