"""Read systems beside each other."""

from typing import NamedTuple

import numpy as np
from django.db.models import Prefetch, QuerySet

from annotation.items.models import GoldAnswer, Question
from annotation.projects.models import Project
from common.memory import computed
from judges.comparison.rules import Filter, SystemFacts, table_of
from judges.comparison.rules.leaderboard.systems import (
    SystemsBoard,
    SystemsBounds,
    bound_systems,
    compare_systems,
    questions_right_by,
)
from judges.comparison.rules.study.arrays import Flags, Floats
from judges.comparison.selectors.leaderboard.standings import Scored, read_scored


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
