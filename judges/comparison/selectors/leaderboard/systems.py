"""Read systems beside each other, and the questions that some, all or none of them have right."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from django.db.models import Prefetch, QuerySet

from analysis.arrays import Flags, Floats
from annotation.items.models import GoldAnswer, Question
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.memory import computed
from judges.comparison.rules.leaderboard.systems import SystemsBoard, compare_systems, questions_right_by
from judges.comparison.rules.study import Filter, SystemFacts, table_of
from judges.comparison.selectors.leaderboard.standings import Scored, read_scored
from judges.comparison.selectors.study import (
    sign_comparison,
)


class _Tables(NamedTuple):
    """Systems that answered any of the questions × selected questions; NaN = not answered."""

    scored: Scored
    systems: list[SystemFacts]
    strings: Floats
    right: Floats


@kept()
def read_systems(*, project: Project, wanted: Filter, intervals: bool = False) -> SystemsBoard:
    """Compare systems by exact match with the gold list as people amended it, as the leaderboard does."""
    tables = _read_tables(project, wanted)
    study, selection = tables.scored.study, tables.scored.selection
    board = computed(
        compare_systems,
        strings=tables.strings,
        right=tables.right,
        systems=[(system.name, system.label) for system in tables.systems],
        intervals=intervals,
    )
    return replace(
        board,
        pending=int((study.settled.is_pending & selection.predictions).sum()),
        by_programs=int((study.settled.is_by_programs & selection.predictions).sum()),
        signature=sign_comparison(project, "systems", wanted=wanted, match="exact_match", gold="amended"),
    )


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
