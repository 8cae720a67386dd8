"""Which systems are told apart, between which ranks each lies and what one gains, counted pair by pair."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from judges.verification.rules.differences import Number, Numbers
from judges.verification.rules.recount.figures import NOTHING, Ends, Scale, Sums, bound, error_of, moves

SURE = 0.05
EQUAL = 1e-12
# Parts of two more questions, on which two ways of judging differ either way: score and count of each.
EITHER_WAY = [[0.0, 0.6, 0.6, 0.6], [0.6, 0.6, 0.0, 0.6]]


class Table(NamedTuple):
    """Scores by system and question; variance: what estimating some adds to that of a system's mean."""

    scores: Mapping[str, Mapping[str, float]]
    is_verdict: bool
    variance: Mapping[str, float]

    def keep(self, systems: Iterable[str]) -> "Table":
        """Return the same of some systems only."""
        kept = set(systems)
        return self._replace(scores={name: own for name, own in self.scores.items() if name in kept})

    def mean(self, system: str) -> float:
        """Return a system's mean score."""
        own = self.scores[system]
        return math.fsum(own.values()) / len(own)


class Tested(NamedTuple):
    """Two systems, by how much the first is ahead, and how easily chance alone gives as much."""

    first: str
    second: str
    ahead: float
    p_value: float | None


def test_pairs(table: Table) -> list[Tested]:
    """Test every two systems on the questions that both answered."""
    return [_test(table, one, other) for one, other in combinations(table.scores, 2)]


def _test(table: Table, first: str, second: str) -> Tested:
    one, other = table.scores[first], table.scores[second]
    apart = [value - other[question] for question, value in one.items() if question in other]
    if table.is_verdict:
        up, down = sum(each > 0 for each in apart), sum(each < 0 for each in apart)
        return Tested(first, second, float(up - down), _coin(up, down) if apart else None)
    if len(apart) < 2:
        return Tested(first, second, 0.0, None)
    mean = math.fsum(apart) / len(apart)
    spread = math.fsum((each - mean) ** 2 for each in apart) / (len(apart) - 1)
    variance = table.variance.get(first, 0.0) + table.variance.get(second, 0.0)
    error = math.sqrt(spread / len(apart) + variance)
    return Tested(first, second, mean, _students_p(mean, error, len(apart)))


def _coin(heads: int, tails: int) -> float:
    from scipy.stats import binom

    return min(1.0, 2.0 * float(binom.cdf(min(heads, tails), heads + tails, 0.5)))


def _students_p(value: float, error: float, questions: int) -> float:
    from scipy.stats import t

    if error <= NOTHING:
        return 1.0 if abs(value) <= NOTHING else _coin(questions, 0)
    return min(1.0, 2.0 * float(t.sf(abs(value) / error, questions - 1)))


def tell_apart(*families: Sequence[Tested]) -> list[set[tuple[str, str]]]:
    """Return of each table which system is surely above which; all pairs of all are one family (Holm)."""
    known = sorted(
        (tested.p_value, number, place)
        for number, own in enumerate(families)
        for place, tested in enumerate(own)
        if tested.p_value is not None
    )
    found: list[set[tuple[str, str]]] = [set() for _ in families]
    largest = 0.0
    for rank, (p_value, number, place) in enumerate(known):
        largest = max(largest, min(1.0, p_value * (len(known) - rank)))
        if largest < SURE:
            tested = families[number][place]
            ahead = tested.ahead > 0
            found[number].add((tested.first, tested.second) if ahead else (tested.second, tested.first))
    return found


def rank_ranges(table: Table, *, questions: int) -> dict[str, tuple[int, int]]:
    """Return the best and worst rank that each system may have; none of one question."""
    answered = [system for system, own in table.scores.items() if own]
    if questions < 2:
        return {}
    (beats,) = tell_apart(test_pairs(table))
    return {
        system: (
            1 + sum(below == system for _, below in beats),
            len(answered) - sum(above == system for above, _ in beats),
        )
        for system in answered
    }


def same_order(people: Table, other: Table) -> Numbers:
    """Count the pairs that people's scores tell apart, and those of them in the same order by another way."""
    known = [system for system, own in people.scores.items() if own and other.scores.get(system)]
    if len(known) < 2:
        return {}
    people, other = people.keep(known), other.keep(known)
    (sure,) = tell_apart(test_pairs(people))
    surer, told = tell_apart(test_pairs(people), test_pairs(other))
    same = sum(other.mean(above) > other.mean(below) + EQUAL for above, below in sure)
    found: Numbers = {"sure_pairs": len(sure), "same_pairs": same}
    if not sure:
        return found
    alike = len(surer & told)
    turned = len(surer & {(below, above) for above, below in told})
    return found | {
        "same_order": same / len(sure),
        "same_order_interval › 1": alike / len(sure),
        "same_order_interval › 2": 1.0 - turned / len(sure),
    }


def gain(before: Table, after: Table, system: str) -> Numbers:
    """Return what a system gains from one way of judging to another, on the questions that both have."""
    one, other = before.scores.get(system, {}), after.scores.get(system, {})
    rows = [[value, 1.0, other[question], 1.0] for question, value in one.items() if question in other]
    if not rows:
        return {}
    total = [math.fsum(column) for column in zip(*rows, strict=True)]
    earlier, later = _means(total)
    found: dict[str, Number] = {"gain": later - earlier}
    if earlier:
        found["relative_gain"] = (later - earlier) / earlier
    interval, share = _bound_gain(before, after, system, rows, total)
    if interval:
        found |= {"gain_interval › 1": interval[0], "gain_interval › 2": interval[1]}
    if share and earlier:
        found |= {"relative_gain_interval › 1": share[0] - 1, "relative_gain_interval › 2": share[1] - 1}
    return found


def _bound_gain(before: Table, after: Table, system: str, rows: list[Sums], total: Sums) -> tuple[Ends, Ends]:
    clusters = len(rows)
    are_verdicts = before.is_verdict and after.is_verdict
    if are_verdicts and error_of(moves(_step, total, rows), clusters) > NOTHING:
        rows = [*rows, *EITHER_WAY]
        total = [math.fsum(column) for column in zip(*rows, strict=True)]
    start, end = _means(total)
    first, second = before.variance.get(system, 0.0), after.variance.get(system, 0.0)
    error = math.sqrt(error_of(moves(_step, total, rows), clusters) ** 2 + first + second)
    share_error = math.nan
    if start:
        of_ratio = second / start**2 + first * end**2 / start**4
        share_error = math.sqrt(error_of(moves(_ratio, total, rows), clusters) ** 2 + of_ratio)
    return (
        bound(end - start, error, clusters, Scale.DIFFERENCE),
        bound(end / start if start else math.nan, share_error, clusters, Scale.MULTIPLE),
    )


def _means(total: Sums) -> tuple[float, float]:
    return total[0] / total[1], total[2] / total[3]


def _step(total: Sums) -> float:
    one, other = _means(total)
    return other - one


def _ratio(total: Sums) -> float:
    one, other = _means(total)
    return other / one if one else math.nan
