"""Read what every failure board is made of: decided answers, judges and systems, lengths and gold."""

from typing import NamedTuple

import numpy as np

from analysis.text import normalize_answer
from annotation.gold.selectors import gold_lists
from annotation.items.models import Candidate, GoldAnswer, Prediction
from annotation.projects.models import Project
from annotation.projects.rules import Credit
from common.columns import last_change, read_rows
from common.memory import Memory
from judges.comparison.rules.failures import Answers, Given, JudgeSaid, SystemGave
from judges.comparison.rules.study.arrays import Flags, Integers, Items
from judges.comparison.selectors.failures.tagged import given_by
from judges.comparison.selectors.judge_board.judged import Judged, read_judged
from judges.comparison.selectors.judge_board.parts import name_systems
from judges.comparison.selectors.study.arrays import read_decided

_beyond: Memory[Flags] = Memory(size=8)
_words: Memory[Integers] = Memory(size=8)


class Judge(NamedTuple):
    """A judge that said something of a decided answer."""

    id: int
    public_id: str
    said: JudgeSaid


class Facts(NamedTuple):
    """A study as the boards see it. systems: those that gave a decided answer."""

    project: Project
    items: Items
    answers: Answers
    judges: list[Judge]
    systems: list[SystemGave]


def read_facts(project: Project) -> Facts:
    """Return what people decided, and every judge and system beside it."""
    judged = read_judged(project)
    items, counted = judged.items, judged.counted
    answers = Answers(items.candidates.question, read_decided(project, items).worth, counted)
    return Facts(project, items, answers, _judges(judged), _systems(items, counted))


def _judges(judged: Judged) -> list[Judge]:
    found = [
        Judge(
            run.id,
            run.public_id,
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


def has_possible(project: Project) -> bool:
    """Say whether people can call an answer possibly correct."""
    labels = project.protocol.rules.labels if project.protocol else ()
    return any(label.credit is Credit.POSSIBLE for label in labels)


def read_given(facts: Facts, *, system: str = "") -> Given:
    """Return the answers as systems gave them, or as one of them did, by its name."""
    predictions = facts.items.predictions
    counted = facts.answers.counted[predictions.candidate]
    if system:
        place = next(place for place, each in enumerate(facts.items.systems) if each.name == system)
        counted = counted & (predictions.system == place)
    return Given(predictions.candidate, predictions.question, _read_words(facts), counted)


def _read_words(facts: Facts) -> Integers:
    """Count the words of every prediction, in their order; of one imported just now, none."""
    items, project = facts.items, facts.project

    def make() -> Integers:
        rows = Prediction.objects.filter(system__project=project).order_by()
        texts = read_rows(rows, "system_id", "question_id", "text")
        words = {(system, question): len(text.split()) for system, question, text in texts}
        systems = [items.systems[place].id for place in items.predictions.system.tolist()]
        questions = items.questions.ids[items.predictions.question].tolist()
        pairs = zip(systems, questions, strict=True)
        return np.fromiter((words.get(pair, 0) for pair in pairs), dtype=np.int64, count=len(systems))

    return _words.get(project.pk, state=items.state, make=make)


def read_beyond_gold(project: Project, items: Items) -> Flags:
    """Say of every answer whether it equals no gold answer of the question as imported, normalized."""
    state = (last_change(GoldAnswer.objects.filter(question__project=project)), items.state)
    return _beyond.get(project.pk, state=state, make=lambda: _read_beyond_gold(project, items))


def _read_beyond_gold(project: Project, items: Items) -> Flags:
    lists = gold_lists(project, amended=False)
    golds = {question: frozenset(map(normalize_answer, texts)) for question, texts in lists.items()}
    rows = read_rows(Candidate.objects.filter(project=project).order_by(), "pk", "question_id", "text")
    equal = [pk for pk, question, text in rows if normalize_answer(text) in golds.get(question, ())]
    found: Flags = ~np.isin(items.candidates.ids, np.array(equal, dtype=np.int64))
    return found
