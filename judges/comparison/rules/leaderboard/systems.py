"""Systems beside each other: how often they say the same, and how much they know together."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from analysis.arrays import Flags, Floats
from analysis.intervals import Figure, Interval, Undefined, Why
from analysis.sampling import bound_ratios
from judges.comparison.rules.boards import BoardRow


@dataclass(frozen=True)
class SystemPair:
    """Two systems on the questions that both answered.

    `agreement`: the share of equal normalized answers. `oracle`: the share for which at least one is correct.
    """

    first: str
    second: str
    questions: int
    agreement: Figure
    oracle: Figure


class RightOfTwo(StrEnum):
    """Which of two systems has a question right."""

    BOTH = "both"
    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"


@dataclass(frozen=True)
class RightBy:
    """Of the questions that all systems answered, the number that a given number of systems answered
    correctly.

    `systems`: the number of systems. `share`: the same number as a share of the questions that every system
    answered.
    """

    systems: int
    questions: int
    share: Figure


@dataclass(frozen=True)
class SystemsBoard:
    """Systems compared: how many of the questions each answered, and how many of these correctly.

    `right_by`: questions by the number of systems that answered them correctly, from none to all. `oracle`:
    the share of the same questions that at least one system answered correctly. `pending`: the number of
    undecided answers. `by_programs`: the number of answers that pre-judging rules settled.
    """

    questions: int
    answered_by_all: int
    systems: list[BoardRow]
    pairs: list[SystemPair]
    right_by: list[RightBy]
    oracle: Figure
    pending: int = 0
    by_programs: int = 0
    signature: str = ""


def compare_systems(
    *, strings: Floats, right: Floats, systems: Sequence[tuple[str, str]], intervals: bool = False
) -> SystemsBoard:
    """Compare systems × questions; NaN = not answered; intervals: over questions.

    strings: numbers of normalized answers; right: 0 or 1; systems: their names and labels.
    Source: Min et al. 2021 (EfficientQA), figure 2 and section 5.
    """
    size = len(systems)
    answered = ~np.isnan(strings)
    is_right = (np.nan_to_num(right) > 0) & answered
    first, second = np.triu_indices(size, k=1)
    both = answered[first] & answered[second]
    everywhere: Flags = np.asarray(answered.all(axis=0)) if size else np.zeros(strings.shape[1], dtype=bool)
    by = is_right.sum(axis=0)
    coverage = _shares(answered, np.ones_like(answered), intervals)
    rights = _shares(is_right, answered, intervals)
    agreement = _shares((strings[first] == strings[second]) & both, both, intervals)
    any_right = _shares((is_right[first] | is_right[second]) & both, both, intervals)
    right_by = [everywhere & (by == count) for count in range(size + 1)] if everywhere.any() else []
    counts = [
        {"answered": own, "right": hit}
        for own, hit in zip(answered.sum(axis=1).tolist(), is_right.sum(axis=1).tolist(), strict=True)
    ]
    return SystemsBoard(
        questions=strings.shape[1],
        answered_by_all=int(everywhere.sum()),
        systems=[
            BoardRow(
                *system, counts[place], {"answered_share": coverage[place], "right_share": rights[place]}
            )
            for place, system in enumerate(systems)
        ],
        pairs=[
            SystemPair(systems[one][0], systems[other][0], int(shared.sum()), equal, either)
            for one, other, shared, equal, either in zip(
                first.tolist(), second.tolist(), both, agreement, any_right, strict=True
            )
        ],
        right_by=[
            RightBy(count, int(found.sum()), *_shares(found, everywhere, intervals))
            for count, found in enumerate(right_by)
        ],
        oracle=_shares(everywhere & (by > 0), everywhere, intervals)[0],
    )


def _shares(parts: Flags, wholes: Flags, intervals: bool) -> list[Figure]:
    """Return a figure a row of rows × questions: of the whole, the part."""
    parts, wholes = np.atleast_2d(parts), np.atleast_2d(wholes)
    counts = zip(parts.sum(axis=1).tolist(), wholes.sum(axis=1).tolist(), strict=True)
    values = [part / whole if whole else Undefined(Why.NOTHING_COUNTED) for part, whole in counts]
    bounds: Sequence[Interval | Undefined | None] = [None] * len(values)
    if intervals:
        bounds = bound_ratios(parts=parts.T.astype(np.float64), wholes=wholes.T.astype(np.float64))
    return [Figure.of(value, bound) for value, bound in zip(values, bounds, strict=True)]


def questions_right_by(*, right: Floats, systems: int) -> Flags:
    """Say of each question that every system answered whether so many have it right; no system: of none.

    right: systems × questions, 0 or 1, NaN = not answered.
    """
    if not len(right):
        return np.zeros(right.shape[1], dtype=bool)
    everywhere = ~np.isnan(right).any(axis=0)
    found: Flags = everywhere & ((np.nan_to_num(right) > 0).sum(axis=0) == systems)
    return found


def questions_of_two(*, first: Floats, second: Floats) -> dict[RightOfTwo, Flags]:
    """Say of each question that two systems answered which of them has it right.

    first, second: by question, 0 or 1, NaN = not answered.
    """
    both = ~np.isnan(first) & ~np.isnan(second)
    one, other = np.nan_to_num(first) > 0, np.nan_to_num(second) > 0
    return {
        RightOfTwo.BOTH: both & one & other,
        RightOfTwo.FIRST: both & one & ~other,
        RightOfTwo.SECOND: both & ~one & other,
        RightOfTwo.NEITHER: both & ~one & ~other,
    }
