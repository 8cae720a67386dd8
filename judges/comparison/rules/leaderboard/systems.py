"""Systems beside each other: where they say the same, and what they could do together."""

from itertools import islice
from typing import NamedTuple

import numpy as np

from analysis.figures import Interval, Undefined
from analysis.sampling import bound_ratios
from judges.comparison.rules.study.arrays import Flags, Floats, Integers

Bounds = Interval | Undefined


class SystemPair(NamedTuple):
    """Two systems on the questions both answered, numbered by their place.

    agreement: share of equal normalized answers. oracle: share on which at least one is right. Both are None
    where they share no question.
    """

    first: int
    second: int
    questions: int
    agreement: float | None
    oracle: float | None


class SystemCoverage(NamedTuple):
    """How many of the questions a system answered, and of these how many right."""

    answered: int
    right: int


class SystemsBoard(NamedTuple):
    """right_by: how many questions are answered right by so many systems, from none to all.

    Questions count there that every system answered. oracle: of these, answered right by any.
    """

    questions: int
    answered_by_all: int
    coverage: list[SystemCoverage]
    pairs: list[SystemPair]
    right_by: list[int]
    oracle: float | None


class SystemBounds(NamedTuple):
    """Intervals of the share of questions that a system answered, and of the share of these it has right."""

    coverage: Bounds
    right: Bounds


class PairBounds(NamedTuple):
    """Intervals of two systems' figures, 95 %; the systems are numbered by their place."""

    first: int
    second: int
    agreement: Bounds
    oracle: Bounds


class SystemsBounds(NamedTuple):
    """Intervals of a `SystemsBoard`, 95 %, over questions; right_by: of the shares of such questions."""

    coverage: list[SystemBounds]
    pairs: list[PairBounds]
    right_by: list[Bounds]
    oracle: Bounds


def compare_systems(*, strings: Floats, right: Floats) -> SystemsBoard:
    """Compare systems × questions; NaN = not answered. strings: numbers of normalized answers; right: 0 or 1.

    Source: Min et al. 2021 (EfficientQA), figure 2 and section 5.
    """
    answered = ~np.isnan(strings)
    is_right = np.nan_to_num(right) > 0
    everywhere = answered.all(axis=0) if len(strings) else np.zeros(strings.shape[1], dtype=bool)
    by: Integers = np.bincount(is_right[:, everywhere].sum(axis=0), minlength=len(strings) + 1)
    shared = int(everywhere.sum())
    return SystemsBoard(
        questions=strings.shape[1],
        answered_by_all=shared,
        coverage=[
            SystemCoverage(int(own.sum()), int((rights & own).sum()))
            for own, rights in zip(answered, is_right, strict=True)
        ],
        pairs=[
            _pair(first, second, strings=strings, answered=answered, is_right=is_right)
            for first in range(len(strings))
            for second in range(first + 1, len(strings))
        ],
        right_by=[int(count) for count in by] if shared else [],
        oracle=1.0 - int(by[0]) / shared if shared else None,
    )


def bound_systems(*, strings: Floats, right: Floats) -> SystemsBounds:
    """Bound what `compare_systems` says of the same systems × questions, over questions."""
    count = len(strings)
    answered = ~np.isnan(strings)
    is_right = (np.nan_to_num(right) > 0) & answered
    first, second = np.triu_indices(count, k=1)
    both = answered[first] & answered[second]
    everywhere = answered.all(axis=0) if count else np.zeros(strings.shape[1], dtype=bool)
    by = is_right.sum(axis=0)
    ratios = [
        (answered, np.ones_like(answered)),
        (is_right, answered),
        ((strings[first] == strings[second]) & both, both),
        ((is_right[first] | is_right[second]) & both, both),
        *((everywhere & (by == systems), everywhere) for systems in range(count + 1)),
        (everywhere & (by > 0), everywhere),
    ]
    parts, wholes = (np.vstack(each).T.astype(np.float64) for each in zip(*ratios, strict=True))
    bounds = iter(bound_ratios(parts=parts, wholes=wholes))
    coverage, rights, agreement, oracle, right_by = (
        list(islice(bounds, size)) for size in (count, count, len(first), len(first), count + 1)
    )
    return SystemsBounds(
        coverage=[SystemBounds(*each) for each in zip(coverage, rights, strict=True)],
        pairs=[
            PairBounds(*each) for each in zip(first.tolist(), second.tolist(), agreement, oracle, strict=True)
        ],
        right_by=right_by if everywhere.any() else [],
        oracle=next(bounds),
    )


def questions_right_by(*, right: Floats, systems: int) -> Flags:
    """Say of each question that every system answered whether so many have it right; no system: of none.

    right: systems × questions, 0 or 1, NaN = not answered.
    """
    if not len(right):
        return np.zeros(right.shape[1], dtype=bool)
    everywhere = ~np.isnan(right).any(axis=0)
    found: Flags = everywhere & ((np.nan_to_num(right) > 0).sum(axis=0) == systems)
    return found


def _pair(first: int, second: int, *, strings: Floats, answered: Flags, is_right: Flags) -> SystemPair:
    both = answered[first] & answered[second]
    count = int(both.sum())
    if not count:
        return SystemPair(first, second, 0, None, None)
    equal = (strings[first] == strings[second]) & both
    any_right = (is_right[first] | is_right[second]) & both
    return SystemPair(first, second, count, int(equal.sum()) / count, int(any_right.sum()) / count)
