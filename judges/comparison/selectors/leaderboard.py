"""Read systems by ways of judging, how sure that is, and what amended gold changed."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Prefetch, QuerySet

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
from analysis.text import normalize_answer
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, GoldAnswer, Question
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.errors import NotFound
from common.memory import computed
from judges.comparison.rules.boards import ComparedPair, ComparedPairs, Uncorrected, correct_pairs
from judges.comparison.rules.leaderboard import (
    Beyond,
    Gain,
    Leaderboard,
    Rejected,
    Score,
    SystemMove,
    SystemRow,
    SystemsBoard,
    SystemsBounds,
    Tally,
    Turn,
    bound_gains,
    bound_systems,
    comparable_systems,
    compare_systems,
    find_turns,
    is_count,
    make_leaderboard,
    measure_beyond,
    move_systems,
    questions_right_by,
    score_of,
    standings_of,
    tally,
)
from judges.comparison.rules.study import (
    UNDECIDED,
    Column,
    Decided,
    Filter,
    Flags,
    Floats,
    Items,
    RunFacts,
    Scope,
    Scores,
    Selection,
    SystemFacts,
    answers_compared,
    count_judged,
    is_recorded,
    judge_by_people,
    keep_able,
    median_words,
    name_columns,
    people_key,
    table_of,
    weigh_compared,
)
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
    read_traits,
    sign_comparison,
)
from judges.registry import display_name
from judges.runs.models import JudgeRun


def read_runs(project: Project) -> list[RunFacts]:
    """Return the project's runs in the order of their columns: complete ones first, recorded ones last."""
    rows = (
        JudgeRun.objects.filter(project=project, purpose=JudgeRun.Purpose.VERDICTS)
        .exclude(state=JudgeRun.State.CANCELLED)
        .order_by("created_at", "pk")
        .values_list("pk", "public_id", "judge_key", "gold_version", "signature", "stated", "state")
    )
    runs = [
        RunFacts(
            id=pk,
            public_id=public_id,
            judge_key=key,
            name=display_name(key),
            gold_version=gold,
            signature=signature,
            stated=tuple((name, value) for name, value in stated),
            is_partial=state != JudgeRun.State.FINISHED,
        )
        for pk, public_id, key, gold, signature, stated, state in rows
    ]
    return sorted(runs, key=lambda run: (run.is_partial, is_recorded(run.judge_key)))


class Scored(NamedTuple):
    """A study's scores, of which a filter lets some count; `judged` are those that have a column."""

    runs: list[RunFacts]
    study: StudyScores
    selection: Selection
    scope: Scope
    judged: list[Scores]

    @property
    def add_up(self) -> Callable[[Scores], dict[int, Tally]]:
        """Count a column by system id."""
        return partial(tally, **self.places)

    def correct(self, scores: Scores) -> tuple[Scores, Floats]:
        """Return scores as what is counted here corrects them, and each system's variance by that."""
        items = self.study.items
        counted = self.selection.predictions
        return scores.over(systems=items.predictions.system, counted=counted, size=len(items.systems))

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
def read_scored(*, project: Project, wanted: Filter) -> Scored:
    """Return the ways of judging and what they are to be counted over.

    In the entire data recorded judges are left out: their files cover the judged sample only.
    """
    runs = read_runs(project)
    study = read_scores(project=project, runs=runs, columns=name_columns(runs))
    selection = read_selection(project, study.items, improper=study.improper, wanted=wanted)
    if wanted.least_share is not None:
        is_right = study.settled.is_match
        selection = keep_able(study.items, selection, is_right=is_right, least_share=wanted.least_share)
    beyond_sample = not study.items.questions.in_sample[selection.questions].all()
    left_out = {run.id for run in runs if beyond_sample and is_recorded(run.judge_key)}
    judged = [study.judges[run.id] for run in runs if run.id not in left_out]
    scored = Scored(runs, study, selection, wanted.scope, judged)
    return scored._replace(study=study._replace(people=[scored.correct(each)[0] for each in study.people]))


