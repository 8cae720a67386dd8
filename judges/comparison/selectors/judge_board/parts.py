"""A judge beside people, part by part of the study and by system."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from django.db.models import QuerySet

from analysis.arrays import Integers
from analysis.classification import measure_all
from annotation.agreement.rules.slices import group_rows, length_band, question_type
from annotation.items.models import Candidate, Question
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import kept
from common.database.rows import read_rows
from common.identifiers import tell_apart
from common.memory import computed
from judges.comparison.rules.boards import BoardRow, figures_with
from judges.comparison.rules.judge_board.beside_people import (
    Intervals,
    answers_of,
)
from judges.comparison.rules.judge_board.parts import (
    Heard,
    JudgedPart,
    PartBy,
    Rows,
    bound_parts,
    judge_parts,
)
from judges.comparison.rules.study import Codes, Items, SystemFacts
from judges.comparison.rules.weights import Reach
from judges.comparison.selectors.judge_board.judged import (
    POOLED_KEY,
    HumanRow,
    Judged,
    read_board_raters,
    read_judged,
    sign_beside_people,
)
from judges.comparison.selectors.study import read_items, read_sources

Parts = dict[str, Integers]


@dataclass(frozen=True)
class JudgedParts:
    """A judge’s results in each part of a study.

    `signature`: what produced the numbers. `weighed`: whether audited answers represent those they were
    sampled from. `left_out`: the number of settled answers that the figures do not cover. `undecided`: if
    rules settled answers, the number of answers that people have not decided yet, otherwise 0. `reach`: the
    questions that the figures cover. In each part, `error_multiple` is the judge’s error divided by a human
    annotator’s error on the same answers.
    """

    signature: str
    weighed: bool
    left_out: int
    undecided: int
    reach: Reach
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
    judged = read_judged(project, on_common)
    found = judged.find(run)
    cut = _read_cut(project, judged, by)
    compared = computed(judge_parts, cut.rows, verdicts=cut.verdicts, parts=cut.parts, heard=cut.heard)
    signature = sign_beside_people(project, found.signature, judged=judged, by=by.value)
    bounds = bound_runs(project, judged, by)[found.id] if intervals else {}
    return JudgedParts(
        signature=signature,
        weighed=judged.is_audited,
        left_out=judged.left_out,
        undecided=judged.undecided,
        reach=judged.reach,
        parts=list(_part_rows(compared[found.id], bounds)),
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


def bound_runs(project: Project, judged: Judged, by: PartBy) -> dict[int, dict[str, Intervals]]:
    """Return the intervals of every run, by its id, and every part; made at once, and kept."""
    cut = _read_cut(project, judged, by)
    return computed(bound_parts, cut.rows, verdicts=cut.verdicts, parts=cut.parts, heard=cut.heard)


def _read_cut(project: Project, judged: Judged, by: PartBy) -> _Cut:
    parts = _read_parts(project, by)
    rows, verdicts = _rows(judged, by)
    raters = read_board_raters(project=project, judged=judged)
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
        PartBy.ANSWER_LENGTH: lambda: group_rows(map(length_band, _texts(project.candidates.all()))),
        PartBy.QUESTION_TYPE: lambda: _by_question(
            items, map(question_type, _texts(project.questions.all()))
        ),
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


def _texts(rows: "QuerySet[Candidate] | QuerySet[Question]") -> Iterable[str]:
    return (text for (text,) in read_rows(rows.order_by("pk"), "text"))
