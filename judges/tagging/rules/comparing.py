"""How far people say what was proposed: over all items, and tag by tag."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.figures import Interval, Undefined
from analysis.intervals import wilson_interval


class TagPair(NamedTuple):
    """An item on which somebody spoke, beside what was proposed for it."""

    proposed: frozenset[str]
    said: frozenset[str]


@dataclass(frozen=True)
class TagCount:
    """One tag: on how many compared items it was proposed, said by people, and both."""

    tag: str
    proposed: int
    said: int
    both: int


class Comparison(NamedTuple):
    """Proposals beside people. agreed: items with exactly the proposed tags, of `compared`.

    interval: of their share, by items.
    """

    compared: int
    agreed: int
    interval: Interval | Undefined
    tags: tuple[TagCount, ...]


def compare_tags(*, pairs: Sequence[TagPair], offered: Iterable[str]) -> Comparison:
    """Count agreement over items that have a proposal and somebody's tags; tags in the order offered."""
    agreed = sum(pair.proposed == pair.said for pair in pairs)
    return Comparison(
        compared=len(pairs),
        agreed=agreed,
        interval=wilson_interval(successes=agreed, total=len(pairs)),
        tags=tuple(_count(tag, pairs) for tag in offered),
    )


def _count(tag: str, pairs: Sequence[TagPair]) -> TagCount:
    return TagCount(
        tag=tag,
        proposed=sum(tag in pair.proposed for pair in pairs),
        said=sum(tag in pair.said for pair in pairs),
        both=sum(tag in pair.proposed & pair.said for pair in pairs),
    )
