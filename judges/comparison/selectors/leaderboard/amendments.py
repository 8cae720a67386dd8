"""Read what amended gold changed: how far it moved systems, and which answers turned."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.ranking import Table
from analysis.text import normalize_answer
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, Question
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.leaderboard.amendments import SystemMove, Turn, find_turns, move_systems
from judges.comparison.rules.leaderboard.standings import bound_gains
from judges.comparison.rules.study import Filter, Items, judge_by_people, table_of
from judges.comparison.selectors.study import (
    match_original,
    match_people,
    read_decided,
    read_items,
    read_selection,
)


@dataclass(frozen=True)
class TurnedAnswer:
    """An answer that amendment made correct or incorrect.

    `systems`: the names of the systems that gave it; null for callers who may not see them. `changes`: the
    IDs of the changes to the gold list that changed its result; an empty list if gold answers from a file
    changed it.
    """

    question: str
    question_text: str
    answer: str
    text: str
    is_right: bool
    systems: list[str] | None
    changes: list[str]


class Amended(NamedTuple):
    """What amendment did to each system, and all answers that turned; pending: predictions undecided yet."""

    items: Items
    moves: list[SystemMove]
    turns: list[Turn]
    pending: int

    def of_system(self, name: str) -> list[Turn]:
        """Return the turns of one system by its name; all where the name is empty."""
        if not name:
            return self.turns
        return [turn for turn in self.turns if any(self.items.systems[s].name == name for s in turn.systems)]


@kept()
def read_amendments(*, project: Project, wanted: Filter, intervals: bool = False) -> Amended:
    """Compare exact match with the gold of the files and with the lists as people amended them.

    intervals: of what each system gains, too.
    """
    items = read_items(project)
    before, after = match_original(project), match_people(project)
    selection = read_selection(project, wanted)
    counted = selection.predictions
    settled = judge_by_people(items, decided=read_decided(project), is_match=after)
    gains = None
    if intervals:
        first, then = (
            Table(table_of(each.astype(np.float64), items=items, selection=selection), is_verdict=True)
            for each in (before, after)
        )
        gains = bound_gains(first, then)
    return Amended(
        items=items,
        moves=move_systems(items, before=before, after=after, counted=counted, gains=gains),
        turns=find_turns(items, before=before, after=after, counted=counted),
        pending=int((settled.is_pending & counted).sum()),
    )


def describe_turns(*, items: Items, turns: Sequence[Turn], sees_systems: bool = True) -> list[TurnedAnswer]:
    """Return a page of turns with what they are about, in three queries."""
    questions = Question.objects.in_bulk([int(items.questions.ids[turn.question]) for turn in turns])
    candidates = Candidate.objects.in_bulk([int(items.candidates.ids[turn.candidate]) for turn in turns])
    changes = _changes(list(questions))
    texts = {number: text for text, number in items.predictions.strings.items()}
    found = []
    for turn in turns:
        question = questions[int(items.questions.ids[turn.question])]
        candidate = candidates[int(items.candidates.ids[turn.candidate])]
        own = changes.get((question.pk, turn.is_right, texts[turn.string]), [])
        found.append(
            TurnedAnswer(
                question=question.public_id,
                question_text=question.text,
                answer=candidate.public_id,
                text=candidate.text,
                is_right=turn.is_right,
                systems=[items.systems[place].label for place in turn.systems] if sees_systems else None,
                changes=own,
            )
        )
    return found


def _changes(questions: Sequence[int]) -> dict[tuple[int, bool, str], list[str]]:
    """Return the changes in force by question, whether they added, and the normalized text."""
    rows = GoldChange.objects.filter(question__in=questions, undone_at=None).order_by("pk")
    found: dict[tuple[int, bool, str], list[str]] = defaultdict(list)
    for question, action, text, public_id in rows.values_list("question_id", "action", "text", "public_id"):
        is_added = action == GoldChange.Action.ADDED
        found[question, is_added, normalize_answer(text)].append(public_id)
    return found
