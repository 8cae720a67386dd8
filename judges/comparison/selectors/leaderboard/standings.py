"""Read systems by ways of judging, and how sure that is."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count

from analysis.arrays import Flags, Floats
from analysis.intervals import Figure, Undefined, Why
from analysis.ranking import (
    McNemar,
    Table,
    compare_orders,
    mcnemar_exact,
    paired_differences,
    rank_intervals,
)
from annotation.gold.selectors.ledger import find_moment, gold_version
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.errors import NotFound
from common.memory import computed
from judges.comparison.rules.boards import BoardRow, ComparedPair, ComparedPairs, Uncorrected, correct_pairs
from judges.comparison.rules.leaderboard.corrected import (
    Alone,
    Sampled,
    labels_of,
    predict,
    surest,
    verdicts_of,
)
from judges.comparison.rules.leaderboard.standings import (
    BEYOND,
    SCORE_INTERVAL,
    Leaderboard,
    LeaderboardColumn,
    Rejected,
    Score,
    SystemRow,
    Tally,
    bound_gains,
    comparable_systems,
    is_count,
    make_leaderboard,
    measure_beyond,
    standings_of,
    tally,
)
from judges.comparison.rules.study import (
    CORRECTED,
    UNDECIDED,
    Decided,
    Filter,
    Items,
    RunFacts,
    Scope,
    Scores,
    Selection,
    count_judged,
    is_recorded,
    matched_scores,
    median_words,
    name_columns,
    people_key,
    sampled_column,
    table_of,
    version_column,
)
from judges.comparison.rules.weights import answers_compared, weigh_compared, weigh_questions
from judges.comparison.selectors.study import (
    StudyScores,
    has_possible,
    match_original,
    match_people,
    read_beyond_gold,
    read_decided,
    read_improper,
    read_items,
    read_scores,
    read_selection,
    sign_comparison,
)
from judges.registry import READS_PEOPLE, display_name, get_entry
from judges.runs.models import JudgeRun, Verdict
from judges.runs.selectors.work import find_readers_of_people


def read_runs(project: Project) -> list[RunFacts]:
    """Return the project's runs in the order of their columns: complete ones first, recorded ones last."""
    rows = (
        JudgeRun.objects.filter(project=project, purpose=JudgeRun.Purpose.VERDICTS)
        .exclude(state=JudgeRun.State.CANCELLED)
        .order_by("created_at", "pk")
        .values_list("pk", "public_id", "judge_key", "gold_version", "signature", "stated", "state")
    )
    partial = [pk for pk, *_, state in rows if state != JudgeRun.State.FINISHED]
    judged = _count_verdicts(partial) if partial else {}
    is_read = any(key in READS_PEOPLE for _, _, key, *_ in rows)
    readers = find_readers_of_people(project=project) if is_read else frozenset[str]()
    runs = [
        RunFacts(
            id=pk,
            public_id=public_id,
            judge_key=key,
            name=display_name(key),
            gold_version=gold,
            signature=signature,
            stated=tuple((name, value) for name, value in stated),
            is_partial=pk in judged,
            judged=judged.get(pk, 0),
            reads_people=public_id in readers,
        )
        for pk, public_id, key, gold, signature, stated, state in rows
    ]
    return sorted(runs, key=lambda run: (run.is_partial, is_recorded(run.judge_key)))


def _count_verdicts(runs: list[int]) -> dict[int, int]:
    """Return how many answers each run has judged."""
    counted = Verdict.objects.filter(run__in=runs).values_list("run_id").annotate(Count("pk")).order_by()
    return dict.fromkeys(runs, 0) | dict(counted)


class Scored(NamedTuple):
    """A study's scores, of which a filter lets some count; `judged` are those that have a column.

    chosen: the key of the judge that speaks for what nobody saw; empty where none does.
    """

    runs: list[RunFacts]
    study: StudyScores
    selection: Selection
    scope: Scope
    judged: list[Scores]
    chosen: str = ""

    @property
    def by_run(self) -> list[tuple[RunFacts, Scores]]:
        """Return every run that has a column, with it."""
        shown = {scores.column.key: scores for scores in self.judged}
        keys = {run.id: self.study.judges[run.id].column.key for run in self.runs}
        return [(run, shown[keys[run.id]]) for run in self.runs if keys[run.id] in shown]

    @property
    def add_up(self) -> Callable[[Scores], dict[int, Tally]]:
        """Count a column by system id."""
        return partial(tally, **self.places)

    def correct(self, scores: Scores) -> Scores:
        """Return scores as what is counted here corrects them."""
        items, counted = self.study.items, self.selection.predictions
        return scores.over(systems=items.predictions.system, counted=counted, size=len(items.systems))[0]

    def table(self, scores: Scores) -> Table:
        """Return scores as systems are compared by them, one a question."""
        items, counted = self.study.items, self.selection.predictions
        values, variance = scores.to_test(
            systems=items.predictions.system, counted=counted, size=len(items.systems)
        )
        return Table(
            table_of(values, items=items, selection=self.selection), is_count(scores.column), variance
        )

    @property
    def judged_questions(self) -> int:
        """Count the chosen questions of which people decided an answer."""
        return count_judged(self.study.items, decided=self.study.decided, questions=self.selection.questions)

    @property
    def comparable(self) -> set[int]:
        """Return the ids of systems that have ranks."""
        return comparable_systems(questions=self.study.items.predictions.question, **self.places)

    @property
    def places(self) -> dict[str, Any]:
        """Where each counted prediction belongs."""
        items = self.study.items
        return {
            "systems": items.predictions.system,
            "counted": self.selection.predictions,
            "ids": [system.id for system in items.systems],
        }


