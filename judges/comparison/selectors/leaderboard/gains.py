"""Read how sure the way from one score of a system to another is."""

from typing import NamedTuple

import numpy as np

from analysis.undefined import Undefined
from annotation.projects.models import Project
from judges.comparison.rules import Filter, table_of
from judges.comparison.rules.leaderboard.gains import Gain, bound_gains
from judges.comparison.rules.study.arrays import Flags, Floats
from judges.comparison.selectors.leaderboard.standings import Scored, read_scored
from judges.comparison.selectors.leaderboard.uncertainty import ColumnNotFound
from judges.comparison.selectors.study.matching import match_original

AMENDED = "amended"


class SystemGain(NamedTuple):
    """What a system, by its name, gains from the score asked about to its score in a column."""

    column: str
    system: str
    gain: Gain


def read_gains(*, project: Project, wanted: Filter, column: str) -> list[SystemGain]:
    """Return what each system gains from this way of judging to every other; raises `ColumnNotFound`.

    Systems without a score by one of the two are left out.
    """
    scored = read_scored(project=project, wanted=wanted)
    ways = {scores.column.key: scores for scores in [*scored.judged, *scored.study.people]}
    if column not in ways:
        raise ColumnNotFound("No judge and nobody of that name has judged these answers.")
    before, before_variance = _table_of(scored, ways[column].values), scored.correct(ways[column])[1]
    return [
        gain
        for key, scores in ways.items()
        if key != column
        for gain in _gains(
            scored,
            before,
            _table_of(scored, scores.values),
            column=key,
            before_variance=before_variance,
            after_variance=scored.correct(scores)[1],
        )
    ]


def read_amendment_gains(*, project: Project, wanted: Filter) -> list[SystemGain]:
    """Return what each system gains from the gold of the files to the lists as people amended them."""
    scored = read_scored(project=project, wanted=wanted)
    before = _as_scores(match_original(project, scored.study.items))
    after = _as_scores(scored.study.settled.is_match)
    return _gains(scored, _table_of(scored, before), _table_of(scored, after), column=AMENDED)


def _as_scores(which: Flags) -> Floats:
    return which.astype(np.float64)


def _table_of(scored: Scored, values: Floats) -> Floats:
    return table_of(values, items=scored.study.items, selection=scored.selection)


def _gains(
    scored: Scored, before: Floats, after: Floats, *, column: str, **variances: Floats
) -> list[SystemGain]:
    names = [system.name for system in scored.study.items.systems]
    gains = zip(names, bound_gains(before, after, **variances), strict=True)
    return [
        SystemGain(column, name, gain) for name, gain in gains if not isinstance(gain.difference, Undefined)
    ]
