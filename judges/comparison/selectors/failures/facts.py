"""Read what every failure board is made of: decided answers, judges and systems, lengths and gold."""

from typing import NamedTuple

import numpy as np

from annotation.items.models import Prediction
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import kept
from common.database.columns import read_rows
from judges.comparison.rules.failures import Answers, Given, JudgeSaid, SystemGave
from judges.comparison.rules.study import Flags, Integers, Items
from judges.comparison.selectors.failures.tagged import given_by
from judges.comparison.selectors.judge_board.judged import Judged, read_judged
from judges.comparison.selectors.judge_board.parts import name_systems
from judges.comparison.selectors.study import read_decided, read_items


class Judge(NamedTuple):
    """A judge that said something of a decided answer."""

    id: int
    public_id: str
    signature: str
    said: JudgeSaid


class Facts(NamedTuple):
    """A study as the boards see it.

    systems: those that gave a decided answer. left_out: answers that programs settled and for which nobody
    speaks.
    """

    project: Project
    items: Items
    answers: Answers
    judges: list[Judge]
    systems: list[SystemGave]
    is_weighed: bool
    left_out: int


@kept()
def read_facts(project: Project) -> Facts:
    """Return what people decided, and every judge and system beside it."""
    judged = read_judged(project)
    items, counted = judged.items, judged.counted
    answers = Answers(items.candidates.question, read_decided(project).worth, counted, judged.weights)
    judges, systems = _judges(judged), _systems(items, counted)
    return Facts(project, items, answers, judges, systems, judged.is_weighed, judged.left_out)


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
