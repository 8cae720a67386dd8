"""Read how sure ranks and differences of systems are: what takes resampling, apart from the points."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from analysis.figures import Undefined, Why
from analysis.ranking import (
    McNemar,
    RankRange,
    SameOrder,
    Table,
    compare_orders,
    mcnemar_exact,
    paired_differences,
    rank_intervals,
)
from annotation.projects.models import Project
from common.errors import NotFound
from common.memory import computed
from judges.comparison.rules import Filter, SystemRow, people_key
from judges.comparison.rules.study.arrays import Floats
from judges.comparison.rules.study.boards import ComparedPair, ComparedPairs, Uncorrected, correct_pairs
from judges.comparison.selectors.leaderboard.standings import Scored, leaderboard_of, read_scored
from judges.comparison.selectors.study.signing import sign_comparison

Ranks = dict[str, RankRange | Undefined]


class ColumnNotFound(NotFound):
    """The project has no such way of judging."""

    code = "column_not_found"


class ColumnUncertainty(NamedTuple):
    """Between which ranks each system lies, by its name; same_order: as people order them."""

    key: str
    ranks: Ranks
    same_order: SameOrder | Undefined


def read_uncertainty(*, project: Project, wanted: Filter) -> list[ColumnUncertainty]:
    """Return for every column how sure its ranks are."""
    scored = read_scored(project=project, wanted=wanted)
    tables = _tables(scored)
    return [
        ColumnUncertainty(key, _rank_ranges(scored, table), _same_order(table, _people(scored, tables)))
        for key, table in tables.items()
    ]


def rank_ranges(scored: Scored) -> dict[str, Ranks]:
    """Return for every column between which ranks each system lies."""
    return {key: _rank_ranges(scored, table) for key, table in _tables(scored).items()}


def same_orders(scored: Scored) -> dict[str, SameOrder | Undefined]:
    """Return for every column with a ranking to compare how far it orders the systems as people do."""
    kendall = leaderboard_of(scored).kendall
    tables = _tables(scored)
    return {
        key: value if isinstance(value, Undefined) else _same_order(tables[key], _people(scored, tables))
        for key, value in kendall.items()
        if key in tables
    }


def _people(scored: Scored, tables: dict[str, Table]) -> Table | None:
    return tables.get(people_key(scores.column for scores in scored.study.people))


def _tables(scored: Scored) -> dict[str, Table]:
    """Return each way's scores of the systems it ranks, so that intervals are of the ranks that are shown.

    Where it ranks none yet, all stand: how far they would lie apart is known before their order is. Systems
    that answered different questions have no order.
    """
    ranked = _ranked(scored)
    is_comparable = np.array([system.id in scored.comparable for system in scored.study.items.systems])
    tables = {}
    for scores in [*scored.judged, *scored.study.people]:
        table = scored.table(scores)
        if not is_comparable.any():
            table.scores[:] = np.nan
        places = ranked.get(scores.column.key, [])
        if any(places):
            table.scores[~np.array(places)] = np.nan
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


def _names(scored: Scored) -> list[str]:
    return [system.name for system in scored.study.items.systems]


def _rank_ranges(scored: Scored, table: Table) -> Ranks:
    found = computed(rank_intervals, table)
    words = [Undefined(Why.NOT_RANKED) if each == Undefined(Why.NOT_ANSWERED) else each for each in found]
    return dict(zip(_names(scored), words, strict=True))


def _same_order(table: Table, people: Table | None) -> SameOrder | Undefined:
    if people is None:
        return Undefined(Why.NOTHING_DECIDED)
    return computed(compare_orders, people=people, other=table)


def read_pairs(*, project: Project, wanted: Filter, column: str) -> ComparedPairs:
    """Return every pair of systems by one way of judging; raises `ColumnNotFound`."""
    scored = read_scored(project=project, wanted=wanted)
    ways = {scores.column.key: scores for scores in [*scored.judged, *scored.study.people]}
    if column not in ways:
        raise ColumnNotFound("No judge and nobody of that name has judged these answers.")
    table = scored.table(ways[column])
    pairs = computed(_compare, table, names=_names(scored))
    signature = sign_comparison(
        project,
        ways[column].column.signature,
        wanted=wanted,
        compared="systems two by two",
        correction="holm",
    )
    return ComparedPairs(pairs, signature)


def _compare(table: Table, *, names: list[str]) -> list[ComparedPair]:
    scores = table.scores
    places = list(combinations(range(len(scores)), 2))
    differences = paired_differences(table=table, pairs=places)
    # A mean score of zeros and ones looks like verdicts, and has no test of its own all the same.
    tests = [
        _mcnemar(scores[first], scores[second]) if table.is_verdict else None for first, second in places
    ]
    return correct_pairs(
        [
            Uncorrected(names[first], names[second], each, test.p_value if test else each.p_value, test)
            for (first, second), each, test in zip(places, differences, tests, strict=True)
        ]
    )


def _mcnemar(first: Floats, second: Floats) -> McNemar:
    both = ~(np.isnan(first) | np.isnan(second))
    return mcnemar_exact(first_right=first[both] == 1, second_right=second[both] == 1)
