"""Read several studies beside each other: the same judges on the systems of each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.arrays import Floats
from analysis.intervals import Figure, Undefined, Why
from annotation.projects.models import Project
from annotation.projects.selectors import name_sample
from common.identifiers import sign_figures
from common.memory import computed
from judges.comparison.rules.across import (
    differences,
    identity_of,
    measure_distance,
    name_evaluators,
)
from judges.comparison.rules.boards import SEED
from judges.comparison.rules.leaderboard.references import Subject
from judges.comparison.rules.leaderboard.standings import Leaderboard, Score
from judges.comparison.rules.study import (
    CORRECTED,
    HUMAN,
    Column,
    Filter,
    RunFacts,
    Scope,
    Scores,
    Unit,
    people_key,
    table_of,
)
from judges.comparison.selectors.leaderboard.references import list_references
from judges.comparison.selectors.leaderboard.standings import (
    Scored,
    best_scope,
    leaderboard_of,
    read_scored,
)
from judges.comparison.selectors.study import name_judges, name_ledger

NO_PEOPLE = Undefined(Why.NOTHING_DECIDED_HERE)


@dataclass(frozen=True)
class Evaluator:
    """A judge in the comparison.

    `signature`: the part common to all projects. `projects`: the number of projects in which it ran.
    `distance`: the mean absolute difference between its scores and people’s scores, from 0 to 1, over
    `systems`.
    """

    key: str
    name: str
    signature: str
    unit: Unit
    projects: int
    systems: int
    distance: Figure


@dataclass(frozen=True, kw_only=True)
class ComparedScore(Score):
    """A judge’s score on the project’s leaderboard.

    `difference`: its score minus people’s score.
    """

    difference: Figure


@dataclass(frozen=True)
class ComparedSystem:
    """A system of a project.

    `scores`: by key in `evaluators`. `people`: its score with amended gold answers, or its corrected score;
    null if there is none.
    """

    project: str
    system: str
    label: str
    n: int
    scores: dict[str, ComparedScore]
    people: Score | None


@dataclass(frozen=True)
class ComparedProject:
    """A project in the comparison.

    `scope`: which questions the scores cover, as on the project’s leaderboard. `is_estimated`: whether people
    judge a random sample with which the scores are corrected. `judged_questions`: questions with a decided
    answer. `has_people`: whether people decided at least one answer that the scores cover. `all_decided`:
    whether nothing is left to decide. `programs_share`: the share of answers that pre-judging settled.
    """

    slug: str
    name: str
    scope: Scope
    is_estimated: bool
    n_questions: int
    judged_questions: int
    has_people: bool
    all_decided: bool
    programs_share: float


@dataclass(frozen=True)
class ComparedReference:
    """A published result for a system.

    `measure`: a key in `evaluators`, or "human" for people.
    """

    project: str
    name: str
    measure: str
    value: float
    n: int | None
    about: str
    dataset: str
    source: str


@dataclass(frozen=True)
class Comparison:
    """Scores by project, judge, and system.

    Published results are not used for distances or for finding the closest judge.
    """

    signature: str
    projects: list[ComparedProject]
    evaluators: list[Evaluator]
    rows: list[ComparedSystem]
    published: list[ComparedReference]


class _Read(NamedTuple):
    """One study: its board, each judge's run by identity, and the values behind them."""

    project: Project
    scored: Scored
    board: Leaderboard
    runs: dict[str, RunFacts]
    people: Floats | None
    people_key: str

    def table(self, scores: Scores) -> Floats:
        """Return systems × questions."""
        return table_of(scores.values, items=self.scored.study.items, selection=self.scored.selection)

    def column_key(self, run: RunFacts) -> str:
        """Return what the study's own board calls the run."""
        return self.scored.study.judges[run.id].column.key


def read_across(*, projects: Sequence[Project]) -> Comparison:
    """Return the scores of these projects in one table; the caller has checked who may see them.

    Each is over the questions for which its scores are best, as its leaderboard opens. Of several runs of one
    judge in a study the first counts. Runs that have not been through all answers are left out: beside other
    studies nobody would see that they are.
    """
    studies = [_read(project) for project in projects]
    columns = name_evaluators(run for study in studies for run in study.runs.values())
    return Comparison(
        signature=_sign(studies, judges=columns.values()),
        projects=[_describe(study) for study in studies],
        evaluators=[_evaluator(identity, column, studies) for identity, column in columns.items()],
        rows=[row for study in studies for row in _rows(study, columns)],
        published=[score for study in studies for score in _published(study, columns)],
    )


