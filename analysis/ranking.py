"""Which of several systems or judges is better: paired differences, ranks, and when neither can be told."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import (
    ROUNDING,
    SMALLEST_CLUSTER_COUNT,
    Interval,
    Scale,
    Undefined,
    Value,
    Why,
    add_by_cluster,
    students_interval,
)

SIGNIFICANCE = 0.05


class McNemar(NamedTuple):
    """Rows that only one of two gets right, and how easily chance alone gives such counts."""

    rows: int
    first_only: int
    second_only: int
    p_value: Value


class Table(NamedTuple):
    """Scores, systems × questions, NaN = not answered.

    is_verdict: they are 0 or 1. variance: what estimating some of them adds to that of each system's mean.
    """

    scores: Floats
    is_verdict: bool = False
    variance: Floats | None = None

    @property
    def has_scores(self) -> Flags:
        """Which systems answered something."""
        found: Flags = np.count_nonzero(~np.isnan(self.scores), axis=1) > 0
        return found

    def keep(self, systems: Flags) -> "Table":
        """Return the same of some systems only."""
        variance = None if self.variance is None else self.variance[systems]
        return self._replace(scores=self.scores[systems], variance=variance)

    def of(self, system: int) -> tuple[Floats, float]:
        """Return one system's scores, and what estimating some adds to the variance of their mean."""
        return self.scores[system], 0.0 if self.variance is None else float(self.variance[system])

    def variance_of(self, first: int, second: int) -> float:
        """Return what it adds to the difference of two means, estimated each by itself."""
        return self.of(first)[1] + self.of(second)[1]


class PairedDifference(NamedTuple):
    """Mean of the first's scores minus the second's over the rows both have, in the unit of the scores.

    p_value: two-sided, of no difference, by Student's t over questions. Undefined where fewer than two
    questions are shared; 1 where the two are level on every question.
    """

    rows: int
    difference: Value
    interval: Interval | Undefined
    p_value: Value


def mcnemar_exact(*, first_right: Flags, second_right: Flags) -> McNemar:
    """Test whether two get equally many of the same rows right; rows are taken as independent.

    p is 1 where no row tells them apart, and undefined without rows.
    Source: McNemar 1947, with the exact binomial distribution of the rows that tell them apart.
    """
    first_only = int((first_right & ~second_right).sum())
    second_only = int((~first_right & second_right).sum())
    rows = len(first_right)
    if rows == 0:
        return McNemar(0, 0, 0, Undefined(Why.NOTHING_SHARED))
    return McNemar(rows, first_only, second_only, _two_sided_coin(first_only, second_only))


def _two_sided_coin(heads: int, tails: int) -> float:
    # Loaded where it is first used: processes that compare nothing start without SciPy.
    from scipy.special import bdtr

    return min(1.0, 2.0 * float(bdtr(min(heads, tails), heads + tails, 0.5)))


def mcnemar_by_cluster(*, first_right: Flags, second_right: Flags, clusters: Integers) -> Value:
    """Return the exact p-value of McNemar's test where rows of a cluster, such as a question, go together.

    Of two that are equally good each cluster might as well have had them the other way round: p is the share
    of all such swaps of whole clusters after which the two lie as far apart as they do, or farther. With one
    row a cluster it is `mcnemar_exact`. Undefined without rows.
    Source: Fisher 1935, section 21 (randomization of differences), here of clusters' sums.
    """
    if not len(clusters):
        return Undefined(Why.NOTHING_SHARED)
    _, numbers = np.unique(clusters, return_inverse=True)
    leads = np.bincount(numbers.reshape(-1), weights=first_right * 1.0 - second_right).astype(np.int64)
    sizes, counts = np.unique(np.abs(leads[leads != 0]), return_counts=True)
    # How likely each sum of the clusters that are left as they are is, in steps of one row.
    chances = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        spread = np.zeros(size * count + 1)
        spread[::size] = _coins(count)
        chances = np.convolve(chances, spread)
    apart = np.abs(2 * np.arange(len(chances)) - (len(chances) - 1))
    return min(1.0, float(chances[apart >= abs(int(leads.sum()))].sum()))


def _coins(count: int) -> Floats:
    """Return how likely 0 to `count` heads of as many coins are."""
    from scipy.special import gammaln

    heads = np.arange(count + 1)
    chances: Floats = np.exp(
        gammaln(count + 1) - gammaln(heads + 1) - gammaln(count - heads + 1) - count * np.log(2.0)
    )
    return chances


