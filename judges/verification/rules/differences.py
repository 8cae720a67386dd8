"""Published numbers beside recounted ones: which differ, and which nobody can recount."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

Number: TypeAlias = float | int | bool | None
Numbers: TypeAlias = dict[str, Number]

# Sums of floats in another order.
TOLERANCE = 1e-9
# By which a row of a list is known, the first that it has.
_NAMES = ("key", "missing_votes", "name", "text", "system")
# Words and what they are about, no numbers.
_NO_NUMBERS = frozenset({"words", "signature", "about"})


class Difference(NamedTuple):
    """A number that is published otherwise than it is recounted; null: it is not there."""

    place: str
    shown: Number
    recounted: Number


class Verified(NamedTuple):
    """compared: how many numbers were. differences: in the order of their places. not_recounted: places of
    published numbers of which there is no recount.
    """

    compared: int
    differences: list[Difference]
    not_recounted: list[str]


def flatten(published: object, place: str = "") -> Numbers:
    """Return every number of nested records by its place; texts are left out, what is null stays null."""
    return dict(_leaves(published, place))


def _leaves(value: object, place: str) -> Iterator[tuple[str, Number]]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            if name not in _NO_NUMBERS:
                yield from _leaves(each, f"{place} › {name}" if place else str(name))
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _leaves(each, f"{place} › {_name(each, number)}")
    elif value is None or isinstance(value, int | float):
        yield place, value


def _name(row: Any, number: int) -> str:
    if isinstance(row, Mapping):
        if "a" in row and "b" in row:
            return " and ".join(sorted((row["a"], row["b"])))
        for name in _NAMES:
            if isinstance(row.get(name), str):
                return str(row[name])
    return str(number + 1)


def compare(shown: Numbers, recounted: Numbers) -> Verified:
    """Compare by place; what is null on one side and not there on the other is the same."""
    places = sorted({*shown, *recounted})
    not_recounted = [place for place in places if place not in recounted and shown[place] is not None]
    differences = [
        Difference(place, shown.get(place), recounted[place])
        for place in places
        if place in recounted and not are_equal(shown.get(place), recounted[place])
    ]
    return Verified(sum(place in shown for place in recounted), differences, not_recounted)


def are_equal(one: Number, other: Number) -> bool:
    """Say whether two numbers are the same up to the order in which floats were added."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