@kept()
def read_scored(*, project: Project, wanted: Filter, gold: str = "") -> Scored:
    """Return the ways of judging and what they are to be counted over.

    In the entire data recorded judges are left out: their files cover the judged sample only. gold: a version
    of the gold list (`find_moment`), exact match with which is one way more. Raises `GoldVersionNotFound`.
    """
    runs = read_runs(project)
    study = read_scores(project=project, runs=runs, columns=name_columns(runs))
    selection = read_selection(project, wanted)
    beyond_sample = not study.items.questions.in_sample[selection.questions].all()
    left_out = {run.id for run in runs if beyond_sample and is_recorded(run.judge_key)}
    judged = [study.judges[run.id] for run in runs if run.id not in left_out]
    if gold:
        judged.append(_match_version(project, gold, has_prejudged=study.decided.has_ruled))
    scored = Scored(runs, study, selection, wanted.scope, judged)
    if beyond_sample and study.people:
        scored = _with_sample(scored)
    people = [scored.correct(each) for each in scored.study.people]
    return scored._replace(study=scored.study._replace(people=people))


def _with_sample(scored: Scored) -> Scored:
    """Correct a judge's word on all answers by what people decided of those drawn at random."""
    study, items, counted = scored.study, scored.study.items, scored.selection.predictions
    usable = [(run, each) for run, each in scored.by_run if why_not_correcting(scored, run, each) is None]
    if not usable or not (items.questions.is_drawn & scored.selection.questions).any():
        return scored
    labels = labels_of(items, decided=study.decided, selection=scored.selection)
    predictions = {each.column.key: alone_of(scored, run, each).predictions for run, each in usable}
    chosen = surest(
        predictions,
        labels=labels,
        systems=items.predictions.system,
        counted=counted,
        size=len(items.systems),
    )
    (judge,) = (each for _, each in usable if each.column.key == chosen)
    sampled = Sampled(labels, predictions[chosen])
    everything = np.ones(len(items.predictions), dtype=bool)
    scores = Scores(sampled_column(judge.column), labels.people, everything, sampled)
    others = [each for each in study.people if each.column.key != CORRECTED]
    return scored._replace(study=study._replace(people=[scores, *others]), chosen=chosen)


@kept()
def best_scope(*, project: Project) -> Scope:
    """Return over which questions scores are best: all, once a random sample of them tells scores of all."""
    questions = read_items(project).questions
    if not questions.is_drawn.any() or questions.in_sample.all():
        return Scope.SAMPLE
    board = leaderboard_of(read_scored(project=project, wanted=Filter(scope=Scope.ENTIRE)))
    is_known = any(row.scores.get(CORRECTED) for row in board.rows)
    return Scope.ENTIRE if is_known else Scope.SAMPLE


def why_not_correcting(scored: Scored, run: RunFacts, scores: Scores) -> Why | None:
    """Say why a judge cannot speak for answers that nobody saw; None where it can."""
    if run.is_told:
        return Why.READS_PEOPLE
    if not scores.is_dealt_with[scored.selection.predictions].all():
        return Why.NOT_ALL_JUDGED
    return None


def alone_of(scored: Scored, run: RunFacts, scores: Scores) -> Alone:
    """Return a judge's own word on every prediction."""
    said, items = scored.study.said[run.id], scored.study.items
    states_probability = get_entry(run.judge_key).states_probability
    return Alone(
        verdicts_of(scores, said, items=items),
        predict(scores, said, items=items, states_probability=states_probability),
    )


