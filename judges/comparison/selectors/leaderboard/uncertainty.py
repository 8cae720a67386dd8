"""Read how sure ranks and differences of systems are: what takes resampling, apart from the points."""

from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from analysis.comparing import (
    McNemar,
    PairedDifference,
    enough_resamples,
    holm_adjust,
    is_distinguishable,
    mcnemar_exact,
    paired_differences,
)
from analysis.intervals import Interval
from analysis.ranking import NOT_ANSWERED, RankRange, kendall_tau_b_interval, rank_intervals
from analysis.undefined import Undefined, Value
from annotation.projects.models import Project
from common.errors import NotFound
from common.memory import Memory, content_of
from judges.comparison.rules import HUMAN, Filter, Scores, SystemRow, Unit, table_of
from judges.comparison.rules.study.arrays import Floats
from judges.comparison.rules.study.resampling import RESAMPLES, SEED
from judges.comparison.selectors.leaderboard.standings import Scored, leaderboard_of, read_scored
from judges.comparison.selectors.study.signing import sign_comparison

NOT_RANKED = "The system has no rank: it answered fewer questions than others, or not all is judged."
Ranks = dict[str, RankRange | Undefined]

_ranks: Memory[Ranks] = Memory(size=256)
_taus: Memory[Interval | Undefined] = Memory(size=256)
_pairs: Memory[list["SystemsPair"]] = Memory(size=64)


class ColumnNotFound(NotFound):
    """The project has no such way of judging."""

    code = "column_not_found"


class ColumnUncertainty(NamedTuple):
    """Between which ranks each system lies, by its name; kendall: interval of tau-b with people."""

    key: str
    ranks: Ranks
    kendall: Interval | Undefined


class SystemsPair(NamedTuple):
    """Two systems by one way of judging.

    p_value is of the bootstrap over questions, corrected by Holm over all pairs. mcnemar is there for
    verdicts, not for means of scores; it is not corrected.
    """

    first: str
    second: str
    difference: PairedDifference
    p_value: Value
    is_distinguishable: bool
    mcnemar: McNemar | None


class PairedSystems(NamedTuple):
    """Every two systems by one way of judging, and what produced the numbers."""

    pairs: list[SystemsPair]
    signature: str


def read_uncertainty(*, project: Project, wanted: Filter) -> list[ColumnUncertainty]:
    """Return for every column how sure its ranks are."""
    scored = read_scored(project=project, wanted=wanted)
    tables = _tables(scored)
    return [
        ColumnUncertainty(key, _rank_ranges(scored, table), _tau_interval(table, tables.get(HUMAN)))
        for key, table in tables.items()
    ]


def rank_ranges(scored: Scored) -> dict[str, Ranks]:
    """Return for every column between which ranks each system lies."""
    return {key: _rank_ranges(scored, table) for key, table in _tables(scored).items()}


def tau_intervals(scored: Scored) -> dict[str, Interval | Undefined]:
    """Return for every column with a ranking to compare the interval of its tau-b with people."""
    kendall = leaderboard_of(scored).kendall
    tables = _tables(scored)
    return {
        key: value if isinstance(value, Undefined) else _tau_interval(tables[key], tables.get(HUMAN))
        for key, value in kendall.items()
        if key in tables
    }


def _tables(scored: Scored) -> dict[str, Floats]:
    """Return each way's scores of the systems it ranks, so that intervals are of the ranks that are shown.

    Where it ranks none yet, all stand: how far they would lie apart is known before their order is. Systems
    that answered different questions have no order.
    """
    ranked = _ranked(scored)
    is_comparable = np.array([system.id in scored.comparable for system in scored.study.items.systems])
    tables = {}
    for scores in [*scored.judged, *scored.study.people]:
        table = _table(scored, scores)
        if not is_comparable.any():
            table[:] = np.nan
        places = ranked.get(scores.column.key, [])
        if any(places):
            table[~np.array(places)] = np.nan
        tables[scores.column.key] = table
    return tables


def _ranked(scored: Scored) -> dict[str, list[bool]]:
    """Tell by column which systems have a rank there, in the order of the study's."""
    board = leaderboard_of(scored)
    rows = {row.system.name: row for row in board.rows}
    return {
        column.key: [_has_rank(rows.get(name), column.key) for name in _names(scored)]
        for column in board.columns
    }


def _has_rank(row: SystemRow | None, key: str) -> bool:
    score = row.scores[key] if row else None
    return score is not None and score.rank is not None


def _table(scored: Scored, scores: Scores) -> Floats:
    return table_of(scores.values, items=scored.study.items, selection=scored.selection)


def _names(scored: Scored) -> list[str]:
    return [system.name for system in scored.study.items.systems]


def _rank_ranges(scored: Scored, table: Floats) -> Ranks:
    content = content_of(table)

    def make() -> Ranks:
        found = rank_intervals(scores=table, seed=SEED, resamples=RESAMPLES)
        words = [Undefined(NOT_RANKED) if each == Undefined(NOT_ANSWERED) else each for each in found]
        return dict(zip(_names(scored), words, strict=True))

    return _ranks.get(content, state=tuple(_names(scored)), make=make)


def _tau_interval(table: Floats, people: Floats | None) -> Interval | Undefined:
    if people is None:
        return Undefined("People have decided nothing yet.")
    return _taus.get(
        (content_of(table), content_of(people)),
        state=None,
        make=lambda: kendall_tau_b_interval(first=table, second=people, seed=SEED, resamples=RESAMPLES),
    )


def read_pairs(*, project: Project, wanted: Filter, column: str) -> PairedSystems:
    """Return every pair of systems by one way of judging; raises `ColumnNotFound`."""
    scored = read_scored(project=project, wanted=wanted)
    ways = {scores.column.key: scores for scores in [*scored.judged, *scored.study.people]}
    if column not in ways:
        raise ColumnNotFound("No judge and nobody of that name has judged these answers.")
    table = _table(scored, ways[column])
    way = ways[column].column
    is_share = way.unit is Unit.ACCURACY
    resamples = enough_resamples(comparisons=comb(len(table), 2), least=RESAMPLES)
    # A mean score of zeros and ones looks like verdicts, and has no test of its own all the same.
    pairs = _pairs.get(
        (content_of(table), is_share),
        state=tuple(_names(scored)),
        make=lambda: _compare(table, names=_names(scored), is_share=is_share, resamples=resamples),
    )
    compared = {"compared": "systems two by two", "correction": "holm"}
    return PairedSystems(
        pairs, sign_comparison(project, way.signature, wanted=wanted, resamples=resamples, **compared)
    )


def _compare(table: Floats, *, names: list[str], is_share: bool, resamples: int) -> list[SystemsPair]:
    places = list(combinations(range(len(table)), 2))
    differences = paired_differences(scores=table, pairs=places, seed=SEED, resamples=resamples)
    adjusted = holm_adjust([each.p_value for each in differences])
    return [
        SystemsPair(
            first=names[first],
            second=names[second],
            difference=difference,
            p_value=p_value,
            is_distinguishable=is_distinguishable(p_value),
            mcnemar=_mcnemar(table[first], table[second]) if is_share else None,
        )
        for (first, second), difference, p_value in zip(places, differences, adjusted, strict=True)
    ]


def _mcnemar(first: Floats, second: Floats) -> McNemar:
    both = ~(np.isnan(first) | np.isnan(second))
    return mcnemar_exact(first_right=first[both] == 1, second_right=second[both] == 1)
