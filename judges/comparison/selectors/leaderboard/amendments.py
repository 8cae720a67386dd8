"""Read which amendment of a gold list moved which system."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from analysis.text import normalize_answer
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, Question
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules import Filter, SystemFacts, judge_by_people
from judges.comparison.rules.leaderboard.amendments import SystemMove, Turn, find_turns, move_systems
from judges.comparison.rules.study.arrays import Items
from judges.comparison.rules.study.selection import keep_able
from judges.comparison.selectors.study.arrays import read_decided, read_improper, read_items, read_selection
from judges.comparison.selectors.study.matching import match_original, match_people


class TurnedAnswer(NamedTuple):
    """An answer that turned right or wrong, as one system or the ledger has it, and the systems that gave it.

    changes: public ids of the ledger's changes that did it; none where a file's own gold answers did.
    """

    question: str
    question_text: str
    answer: str
    text: str
    is_right: bool
    systems: list[SystemFacts]
    changes: list[str]


class Amendments(NamedTuple):
    """What amendment did to each system, and all answers that turned; pending: predictions undecided yet."""

    items: Items
    moves: list[SystemMove]
    turns: list[Turn]
    pending: int

    @property
    def by_system(self) -> dict[int, SystemMove]:
        """What amendment did to each system, by its id."""
        return {self.items.systems[move.system].id: move for move in self.moves}

    def of_system(self, name: str) -> list[Turn]:
        """Return the turns of one system by its name; all where the name is empty."""
        if not name:
            return self.turns
        return [turn for turn in self.turns if any(self.items.systems[s].name == name for s in turn.systems)]


@kept()
def read_amendments(*, project: Project, wanted: Filter) -> Amendments:
    """Compare exact match with the gold of the files and with the lists as people amended them."""
    items = read_items(project)
    before, after = match_original(project), match_people(project)
    improper = read_improper(project)
    selection = read_selection(project, items, improper=improper, wanted=wanted)
    if wanted.least_share is not None:
        selection = keep_able(items, selection, is_right=after, least_share=wanted.least_share)
    counted = selection.predictions
    settled = judge_by_people(items, decided=read_decided(project), is_match=after)
    return Amendments(
        items=items,
        moves=move_systems(items, before=before, after=after, counted=counted),
        turns=find_turns(items, before=before, after=after, counted=counted),
        pending=int((settled.is_pending & counted).sum()),
    )


def describe_turns(*, items: Items, turns: Sequence[Turn]) -> list[TurnedAnswer]:
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
                systems=[items.systems[place] for place in turn.systems],
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
