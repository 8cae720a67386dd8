"""Read a failure board: why answers are wrong, and why judges err."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from annotation.items.selectors import SystemNotFound
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.failures import (
    Bands,
    Board,
    BoardKind,
    Cut,
    Tagged,
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
from judges.comparison.rules.study import EXACT_MATCH
from judges.comparison.selectors.failures.facts import (
    Facts,
    Judge,
    read_facts,
    read_given,
)
from judges.comparison.selectors.failures.tagged import (
    SaidOfAnswers,
    TaggedSet,
    nothing_said,
    read_tagged,
    tagged_runs,
    used_sets,
)
from judges.comparison.selectors.judge_board.judged import RunNotComparable
from judges.comparison.selectors.study import has_possible, read_beyond_gold, sign_comparison
from judges.tagging.selectors import TagSetNotFound

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


class Choice(NamedTuple):
    """Something a board can be about."""

    key: str
    name: str


class SignedJudge(NamedTuple):
    """A judge by what it is called, and what produced its verdicts."""

    name: str
    signature: str


class FailureBoard(NamedTuple):
    """A board with what was chosen and what else there is to choose.

    rounds, by public id, and items: of tagging that it rests on. baseline: the judge whose misses others
    repair, by name. judges: whose verdicts it counts. signature: what produced its numbers. weighed: answers
    of the audit stand for those they were drawn among. left_out: how many that programs settled nobody speaks
    for.
    """

    board: Board
    wanted: Wanted
    sets: list[TaggedSet]
    runs: list[Choice]
    systems: list[Choice]
    rounds: tuple[str, ...]
    items: int
    baseline: str
    judges: list[SignedJudge]
    signature: str = ""
    weighed: bool = False
    left_out: int = 0


class _Draft(NamedTuple):
    """A board that is not counted yet; None where there is nothing to make it of."""

    cut: Cut | None
    found: FailureBoard


@kept()
def read_failure_board(*, project: Project, wanted: Wanted) -> FailureBoard:
    """Return a board; raises `TagSetNotFound`, `RunNotComparable`, `SystemNotFound`."""
    draft = _draft(read_facts(project), wanted)
    cut, found = draft.cut, draft.found._replace(signature=_sign(project, draft.found))
    if cut is None:
        return found
    return found._replace(board=measure_cut(cut))


def _sign(project: Project, found: FailureBoard) -> str:
    wanted = found.wanted
    return sign_comparison(
        project,
        "failures",
        board=wanted.kind.value,
        set=wanted.set_key,
        rounds=",".join(found.rounds),
        system=wanted.system,
        bands=wanted.bands and wanted.bands.value,
        beside="people",
        judges=[judge.signature for judge in found.judges],
        weights="1/probability" if found.weighed else None,
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
    systems = [Choice(system.key, system.name) for system in facts.systems]
    if wanted.kind is BoardKind.ERRORS:
        wanted = wanted._replace(run=_choose_run(wanted, runs))
    if wanted.system and wanted.system not in {system.key for system in systems}:
        raise SystemNotFound("This project has no such system with decided answers.")
    judges = [SignedJudge(judge.said.name, judge.signature) for judge in _judges_of(facts, wanted)]
    empty = FailureBoard(
        Board((), (), ()),
        wanted,
        sets,
        [],
        systems,
        (),
        0,
        "",
        judges,
        # Of questions the audit's weights, which are of answers, say nothing.
        weighed=facts.is_weighed and wanted.kind is not BoardKind.CREDIT,
        left_out=facts.left_out,
    )
    if wanted.kind is BoardKind.LENGTH:
        return _draft_lengths(facts, empty)
    found = empty._replace(
        runs=[Choice(judge.public_id, judge.said.name) for judge in runs], baseline=_baseline_name(facts)
    )
    return _draft_tags(facts, found)


def _choose_set(wanted: Wanted, sets: Sequence[TaggedSet]) -> str:
    keys = [each.key for each in sets]
    if wanted.set_key and wanted.set_key not in keys:
        raise TagSetNotFound("Nothing that belongs on this board is tagged with such a set.")
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
        raise RunNotComparable("Nobody has tagged errors of such a run.")
    return wanted.run or next(iter(keys), "")


def _judges_of(facts: Facts, wanted: Wanted) -> list[Judge]:
    """Return the judges whose verdicts a board counts."""
    if wanted.kind is BoardKind.ERRORS:
        return [judge for judge in facts.judges if judge.public_id == wanted.run]
    return [] if wanted.kind in OF_PEOPLE_ALONE else facts.judges


def _baseline_name(facts: Facts) -> str:
    return next((judge.said.name for judge in facts.judges if judge.said.key == EXACT_MATCH), "")


def _draft_lengths(facts: Facts, found: FailureBoard) -> _Draft:
    given = read_given(facts, system=found.wanted.system)
    bands = found.wanted.bands or usual_bands(given)
    judges = [judge.said for judge in facts.judges]
    cut = cut_lengths(given, judges, worth=facts.answers.worth, bands=bands)
    found = found._replace(wanted=found.wanted._replace(bands=bands))
    return _Draft(cut if judges else None, found)


def _draft_tags(facts: Facts, found: FailureBoard) -> _Draft:
    said = _said(facts, found.wanted)
    cut = _cut(facts, said.tagged, found.wanted)
    found = found._replace(rounds=said.rounds, items=said.items)
    return _Draft(cut, found)


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
        BoardKind.CREDIT: lambda: cut_by_credit(
            answers,
            tagged,
            beyond=read_beyond_gold(facts.project),
            has_possible=has_possible(facts.project),
        ),
    }
    return cuts[wanted.kind]()


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
