"""Read the failure boards: why answers are wrong, why judges err, and the answers behind their cells."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from django.db.models import QuerySet

from analysis.arrays import Flags, Integers
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Prediction, System
from annotation.items.selectors import SystemNotFound
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import kept
from common.database.rows import read_rows
from judges.comparison.rules.failures import (
    Answers,
    Bands,
    Board,
    BoardKind,
    BoardLine,
    Cut,
    Given,
    JudgeSaid,
    Known,
    SystemGave,
    Tagged,
    cells_of,
    could_draw,
    cut_by_credit,
    cut_errors,
    cut_lengths,
    cut_misses,
    cut_repairs,
    cut_unattributable,
    cut_wrong,
    measure_cut,
    subjects_of,
    usual_bands,
    usual_set,
)
from judges.comparison.rules.study import EXACT_MATCH, NO_VERDICT, Items
from judges.comparison.rules.weights import Reach, weigh_questions
from judges.comparison.selectors.judge_board.judged import Judged, RunNotComparable, read_judged
from judges.comparison.selectors.judge_board.parts import name_systems
from judges.comparison.selectors.study import (
    has_possible,
    read_beyond_gold,
    read_decided,
    read_items,
    read_said,
    sign_comparison,
)
from judges.tagging.models import TaggedItem, Tagging, TaggingRound, TagSet
from judges.tagging.rules.rounds import Filter
from judges.tagging.rules.sets import Subject, Tag
from judges.tagging.selectors import TagSetNotFound, get_listed


class Judge(NamedTuple):
    """A judge that said something of a decided answer."""

    id: int
    public_id: str
    signature: str
    said: JudgeSaid


class Facts(NamedTuple):
    """A study as the boards see it.

    systems: those that gave a decided answer. left_out: answers that programs settled and for which nobody
    speaks. undecided: answers that people have yet to decide beside an audit. reach: of which questions
    figures are.
    """

    project: Project
    items: Items
    answers: Answers
    judges: list[Judge]
    systems: list[SystemGave]
    is_audited: bool
    left_out: int
    undecided: int
    reach: Reach


@kept()
def read_facts(project: Project) -> Facts:
    """Return what people decided, and every judge and system beside it."""
    judged = read_judged(project)
    items, counted = judged.items, judged.counted
    answers = Answers(items.candidates.question, read_decided(project).worth, counted, judged.weights)
    judges, systems = _judges(judged), _systems(items, counted)
    return Facts(
        project=project,
        items=items,
        answers=answers,
        judges=judges,
        systems=systems,
        is_audited=judged.is_audited,
        left_out=judged.left_out,
        undecided=judged.undecided,
        reach=judged.reach,
    )


def _judges(judged: Judged) -> list[Judge]:
    found = [
        Judge(
            run.id,
            run.public_id,
            run.signature,
            JudgeSaid(judged.columns[run.id].key, judged.columns[run.id].name, judged.said[run.id].verdict),
        )
        for run in judged.runs
    ]
    return [judge for judge in found if (judged.counted & (judge.said.verdict >= 0)).any()]


def _systems(items: Items, counted: Flags) -> list[SystemGave]:
    names = zip(items.systems, name_systems(items.systems), strict=True)
    given = [
        SystemGave(system.name, name, given_by(items, place)) for place, (system, name) in enumerate(names)
    ]
    return [system for system in given if (counted & system.gave).any()]


def read_given(facts: Facts, *, system: str = "") -> Given:
    """Return the answers as systems gave them, or as one of them did, by its name."""
    predictions = facts.items.predictions
    counted = facts.answers.counted[predictions.candidate]
    if system:
        place = next(place for place, each in enumerate(facts.items.systems) if each.name == system)
        counted = counted & (predictions.system == place)
    weights = facts.answers.weights
    return Given(
        predictions.candidate,
        predictions.question,
        _read_words(facts.project),
        counted,
        None if weights is None else weights[predictions.candidate],
    )


@kept(Area.ITEMS)
def _read_words(project: Project) -> Integers:
    """Count the words of every prediction, in their order."""
    items = read_items(project)
    rows = Prediction.objects.filter(system__project=project).order_by()
    texts = read_rows(rows, "system_id", "question_id", "text")
    words = {(system, question): len(text.split()) for system, question, text in texts}
    systems = [items.systems[place].id for place in items.predictions.system.tolist()]
    questions = items.questions.ids[items.predictions.question].tolist()
    pairs = zip(systems, questions, strict=True)
    # Of one imported just now, in a transaction that sees what others do, none.
    return np.fromiter((words.get(pair, 0) for pair in pairs), dtype=np.int64, count=len(systems))


@dataclass(frozen=True)
class BoardChoice:
    """An option for a board: a tag set, a run, or a system."""

    key: str
    name: str


class Spoken(NamedTuple):
    """One thing people said: of an answer, or where `candidate` is None of all answers to a question."""

    round: int
    candidate: int | None
    question: int
    accepted: bool | None
    tags: list[str]
    is_marked: bool


class SaidOfAnswers(NamedTuple):
    """What was said, and in which rounds, by public id; `items` counts what people looked at."""

    tagged: Tagged
    rounds: tuple[str, ...]
    items: int


def used_sets(project: Project, *, subjects: Iterable[Subject]) -> list[BoardChoice]:
    """Return the sets about these subjects with which something is tagged, by name, newest version first."""
    said = Tagging.objects.in_force().filter(item__round__project=project).order_by()
    used = TagSet.objects.filter(pk__in=said.values("item__round__tag_set"), subject__in=list(subjects))
    newest = {row.key: BoardChoice(row.key, row.name) for row in used.order_by("version")}
    return sorted(newest.values(), key=lambda each: (each.name, each.key))


def nothing_said(items: Items) -> SaidOfAnswers:
    """Return what is there before anybody has tagged anything."""
    size = len(items.candidates.ids)
    return SaidOfAnswers(_as_arrays(items, (), (), cells_of([], size=size)), (), 0)


def tagged_runs(project: Project, *, set_key: str) -> frozenset[int]:
    """Return the runs of whose verdicts something is tagged with this set."""
    said = Tagging.objects.in_force().filter(item__round__project=project, item__round__tag_set__key=set_key)
    return frozenset(said.filter(item__round__run__isnull=False).values_list("item__round__run", flat=True))


def read_tagged(
    project: Project, items: Items, *, beyond: Flags, set_key: str = "", run: int | None = None
) -> SaidOfAnswers:
    """Return what stands of people's tags of one set, or without a key every mark as unattributable.

    Of an answer tagged in several rounds the last word counts; a mark counts wherever it was made. run: only
    rounds about this run's verdicts. beyond: answers that equal no gold answer. Raises `TagSetNotFound`.
    """
    rounds = TaggingRound.objects.filter(project=project).select_related("tag_set")
    if set_key:
        rounds = rounds.filter(tag_set__key=set_key)
    if run is not None:
        rounds = rounds.filter(run=run)
    spoken = list(_spoken(rounds))
    used = list(rounds.filter(pk__in={each.round for each in spoken}).order_by("pk"))
    rows = _rows(project, set_key, used) if set_key else ()
    drawable = _drawable(project, items, used, beyond)
    cells = cells_of(drawable, size=len(items.candidates.ids))
    arrays = _as_arrays(items, spoken, rows, cells)
    return SaidOfAnswers(arrays, tuple(each.public_id for each in used), len(spoken))


def _spoken(rounds: QuerySet[TaggingRound]) -> Iterable[Spoken]:
    rows = Tagging.objects.in_force().filter(item__round__in=rounds.order_by()).order_by("tagged_at", "pk")
    fields = ("item__round_id", "item__candidate_id", "item__question_id", "item__accepted", "tags")
    return (Spoken(*row) for row in rows.values_list(*fields, "is_unattributable"))


def _rows(project: Project, set_key: str, used: Sequence[TaggingRound]) -> tuple[BoardLine, ...]:
    """Return the tags of the newest version, then those that only earlier rounds could say."""
    newest = get_listed(project=project, key=set_key).tags
    former = (tag for each in reversed(used) for tag in each.tag_set.as_spec().tags)
    tags: dict[str, Tag] = {}
    for tag in (*newest, *former):
        tags.setdefault(tag.key, tag)
    return tuple(BoardLine(tag.key, tag.name, tag.group, tag.meaning) for tag in tags.values())


def _as_arrays(
    items: Items, spoken: Iterable[Spoken], rows: tuple[BoardLine, ...], cells: Integers
) -> Tagged:
    size = len(items.candidates.ids)
    places = {row.key: place for place, row in enumerate(rows)}
    tags = np.zeros((len(rows), size), dtype=bool)
    is_tagged, is_marked = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    said = np.full(size, NO_VERDICT, dtype=np.int8)
    for each in spoken:
        own = _candidates(items, each)
        is_tagged[own] = True
        is_marked[own] |= each.is_marked
        said[own] = NO_VERDICT if each.accepted is None else each.accepted
        tags[:, own] = False
        for key in each.tags:
            if key in places:
                tags[places[key], own] = True
    return Tagged(rows, is_tagged, tuple(tags), cells, said, is_marked)


def _candidates(items: Items, spoken: Spoken) -> Integers:
    if spoken.candidate is not None:
        found = items.candidates.numbers(np.array([spoken.candidate]))
        return found[found >= 0]
    question = items.questions.numbers(np.array([spoken.question]))[0]
    return np.flatnonzero((items.candidates.question == question) & (question >= 0))


def _drawable(project: Project, items: Items, rounds: Sequence[TaggingRound], beyond: Flags) -> list[Flags]:
    """Say for each round which answers it could have drawn: those that fit it now, and those it drew."""
    # Rounds draw what people decided; what programs settled is never among it.
    worth = read_decided(project).said_by_people
    filters = {each.pk: Filter.from_json(each.filter) for each in rounds}
    verdicts = read_said(project, [each.run_id for each in rounds if each.run_id is not None])
    given = {key: _given(project, items, key) for key in {each.system for each in filters.values()} - {""}}
    flagged = {kind: _flagged(project, items, kind) for kind in {f.flag for f in filters.values()} - {""}}
    drawn = _drawn(items, rounds)
    found = []
    for each in rounds:
        wanted = filters[each.pk]
        known = Known(
            worth=worth,
            verdict=verdicts[each.run_id].verdict if each.run_id is not None else None,
            is_given=given.get(wanted.system),
            is_flagged=flagged.get(wanted.flag),
            is_beyond_gold=beyond,
        )
        found.append(could_draw(wanted, known) | drawn[each.pk])
    return found


def _drawn(items: Items, rounds: Sequence[TaggingRound]) -> Mapping[int, Flags]:
    found = {each.pk: np.zeros(len(items.candidates.ids), dtype=bool) for each in rounds}
    rows = TaggedItem.objects.filter(round__in=rounds, candidate__isnull=False).order_by()
    pairs = np.array(list(rows.values_list("round_id", "candidate_id")), dtype=np.int64).reshape(-1, 2)
    for pk, own in found.items():
        places = items.candidates.numbers(pairs[pairs[:, 0] == pk, 1])
        own[places[places >= 0]] = True
    return found


def _given(project: Project, items: Items, public_id: str) -> Flags | None:
    pk = System.objects.filter(project=project, public_id=public_id).values_list("pk", flat=True).first()
    place = next((place for place, system in enumerate(items.systems) if system.id == pk), None)
    return None if place is None else given_by(items, place)


def given_by(items: Items, place: int) -> Flags:
    """Say of every answer whether a system, by its place, gave it."""
    found = np.zeros(len(items.candidates.ids), dtype=bool)
    found[items.predictions.candidate[items.predictions.system == place]] = True
    return found


def _flagged(project: Project, items: Items, kind: str) -> Flags:
    rows = QuestionFlag.objects.filter(question__project=project, kind=kind).order_by()
    questions = items.questions.numbers(np.array(list(rows.values_list("question_id", flat=True)), np.int64))
    found: Flags = np.isin(items.candidates.question, questions[questions >= 0])
    return found


# What people decided and tagged is all that these count.
OF_PEOPLE_ALONE = (BoardKind.WRONG, BoardKind.CREDIT)


class Wanted(NamedTuple):
    """A board as its address says; empty: what is usual.

    run: of errors, by public id. system: of lengths and unattributable answers, by name; empty
    for all. bands: of lengths.
    """

    kind: BoardKind
    set_key: str = ""
    run: str = ""
    system: str = ""
    bands: Bands | None = None


@dataclass(frozen=True)
class SignedJudge:
    """A judge whose numbers appear in a table, and the signature of what produced its verdicts."""

    name: str
    signature: str


@dataclass(frozen=True)
class FailureBoard(Board):
    """A board with the current choices and the options; it has no columns if there are no results yet.

    `rounds`, `items`: the number of tagging rounds and tagged items on which it is based. `baseline`: the
    name of the judge whose wrong rejections are compared with other judges’ verdicts; may be empty. `judges`:
    the judges whose verdicts it counts. `signature`: what produced its numbers. `weighed`: whether audited
    answers are weighted to represent those they were sampled from. `left_out`: the number of settled answers
    that no audited answer represents. `undecided`: if rules settled answers, the number of answers that
    people have not decided yet, otherwise 0. `reach`: the questions that the figures cover.
    """

    board: BoardKind
    set: str
    run: str
    system: str
    bands: Bands | None
    sets: list[BoardChoice]
    runs: list[BoardChoice]
    systems: list[BoardChoice]
    rounds: int
    items: int
    baseline: str
    judges: list[SignedJudge]
    signature: str
    weighed: bool
    left_out: int
    undecided: int
    reach: Reach


class _Draft(NamedTuple):
    """A board that is not counted yet, without a cut where there is nothing to make it of.

    wanted: with what is usual. rounds: by public id.
    """

    cut: Cut | None
    wanted: Wanted
    sets: list[BoardChoice]
    runs: list[Judge]
    rounds: tuple[str, ...] = ()
    items: int = 0


@kept()
def read_failure_board(*, project: Project, wanted: Wanted) -> FailureBoard:
    """Return a board; raises `TagSetNotFound`, `RunNotComparable`, `SystemNotFound`."""
    facts = read_facts(project)
    cut, wanted, sets, runs, rounds, items = _draft(facts, wanted)
    counted = measure_cut(cut) if cut else Board([], [], [])
    judges = [SignedJudge(judge.said.name, judge.signature) for judge in _judges_of(facts, wanted)]
    # Of questions the audit's weights, which are of answers, say nothing.
    is_audited = facts.is_audited and wanted.kind is not BoardKind.CREDIT
    return FailureBoard(
        **vars(counted),
        board=wanted.kind,
        set=wanted.set_key,
        run=wanted.run,
        system=wanted.system,
        bands=wanted.bands,
        sets=sets,
        runs=[BoardChoice(judge.public_id, judge.said.name) for judge in runs],
        systems=[BoardChoice(system.key, system.name) for system in facts.systems],
        rounds=len(rounds),
        items=items,
        baseline=next((each.said.name for each in facts.judges if each.said.key == EXACT_MATCH), ""),
        judges=judges,
        signature=sign_comparison(
            project,
            "failures",
            board=wanted.kind.value,
            set=wanted.set_key,
            rounds=",".join(rounds),
            system=wanted.system,
            bands=wanted.bands and wanted.bands.value,
            beside="people",
            judges=[judge.signature for judge in judges],
            weights="1/probability" if is_audited or facts.reach is Reach.WEIGHED else None,
        ),
        weighed=is_audited,
        left_out=facts.left_out,
        undecided=facts.undecided,
        reach=facts.reach,
    )


@kept()
def answers_behind(*, project: Project, wanted: Wanted, row: str, column: str) -> list[int]:
    """Return the keys of the answers behind a cell, or without a row behind a column's rate.

    Of lengths, where shares are of right verdicts, these are the wrong ones. Nothing where there is no such
    cell. Raises what `read_failure_board` raises.
    """
    facts = read_facts(project)
    cut = _draft(facts, wanted).cut
    rows = [each.key for each in cut.rows] if cut else []
    columns = [each.key for each in cut.columns] if cut else []
    if cut is None or column not in columns or (row and row not in rows):
        return []
    found = cut.behind(rows.index(row) if row else None, columns.index(column))
    ids: list[int] = facts.items.candidates.ids[found].tolist()
    return ids


def _draft(facts: Facts, wanted: Wanted) -> _Draft:
    sets = used_sets(facts.project, subjects=subjects_of(wanted.kind))
    wanted = wanted._replace(set_key=_choose_set(wanted, sets))
    runs = _choose_runs(facts, wanted)
    if wanted.kind is BoardKind.ERRORS:
        wanted = wanted._replace(run=_choose_run(wanted, runs))
    if wanted.system and wanted.system not in {system.key for system in facts.systems}:
        raise SystemNotFound("This project has no such system, or none of its answers is decided.")
    if wanted.kind is BoardKind.LENGTH:
        given = read_given(facts, system=wanted.system)
        bands = wanted.bands or usual_bands(given)
        judges = [judge.said for judge in facts.judges]
        cut = cut_lengths(given, judges, worth=facts.answers.worth, bands=bands) if judges else None
        return _Draft(cut, wanted._replace(bands=bands), sets, runs)
    said = _said(facts, wanted)
    return _Draft(_cut(facts, said.tagged, wanted), wanted, sets, runs, said.rounds, said.items)


def _choose_set(wanted: Wanted, sets: Sequence[BoardChoice]) -> str:
    keys = [each.key for each in sets]
    if wanted.set_key and wanted.set_key not in keys:
        raise TagSetNotFound("Nothing on this board has a tag from this tag set.")
    usual = usual_set(wanted.kind)
    return wanted.set_key or (usual if usual in keys else next(iter(keys), ""))


def _choose_runs(facts: Facts, wanted: Wanted) -> list[Judge]:
    """Return the judges whose errors somebody has tagged, or before that all."""
    if wanted.kind is not BoardKind.ERRORS:
        return []
    tagged = tagged_runs(facts.project, set_key=wanted.set_key)
    return [judge for judge in facts.judges if judge.id in tagged] or facts.judges


def _choose_run(wanted: Wanted, runs: Sequence[Judge]) -> str:
    keys = [judge.public_id for judge in runs]
    if wanted.run and wanted.run not in keys:
        raise RunNotComparable("Nobody has tagged this judge’s errors in this run.")
    return wanted.run or next(iter(keys), "")


def _judges_of(facts: Facts, wanted: Wanted) -> list[Judge]:
    """Return the judges whose verdicts a board counts."""
    if wanted.kind is BoardKind.ERRORS:
        return [judge for judge in facts.judges if judge.public_id == wanted.run]
    return [] if wanted.kind in OF_PEOPLE_ALONE else facts.judges


def _said(facts: Facts, wanted: Wanted) -> SaidOfAnswers:
    """Return what was tagged; where nothing is, rates over the columns are there all the same."""
    if not wanted.set_key and wanted.kind is not BoardKind.UNATTRIBUTABLE:
        return nothing_said(facts.items)
    judge = next((each for each in facts.judges if each.public_id == wanted.run), None)
    return read_tagged(
        facts.project,
        facts.items,
        beyond=read_beyond_gold(facts.project),
        set_key=wanted.set_key,
        run=judge.id if judge else None,
    )


def _cut(facts: Facts, tagged: Tagged, wanted: Wanted) -> Cut | None:
    answers, systems = facts.answers, facts.systems
    judges = [judge.said for judge in facts.judges]
    given = next((system.gave for system in systems if system.key == wanted.system), None)
    cuts: Mapping[BoardKind, Callable[[], Cut | None]] = {
        BoardKind.MISSES: lambda: cut_misses(answers, tagged, judges),
        BoardKind.REPAIRS: lambda: _cut_repairs(facts, tagged),
        BoardKind.WRONG: lambda: cut_wrong(answers, tagged, systems),
        BoardKind.ERRORS: lambda: _cut_errors(facts, tagged, wanted.run),
        BoardKind.UNATTRIBUTABLE: lambda: cut_unattributable(answers.among(given), tagged, judges),
        BoardKind.CREDIT: lambda: _cut_by_credit(facts, tagged),
    }
    return cuts[wanted.kind]()


def _cut_by_credit(facts: Facts, tagged: Tagged) -> Cut:
    cut = cut_by_credit(
        facts.answers,
        tagged,
        beyond=read_beyond_gold(facts.project),
        has_possible=has_possible(facts.project),
    )
    return cut._replace(stands_for=weigh_questions(facts.items.questions)[: len(cut.question)])


def _cut_repairs(facts: Facts, tagged: Tagged) -> Cut | None:
    judges = [judge.said for judge in facts.judges]
    baseline = next((judge for judge in judges if judge.key == EXACT_MATCH), None)
    others = [judge for judge in judges if judge.key != EXACT_MATCH]
    if baseline is None or not others:
        return None
    return cut_repairs(facts.answers, tagged, others, baseline=baseline)


def _cut_errors(facts: Facts, tagged: Tagged, run: str) -> Cut | None:
    judge = next((each.said for each in facts.judges if each.public_id == run), None)
    return None if judge is None else cut_errors(facts.answers, tagged, facts.systems, judge=judge)
