"""Two by two: a difference, its interval, and whether it can be told from chance among all pairs."""

from collections.abc import Sequence
from typing import NamedTuple

from analysis.figures import Value
from analysis.ranking import McNemar, PairedDifference, holm_adjust, is_distinguishable


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
