"""How systems are scored, ranked and compared with what people decided, over plain counts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analysis.figures import Interval, Undefined, Value, Why
from analysis.intervals import estimated_share_interval, mean_interval
from analysis.ranking import kendall_tau_b, rank_scores
from judges.comparison.rules.study.arrays import Flags, Integers, Scope, SystemFacts, are_mostly_long
from judges.comparison.rules.study.columns import (
    CORRECTED,
    EXACT_MATCH,
    HUMAN,
    Column,
    Kind,
    Unit,
    people_key,
)
from judges.comparison.rules.study.scores import Scores, Settled


class Tally(NamedTuple):
    """One system's answers under one way of judging.

    n: answers with a value. correct: of these accepted. total, squares: sums of scores and of their squares.
    is_complete: no answer of the system still waits for this way of judging. variance: what estimating some
    of the values adds to that of their mean.
    """

    n: int
    correct: int
    total: float
    squares: float
    is_complete: bool
    variance: float = 0.0


class Standing(NamedTuple):
    """What people decided of one system's answers.

    settled_correct: right among those that no person will change: they decided, or nobody is asked.
    pending: still to be decided, or outside the judged sample. by_programs: decided by rules of pre-judging,
    right or wrong.
    """

    n: int
    decided: int
    settled_correct: int
    pending: int
    by_programs: int = 0


class Score(NamedTuple):
    """A cell: share or mean from 0 to 1 with its interval; no rank while it could still move.

    correct: None for what is no count of answers, as a mean or an estimate.
    """

    value: float
    correct: int | None
    n: int
    low: float | None
    high: float | None
    rank: int | None


class SystemRow(NamedTuple):
    """A system with its scores by column key; `range` from all that people have not decided wrong to right.

    median_words: of its answers, as exact match compares them.
    """

    system: SystemFacts
    n: int
    median_words: float
    scores: dict[str, Score | None]
    decided_share: float
    range: tuple[float, float] | None

    @property
    def has_long_answers(self) -> bool:
        """Whether exact match hardly accepts any of its answers, right or wrong, for their length."""
        return are_mostly_long(self.median_words)


class Leaderboard(NamedTuple):
    """Systems by ways of judging; `kendall` is each column's tau-b with people, by its key, none of theirs.

    judged_questions: of how many of `n_questions` people decided an answer. all_decided: nothing more is to
    come, which does not mean that every question was judged: nobody is asked of answers linked to no row
    of a file. programs_share: of systems' answers, what rules of pre-judging decided.
    """

    scope: Scope
    n_questions: int
    judged_questions: int
    columns: list[Column]
    rows: list[SystemRow]
    kendall: dict[str, Value]
    all_decided: bool
    programs_share: float = 0.0


def count_correct(*, n: int, correct: int) -> Tally:
    """Return the tally of a complete count of right answers."""
    return Tally(n=n, correct=correct, total=float(correct), squares=float(correct), is_complete=True)


def tally(scores: Scores, *, systems: Integers, counted: Flags, ids: list[int]) -> dict[int, Tally]:
    """Add up a column by system id, over the counted predictions; systems nothing was said of are left out.

    systems: each prediction's place in `ids`.
    """
    scores, variance = scores.over(systems=systems, counted=counted, size=len(ids))
    has_value = counted & ~np.isnan(scores.values)
    places, values = systems[has_value], scores.values[has_value]
    n = np.bincount(places, minlength=len(ids))
    total = np.bincount(places, weights=values, minlength=len(ids))
    squares = np.bincount(places, weights=values * values, minlength=len(ids))
    sizes = np.bincount(systems[counted], minlength=len(ids))
    dealt_with = np.bincount(systems[counted & scores.is_dealt_with], minlength=len(ids))
    return {
        pk: Tally(
            n=int(n[place]),
            correct=round(total[place]),
            total=float(total[place]),
            squares=float(squares[place]),
            is_complete=bool(dealt_with[place] == sizes[place]),
            variance=float(variance[place]),
        )
        for place, pk in enumerate(ids)
        if dealt_with[place]
    }


def standings_of(
    settled: Settled, *, systems: Integers, counted: Flags, ids: list[int]
) -> Mapping[int, Standing]:
    """Return how far people have come with each system that has counted predictions, by its id."""

    def count(which: Flags) -> Integers:
        found: Integers = np.bincount(systems[counted & which], minlength=len(ids))
        return found

    everything = np.ones(len(counted), dtype=bool)
    columns = (
        everything,
        settled.is_decided,
        settled.is_right & ~settled.is_pending & ~settled.is_by_programs,
        settled.is_pending,
        settled.is_by_programs,
    )
    counts = zip(*map(count, columns), strict=True)
    return {pk: Standing(*map(int, numbers)) for pk, numbers in zip(ids, counts, strict=True) if numbers[0]}


def comparable_systems(
    *, systems: Integers, questions: Integers, counted: Flags, ids: Sequence[int]
) -> set[int]:
    """Return the ids of systems that answered the most questions; none where these are not the same ones.

    systems, questions, counted: of each prediction; systems: its place in `ids`.
    """
    n = np.bincount(systems[counted], minlength=len(ids))
    fullest = np.flatnonzero(n == n.max(initial=1)).tolist()
    answered = [np.sort(questions[counted & (systems == place)]) for place in fullest]
    are_alike = all(np.array_equal(own, answered[0]) for own in answered)
    return {ids[place] for place in fullest} if are_alike else set()


def make_leaderboard(
    *,
    scope: Scope,
    n_questions: int,
    judged_questions: int,
    systems: Sequence[SystemFacts],
    columns: Sequence[Column],
    tallies: Mapping[str, Mapping[int, Tally]],
    standings: Mapping[int, Standing],
    median_words: Mapping[int, float],
    comparable: Collection[int],
) -> Leaderboard:
    """Put scores, ranks, ranges and rank correlations together.

    tallies: by column key, then by system id. median_words: by system id. comparable: the ids of systems
    that are ranked, over the same questions; the others have scores without ranks.
    """
    ranked = [system for system in systems if system.id in standings]
    all_decided = bool(ranked) and not any(standings[system.id].pending for system in ranked)
    ranks = {
        column.key: {}
        if column.kind is not Kind.JUDGE and not all_decided
        else _ranks(column, tallies[column.key], comparable)
        for column in columns
    }
    rows = [
        _row(system, standings[system.id], columns, tallies, ranks, median_words[system.id])
        for system in ranked
    ]
    people = people_key(columns)
    kendall = {column.key: _kendall(column.key, people, rows, all_decided) for column in columns}
    return Leaderboard(
        scope,
        n_questions,
        judged_questions,
        list(columns),
        rows,
        kendall,
        all_decided=all_decided,
        programs_share=_programs_share(standings.values()),
    )


def _programs_share(standings: Iterable[Standing]) -> float:
    counts = [(standing.by_programs, standing.n) for standing in standings]
    n = sum(n for _, n in counts)
    return sum(settled for settled, _ in counts) / n if n else 0.0


def _row(
    system: SystemFacts,
    standing: Standing,
    columns: Sequence[Column],
    tallies: Mapping[str, Mapping[int, Tally]],
    ranks: Mapping[str, Mapping[int, int]],
    median_words: float,
) -> SystemRow:
    scores = {
        column.key: score_of(
            column, tallies[column.key].get(system.id), rank=ranks[column.key].get(system.id)
        )
        for column in columns
    }
    return SystemRow(
        system=system,
        n=standing.n,
        median_words=median_words,
        scores=scores,
        decided_share=_decided_share(standing),
        range=_range(standing),
    )


def _value(column: Column, tally: Tally) -> float:
    return (tally.correct if is_count(column) else tally.total) / tally.n


def _ranks(column: Column, tallies: Mapping[int, Tally], comparable: Collection[int]) -> dict[int, int]:
    values = {
        system: _value(column, tally)
        for system, tally in tallies.items()
        if tally.n and tally.is_complete and system in comparable
    }
    return dict(zip(values, rank_scores(list(values.values())), strict=True))


def is_count(column: Column) -> bool:
    """Say whether the column's scores count right answers, and are no means or estimates."""
    return column.unit is Unit.ACCURACY and column.key != CORRECTED


