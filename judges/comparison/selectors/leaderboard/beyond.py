"""Read what people accept of the answers that exact match rejects."""

from typing import NamedTuple

import numpy as np

from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.memory import computed
from judges.comparison.rules import Decided, Filter, SystemFacts, answers_compared, weigh_compared
from judges.comparison.rules.leaderboard.beyond import Beyond, Rejected, measure_beyond
from judges.comparison.rules.study.arrays import UNDECIDED, Flags, Items
from judges.comparison.rules.study.selection import Selection, keep_able
from judges.comparison.selectors.study.arrays import read_decided, read_improper, read_items, read_selection
from judges.comparison.selectors.study.matching import match_original, match_people, read_beyond_gold
from judges.comparison.selectors.study.scores import has_possible


class BeyondExactMatch(NamedTuple):
    """systems: each with its own rejected predictions; predictions: those of all together.

    answers: every different answer once, however many systems gave it; answers that no system gave are among
    them, as EfficientQA released theirs.
    """

    has_possible: bool
    systems: list[tuple[SystemFacts, Beyond]]
    predictions: Beyond
    answers: Beyond


@kept()
def read_beyond(*, project: Project, wanted: Filter) -> BeyondExactMatch:
    """Count what people accept of the answers that equal no gold answer of the files."""
    items, decided, improper = read_items(project), read_decided(project), read_improper(project)
    selection = read_selection(project, items, improper=improper, wanted=wanted)
    if wanted.least_share is not None:
        is_right = match_people(project)
        selection = keep_able(items, selection, is_right=is_right, least_share=wanted.least_share)
    said = _read_said(items, decided, improper)
    predictions = _predictions(items, said, selection.predictions & ~match_original(project))
    compared = answers_compared(items, improper=improper) & read_beyond_gold(project)
    answers = said.of(compared & _counted(items, selection, wanted))
    places = np.unique(items.predictions.system[selection.predictions]).tolist()
    by_system = [predictions.of(place) for place in places]
    measured = [computed(measure_beyond, group) for group in [*by_system, predictions.rejected, answers]]
    return BeyondExactMatch(
        has_possible=has_possible(project),
        systems=[(items.systems[place], each) for place, each in zip(places, measured, strict=False)],
        predictions=measured[-2],
        answers=measured[-1],
    )


class _Predictions(NamedTuple):
    """Rejected predictions with the places of their systems."""

    rejected: Rejected
    system: np.ndarray[tuple[int], np.dtype[np.int64]]

    def of(self, place: int) -> Rejected:
        """Return those of one system."""
        return self.rejected.of(self.system == place)


def _read_said(items: Items, decided: Decided, improper: Flags) -> Rejected:
    """Return what people decided of every answer; what they looked for is no sample, and counts as open."""
    stands = (decided.ruled == UNDECIDED) | decided.is_drawn
    weights = weigh_compared(items, decided=decided, improper=improper)
    return Rejected(
        question=items.candidates.question,
        worth=np.where(stands, decided.said_by_people, UNDECIDED).astype(np.int8),
        # Answers that judges are not compared on stand for themselves.
        weights=np.where(weights > 0, weights, 1.0),
    )


def _predictions(items: Items, said: Rejected, counted: Flags) -> _Predictions:
    predictions = items.predictions
    return _Predictions(said.of(predictions.candidate[counted]), predictions.system[counted])


def _counted(items: Items, selection: Selection, wanted: Filter) -> Flags:
    """Say which answers count: of counted predictions, and unless systems are chosen also of nobody."""
    is_kept = np.zeros(len(items.candidates.ids), dtype=bool)
    is_kept[items.predictions.candidate[selection.predictions]] = True
    if wanted.largest_bytes is None and wanted.least_share is None:
        is_kept |= ~items.candidates.is_given & selection.questions[items.candidates.question]
    return is_kept
