"""Read how sure the way from one score of a system to another is."""

from typing import NamedTuple

import numpy as np

from analysis.figures import Undefined
from analysis.ranking import Table
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules import Filter, table_of
from judges.comparison.rules.leaderboard.gains import Gain, bound_gains
from judges.comparison.rules.study.arrays import Flags
from judges.comparison.selectors.leaderboard.standings import Scored, read_scored
from judges.comparison.selectors.leaderboard.uncertainty import ColumnNotFound
from judges.comparison.selectors.study.matching import match_original

AMENDED = "amended"


class SystemGain(NamedTuple):
    """What a system, by its name, gains from the score asked about to its score in a column."""

    column: str
    system: str
    gain: Gain


@kept()
def read_gains(*, project: Project, wanted: Filter, column: str) -> list[SystemGain]:
    """Return what each system gains from this way of judging to every other; raises `ColumnNotFound`.

    Over the questions that both have; systems without one are left out.
    """
    scored = read_scored(project=project, wanted=wanted)
    ways = {scores.column.key: scores for scores in [*scored.judged, *scored.study.people]}
    if column not in ways:
        raise ColumnNotFound("No judge and nobody of that name has judged these answers.")
    before = scored.table(ways[column])
    return [
        gain
        for key, scores in ways.items()
        if key != column
        for gain in _gains(scored, before, scored.table(scores), column=key)
    ]


@kept()
def read_amendment_gains(*, project: Project, wanted: Filter) -> list[SystemGain]:
    """Return what each system gains from the gold of the files to the lists as people amended them."""
    scored = read_scored(project=project, wanted=wanted)
    before = match_original(project)
    after = scored.study.settled.is_match
    return _gains(scored, _table_of(scored, before), _table_of(scored, after), column=AMENDED)


def _table_of(scored: Scored, which: Flags) -> Table:
    scores = which.astype(np.float64)
    return Table(table_of(scores, items=scored.study.items, selection=scored.selection), is_verdict=True)


def _gains(scored: Scored, before: Table, after: Table, *, column: str) -> list[SystemGain]:
    names = [system.name for system in scored.study.items.systems]
    gains = zip(names, bound_gains(before, after), strict=True)
    return [
        SystemGain(column, name, gain) for name, gain in gains if not isinstance(gain.difference, Undefined)
    ]