def paired_difference(*, first: Floats, second: Floats, clusters: Integers) -> PairedDifference:
    """Bound the difference of two on the same rows over whole clusters, such as questions.

    first, second: one score a row, NaN = none; a row that lacks either is left out of both.
    """
    both = ~(np.isnan(first) | np.isnan(second))
    sums = np.column_stack([first[both] - second[both], np.ones(int(both.sum()))])
    by_cluster = add_by_cluster(sums=sums, clusters=clusters[both])
    return _summarize(by_cluster)


def paired_differences(*, table: Table, pairs: Sequence[tuple[int, int]]) -> list[PairedDifference]:
    """Compare many pairs of one table: as `paired_difference`, with one row a question.

    Correct the p-values with `holm_adjust`.
    """
    answered = ~np.isnan(table.scores)
    filled = np.where(answered, table.scores, 0.0)
    found = []
    for first, second in pairs:
        both = (answered[first] & answered[second]).astype(np.float64)
        sums = np.column_stack([(filled[first] - filled[second]) * both, both])
        found.append(_summarize(sums, variance=table.variance_of(first, second)))
    return found


def _summarize(sums: Floats, *, variance: float = 0.0) -> PairedDifference:
    total, rows = (float(value) for value in sums.sum(axis=0))
    if rows == 0:
        nothing = Undefined(Why.NOTHING_SHARED)
        return PairedDifference(0, nothing, nothing, nothing)
    difference = total / rows
    clusters = int(np.count_nonzero(sums[:, 1]))
    if clusters < SMALLEST_CLUSTER_COUNT:
        few = Undefined(Why.TOO_FEW_QUESTIONS)
        return PairedDifference(int(rows), difference, few, few)
    influences = (sums[:, 0] - difference * sums[:, 1]) / rows
    error = (float(np.square(influences).sum()) * clusters / (clusters - 1) + variance) ** 0.5
    interval = students_interval(value=difference, error=error, clusters=clusters, scale=Scale.DIFFERENCE)
    return PairedDifference(
        int(rows), difference, interval, students_p_value(value=difference, error=error, clusters=clusters)
    )


def students_p_value(*, value: float, error: float, clusters: int) -> Value:
    """Return the two-sided p-value of a difference of 0 by its standard error over so many clusters.

    Where it never varies: 1 of no difference, and of one that is the same on every question that of as many
    coins that all fall on one side.
    """
    if error <= ROUNDING:
        return 1.0 if abs(value) <= ROUNDING else _two_sided_coin(clusters, 0)
    # Loaded where it is first used: processes that compare nothing start without SciPy.
    from scipy.special import stdtr

    return min(1.0, 2.0 * float(stdtr(clusters - 1, -abs(value) / error)))


def holm_adjust(p_values: Sequence[Value]) -> list[Value]:
    """Correct p-values of one family of comparisons, in their order; 0 to 1, never below the uncorrected.

    What is undefined stays so and is no member of the family.
    Source: Holm 1979: the smallest of m is multiplied by m, the next by m - 1, and none falls below one
    before it.
    """
    known = [(value, place) for place, value in enumerate(p_values) if not isinstance(value, Undefined)]
    adjusted = list(p_values)
    largest = 0.0
    for rank, (value, place) in enumerate(sorted(known)):
        largest = max(largest, min(1.0, value * (len(known) - rank)))
        adjusted[place] = largest
    return adjusted


def is_distinguishable(p_value: Value) -> bool:
    """Say whether a difference may be called one: its (corrected) p-value is below `SIGNIFICANCE`.

    What is undefined is not distinguishable.
    """
    return not isinstance(p_value, Undefined) and p_value < SIGNIFICANCE


def tell_apart(*, tables: Sequence[Table]) -> list[Flags]:
    """Say of every table which systems lie above which: systems × systems, true where row beats column.

    All pairs of all tables are one family, so that all that is said is true together with 1 - `SIGNIFICANCE`.
    Verdicts are compared by McNemar's exact test, means by Student's t over questions; Holm's correction.
    """
    places = [list(combinations(range(len(table.scores)), 2)) for table in tables]
    found = [
        [_test_pair(table, one, other) for one, other in own]
        for table, own in zip(tables, places, strict=True)
    ]
    adjusted = iter(holm_adjust([p_value for own in found for _, p_value in own]))
    beats = []
    for table, own, tested in zip(tables, places, found, strict=True):
        above = np.zeros((len(table.scores), len(table.scores)), dtype=bool)
        for (one, other), (difference, _) in zip(own, tested, strict=True):
            if is_distinguishable(next(adjusted)):
                above[(one, other) if difference > 0 else (other, one)] = True
        beats.append(above)
    return beats


