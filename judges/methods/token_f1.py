"""Token F1: how far the words of an answer and of the nearest gold answer overlap."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.text import normalize_answer, tokens
from judges.methods.golds import answers_with_golds
from judges.protocol import JudgeInput, Verdict, option

# To find a few words in a text is faster than to count all of its own.
_FEW_WORDS = 50


class _Gold(NamedTuple):
    """Its words, each between two spaces, and how often; how many words they are."""

    counts: tuple[tuple[str, int], ...]
    length: int


class _Golds(NamedTuple):
    golds: tuple[_Gold, ...]
    are_few_words: bool


def token_f1(*, answer: str, golds: Iterable[str]) -> float:
    """Return the best F1 over the golds, 0 to 1; 0 where nothing remains of a side, or there is no gold."""
    return _best_f1(normalize_answer(answer), _counted(tuple(golds)))


def _counted(golds: tuple[str, ...]) -> _Golds:
    counted = tuple(_count_words(tokens(gold)) for gold in golds)
    return _Golds(counted, sum(len(gold.counts) for gold in counted) <= _FEW_WORDS)


def _count_words(words: list[str]) -> _Gold:
    return _Gold(tuple((f" {word} ", count) for word, count in Counter(words).items()), len(words))


def _best_f1(answer: str, golds: _Golds) -> float:
    best, length, spaced = 0.0, answer.count(" ") + 1, f" {answer} "
    words = Counter[str]() if golds.are_few_words else Counter(answer.split())
    for gold in golds.golds:
        shared = _count_shared(spaced, gold) if golds.are_few_words else _count_words_shared(words, gold)
        # 2PR / (P + R) with P = shared / length of the answer and R = shared / length of the gold.
        if shared:
            best = max(best, 2 * shared / (length + gold.length))
    return best


def _count_shared(answer: str, gold: _Gold) -> int:
    present = [(word, count) for word, count in gold.counts if word in answer]
    if len(gold.counts) == gold.length:
        return len(present)
    return _count_words_shared(Counter(answer.split()), gold)


def _count_words_shared(words: Counter[str], gold: _Gold) -> int:
    return sum(min(words[word[1:-1]], count) for word, count in gold.counts)


@dataclass(frozen=True)
class TokenF1Options:
    """Where the line between wrong and right is drawn."""

    threshold: float = option(
        0.5, help="An answer is accepted when its F1 is at least this.", between=(0.0, 1.0)
    )


class TokenF1:
    """F1 over word multisets, best over the golds. Source: Rajpurkar et al. 2016 (SQuAD v1.1)."""

    Options = TokenF1Options

    def __init__(self, options: TokenF1Options) -> None:
        self.options = options

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score from 0 to 1; golds are counted once for all answers to a question."""
        threshold = self.options.threshold
        scores = [
            _best_f1(normalize_answer(answer), golds) for answer, golds in answers_with_golds(batch, _counted)
        ]
        return [Verdict(score >= threshold, score) for score in scores]
