"""Read where in a study a judge agrees with people."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from annotation.agreement.rules import group_rows, length_band, question_type
from annotation.items.models import Candidate, Question
from annotation.projects.models import Project
from common.columns import read_rows
from common.memory import Memory, content_of
from judges.comparison.rules.judge_board.intervals import Intervals
from judges.comparison.rules.judge_board.parts import (
    Heard,
    JudgedPart,
    PartBy,
    Rows,
    bound_parts,
    judge_parts,
)
from judges.comparison.rules.study.arrays import Codes, Integers, Items, SystemFacts
from judges.comparison.rules.study.selection import Traits
from judges.comparison.selectors.judge_board.another_human import POOLED_KEY, HumanRow
from judges.comparison.selectors.judge_board.judged import Judged, read_judged, sign_beside_people
from judges.comparison.selectors.judge_board.judges import read_board_raters
from judges.comparison.selectors.study.arrays import read_traits

Parts = dict[str, Integers]

_parts: Memory[Parts] = Memory(size=16)
_judged: Memory[dict[int, list[JudgedPart]]] = Memory(size=16)
_bounds: Memory[dict[int, dict[str, Intervals]]] = Memory(size=16)


class JudgedParts(NamedTuple):
    """A judge in every part of a study, and what produced the numbers."""

    parts: list[JudgedPart]
    signature: str


class PartIntervals(NamedTuple):
    """The intervals of one part of a study, by the name of the figure."""

    name: str
    figures: Intervals


class _Cut(NamedTuple):
    """A study cut into parts, and what judges are compared on there; state: what all of it was made from.

    heard: raters' votes, by part.
    """

    rows: Rows
    verdicts: dict[int, Codes]
    parts: Parts
    heard: dict[str, Heard]
    state: Hashable


def read_parts(*, project: Project, run: str, by: PartBy, on_common: bool = False) -> JudgedParts:
    """Compare a run, by its public id, with people part by part; raises `RunNotComparable`.

    All runs are compared at once, and kept: pages set them beside each other. on_common: only answers that
    every judge has judged count.
    """
    judged = _read_judged(project, on_common)
    found = judged.find(run)
    cut = _read_cut(project, judged, by, on_common)
    compared = _judged.get(
        (project.pk, by, on_common),
        state=cut.state,
        make=lambda: judge_parts(cut.rows, verdicts=cut.verdicts, parts=cut.parts, heard=cut.heard),
    )
    common = judged.speakers if on_common else ()
    signature = sign_beside_people(
        project, found.signature, common=common, by=by.value, is_weighed=judged.is_weighed
    )
    return JudgedParts(compared[found.id], signature)


def _read_judged(project: Project, on_common: bool) -> Judged:
    judged = read_judged(project)
    return judged.on_common if on_common else judged


def read_part_intervals(
    *, project: Project, run: str, by: PartBy, on_common: bool = False
) -> list[PartIntervals]:
    """Return how sure each figure of `read_parts` is; raises `RunNotComparable`."""
    judged = _read_judged(project, on_common)
    found = judged.find(run)
    bounds = bound_runs(project, judged, by, on_common=on_common)
    return [PartIntervals(name, figures) for name, figures in bounds[found.id].items()]


def bound_runs(
    project: Project, judged: Judged, by: PartBy, *, on_common: bool = False
) -> dict[int, dict[str, Intervals]]:
    """Return the intervals of every run, by its id, and every part; made at once, and kept.

    on_common: whether `judged` counts only answers that every judge has judged; each way is kept apart.
    """
    cut = _read_cut(project, judged, by, on_common)
    return _bounds.get(
        (project.pk, by, on_common),
        state=cut.state,
        make=lambda: bound_parts(cut.rows, verdicts=cut.verdicts, parts=cut.parts, heard=cut.heard),
    )


def _read_cut(project: Project, judged: Judged, by: PartBy, on_common: bool) -> _Cut:
    traits = read_traits(project, judged.items)
    state = (judged.items.state, traits.datasets, traits.tags)
    parts = _parts.get((project.pk, by), state=state, make=lambda: _cut(project, judged.items, traits, by))
    rows, verdicts = _rows(judged, by)
    said = ((run, content_of(verdict)) for run, verdict in verdicts.items())
    raters = read_board_raters(project=project, judged=judged, on_common=on_common)
    pooled = next((row for row in raters if row.column.key == POOLED_KEY), None)
    heard = _hear(pooled, judged.items, parts, by) if pooled else {}
    votes = (content_of(pooled.answers), content_of(pooled.codes)) if pooled else ()
    return _Cut(rows, verdicts, parts, heard, (state, *map(content_of, rows), *said, votes))


def _hear(raters: HumanRow, items: Items, parts: Parts, by: PartBy) -> dict[str, Heard]:
    """Return the votes on each part's answers: those that all raters together are compared on."""
    places = items.candidates.numbers(raters.answers)
    # What was judged between two reads belongs to the next state.
    places, codes = places[places >= 0], raters.codes[places >= 0]
    found = {}
    for name, numbers in parts.items():
        is_inside = np.zeros(len(items.candidates.ids), dtype=bool)
        is_inside[items.predictions.candidate[numbers] if by is PartBy.SYSTEM else numbers] = True
        own = is_inside[places]
        found[name] = Heard(items.candidates.question[places[own]], codes[own])
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


def _cut(project: Project, items: Items, traits: Traits, by: PartBy) -> Parts:
    cuts: Mapping[PartBy, Callable[[], Parts]] = {
        PartBy.SYSTEM: lambda: _by_system(items),
        PartBy.ANSWER_LENGTH: lambda: group_rows(map(length_band, _texts_of_answers(project))),
        PartBy.QUESTION_TYPE: lambda: _by_question(items, map(question_type, _texts_of_questions(project))),
        PartBy.DATASET: lambda: _by_question(items, traits.datasets),
        PartBy.TAG: lambda: _by_tag(items, traits.tags),
    }
    return cuts[by]()


def name_systems(systems: Sequence[SystemFacts]) -> list[str]:
    """Return what to call each system: only names are unique, two may have been given one label."""
    count = Counter(system.label for system in systems)
    return [each.label if count[each.label] == 1 else f"{each.label} ({each.name})" for each in systems]


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
