"""How systems are scored, ranked and set beside each other, over plain arrays."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import (
    ROUNDING,
    Figure,
    Interval,
    Scale,
    Undefined,
    Value,
    Why,
    divide,
    estimated_share_interval,
    linearize,
    mean_interval,
    students_interval,
)
from analysis.ranking import Table, kendall_tau_b, rank_scores
from analysis.sampling import Ratio, measure_shares
from judges.comparison.rules.boards import BoardRow
from judges.comparison.rules.study import (
    ACCEPTED,
    CORRECTED,
    EXACT_MATCH,
    HUMAN,
    POSSIBLE,
    SETTLED,
    UNDECIDED,
    Codes,
    Column,
    Kind,
    Scope,
    Scores,
    Settled,
    SystemFacts,
    Unit,
    are_mostly_long,
    people_key,
)


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


@dataclass(frozen=True, kw_only=True)
class Score(Figure):
    """A cell of the leaderboard: a share or mean from 0 to 1 with its 95% interval.

    `correct`: the number of correct answers; null if the score is not a count but, for example, a mean or an
    estimate. `n`: the number of answers. `rank`: without a value while it could still change; its 95% bounds
    hold for all systems in the column at once. `gain`: the difference from the system’s score in the
    reference column, on the questions that both cover. `relative`: the gain as a share of that score.
    """

    value: float
    correct: int | None
    n: int
    rank: Figure
    gain: Figure | None = None
    relative: Figure | None = None


@dataclass(frozen=True)
class SystemRow:
    """A system with its scores by column key.

    `range`: its lowest and highest possible scores, if all answers that people have not decided were
    incorrect, or all correct; null if people decided all. `median_words`: the median length of its answers,
    in words, as exact match compares them. `has_long_answers`: whether they are so long that exact match
    rarely accepts them, right or wrong.
    """

    system: str
    label: str
    description: dict[str, Any]
    n: int
    median_words: float
    has_long_answers: bool
    scores: dict[str, Score | None]
    decided_share: float
    range: list[float] | None


@dataclass(frozen=True)
class LeaderboardColumn(Column):
    """One way of judging, and how closely its ranking agrees with people’s.

    `fewest`: scores over fewer answers than this are not compared with others. `pairs`: the number of pairs
    of systems that people distinguish. `same`: how many of these are in the same order. `same_order`: `same`
    as a share of `pairs`. `alike`: the number of pairs that this way of judging also distinguishes, in the
    same order.
    """

    kendall_tau_b: Figure
    fewest: int = 0
    same_order: Figure | None = None
    pairs: int | None = None
    same: int | None = None
    alike: int | None = None


@dataclass(frozen=True)
class Leaderboard:
    """Scores by system and way of judging.

    `judged_questions`: the number of questions with an answer that people decided. `all_decided`: whether no
    decision on a ranked system’s answers is pending. Questions can still be unjudged: people are not asked
    about answers that are not linked to any row of a file with votes. `programs_share`: the share of systems’
    answers that pre-judging rules settled. `is_estimated`: whether people judge a random sample of what is
    counted, and a judge’s verdicts stand in for the rest.
    """

    scope: Scope
    n_questions: int
    judged_questions: int
    columns: list[LeaderboardColumn]
    rows: list[SystemRow]
    all_decided: bool
    programs_share: float
    is_estimated: bool = False
    signature: str = ""

    @property
    def kendall(self) -> dict[str, Value]:
        """Each column's tau-b with people, by its key; none of theirs."""
        return {column.key: column.kendall_tau_b.number for column in self.columns}


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
    is_estimated: bool = False,
) -> Leaderboard:
    """Put scores, ranks, ranges and rank correlations together.

    is_estimated: people judge a random sample of what is counted, and nobody is asked of the rest. Two
    columns of settled answers that say the same of every system are one.
    tallies: by column key, then by system id. median_words: by system id. comparable: the ids of systems
    that are ranked, over the same questions; the others have scores without ranks.
    """
    ranked = [system for system in systems if system.id in standings]
    columns = _without_repeated(columns, tallies)
    all_decided = bool(ranked) and not any(standings[system.id].pending for system in ranked)
    if ranked and all(standings[system.id].decided == standings[system.id].n for system in ranked):
        columns = [as_decided(column) for column in columns]
    ranks = {
        column.key: {}
        if column.kind is not Kind.JUDGE and not (all_decided or (is_estimated and column.key == CORRECTED))
        else _ranks(column, tallies[column.key], comparable)
        for column in columns
    }
    rows = [
        _row(system, standings[system.id], columns, tallies, ranks, median_words[system.id])
        for system in ranked
    ]
    people = people_key(columns)
    return Leaderboard(
        scope=scope,
        n_questions=n_questions,
        judged_questions=judged_questions,
        columns=[
            LeaderboardColumn(
                **vars(column),
                kendall_tau_b=Figure.of(
                    _kendall(column.key, people, rows, all_decided=all_decided, is_estimated=is_estimated)
                ),
                fewest=fewest_answers([score.n for row in rows if (score := row.scores[column.key])]),
            )
            for column in columns
        ],
        rows=rows,
        all_decided=all_decided,
        is_estimated=is_estimated,
        programs_share=_programs_share(standings.values()),
    )