def _match_version(project: Project, version: str, *, has_prejudged: bool) -> Scores:
    moment = find_moment(project=project, version=version)
    is_match = match_people(project, moment) if moment else match_original(project)
    name = gold_version(project, amended=moment is not None, moment=moment)
    return matched_scores(version_column(version=version, gold=name, has_prejudged=has_prejudged), is_match)


EVERYTHING = Filter()


@kept()
def read_leaderboard(
    *,
    project: Project,
    wanted: Filter = EVERYTHING,
    intervals: bool = False,
    compared: str = "",
    gold: str = "",
) -> Leaderboard:
    """Return every system's scores by every judge with verdicts, and by people once they decided something.

    `wanted` chooses the questions; without it all that people judge count. intervals: how sure ranks are,
    too; compared: the column over which gains are counted. gold: a version of the gold list, with which exact
    match is a column more. Raises `ColumnNotFound`, `GoldVersionNotFound`.
    """
    scored = read_scored(project=project, wanted=wanted, gold=gold)
    board = leaderboard_of(scored)
    if intervals:
        board = _bound_ranks(scored, board)
    if compared:
        board = _add_gains(scored, board, compared)
    judges = [column.signature for column in board.columns]
    signature = sign_comparison(project, "leaderboard", wanted=wanted, judges=judges, scores=SCORE_INTERVAL)
    return replace(board, signature=signature)


def leaderboard_of(scored: Scored) -> Leaderboard:
    """Add up what was read."""
    standings = standings_of(scored.study.settled, **scored.places)
    is_decided = any(standing.decided for standing in standings.values())
    ways = [*scored.judged, *scored.study.people] if is_decided else scored.judged
    tallies = {scores.column.key: scored.add_up(scores) for scores in ways}
    return make_leaderboard(
        scope=scored.scope,
        n_questions=int(scored.selection.questions.sum()),
        judged_questions=scored.judged_questions,
        systems=scored.study.items.systems,
        columns=[scores.column for scores in ways if tallies[scores.column.key]],
        tallies=tallies,
        standings=standings,
        median_words=median_words(scored.study.words, **scored.places),
        comparable=scored.comparable,
        is_estimated=bool(scored.chosen),
    )


class ColumnNotFound(NotFound):
    """The project has no such way of judging."""


def _with_cells(board: Leaderboard, change: Callable[[SystemRow, str, Score], Score]) -> Leaderboard:
    rows = [
        replace(
            row,
            scores={key: score and change(row, key, score) for key, score in row.scores.items()},
        )
        for row in board.rows
    ]
    return replace(board, rows=rows)


def _bound_ranks(scored: Scored, board: Leaderboard) -> Leaderboard:
    """Say between which ranks each system lies, and how many sure pairs a column orders as people do."""
    tables = _tables(scored, board)
    ranges = {
        key: dict(zip(_names(scored), computed(rank_intervals, table), strict=True))
        for key, table in tables.items()
    }

    def bound(row: SystemRow, key: str, score: Score) -> Score:
        found = ranges[key][row.system]
        if isinstance(found, Undefined):
            return replace(score, rank=replace(score.rank, why=Why.NOT_RANKED))
        low, high = map(float, found)
        return replace(score, rank=replace(score.rank, low=low, high=high))

    people = tables.get(people_key(scores.column for scores in scored.study.people))
    columns = [_with_order(column, tables[column.key], people) for column in board.columns]
    return replace(_with_cells(board, bound), columns=columns)


def _with_order(column: LeaderboardColumn, table: Table, people: Table | None) -> LeaderboardColumn:
    if column.kendall_tau_b.why:
        return replace(column, same_order=Figure(None, why=column.kendall_tau_b.why))
    if people is None:
        return replace(column, same_order=Figure(None, why=Why.NOTHING_DECIDED))
    found = computed(compare_orders, people=people, other=table)
    if isinstance(found, Undefined):
        return replace(column, same_order=Figure(None, why=found.why))
    order = Figure.of(found.share, found.interval)
    return replace(column, same_order=order, pairs=found.pairs, same=found.same, alike=found.alike)


def _tables(scored: Scored, board: Leaderboard) -> dict[str, Table]:
    """Return each way's scores of the systems it ranks, so that intervals are of the ranks that are shown.

    Where it ranks none yet, all stand: how far they would lie apart is known before their order is. Systems
    that answered different questions have no order.
    """
    ranked = _ranked(scored, board)
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


def _ranked(scored: Scored, board: Leaderboard) -> dict[str, list[bool]]:
    """Tell by column which systems have a rank there, in the order of the study's."""
    scores = {row.system: row.scores for row in board.rows}
    found = {
        column.key: [scores.get(name, {}).get(column.key) for name in _names(scored)]
        for column in board.columns
    }
    return {key: [bool(each and each.rank.value) for each in cells] for key, cells in found.items()}


