"""What people's decisions on other answers to a question say of one answer: some thirty numbers."""

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from rapidfuzz import fuzz

from judges.methods.learned.features.texts import Question, Rarity, prepare
from judges.methods.learned.reading import STOP_WORDS, Text, read

_MOST_LETTERS = 400


class Decided(NamedTuple):
    """Another answer to the same question, what people decided of it, and the judge's own log-odds for it."""

    text: Text
    accepted: bool
    logit: float


class _Side(NamedTuple):
    """An answer as it is compared with others."""

    joined: str
    weights: dict[str, float]
    numbers: frozenset[str]


def _side(question: Question, text: Text, rarity: Rarity) -> _Side:
    content = {stem for stem in text.stems if stem not in STOP_WORDS and stem not in question.stems}
    # What only repeats the question still has to be told from other words.
    stems = content or set(text.stems)
    return _Side(
        " ".join([word for word in text.words if word not in ("the", "a", "an")])[:_MOST_LETTERS],
        {stem: rarity.weight(stem) for stem in sorted(stems)},
        frozenset(text.words[place] for place in text.numbers) - question.numbers,
    )


class Likeness(NamedTuple):
    """How like two answers are; shares are of the weight of new words."""

    is_equal: float
    covers: float
    is_covered: float
    ratio: float
    holds: float
    is_held: float
    numbers: float

    @property
    def nearness(self) -> float:
        """One number to rank other answers by."""
        return (
            self.is_equal + self.covers * 0.6 + self.is_covered * 0.6 + self.ratio * 0.4 + self.numbers * 0.1
        )


_UNLIKE = Likeness(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def compare(one: _Side, other: _Side) -> Likeness:
    """Compare an answer with another: `covers` is the share of the other's new words that it has."""
    shared = sum(weight for stem, weight in one.weights.items() if stem in other.weights)
    differs = bool(one.numbers and other.numbers and not one.numbers & other.numbers)
    agrees = bool(one.numbers & other.numbers)
    return Likeness(
        is_equal=float(one.joined == other.joined),
        covers=shared / (sum(other.weights.values()) or 1.0),
        is_covered=shared / (sum(one.weights.values()) or 1.0),
        ratio=fuzz.ratio(one.joined, other.joined) / 100.0,
        holds=float(bool(other.joined) and f" {other.joined} " in f" {one.joined} "),
        is_held=float(bool(one.joined) and f" {one.joined} " in f" {other.joined} "),
        numbers=float(agrees) - float(differs),
    )


def likeness_of(question: Question, one: Text, other: Text, rarity: Rarity) -> Likeness:
    """Compare two answers to a question."""
    return compare(_side(question, one, rarity), _side(question, other, rarity))


def weigh(
    question: Question, answer: Text, logit: float, others: Sequence[Decided], rarity: Rarity
) -> dict[str, float]:
    """Return every feature of the evidence by name; without other decided answers there is none.

    logit: the judge's log-odds that the answer is right, from its text alone.
    """
    own = _side(question, answer, rarity)
    found = [(compare(own, _side(question, other.text, rarity)), other) for other in others]
    right = [pair for pair in found if pair[1].accepted]
    wrong = [pair for pair in found if not pair[1].accepted]
    features = {"logit": logit, "logit_size": abs(logit)}
    for name, pairs in (("right", right), ("wrong", wrong)):
        nearest = max((like for like, _ in pairs), key=lambda like: like.nearness, default=_UNLIKE)
        features |= {f"{name}_{field}": value for field, value in nearest._asdict().items()}
        features[f"{name}_nearest"] = nearest.nearness
        features[f"{name}_count"] = math.log1p(len(pairs))
        features[f"{name}_covers_most"] = max((like.covers for like, _ in pairs), default=0.0)
        features[f"{name}_covered_most"] = max((like.is_covered for like, _ in pairs), default=0.0)
    weights = [math.exp(2.0 * like.nearness) for like, _ in found]
    total = sum(weights) or 1.0
    votes = [1.0 if other.accepted else -1.0 for _, other in found]
    misses = [float(other.accepted) - 1.0 / (1.0 + math.exp(-other.logit)) for _, other in found]
    nearest_place = max(range(len(found)), key=lambda place: weights[place], default=-1)
    return features | {
        "difference": features["right_nearest"] - features["wrong_nearest"],
        "difference_covers": features["right_covers_most"] - features["wrong_covers_most"],
        "vote": sum(map(_product, weights, votes)) / total,
        "share": sum(votes) / (len(votes) or 1),
        "miss": sum(map(_product, weights, misses)) / total,
        "miss_plain": sum(misses) / (len(misses) or 1),
        "nearest_vote": votes[nearest_place] if found else 0.0,
        "nearest_logit": found[nearest_place][1].logit if found else 0.0,
        "nearest_miss": misses[nearest_place] if found else 0.0,
        "highest_wrong": max((other.logit for _, other in wrong), default=-6.0),
        "lowest_right": min((other.logit for _, other in right), default=6.0),
        "over_wrong": logit - max((other.logit for _, other in wrong), default=logit),
        "under_right": logit - min((other.logit for _, other in right), default=logit),
        "has_none": float(not found),
    }


def _product(one: float, other: float) -> float:
    return one * other


@cache
def evidence_names() -> tuple[str, ...]:
    """Return the features' names in their order; the first call reads WordNet, so no module does it."""
    return tuple(weigh(prepare("who", ("x",), Rarity({}, 1.0)), read("x"), 0.0, (), Rarity({}, 1.0)))
