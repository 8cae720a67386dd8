"""A study as arrays: what systems answered, what people decided and what judges said, row beside row."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Codes: TypeAlias = NDArray[np.int8]

UNDECIDED = -1
REJECTED = 0
POSSIBLE = 1
ACCEPTED = 2

NO_VERDICT = -2
UNSCORED = -1


class Scope(StrEnum):
    """Which questions scores are over: those people judge, or all."""

    SAMPLE = "sample"
    ENTIRE = "entire"


def _places(sorted_ids: Integers, ids: Integers) -> Integers:
    if not len(sorted_ids):
        return np.full(len(ids), -1, dtype=np.int64)
    places = np.minimum(np.searchsorted(sorted_ids, ids), len(sorted_ids) - 1)
    return np.where(sorted_ids[places] == ids, places, -1)


class SystemFacts(NamedTuple):
    """A system as it was imported."""

    id: int
    name: str
    label: str
    description: dict[str, object]


class Questions(NamedTuple):
    """A project's questions in the order of their keys; the place in it numbers a question elsewhere."""

    ids: Integers
    in_sample: Flags

    def numbers(self, ids: Integers) -> Integers:
        """Return the numbers of questions given by id, -1 for one that is not among them."""
        return _places(self.ids, ids)


class Candidates(NamedTuple):
    """A project's pooled answers in the order of their keys; `is_given`: some system gave the answer."""

    ids: Integers
    question: Integers
    is_judgeable: Flags
    is_from_gold: Flags
    is_given: Flags

    def numbers(self, ids: Integers) -> Integers:
        """Return the numbers of answers given by id, -1 for one that is not among them."""
        return _places(self.ids, ids)


class Predictions(NamedTuple):
    """What systems answered, by system and question; all but `own_golds` are one value a prediction.

    string: a number for the normalized text; equal texts have equal numbers, listed in `strings`.
    own_golds: gold answers of the prediction's own file where they differ from its question's.
    """

    system: Integers
    question: Integers
    candidate: Integers
    string: Integers
    strings: Mapping[str, int]
    own_golds: Mapping[int, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.system)


class Items(NamedTuple):
    """What was imported; systems are numbered by their place."""

    systems: list[SystemFacts]
    questions: Questions
    candidates: Candidates
    predictions: Predictions


class Decided(NamedTuple):
    """What every answer was decided to be, by candidate: worth; whether people said so, or their votes.

    ruled: what a rule of pre-judging in force says of it, decided by it or drawn for people; UNDECIDED where
    none does. is_drawn: it was drawn for people, as every answer of a rule was with `probability`.
    """

    worth: Codes
    is_by_people: Flags
    is_by_votes: Flags
    ruled: Codes
    is_drawn: Flags
    probability: Floats

    @property
    def has_ruled(self) -> bool:
        """Whether a rule speaks for any answer."""
        return bool((self.ruled != UNDECIDED).any())

    @property
    def said_by_people(self) -> Codes:
        """What people decided, UNDECIDED where they did not."""
        return np.where(self.is_by_people, self.worth, UNDECIDED).astype(np.int8)

    @property
    def is_seen(self) -> Flags:
        """Whether an answer was drawn for people, and they have decided it."""
        found: Flags = self.is_drawn & (self.said_by_people != UNDECIDED)
        return found


class Said(NamedTuple):
    """What one run said, by candidate: 1 accepted, 0 rejected, -1 unscored, -2 nothing yet; NaN: no score."""

    verdict: Codes
    score: Floats


# NQ-open has no gold answer of more than five words (Lee et al. 2019), and TriviaQA's and WebQuestions' are
# hardly longer: an answer of more equals none, be it right or wrong.
MOST_GOLD_WORDS = 5


def count_words(predictions: Predictions) -> Integers:
    """Return how many words each answer has as exact match compares it, without articles and punctuation."""
    words = np.zeros(len(predictions.strings), dtype=np.int64)
    for text, number in predictions.strings.items():
        words[number] = len(text.split())
    found: Integers = words[predictions.string]
    return found


def median_words(
    words: Integers, *, systems: Integers, counted: Flags, ids: Sequence[int]
) -> dict[int, float]:
    """Return the median length of each system's counted answers, by its id; systems without any are left out.

    systems: each prediction's place in `ids`.
    """
    return {
        pk: float(np.median(words[own]))
        for place, pk in enumerate(ids)
        if (own := counted & (systems == place)).any()
    }


def are_mostly_long(median: float) -> bool:
    """Say whether at least half of answers with this median are longer than gold answers are."""
    return median > MOST_GOLD_WORDS