def _names(scored: Scored) -> list[str]:
    return [system.name for system in scored.study.items.systems]


def read_pairs(*, project: Project, wanted: Filter, column: str) -> ComparedPairs:
    """Return every pair of systems by one way of judging; raises `ColumnNotFound`."""
    scored = read_scored(project=project, wanted=wanted)
    way = _way(scored, column)
    table = scored.table(way)
    pairs = computed(_compare, table, names=_names(scored))
    signature = sign_comparison(
        project,
        way.column.signature,
        wanted=wanted,
        compared="systems two by two",
        correction="holm",
    )
    return ComparedPairs(signature, pairs)


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


def _way(scored: Scored, column: str) -> Scores:
    for scores in [*scored.judged, *scored.study.people]:
        if scores.column.key == column:
            return scores
    raise ColumnNotFound("No judge with that name has judged these answers.")


def _add_gains(scored: Scored, board: Leaderboard, compared: str) -> Leaderboard:
    """Say what each system gains from this way of judging to every other, on the questions that both have."""
    before = scored.table(_way(scored, compared))
    gains = {
        column.key: dict(
            zip(_names(scored), bound_gains(before, scored.table(_way(scored, column.key))), strict=True)
        )
        for column in board.columns
        if column.key != compared
    }

    def add(row: SystemRow, key: str, score: Score) -> Score:
        return replace(score, **gains[key][row.system]._asdict()) if key in gains else score

    return _with_cells(board, add)


@dataclass(frozen=True)
class BeyondExactMatch:
    """Among the answers that match no imported gold answer by exact match, the number that people accept.

    `has_possible`: whether labels distinguish definitely from possibly correct. `weighed`: whether audited
    answers are weighted to represent settled ones, so that shares differ from the plain counts. `systems`,
    `predictions`: predictions by system and in total. `answers`: each distinct answer once, including answers
    that no system gave, such as those in EfficientQA’s release.
    """

    has_possible: bool
    weighed: bool
    systems: list[BoardRow]
    predictions: BoardRow
    answers: BoardRow
    signature: str


@kept()
def read_beyond(*, project: Project, wanted: Filter) -> BeyondExactMatch:
    """Count what people accept of the answers that equal no gold answer of the files."""
    items, improper = read_items(project), read_improper(project)
    selection = read_selection(project, wanted)
    of_question = weigh_questions(items.questions)[items.candidates.question]
    if wanted.scope is Scope.SAMPLE:
        of_question = np.ones(len(of_question))
    said = _read_said(items, read_decided(project), improper, of_question)
    is_rejected = selection.predictions & ~match_original(project)
    predictions = said.of(items.predictions.candidate[is_rejected])
    systems = items.predictions.system[is_rejected]
    compared = answers_compared(items, improper=improper) & read_beyond_gold(project)
    answers = said.of(compared & _counted(items, selection, wanted))
    places = np.unique(items.predictions.system[selection.predictions]).tolist()
    is_possible = has_possible(project)

    def measure(group: Rejected, key: str, name: str) -> BoardRow:
        return computed(measure_beyond, group, has_possible=is_possible, key=key, name=name)

    return BeyondExactMatch(
        has_possible=is_possible,
        weighed=bool((said.weights != of_question).any()),
        systems=[
            measure(predictions.of(systems == place), items.systems[place].name, items.systems[place].label)
            for place in places
        ],
        predictions=measure(predictions, " predictions", "All systems"),
        answers=measure(answers, " answers", "Each distinct answer once"),
        signature=sign_comparison(project, BEYOND, wanted=wanted),
    )


def _read_said(items: Items, decided: Decided, improper: Flags, of_question: Floats) -> Rejected:
    """Return what people decided of every answer; what they looked for is no sample, and counts as open."""
    stands = (decided.ruled == UNDECIDED) | decided.is_drawn
    weights = weigh_compared(items, decided=decided, improper=improper, of_question=of_question)
    return Rejected(
        question=items.candidates.question,
        worth=np.where(stands, decided.said_by_people, UNDECIDED).astype(np.int8),
        # Answers that judges are not compared on stand for themselves.
        weights=np.where(weights > 0, weights, of_question),
    )


def _counted(items: Items, selection: Selection, wanted: Filter) -> Flags:
    """Say which answers count: of counted predictions, and unless systems are chosen also of nobody."""
    is_kept = np.zeros(len(items.candidates.ids), dtype=bool)
    is_kept[items.predictions.candidate[selection.predictions]] = True
    if not wanted.chooses_systems:
        is_kept |= ~items.is_given & selection.questions[items.candidates.question]
    return is_kept
