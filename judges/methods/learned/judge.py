"""The learned judge: the probability that people would accept an answer, from its text alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from analysis.arrays import Floats
from judges.methods.learned.features.measures import feature_names, measure
from judges.methods.learned.features.texts import Question, prepare
from judges.methods.learned.model import Weights, as_rows, load_weights, to_probability
from judges.methods.learned.reading import Text, read
from judges.methods.lexical.containment import EMPTY_GOLD
from judges.protocol import JudgeInput, Verdict, WithOptions

EMPTY_ANSWER = "empty_answer"
EVEN = 0.5


class ReadInput(NamedTuple):
    """An answer and its question as the judge reads them."""

    question: Question
    answer: Text

    @property
    def reason_to_abstain(self) -> str:
        """Why nothing can be said of the answer; empty where something can."""
        if not self.question.golds:
            return EMPTY_GOLD
        return "" if self.answer.words else EMPTY_ANSWER


@dataclass(frozen=True)
class LearnedOptions:
    """The learned judge has no options."""


class Learned(WithOptions[LearnedOptions]):
    """Logistic regression and gradient-boosted trees over lexical features; Assay's own.

    Trained on EVOUNA-NQ (Wang et al. 2023); see MODEL_CARD.md beside the weights.
    """

    Options = LearnedOptions

    def __init__(self, options: LearnedOptions, *, weights: Weights | None = None) -> None:
        """Take the shipped weights, or others, as replays on data that the shipped ones know must."""
        super().__init__(options)
        self._weights = weights or load_weights()

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score the probability, 0 to 1, that the answer is right; accepted from .5 on.

        Unscored `empty_gold` where no gold answer has a word, `empty_answer` where the answer has none.
        """
        weights = self._weights
        items = list(read_inputs(batch, weights))
        scores = iter(to_probability(score(items, weights)).tolist())
        return [
            Verdict(accepted=None, unscored_reason=item.reason_to_abstain)
            if item.reason_to_abstain
            else verdict_of(next(scores))
            for item in items
        ]


def read_inputs(batch: Sequence[JudgeInput], weights: Weights) -> Iterator[ReadInput]:
    """Read each answer; neighbors with equal question and gold answers share what is read of these."""
    for (question, golds), inputs in groupby(batch, lambda item: (item.question, item.golds)):
        prepared = prepare(question, golds, weights.rarity)
        for item in inputs:
            yield ReadInput(prepared, read(item.answer))


def score(items: Sequence[ReadInput], weights: Weights) -> Floats:
    """Return the calibrated log-odds of those answers of which something can be said, in their order."""
    measured = [measure(item.question, item.answer) for item in items if not item.reason_to_abstain]
    return weights.judge.score(as_rows(measured, names=feature_names()))


def verdict_of(probability: float) -> Verdict:
    """Return the verdict of a probability: accepted from .5 on."""
    return Verdict(accepted=probability >= EVEN, score=probability)
