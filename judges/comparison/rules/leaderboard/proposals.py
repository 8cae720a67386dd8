"""What proposals for gold lists would do to scores and ranks, over plain arrays."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.arrays import Flags, Integers
from analysis.ranking import rank_scores
from judges.comparison.rules.study import SystemFacts


@dataclass(frozen=True)
class ScoreMove:
    """A system’s score by exact match with the current and with the proposed gold list.

    `n`: the number of its answers. `before`, `after`: how many match. `rank_before`, `rank_after`: null if
    the system has no rank.
    """

    system: str
    label: str
    n: int
    before: int
    after: int
    rank_before: int | None
    rank_after: int | None


def move_scores(
    *,
    systems: Sequence[SystemFacts],
    places: Integers,
    counted: Flags,
    comparable: Collection[int],
    is_match: Flags,
    turned: Flags,
) -> list[ScoreMove]:
    """Return the systems of which scores or ranks would move, in the study's order.

    places: each prediction's system, by its place in `systems`; counted: whether it counts. is_match: it
    equals the list as it is; turned: it would, but does not. comparable: ids of systems that have ranks.
    """
    size = len(systems)
    n = np.bincount(places[counted], minlength=size)
    before = np.bincount(places[counted & is_match], minlength=size)
    after = before + np.bincount(places[counted & turned & ~is_match], minlength=size)
    is_ranked = np.array([system.id in comparable for system in systems], dtype=bool) & (n > 0)
    ranks = [_ranks(right, n, is_ranked) for right in (before, after)]
    return [
        ScoreMove(
            system=system.name,
            label=system.label,
            n=int(n[place]),
            before=int(before[place]),
            after=int(after[place]),
            rank_before=ranks[0].get(place),
            rank_after=ranks[1].get(place),
        )
        for place, system in enumerate(systems)
        if before[place] != after[place] or ranks[0].get(place) != ranks[1].get(place)
    ]


def _ranks(right: Integers, n: Integers, is_ranked: Flags) -> dict[int, int]:
    ranked = np.flatnonzero(is_ranked)
    shares = (right[ranked] / n[ranked]).tolist()
    return dict(zip(ranked.tolist(), rank_scores(shares), strict=True))
