"""Fuzzy Match: an answer is correct when its letters are close enough to a gold answer's."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from analysis.text import normalize_answer, transliterate
from judges.methods.lexical.golds import answers_with_golds
from judges.protocol import JudgeInput, Verdict, WithOptions, option

THRESHOLD = 63.3
EXACT = 100.0


def fuzzy_form(text: str) -> str:
    """Return the form in which fuzzy judges compare texts: in ASCII letters, then normalized."""
    return normalize_answer(transliterate(text))


def best_ratio(answer: str, golds: Collection[str]) -> float:
    """Return the best ratio over the golds, 0 to 100, both in fuzzy form; 0 without answer or gold."""
    if not answer:
        return 0.0
    if answer in golds:
        return EXACT
    return max((fuzz.ratio(answer, gold) for gold in golds), default=0.0)


def threshold_option() -> float:
    """Declare the option of how close is close enough."""
    declared: float = option(
        THRESHOLD, help="Lowest similarity ratio at which an answer is accepted.", between=(0.0, 100.0)
    )
    return declared


@dataclass(frozen=True)
class FuzzyMatchOptions:
    """Where the line between wrong and right is drawn."""

    threshold: float = threshold_option()


class FuzzyMatch(WithOptions[FuzzyMatchOptions]):
    """The ratio of letters in common. Source: Si et al. 2023 (GPT3QA), without synonyms."""

    Options = FuzzyMatchOptions

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score from 0 to 100; golds are prepared once for all answers to a question."""
        return judge_fuzzily(batch, _prepared, threshold=self.options.threshold)


def judge_fuzzily(
    batch: Sequence[JudgeInput], prepare: Callable[[tuple[str, ...]], tuple[str, ...]], *, threshold: float
) -> list[Verdict]:
    """Score answers by the best ratio over their golds, which `prepare` gives in fuzzy form."""
    ratios = (best_ratio(fuzzy_form(answer), golds) for answer, golds in answers_with_golds(batch, prepare))
    return [Verdict(ratio >= threshold, ratio) for ratio in ratios]


def _prepared(golds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(fuzzy_form, golds)))
