"""Token F1: how far the words of an answer and of the nearest gold answer overlap."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.text import tokens
from judges.methods.lexical.golds import answers_with_golds
from judges.protocol import JudgeInput, Verdict, WithOptions, option


def token_f1(*, answer: str, golds: Iterable[str]) -> float:
    """Return the best F1 over the golds, 0 to 1; 0 where nothing remains of a side, or there is no gold."""
    return _best_f1(tokens(answer), _counted(tuple(golds)))


def _counted(golds: tuple[str, ...]) -> tuple[tuple[Counter[str], int], ...]:
    words = map(tokens, golds)
    return tuple((Counter(each), len(each)) for each in words)


def _best_f1(answer: list[str], golds: Iterable[tuple[Counter[str], int]]) -> float:
    words = Counter(answer)
    best = 0.0
    for gold, length in golds:
        shared = sum(min(count, words[word]) for word, count in gold.items() if word in words)
        # 2PR / (P + R) with P = shared / length of the answer and R = shared / length of the gold.
        if shared:
            best = max(best, 2 * shared / (len(answer) + length))
    return best


@dataclass(frozen=True)
class TokenF1Options:
    """Where the line between wrong and right is drawn."""

    threshold: float = option(0.5, help="Lowest F1 at which an answer is accepted.", between=(0.0, 1.0))


class TokenF1(WithOptions[TokenF1Options]):
    """F1 over word multisets, best over the golds. Source: Rajpurkar et al. 2016 (SQuAD v1.1)."""

    Options = TokenF1Options

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score from 0 to 1; golds are counted once for all answers to a question."""
        threshold = self.options.threshold
        scores = [_best_f1(tokens(answer), golds) for answer, golds in answers_with_golds(batch, _counted)]
        return [Verdict(score >= threshold, score) for score in scores]