def _without_repeated(
    columns: Sequence[Column], tallies: Mapping[str, Mapping[int, Tally]]
) -> Sequence[Column]:
    """Leave out “as settled, otherwise exact match” where nothing is undecided: it repeats “as settled”."""
    if tallies.get(HUMAN) != tallies.get(SETTLED):
        return columns
    return [column for column in columns if column.key != HUMAN or column.kind is not Kind.MIXED]


def as_decided(column: Column) -> Column:
    """Call people's score theirs alone where exact match speaks for no answer any more."""
    is_peoples = column.key == HUMAN and column.kind is Kind.HUMAN
    return replace(column, name="People") if is_peoples else column


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
        system=system.name,
        label=system.label,
        description=system.description,
        n=standing.n,
        median_words=median_words,
        has_long_answers=are_mostly_long(median_words),
        scores=scores,
        decided_share=_decided_share(standing),
        range=_range(standing),
    )


def _value(column: Column, tally: Tally) -> float:
    # A sum of corrections may lie a little outside of what a share can be.
    return min(1.0, max(0.0, (tally.correct if is_count(column) else tally.total) / tally.n))


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


# From about 30 answers on, an interval is narrow enough to tell good systems from bad ones.
ENOUGH_ANSWERS = 30


def fewest_answers(counts: Collection[int]) -> int:
    """Return over how many answers a score must be to stand among the others, from how many each is over.

    Less than half of the most is too few, unless it is `ENOUGH_ANSWERS`: 3 of 3 right would lead 170 of 200.
    The score over most answers is never too few, nor is any that has a rank, as these are over equally many.
    """
    return min(ENOUGH_ANSWERS, math.ceil(max(counts, default=0) / 2))


def is_of_few(row: SystemRow, column: LeaderboardColumn) -> bool:
    """Say whether the system's score in the column is over too few answers to stand among the others."""
    score = row.scores.get(column.key)
    return score is not None and score.n < column.fewest


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
    return Score(
        **vars(Figure.of(value, bounds)),
        correct=tally.correct if is_count(column) else None,
        n=tally.n,
        rank=Figure.of(Undefined(Why.NOT_RANKED) if rank is None else float(rank)),
    )


def _decided_share(standing: Standing) -> float:
    return (standing.n - standing.pending) / standing.n if standing.n else 0.0


def _range(standing: Standing) -> list[float] | None:
    unknown = standing.pending + standing.by_programs
    if not unknown:
        return None
    return [standing.settled_correct / standing.n, (standing.settled_correct + unknown) / standing.n]


def _kendall(key: str, by: str, rows: Sequence[SystemRow], *, all_decided: bool, is_estimated: bool) -> Value:
    if is_estimated and not any(row.scores[by] for row in rows):
        return Undefined(Why.SAMPLE_OPEN)
    if not all_decided and not is_estimated:
        return Undefined(Why.NOT_ALL_DECIDED)
    if by == CORRECTED and not any(row.scores[by] for row in rows):
        return Undefined(Why.NOT_AUDITED)
    if key == by:
        return Undefined(Why.PEOPLE_THEMSELVES)
    pairs = [
        (score.value, people.value)
        for score, people in ((row.scores[key], row.scores.get(by)) for row in rows)
        if score and people and score.rank.value and people.rank.value
    ]
    return kendall_tau_b([pair[0] for pair in pairs], [pair[1] for pair in pairs])


def people_column(board: Leaderboard) -> LeaderboardColumn | None:
    """Return the column by which people rank systems, if the board has it and no program speaks in it."""
    key = people_key(board.columns)
    found = (column for column in board.columns if column.key == key and column.kind is Kind.HUMAN)
    return next(found, None)


def largest_gain(board: Leaderboard) -> tuple[float, SystemRow] | None:
    """Return by how much people's score is above exact match where it is most, and of which system.

    Systems with scores over too few answers are passed over.
    """
    column = people_column(board)
    if column is None:
        return None
    gains = [
        (people.value - matched.value, row)
        for row in board.rows
        if (people := row.scores.get(column.key))
        and (matched := row.scores.get(EXACT_MATCH))
        and not is_of_few(row, column)
    ]
    return max(gains, default=None, key=lambda gain: (gain[0], gain[1].label))


def why_no_gain(board: Leaderboard) -> str:
    """Say in words why `largest_gain` finds none."""
    if not board.rows:
        return "No system has answers yet."
    if not any(row.scores.get(EXACT_MATCH) for row in board.rows):
        return "The change is measured relative to exact match, which has not judged the answers yet."
    if board.programs_share > 0:
        return (
            "Automatic judges settled some answers, and people have not judged enough audited answers to "
            "correct the scores."
        )
    return "People have not decided enough answers to score a system."


class Gain(NamedTuple):
    """The later score minus the earlier, and the same as a share of the earlier."""

    gain: Figure
    relative: Figure


