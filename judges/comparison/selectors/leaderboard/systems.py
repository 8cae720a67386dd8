"""Read systems beside each other, and the questions that some, all or none of them have right."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from django.db.models import Prefetch, QuerySet

from analysis.arrays import Flags, Floats
from annotation.adjudication.models import Decision
from annotation.items.models import GoldAnswer, Prediction, Question
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.memory import computed
from judges.comparison.rules.leaderboard.systems import (
    RightOfTwo,
    SystemsBoard,
    compare_systems,
    questions_of_two,
    questions_right_by,
)
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


@dataclass(frozen=True)
class GivenAnswer:
    """A system’s answer.

    `label`: its decided label, or null.
    """

    id: str
    text: str
    label: str | None


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question with the answers of two systems."""

    id: str
    question: str
    gold: list[str]
    first: GivenAnswer
    second: GivenAnswer


class OfTwo(NamedTuple):
    """The questions that two systems answered: how many each has right, and those of one kind."""

    counts: Mapping[RightOfTwo, int]
    questions: QuerySet[Question]


def find_questions_of_two(
    *, project: Project, wanted: Filter, first: str, second: str, right: RightOfTwo
) -> OfTwo:
    """Return the questions that two systems answered, by which of them has them right; none of one unknown.

    first, second: names of systems. Right is what it is beside all others, in `read_systems`.
    """
    tables = _read_tables(project, wanted)
    rows = {system.name: place for place, system in enumerate(tables.systems)}
    nothing = np.full(tables.right.shape[1], np.nan)
    one, other = (tables.right[rows[name]] if name in rows else nothing for name in (first, second))
    found = questions_of_two(first=one, second=other)
    ids = tables.scored.study.items.questions.ids[tables.scored.selection.questions]
    gold = Prefetch("gold_answers", GoldAnswer.objects.order_by("position", "pk"))
    questions = Question.objects.filter(pk__in=ids[found[right]].tolist()).prefetch_related(gold)
    return OfTwo(
        {each: int(flags.sum()) for each, flags in found.items()}, questions.order_by("position", "pk")
    )


def describe_questions_of_two(
    *, project: Project, questions: Sequence[Question], first: str, second: str
) -> list[AnsweredQuestion]:
    """Return questions with what both systems answered, in a fixed number of queries."""
    given = {name: _given_by(project, questions, name) for name in (first, second)}
    return [
        AnsweredQuestion(
            id=each.public_id,
            question=each.text,
            gold=[gold.text for gold in each.gold_answers.all()],
            first=given[first][each.pk],
            second=given[second][each.pk],
        )
        for each in questions
        # An import may have been undone meanwhile.
        if each.pk in given[first] and each.pk in given[second]
    ]


def _given_by(project: Project, questions: Iterable[Question], system: str) -> dict[int, GivenAnswer]:
    rows = Prediction.objects.filter(
        system__project=project, system__name=system, question__in=[each.pk for each in questions]
    )
    given = list(rows.order_by().values_list("question_id", "candidate_id", "candidate__public_id", "text"))
    decided = Decision.objects.in_force().filter(candidate__in=[answer for _, answer, *_ in given])
    labels = dict(decided.values_list("candidate_id", "label"))
    return {
        question: GivenAnswer(public_id, text, labels.get(answer))
        for question, answer, public_id, text in given
    }


def _read_tables(project: Project, wanted: Filter) -> _Tables:
    scored = read_scored(project=project, wanted=wanted)
    items, selection, settled = scored.study.items, scored.selection, scored.study.settled
    strings = table_of(items.predictions.string.astype(np.float64), items=items, selection=selection)
    right = table_of(settled.is_match.astype(np.float64), items=items, selection=selection)
    present: Flags = np.asarray((~np.isnan(strings)).any(axis=1))
    systems = [system for system, is_there in zip(items.systems, present, strict=True) if is_there]
    return _Tables(scored, systems, strings[present], right[present])
