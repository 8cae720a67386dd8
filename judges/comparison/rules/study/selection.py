"""Which questions and predictions a page is about."""

from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from judges.comparison.rules.study.arrays import Flags, Floats, Items, Scope

# Source: Min et al. 2021 (EfficientQA): of five who wrote references at least three gave a short answer.
FEWEST_REFERENCES = 3


class Part(StrEnum):
    """Which of a scope's questions count.

    Unambiguous are those that raters were asked about and none called ambiguous and, where it is known how
    many of those who wrote the gold answers gave one, that `FEWEST_REFERENCES` did.
    """

    ALL = "all"
    UNAMBIGUOUS = "unambiguous"


class Filter(NamedTuple):
    """What a reader chose; an empty text chooses everything.

    largest_bytes: the most a system may weigh. least_share: of the questions chosen a system must have at
    least this share right to stay, and its size must be known (EfficientQA's track of the smallest systems).
    """

    scope: Scope = Scope.SAMPLE
    part: Part = Part.ALL
    dataset: str = ""
    tag: str = ""
    largest_bytes: int | None = None
    least_share: float | None = None

    @property
    def chooses_systems(self) -> bool:
        """Whether only some of the systems count."""
        return self.largest_bytes is not None or self.least_share is not None

    @property
    def needs_traits(self) -> bool:
        """Whether one must know more of questions than whether people judge them."""
        return self.part is not Part.ALL or bool(self.dataset or self.tag)


class Traits(NamedTuple):
    """What questions are sorted by, one value a question.

    was_asked: whether any rater said if the question is ambiguous; true throughout where none said it of any.
    has_references: false where too few of those who wrote the gold answers gave one; true where nobody knows.
    """

    datasets: list[str]
    tags: list[frozenset[str]]
    is_ambiguous: Flags
    was_asked: Flags
    has_references: Flags


class Selection(NamedTuple):
    """The questions and predictions that count under a filter."""

    questions: Flags
    predictions: Flags


def select(items: Items, *, traits: Traits | None, improper: Flags, wanted: Filter) -> Selection:
    """Return what counts; questions that raters took out of the scores never do.

    In the entire data a system that answered judged questions only has no place beside the others. traits:
    None where the filter asks for none.
    """
    chosen = ~improper
    if wanted.scope is Scope.SAMPLE:
        chosen &= items.questions.in_sample
    if traits:
        chosen &= _has_traits(traits, wanted)
    return Selection(chosen, _predictions(items, chosen, wanted))


def _has_traits(traits: Traits, wanted: Filter) -> Flags:
    chosen: Flags = np.array([wanted.dataset in ("", name) for name in traits.datasets], dtype=bool)
    if wanted.part is Part.UNAMBIGUOUS:
        chosen &= ~traits.is_ambiguous & traits.was_asked & traits.has_references
    if wanted.tag:
        chosen &= np.array([wanted.tag in tags for tags in traits.tags], dtype=bool)
    return chosen


def _predictions(items: Items, questions: Flags, wanted: Filter) -> Flags:
    predictions = items.predictions
    counted = questions[predictions.question]
    if wanted.largest_bytes is not None:
        light = np.array([is_light(system.description, wanted.largest_bytes) for system in items.systems])
        counted &= light.astype(bool)[predictions.system]
    if wanted.scope is Scope.SAMPLE or items.questions.in_sample[questions].all():
        return counted
    beyond = counted & ~items.questions.in_sample[predictions.question]
    return counted & np.isin(predictions.system, np.unique(predictions.system[beyond]))


def keep_able(items: Items, selection: Selection, *, is_right: Flags, least_share: float) -> Selection:
    """Leave out systems of unknown size, and those with too small a share of their counted answers right.

    Source: Min et al. 2021 (EfficientQA), the track of the smallest systems with 25 % accuracy.
    """
    counted, system = selection.predictions, items.predictions.system
    n = np.bincount(system[counted], minlength=len(items.systems))
    right = np.bincount(system[counted & is_right], minlength=len(items.systems))
    known = np.array([has_size(each.description) for each in items.systems], dtype=bool)
    able: Flags = known & (right >= least_share * n)
    return Selection(selection.questions, counted & able[system])


def has_size(description: dict[str, object]) -> bool:
    """Say whether it is known how much a system weighs."""
    size = description.get("size_bytes")
    return isinstance(size, int | float) and not isinstance(size, bool)


def is_light(description: dict[str, Any], largest_bytes: int) -> bool:
    """Say whether a system is known to weigh at most so much; one of unknown size is not."""
    return has_size(description) and bool(description["size_bytes"] <= largest_bytes)


def table_of(values: Floats, *, items: Items, selection: Selection) -> Floats:
    """Return systems × selected questions; NaN where a system has no counted prediction or value."""
    predictions = items.predictions
    places = np.cumsum(selection.questions) - 1
    table = np.full((len(items.systems), int(selection.questions.sum())), np.nan)
    counted = selection.predictions
    table[predictions.system[counted], places[predictions.question[counted]]] = values[counted]
    return table
