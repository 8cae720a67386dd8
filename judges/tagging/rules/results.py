"""What came out of a round: how often people said each tag."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from analysis.figures import Interval, Undefined
from analysis.intervals import wilson_interval
from judges.tagging.rules.sets import Tag


class TagShare(NamedTuple):
    """One tag: on how many tagged items people said it, and the 95 % interval of that share."""

    tag: Tag
    items: int
    interval: Interval | Undefined


class Results(NamedTuple):
    """Tags in the order of the set; an item may have several. unattributable: marked as such."""

    tagged: int
    unattributable: int
    shares: tuple[TagShare, ...]


def count_tags(*, said: Sequence[frozenset[str]], unattributable: int, offered: Iterable[Tag]) -> Results:
    """Count each tag over the tagged items. `said`: an item's tags, none where no tag fits."""
    total = len(said)
    counts = ((tag, sum(tag.key in tags for tags in said)) for tag in offered)
    return Results(
        tagged=total,
        unattributable=unattributable,
        shares=tuple(
            TagShare(tag, count, wilson_interval(successes=count, total=total)) for tag, count in counts
        ),
    )
