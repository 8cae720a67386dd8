"""A judge beside people, part by part of the study and by system."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from django.db.models import QuerySet

from analysis.classification import measure_all
from annotation.adjudication.models import are_in_force
from annotation.agreement.rules import group_rows, length_band, question_type
from annotation.items.models import Candidate, Prediction, Question
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import kept
from common.database.rows import read_rows
from common.identifiers import tell_apart
from common.memory import computed
from judges.comparison.rules.boards import BoardRow, figures_with
from judges.comparison.rules.judge_board.beside_people import (
    Beside,
    Intervals,
    answers_of,
    compare,
    counts_json,
)
from judges.comparison.rules.judge_board.parts import (
    Heard,
    JudgedPart,
    PartBy,
    Rows,
    bound_parts,
    judge_parts,
)
from judges.comparison.rules.study import (
    ACCEPTED,
    UNDECIDED,
    Codes,
    Integers,
    Items,
    SystemFacts,
    answers_decided_by_people,
    audit_of,
    name_columns,
    weigh_compared,
)
from judges.comparison.selectors.judge_board.judged import (
    POOLED_KEY,
    HumanRow,
    Judged,
    read_board_raters,
    read_judged,
    sign_beside_people,
)
from judges.comparison.selectors.leaderboard import read_runs
from judges.comparison.selectors.study import read_decided, read_improper, read_items, read_said, read_sources


class SystemJudge(NamedTuple):
    """One judge on one system's decided answers."""

    key: str
    run: str
    beside: Beside


class SystemQuality(NamedTuple):
    """Which share of one system's answers people accept, None where it is unknown, and judges beside them."""

    human_accuracy: float | None
    judges: list[SystemJudge]


@kept()
def read_system_quality(*, project: Project) -> dict[int, SystemQuality]:
    """Return for each system with decided answers how judges agree with people, a row a prediction.

    A decided answer without a usable verdict is unscored. What a policy settled counts as the audit corrects
    it, and not for judges: theirs are the answers of the judge board.
    """
    runs = read_runs(project)
    columns = name_columns(runs)
    items = read_items(project)
    candidate = items.predictions.candidate
    decided, improper = read_decided(project), read_improper(project)
    worth = decided.worth[candidate]
    scored = items.questions.in_sample & ~improper
    counted = scored[items.predictions.question] & (worth != UNDECIDED)
    by_people = answers_decided_by_people(items, decided=decided, improper=improper)[candidate]
    weights = weigh_compared(items, decided=decided, improper=improper)[candidate]
    audit = audit_of(decided, candidate)
    human = audit.correct(systems=items.predictions.system, counted=counted, size=len(items.systems)).values
    said = read_said(project, [run.id for run in runs])
    found = {}
    for place, system in enumerate(items.systems):
        own = counted & (items.predictions.system == place)
        if own.any():
            besides = (
                (
                    run,
                    compare(
                        truth=worth == ACCEPTED,
                        verdict=said[run.id].verdict[candidate],
                        counted=own & by_people,
                        weights=weights,
                    ),
                )
                for run in runs
            )
            mean = float(human[own].mean())
            found[system.id] = SystemQuality(
                human_accuracy=None if np.isnan(mean) else mean,
                judges=[
                    SystemJudge(columns[run.id].key, run.public_id, beside)
                    for run, beside in besides
                    if beside.confusion.scored
                ],
            )
    return found


def decided_predictions(project: Project) -> QuerySet[Prediction]:
    """Return the predictions of the judged sample whose answer people decided."""
    return (
        Prediction.objects.filter(
            are_in_force("candidate__decisions"), system__project=project, question__in_sample=True
        )
        .exclude(question__in=improper_questions(project))
        .order_by()
    )


def judged_predictions(project: Project, *, run_ids: Collection[int]) -> QuerySet[Prediction]:
    """Return decided predictions once for each of these runs that has a usable verdict on their answer."""
    verdict = "candidate__verdicts__"
    return decided_predictions(project).filter(
        **{f"{verdict}run__in": list(run_ids), f"{verdict}accepted__isnull": False}
    )


def system_quality_json(quality: SystemQuality | None) -> dict[str, Any]:
    """Return people's accuracy of a system and its judges; what is undefined is null, `words` says why."""
    if quality is None:
        return {"human_accuracy": None, "judges": []}
    return {
        "human_accuracy": quality.human_accuracy,
        "judges": [_judge_json(judge) for judge in quality.judges],
    }


def _judge_json(judge: SystemJudge) -> dict[str, Any]:
    found = judge.beside.figures
    names = ("accuracy_scored", "coverage", "macro_f1", "precision", "recall")
    figures = {"accuracy": found["accuracy_all"], **{name: found[name] for name in names}}
    return {"key": judge.key, "run": judge.run, **counts_json(judge.beside.confusion, figures)}


Parts = dict[str, Integers]


@dataclass(frozen=True)
class JudgedParts:
    """A judge in every part of a study, and what produced the numbers.

    weighed: answers of the audit stand for those they were drawn among. left_out: how many that programs
    settled the figures say nothing of. Of a part, error_multiple is in units of another human's error on
    the same part's answers.
    """

    signature: str
    weighed: bool
    left_out: int
    parts: list[BoardRow]


class _Cut(NamedTuple):
    """A study cut into parts, and what judges are compared on there; heard: raters' votes, by part."""

    rows: Rows
    verdicts: dict[int, Codes]
    parts: Parts
    heard: dict[str, Heard]


