"""What a board is: rows with what was counted and what follows from it, a figure each."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.figures import Figure, Interval, Undefined, Value


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