def read_leaderboard(
    *, project: Project, scope: Scope = Scope.SAMPLE, wanted: Filter | None = None
) -> Leaderboard:
    """Return every system's scores by every judge with verdicts, and by people once they decided something.

    `wanted` chooses the questions; without it all of the scope count.
    """
    return leaderboard_of(read_scored(project=project, wanted=wanted or Filter(scope=scope)))


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
    )


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


class BeyondExactMatch(NamedTuple):
    """systems: each with its own rejected predictions; predictions: those of all together.

    answers: every different answer once, however many systems gave it; answers that no system gave are among
    them, as EfficientQA released theirs.
    """

    has_possible: bool
    systems: list[tuple[SystemFacts, Beyond]]
    predictions: Beyond
    answers: Beyond


@kept()
def read_beyond(*, project: Project, wanted: Filter) -> BeyondExactMatch:
    """Count what people accept of the answers that equal no gold answer of the files."""
    items, decided, improper = read_items(project), read_decided(project), read_improper(project)
    selection = read_selection(project, items, improper=improper, wanted=wanted)
    if wanted.least_share is not None:
        is_right = match_people(project)
        selection = keep_able(items, selection, is_right=is_right, least_share=wanted.least_share)
    said = _read_said(items, decided, improper)
    predictions = _predictions(items, said, selection.predictions & ~match_original(project))
    compared = answers_compared(items, improper=improper) & read_beyond_gold(project)
    answers = said.of(compared & _counted(items, selection, wanted))
    places = np.unique(items.predictions.system[selection.predictions]).tolist()
    by_system = [predictions.of(place) for place in places]
    measured = [computed(measure_beyond, group) for group in [*by_system, predictions.rejected, answers]]
    return BeyondExactMatch(
        has_possible=has_possible(project),
        systems=[(items.systems[place], each) for place, each in zip(places, measured, strict=False)],
        predictions=measured[-2],
        answers=measured[-1],
    )


class _Predictions(NamedTuple):
    """Rejected predictions with the places of their systems."""

    rejected: Rejected
    system: np.ndarray[tuple[int], np.dtype[np.int64]]

    def of(self, place: int) -> Rejected:
        """Return those of one system."""
        return self.rejected.of(self.system == place)


def _read_said(items: Items, decided: Decided, improper: Flags) -> Rejected:
    """Return what people decided of every answer; what they looked for is no sample, and counts as open."""
    stands = (decided.ruled == UNDECIDED) | decided.is_drawn
    weights = weigh_compared(items, decided=decided, improper=improper)
    return Rejected(
        question=items.candidates.question,
        worth=np.where(stands, decided.said_by_people, UNDECIDED).astype(np.int8),
        # Answers that judges are not compared on stand for themselves.
        weights=np.where(weights > 0, weights, 1.0),
    )


def _predictions(items: Items, said: Rejected, counted: Flags) -> _Predictions:
    predictions = items.predictions
    return _Predictions(said.of(predictions.candidate[counted]), predictions.system[counted])


def _counted(items: Items, selection: Selection, wanted: Filter) -> Flags:
    """Say which answers count: of counted predictions, and unless systems are chosen also of nobody."""
    is_kept = np.zeros(len(items.candidates.ids), dtype=bool)
    is_kept[items.predictions.candidate[selection.predictions]] = True
    if wanted.largest_bytes is None and wanted.least_share is None:
        is_kept |= ~items.candidates.is_given & selection.questions[items.candidates.question]
    return is_kept


class DatasetRow(NamedTuple):
    """One data set by one way of judging: each system's score, by its name; None where it has none."""

    dataset: str
    column: Column
    scores: dict[str, Score | None]


class Dataset(NamedTuple):
    """A data set; "" gathers questions without one. pending: predictions that people may yet decide."""

    name: str
    questions: int
    pending: int