@kept()
def read_parts(
    *, project: Project, run: str, by: PartBy, on_common: bool = False, intervals: bool = False
) -> JudgedParts:
    """Compare a run, by its public id, with people part by part; raises `RunNotComparable`.

    All runs are compared at once, and kept: pages set them beside each other. on_common: only answers that
    every judge has judged count. intervals: how sure each figure is, too.
    """
    judged = _read_judged(project, on_common)
    found = judged.find(run)
    cut = _read_cut(project, judged, by, on_common)
    compared = computed(judge_parts, cut.rows, verdicts=cut.verdicts, parts=cut.parts, heard=cut.heard)
    common = judged.speakers if on_common else ()
    signature = sign_beside_people(
        project, found.signature, common=common, by=by.value, is_weighed=judged.is_weighed
    )
    bounds = bound_runs(project, judged, by, on_common=on_common)[found.id] if intervals else {}
    return JudgedParts(
        signature, judged.is_weighed, judged.left_out, list(_part_rows(compared[found.id], bounds))
    )


def _part_rows(parts: Sequence[JudgedPart], bounds: Mapping[str, Intervals]) -> Iterator[BoardRow]:
    qualities = measure_all([part.beside.weighed for part in parts])
    for part, quality in zip(parts, qualities, strict=True):
        values = quality | {"error_multiple": part.error_multiple}
        yield BoardRow(
            key=part.name,
            name=part.name,
            counts=answers_of(part.beside.confusion),
            figures=figures_with(values, bounds.get(part.name)),
        )


def _read_judged(project: Project, on_common: bool) -> Judged:
    judged = read_judged(project)
    return judged.on_common if on_common else judged


def bound_runs(
    project: Project, judged: Judged, by: PartBy, *, on_common: bool = False
) -> dict[int, dict[str, Intervals]]:
    """Return the intervals of every run, by its id, and every part; made at once, and kept.

    on_common: whether `judged` counts only answers that every judge has judged; each way is kept apart.
    """
    cut = _read_cut(project, judged, by, on_common)
    return computed(bound_parts, cut.rows, verdicts=cut.verdicts, parts=cut.parts, heard=cut.heard)


def _read_cut(project: Project, judged: Judged, by: PartBy, on_common: bool) -> _Cut:
    parts = _read_parts(project, by)
    rows, verdicts = _rows(judged, by)
    raters = read_board_raters(project=project, judged=judged, on_common=on_common)
    pooled = next((row for row in raters if row.column.key == POOLED_KEY), None)
    heard = _hear(pooled, judged.items, parts, by) if pooled else {}
    return _Cut(rows, verdicts, parts, heard)


def _hear(raters: HumanRow, items: Items, parts: Parts, by: PartBy) -> dict[str, Heard]:
    """Return the votes on each part's answers: those that all raters together are compared on."""
    places = items.candidates.numbers(raters.answers)
    found = {}
    for name, numbers in parts.items():
        is_inside = np.zeros(len(items.candidates.ids), dtype=bool)
        is_inside[items.predictions.candidate[numbers] if by is PartBy.SYSTEM else numbers] = True
        own = is_inside[places]
        found[name] = Heard(items.candidates.question[places[own]], raters.codes[own], raters.weights[own])
    return found


def _rows(judged: Judged, by: PartBy) -> tuple[Rows, dict[int, Codes]]:
    verdicts = {run: said.verdict for run, said in judged.said.items()}
    rows = Rows(judged.truth, judged.counted, judged.items.candidates.question, judged.weights)
    if by is not PartBy.SYSTEM:
        return rows, verdicts
    # Systems share answers, so each counts once for every system that gave it.
    given = judged.items.predictions.candidate
    predictions = Rows(rows.truth[given], rows.counted[given], rows.question[given], rows.weights[given])
    return predictions, {run: said[given] for run, said in verdicts.items()}


@kept(Area.ITEMS)
def _read_parts(project: Project, by: PartBy) -> Parts:
    items = read_items(project)
    cuts: Mapping[PartBy, Callable[[], Parts]] = {
        PartBy.SYSTEM: lambda: _by_system(items),
        PartBy.ANSWER_LENGTH: lambda: group_rows(map(length_band, _texts_of_answers(project))),
        PartBy.QUESTION_TYPE: lambda: _by_question(items, map(question_type, _texts_of_questions(project))),
        PartBy.DATASET: lambda: _by_question(items, read_sources(project).datasets),
        PartBy.TAG: lambda: _by_tag(items, read_sources(project).tags),
    }
    return cuts[by]()


def name_systems(systems: Sequence[SystemFacts]) -> list[str]:
    """Return what to call each system: only names are unique, two may have been given one label."""
    return tell_apart((system.label, system.name) for system in systems)


def _by_system(items: Items) -> Parts:
    names = name_systems(items.systems)
    return {name: np.flatnonzero(items.predictions.system == place) for place, name in enumerate(names)}


def _by_question(items: Items, names: Iterable[str]) -> Parts:
    named = list(names)
    return group_rows(named[question] or None for question in items.candidates.question.tolist())


def _by_tag(items: Items, tags: Sequence[frozenset[str]]) -> Parts:
    return {
        tag: np.flatnonzero(np.array([tag in own for own in tags], dtype=bool)[items.candidates.question])
        for tag in sorted(frozenset().union(*tags))
    }


def _texts_of_answers(project: Project) -> Iterable[str]:
    return (text for (text,) in read_rows(Candidate.objects.filter(project=project).order_by("pk"), "text"))


def _texts_of_questions(project: Project) -> Iterable[str]:
    return (text for (text,) in read_rows(Question.objects.filter(project=project).order_by("pk"), "text"))
