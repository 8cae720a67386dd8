"""What boards are made of: rows of figures, pairs beside each other, and how questions are drawn again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.intervals import Figure, Interval, Undefined, Value, number_or_none
from analysis.ranking import McNemar, PairedDifference, holm_adjust, is_distinguishable


@dataclass(frozen=True)
class BoardRow:
    """A row.

    `counts`: the counts on which its figures are based. `figures`: by the figure’s name.
    """

    key: str
    name: str
    counts: dict[str, int]
    figures: dict[str, Figure]


def figures_with(
    values: Mapping[str, Value], intervals: Mapping[str, Interval | Undefined] | None
) -> dict[str, Figure]:
    """Put values and their intervals together; none: they were not asked for."""
    bounds = intervals or {}
    return {name: Figure.of(value, bounds.get(name)) for name, value in values.items()}


# One seed for all: figures of one page, and of two pages, come from the same draws.
SEED = 20_231
RESAMPLES = 1_000


@dataclass(frozen=True)
class ComparedPair:
    """Two systems or judges, compared on their shared rows.

    `rows`: how many rows both have: questions for systems, answers for judges. `p_value`: of McNemar’s test
    for systems’ verdicts, of a test over whole questions for judges, of Student’s t-test for means and
    weighted values; Holm-corrected across all pairs on the page. `first_only`, `second_only`: rows that only
    one got right; null for means and weighted values. `mcnemar_p`: the uncorrected p-value of McNemar’s exact
    test, which treats rows as independent; null for means and weighted values.
    """

    first: str
    second: str
    rows: int
    difference: Figure
    p_value: float | None
    is_distinguishable: bool
    first_only: int | None
    second_only: int | None
    mcnemar_p: float | None


@dataclass(frozen=True)
class ComparedPairs:
    """All pairs on a page.

    `signature`: what produced the numbers.
    """

    signature: str
    pairs: list[ComparedPair]


class Uncorrected(NamedTuple):
    """Two as measured by themselves; p_value: not yet corrected. mcnemar: of verdicts."""

    first: str
    second: str
    difference: PairedDifference
    p_value: Value
    mcnemar: McNemar | None


def correct_pairs(found: Sequence[Uncorrected]) -> list[ComparedPair]:
    """Correct the tests of all pairs of a page as one family."""
    adjusted = holm_adjust([pair.p_value for pair in found])
    return [
        ComparedPair(
            first=first,
            second=second,
            rows=measured.rows,
            difference=Figure.of(measured.difference, measured.interval),
            p_value=number_or_none(p_value),
            is_distinguishable=is_distinguishable(p_value),
            first_only=mcnemar and mcnemar.first_only,
            second_only=mcnemar and mcnemar.second_only,
            mcnemar_p=mcnemar and number_or_none(mcnemar.p_value),
        )
        for (first, second, measured, _, mcnemar), p_value in zip(found, adjusted, strict=True)
    ]
