"""What boards are made of: rows of figures, pairs beside each other, and how questions are drawn again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.figures import Figure, Interval, Undefined, Value
from analysis.ranking import McNemar, PairedDifference, holm_adjust, is_distinguishable


@dataclass(frozen=True)
class BoardRow:
    """A row. counts: what its figures are of. figures: by their names in `common.figures`."""

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


class ComparedPair(NamedTuple):
    """Two on the rows both have: questions of systems, answers of judges.

    p_value: corrected by Holm over all pairs of the page. mcnemar: of verdicts; it is not corrected, and
    takes rows as independent.
    """

    first: str
    second: str
    difference: PairedDifference
    p_value: Value
    is_distinguishable: bool
    mcnemar: McNemar | None


class ComparedPairs(NamedTuple):
    """Every two of a page, and what produced the numbers."""

    pairs: list[ComparedPair]
    signature: str


class Uncorrected(NamedTuple):
    """Two as measured by themselves; p_value: not yet corrected."""

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
            first=pair.first,
            second=pair.second,
            difference=pair.difference,
            p_value=p_value,
            is_distinguishable=is_distinguishable(p_value),
            mcnemar=pair.mcnemar,
        )
        for pair, p_value in zip(found, adjusted, strict=True)
    ]