class ByDataset(NamedTuple):
    """Data sets by their names, the systems with an answer to any, and a row a data set and column.

    programs_share: of the systems' answers, what rules of pre-judging decided.
    """

    datasets: list[Dataset]
    systems: list[SystemFacts]
    rows: list[DatasetRow]
    programs_share: float


@kept()
def read_by_dataset(*, project: Project, wanted: Filter) -> ByDataset:
    """Score every system on each data set of the questions chosen; ranks are left out.

    A way of judging has no row where it says nothing of a data set.
    """
    scored = read_scored(project=project, wanted=wanted)
    items, selection = scored.study.items, scored.selection
    names, of_question = np.unique(read_traits(project).datasets, return_inverse=True)
    sizes = np.bincount(of_question[selection.questions], minlength=len(names)).tolist()
    present = sorted(set(items.predictions.system[selection.predictions].tolist()))
    systems = [items.systems[place] for place in present]
    datasets, rows = [], []
    for number, name in enumerate(names.tolist()):
        if not sizes[number]:
            continue
        counted = selection.predictions & (of_question == number)[items.predictions.question]
        pending = int((scored.study.settled.is_pending & counted).sum())
        datasets.append(Dataset(name, sizes[number], pending))
        rows += _rows(scored, name, counted=counted, systems=systems)
    given = int(selection.predictions.sum())
    by_programs = int((scored.study.settled.is_by_programs & selection.predictions).sum())
    return ByDataset(datasets, systems, rows, by_programs / given if given else 0.0)


def _rows(scored: Scored, name: str, *, counted: Flags, systems: list[SystemFacts]) -> list[DatasetRow]:
    rows = []
    for scores in [*scored.judged, *scored.study.people]:
        tallies = tally(scores, **{**scored.places, "counted": counted})
        own = {system.name: score_of(scores.column, tallies.get(system.id), rank=None) for system in systems}
        if any(own.values()):
            rows.append(DatasetRow(name, scores.column, own))
    return rows


class NamedBoard(NamedTuple):
    """The systems that answered any of the questions, in the board's order.

    pending: answers undecided; by_programs: settled by programs, no person having decided them.
    """

    systems: list[SystemFacts]
    board: SystemsBoard
    pending: int
    by_programs: int


class NamedBounds(NamedTuple):
    """How sure the figures of a `NamedBoard` are."""

    systems: list[SystemFacts]
    bounds: SystemsBounds


class _Tables(NamedTuple):
    """Systems that answered any of the questions × selected questions; NaN = not answered."""

    scored: Scored
    systems: list[SystemFacts]
    strings: Floats
    right: Floats


def read_systems(*, project: Project, wanted: Filter) -> NamedBoard:
    """Compare systems by exact match with the gold list as people amended it, as the leaderboard does."""
    tables = _read_tables(project, wanted)
    study, selection = tables.scored.study, tables.scored.selection
    return NamedBoard(
        systems=tables.systems,
        board=compare_systems(strings=tables.strings, right=tables.right),
        pending=int((study.settled.is_pending & selection.predictions).sum()),
        by_programs=int((study.settled.is_by_programs & selection.predictions).sum()),
    )


def read_system_intervals(*, project: Project, wanted: Filter) -> NamedBounds:
    """Resample the questions of `read_systems`."""
    tables = _read_tables(project, wanted)
    bounds = computed(bound_systems, strings=tables.strings, right=tables.right)
    return NamedBounds(tables.systems, bounds)


def find_questions_right_by(*, project: Project, wanted: Filter, systems: int) -> QuerySet[Question]:
    """Return the questions that so many of the systems have right, of those that every system answered.

    Right by none are the hard ones, by all the easy ones; together they are what `right_by` counts.
    """
    tables = _read_tables(project, wanted)
    is_wanted = questions_right_by(right=tables.right, systems=systems)
    ids = tables.scored.study.items.questions.ids[tables.scored.selection.questions]
    gold = Prefetch("gold_answers", GoldAnswer.objects.order_by("position", "pk"))
    found = Question.objects.filter(pk__in=ids[is_wanted].tolist()).prefetch_related(gold)
    return found.order_by("position", "pk")