# How a score alone is bounded, which takes no resampling: shares, and means of F1.
SCORE_INTERVAL = "wilson, normal for means"


def score_of(column: Column, tally: Tally | None, *, rank: int | None) -> Score | None:
    """Return a cell of a way of judging, or None where it says nothing of the system."""
    if tally is None or not tally.n:
        return None
    value = _value(column, tally)
    bounds = (
        mean_interval(count=tally.n, total=tally.total, squares=tally.squares)
        if column.unit is Unit.F1
        else estimated_share_interval(share=value, total=tally.n, variance=tally.variance)
    )
    low, high = bounds if isinstance(bounds, Interval) else (None, None)
    return Score(value, tally.correct if is_count(column) else None, tally.n, low, high, rank)


def _decided_share(standing: Standing) -> float:
    return (standing.n - standing.pending) / standing.n if standing.n else 0.0


def _range(standing: Standing) -> tuple[float, float] | None:
    unknown = standing.pending + standing.by_programs
    if not unknown:
        return None
    return standing.settled_correct / standing.n, (standing.settled_correct + unknown) / standing.n


def _kendall(key: str, by: str, rows: Sequence[SystemRow], all_decided: bool) -> Value:
    if not all_decided:
        return Undefined(Why.NOT_ALL_DECIDED)
    if by == CORRECTED and not any(row.scores[by] for row in rows):
        return Undefined(Why.NOT_AUDITED)
    if key == by:
        return Undefined(Why.PEOPLE_THEMSELVES)
    pairs = [
        (score.value, people.value)
        for score, people in ((row.scores[key], row.scores.get(by)) for row in rows)
        if score and people and score.rank is not None and people.rank is not None
    ]
    return kendall_tau_b([pair[0] for pair in pairs], [pair[1] for pair in pairs])


def largest_gain(board: Leaderboard) -> tuple[float, SystemRow] | None:
    """Return by how much amendment moved the system it moved most over exact match, and which that is."""
    gains = [
        (people.value - matched.value, row)
        for row in board.rows
        if (people := row.scores.get(HUMAN)) and (matched := row.scores.get(EXACT_MATCH))
    ]
    return max(gains, default=None, key=lambda gain: (gain[0], gain[1].system.label))