def _test_pair(table: Table, first: int, second: int) -> tuple[float, Value]:
    apart = table.scores[first] - table.scores[second]
    apart = apart[~np.isnan(apart)]
    if table.is_verdict:
        up, down = int((apart > 0).sum()), int((apart < 0).sum())
        value = _two_sided_coin(up, down) if len(apart) else Undefined(Why.NOTHING_SHARED)
        return float(up - down), value
    if len(apart) < SMALLEST_CLUSTER_COUNT:
        return 0.0, Undefined(Why.TOO_FEW_QUESTIONS)
    mean = float(apart.mean())
    error = (float(apart.var(ddof=1)) / len(apart) + table.variance_of(first, second)) ** 0.5
    return mean, students_p_value(value=mean, error=error, clusters=len(apart))


class RankRange(NamedTuple):
    """Best and worst rank that a system may have, whole numbers from 1."""

    best: int
    worst: int


def rank_scores(scores: Sequence[float]) -> list[int]:
    """Rank from 1, the highest score first; equal scores share the best rank they take (1, 2, 2, 4)."""
    values = np.asarray(scores, dtype=np.float64)
    higher = values[np.newaxis, :] > values[:, np.newaxis]
    return [int(count) + 1 for count in higher.sum(axis=1)]


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> Value:
    """Compute Kendall's tau-b of two lists of scores, -1 to 1, ties counted as in Kendall 1945."""
    if len(first) < 2:
        return Undefined(Why.TOO_FEW_SYSTEMS)
    one, other = _signs(first), _signs(second)
    untied = float(np.abs(one).sum()) * float(np.abs(other).sum())
    if untied == 0:
        return Undefined(Why.ALL_TIED)
    return float((one * other).sum()) / math.sqrt(untied)


def _signs(scores: Sequence[float]) -> Floats:
    values = np.asarray(scores, dtype=np.float64)
    return np.sign(values[:, np.newaxis] - values[np.newaxis, :])


def rank_intervals(table: Table) -> list[RankRange | Undefined]:
    """Bound the ranks of all systems together: with 95% all of them lie in their ranges.

    A system's best rank comes after all that are told apart from it and above it, its worst before all below
    it; see `analysis.ranking.tell_apart`.
    Source: Mogstad, Romano, Shaikh and Wilhelm 2024, section 3 (simultaneous sets of ranks).
    """
    answered = table.has_scores
    if table.scores.shape[1] < SMALLEST_CLUSTER_COUNT:
        return [Undefined(Why.TOO_FEW_QUESTIONS if known else Why.NOT_ANSWERED) for known in answered]
    (beats,) = tell_apart(tables=[table])
    total = int(answered.sum())
    return [
        RankRange(1 + above, total - below) if known else Undefined(Why.NOT_ANSWERED)
        for known, above, below in zip(
            answered, beats.sum(axis=0).tolist(), beats.sum(axis=1).tolist(), strict=True
        )
    ]


class SameOrder(NamedTuple):
    """Of the pairs of systems that people's scores tell apart, how many another way puts in the same order.

    alike: those that both ways tell apart in the same order, by tests of both together. interval: of the
    share whose true order is the same, 95%.
    """

    pairs: int
    same: int
    alike: int
    interval: Interval | Undefined

    @property
    def share(self) -> Value:
        """Share of the pairs; undefined where none is told apart."""
        return self.same / self.pairs if self.pairs else Undefined(Why.NONE_APART)


def compare_orders(*, people: Table, other: Table) -> SameOrder | Undefined:
    """Compare the order of systems by another way of judging with people's, where people's is sure.

    Which pairs these are depends on people's scores alone, so every way is measured on the same ones. The
    interval's low end counts those that both ways tell apart alike; its high end all but those that they tell
    apart the other way round. For the interval, all pairs of both ways are one family of tests, so that it
    holds however many pairs there are.
    """
    known = people.has_scores & other.has_scores
    if known.sum() < 2:
        return Undefined(Why.TOO_FEW_SYSTEMS)
    people, other = people.keep(known), other.keep(known)
    (sure,) = tell_apart(tables=[people])
    surer, told = tell_apart(tables=[people, other])
    means = np.nanmean(other.scores, axis=1)
    above = means[:, np.newaxis] > means[np.newaxis, :] + 1e-12
    pairs, same = int(sure.sum()), int((sure & above).sum())
    if not pairs:
        return SameOrder(0, 0, 0, Undefined(Why.NONE_APART))
    alike, reversed_ = int((surer & told).sum()), int((surer & told.T).sum())
    return SameOrder(pairs, same, alike, Interval(alike / pairs, 1.0 - reversed_ / pairs))