# Two more questions, on which the scores differ either way, of the weight with which 20 to 300 cover 95%.
EITHER_WAY = 0.6 * np.array([[0.0, 1.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0]])


def bound_gains(before: Table, after: Table) -> list[Gain]:
    """Bound what each system gains from one way of judging to another, over questions.

    Each is over the questions that both ways have judged: scores of different questions are no step from one
    to the other. It is the difference of `analysis.ranking.paired_differences`. Intervals between verdicts
    are those of the study with parts of two more questions, on which the two differ either way (after Bonett
    and Price 2012): without these they cover 93% at 50 to 100 questions.
    """
    are_verdicts = before.is_verdict and after.is_verdict
    return [
        _bound(before.of(place), after.of(place), are_verdicts=are_verdicts)
        for place in range(len(before.scores))
    ]


def _bound(before: tuple[Floats, float], after: tuple[Floats, float], *, are_verdicts: bool) -> Gain:
    (first, before_variance), (second, after_variance) = before, after
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = np.where(both, first, np.nan), np.where(both, second, np.nan)
    columns = [part for scores in (first, second) for part in (np.nan_to_num(scores), ~np.isnan(scores))]
    sums = np.column_stack(columns).astype(np.float64)
    sums = sums[sums.any(axis=1)]
    earlier, later = _means(sums.sum(axis=0)).tolist()
    clusters = min(int(sums[:, 1].sum()), int(sums[:, 3].sum()))

    def figures(counts: Floats) -> Floats:
        means = _means(counts)
        return np.stack([means[..., 1] - means[..., 0], divide(means[..., 1], means[..., 0])], axis=-1)

    found = linearize(sums=sums, figures=figures, clusters=[clusters] * 2)
    if are_verdicts and found.errors[0] > ROUNDING:
        sums = np.vstack([sums, EITHER_WAY])
        found = linearize(sums=sums, figures=figures, clusters=[clusters] * 2)
    start, end = _means(sums.sum(axis=0)).tolist()
    error, share_error = found.errors.tolist()
    error = math.sqrt(error**2 + before_variance + after_variance)
    if start:
        # By the delta method, for their ratio.
        of_ratio = after_variance / start**2 + before_variance * end**2 / start**4
        share_error = math.sqrt(share_error**2 + of_ratio)
    interval = students_interval(value=end - start, error=error, clusters=clusters, scale=Scale.DIFFERENCE)
    share = students_interval(
        value=end / start if start else math.nan, error=share_error, clusters=clusters, scale=Scale.MULTIPLE
    )
    if isinstance(share, Interval):
        share = Interval(share.low - 1.0, share.high - 1.0)
    return _gain(earlier, later, interval, share)


def _means(counts: Floats) -> Floats:
    means: Floats = divide(counts[..., 0::2], counts[..., 1::2])
    return means


def _gain(before: float, after: float, interval: Interval | Undefined, share: Interval | Undefined) -> Gain:
    difference = float(after - before)
    if np.isnan(difference):
        nothing = Figure(None, why=Why.NOTHING_COUNTED)
        return Gain(nothing, nothing)
    if before == 0:
        return Gain(Figure.of(difference, interval), Figure(None, why=Why.STARTS_FROM_ZERO))
    return Gain(Figure.of(difference, interval), Figure.of(float(difference / before), share))


BEYOND = "human|answers:decided by people|rejected:exact_match|gold:original"


class Rejected(NamedTuple):
    """Answers that exact match rejects, one value an answer: its question, and what people decided.

    weights: how many answers a decided one stands for.
    """

    question: Integers
    worth: Codes
    weights: Floats

    def of(self, which: Flags | Integers) -> "Rejected":
        """Return some of them, by flags or places."""
        return Rejected(self.question[which], self.worth[which], self.weights[which])


def measure_beyond(rejected: Rejected, *, has_possible: bool, key: str, name: str) -> BoardRow:
    """Count what people accept of rejected answers: `decided` of `rejected` ones, which they call right.

    The shares are of what the decided ones stand for, with intervals over questions; `either` adds both.
    Where no label lies between right and wrong, one share says all.
    Source: Min et al. 2021 (EfficientQA), section 6: of the predictions that match no reference 13% are
    definitely and 17% possibly correct.
    """
    is_decided = rejected.worth != UNDECIDED
    worth, weights = rejected.worth[is_decided], rejected.weights[is_decided]
    accepted = {"definitely": worth == ACCEPTED, "possibly": worth == POSSIBLE, "either": worth >= POSSIBLE}
    shares = measure_shares(
        ratios=[Ratio(each * weights, weights, weights) for each in accepted.values()],
        clusters=rejected.question[is_decided],
    )
    counts = {"rejected": len(rejected.worth), "decided": len(worth)}
    counts |= {"definite": int(accepted["definitely"].sum()), "possible": int(accepted["possibly"].sum())}
    figures = dict(zip(accepted, shares, strict=True))
    return BoardRow(key, name, counts, figures if has_possible else {"accepted": figures["definitely"]})
