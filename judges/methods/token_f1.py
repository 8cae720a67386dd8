"""Token F1: how far the words of an answer and of the nearest gold answer overlap."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from analysis.text import tokens
from judges.protocol import JudgeInput, Verdict, option


def token_f1(*, answer: str, golds: Iterable[str]) -> float:
    """Return the best F1 over the golds, 0 to 1; 0 where nothing remains of a side, or there is no gold."""
    return _best_f1(tokens(answer), _counted(tuple(golds)))


def _counted(golds: tuple[str, ...]) -> tuple[Counter[str], ...]:
    return tuple(Counter(tokens(gold)) for gold in golds)


def _best_f1(words: list[str], golds: Sequence[Counter[str]]) -> float:
    counted = Counter(words)
    return max((_f1(counted, len(words), gold) for gold in golds), default=0.0)


def _f1(words: Counter[str], length: int, gold: Counter[str]) -> float:
    shared = (words & gold).total()
    # 2PR / (P + R) with P = shared / length and R = shared / gold length.
    return 2 * shared / (length + gold.total()) if shared else 0.0


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
        counted = cache(_counted)
        scores = (_best_f1(tokens(item.answer), counted(item.golds)) for item in batch)
        return [Verdict(accepted=score >= self.options.threshold, score=score) for score in scores]