def _read_tables(project: Project, wanted: Filter) -> _Tables:
    scored = read_scored(project=project, wanted=wanted)
    items, selection, settled = scored.study.items, scored.selection, scored.study.settled
    strings = table_of(items.predictions.string.astype(np.float64), items=items, selection=selection)
    right = table_of(settled.is_match.astype(np.float64), items=items, selection=selection)
    present: Flags = np.asarray((~np.isnan(strings)).any(axis=1))
    systems = [system for system, is_there in zip(items.systems, present, strict=True) if is_there]
    return _Tables(scored, systems, strings[present], right[present])


class TurnedAnswer(NamedTuple):
    """An answer that turned right or wrong, as one system or the ledger has it, and the systems that gave it.

    changes: public ids of the ledger's changes that did it; none where a file's own gold answers did.
    """

    question: str
    question_text: str
    answer: str
    text: str
    is_right: bool
    systems: list[SystemFacts]
    changes: list[str]


class Amendments(NamedTuple):
    """What amendment did to each system, and all answers that turned; pending: predictions undecided yet."""

    items: Items
    moves: list[SystemMove]
    turns: list[Turn]
    pending: int

    @property
    def by_system(self) -> dict[int, SystemMove]:
        """What amendment did to each system, by its id."""
        return {self.items.systems[move.system].id: move for move in self.moves}

    def of_system(self, name: str) -> list[Turn]:
        """Return the turns of one system by its name; all where the name is empty."""
        if not name:
            return self.turns
        return [turn for turn in self.turns if any(self.items.systems[s].name == name for s in turn.systems)]


@kept()
def read_amendments(*, project: Project, wanted: Filter) -> Amendments:
    """Compare exact match with the gold of the files and with the lists as people amended them."""
    items = read_items(project)
    before, after = match_original(project), match_people(project)
    improper = read_improper(project)
    selection = read_selection(project, items, improper=improper, wanted=wanted)
    if wanted.least_share is not None:
        selection = keep_able(items, selection, is_right=after, least_share=wanted.least_share)
    counted = selection.predictions
    settled = judge_by_people(items, decided=read_decided(project), is_match=after)
    return Amendments(
        items=items,
        moves=move_systems(items, before=before, after=after, counted=counted),
        turns=find_turns(items, before=before, after=after, counted=counted),
        pending=int((settled.is_pending & counted).sum()),
    )


def describe_turns(*, items: Items, turns: Sequence[Turn]) -> list[TurnedAnswer]:
    """Return a page of turns with what they are about, in three queries."""
    questions = Question.objects.in_bulk([int(items.questions.ids[turn.question]) for turn in turns])
    candidates = Candidate.objects.in_bulk([int(items.candidates.ids[turn.candidate]) for turn in turns])
    changes = _changes(list(questions))
    texts = {number: text for text, number in items.predictions.strings.items()}
    found = []
    for turn in turns:
        question = questions[int(items.questions.ids[turn.question])]
        candidate = candidates[int(items.candidates.ids[turn.candidate])]
        own = changes.get((question.pk, turn.is_right, texts[turn.string]), [])
        found.append(
            TurnedAnswer(
                question=question.public_id,
                question_text=question.text,
                answer=candidate.public_id,
                text=candidate.text,
                is_right=turn.is_right,
                systems=[items.systems[place] for place in turn.systems],
                changes=own,
            )
        )
    return found


def _changes(questions: Sequence[int]) -> dict[tuple[int, bool, str], list[str]]:
    """Return the changes in force by question, whether they added, and the normalized text."""
    rows = GoldChange.objects.filter(question__in=questions, undone_at=None).order_by("pk")
    found: dict[tuple[int, bool, str], list[str]] = defaultdict(list)
    for question, action, text, public_id in rows.values_list("question_id", "action", "text", "public_id"):
        is_added = action == GoldChange.Action.ADDED
        found[question, is_added, normalize_answer(text)].append(public_id)
    return found