def _sign(studies: Sequence[_Read], *, judges: Iterable[Column]) -> str:
    """Return in one line what the table is of, columns of people that an audit or a sample corrects, too."""
    projects = [study.project for study in studies]
    people = {
        scores.column.signature
        for study in studies
        for scores in study.scored.study.people
        if scores.column.key == CORRECTED
    }
    return sign_figures(
        "projects",
        projects=",".join(project.slug for project in projects),
        scope=",".join(study.board.scope for study in studies),
        judges=name_judges(column.signature for column in judges),
        people=name_judges(people) or None,
        protocols=",".join(str(project.protocol.number) if project.protocol else "-" for project in projects),
        samples=";".join(name_sample(project) for project in projects),
        ledgers=",".join(map(name_ledger, projects)),
        has_intervals=True,
        seed=SEED,
    )


def _read(project: Project) -> _Read:
    scored = read_scored(project=project, wanted=Filter(scope=best_scope(project=project)))
    board = leaderboard_of(scored)
    shown = {column.key for column in board.columns}
    runs: dict[str, RunFacts] = {}
    for run in scored.runs:
        if not run.is_partial and scored.study.judges[run.id].column.key in shown:
            runs.setdefault(identity_of(run), run)
    key = people_key(each.column for each in scored.study.people)
    read = _Read(project, scored, board, runs, None, key)
    people = next((each for each in scored.study.people if each.column.key == key), None)
    table = None if people is None else read.table(people)
    # Where programs settled answers that nobody audited, nobody knows what people would say.
    return read if table is None or np.isnan(table).all() else read._replace(people=table)


def _describe(study: _Read) -> ComparedProject:
    return ComparedProject(
        slug=study.project.slug,
        name=study.project.name,
        scope=study.board.scope,
        is_estimated=study.board.is_estimated,
        n_questions=study.board.n_questions,
        judged_questions=study.board.judged_questions,
        has_people=study.people is not None,
        all_decided=study.board.all_decided,
        programs_share=study.board.programs_share,
    )


def _evaluator(identity: str, column: Column, studies: Sequence[_Read]) -> Evaluator:
    beside = [
        (study.table(study.scored.study.judges[study.runs[identity].id]), study.people)
        for study in studies
        if identity in study.runs and study.people is not None
    ]
    number = sum(identity in study.runs for study in studies)
    distance, systems = computed(measure_distance, beside)
    return Evaluator(
        column.key, column.name, column.signature, column.unit, number, systems, Figure.of(distance)
    )


def _rows(study: _Read, columns: dict[str, Column]) -> list[ComparedSystem]:
    apart = {
        identity: differences(study.table(study.scored.study.judges[run.id]), study.people)
        for identity, run in study.runs.items()
        if study.people is not None
    }
    places = {system.name: place for place, system in enumerate(study.scored.study.items.systems)}
    rows = []
    for row in study.board.rows:
        cells = {
            columns[identity].key: ComparedScore(
                **vars(score),
                difference=Figure.of(apart[identity][places[row.system]] if identity in apart else NO_PEOPLE),
            )
            for identity, run in study.runs.items()
            if (score := row.scores.get(study.column_key(run))) is not None
        }
        rows.append(
            ComparedSystem(
                project=study.project.slug,
                system=row.system,
                label=row.label,
                n=row.n,
                scores=cells,
                people=row.scores.get(study.people_key),
            )
        )
    return rows


def _published(study: _Read, columns: dict[str, Column]) -> Iterator[ComparedReference]:
    """Yield the numbers of systems that fit a column: of the study's own board, else one by that very key."""
    keys = {column.key: column.key for column in columns.values()} | {HUMAN: HUMAN}
    keys |= {study.column_key(run): columns[identity].key for identity, run in study.runs.items()}
    for row in list_references(project=study.project):
        reference = row.as_reference()
        if reference.subject is Subject.SYSTEM and reference.measure in keys:
            yield ComparedReference(
                project=study.project.slug,
                name=reference.name,
                measure=keys[reference.measure],
                value=reference.value,
                n=reference.n,
                about=reference.about,
                dataset=reference.dataset,
                source=reference.source,
            )
