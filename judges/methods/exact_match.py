"""Exact match: an answer is correct when, normalized, it equals a gold answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from analysis.text import normalize_answer
from judges.protocol import JudgeInput, Verdict


def is_exact_match(*, answer: str, golds: Iterable[str]) -> bool:
    """Say whether the normalized answer equals a normalized gold; with no golds nothing does."""
    return normalize_answer(answer) in _normalized(tuple(golds))


def _normalized(golds: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(normalize_answer, golds))


@dataclass(frozen=True)
class ExactMatchOptions:
    """Exact match has no options."""


class ExactMatch:
    """Equality after normalization. Source: Rajpurkar et al. 2016 (SQuAD v1.1)."""

    Options = ExactMatchOptions

    def __init__(self, options: ExactMatchOptions) -> None:
        self.options = options

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score 1 or 0; golds are normalized once for all answers to a question."""
        normalized = cache(_normalized)
        matches = (normalize_answer(item.answer) in normalized(item.golds) for item in batch)
        return [Verdict(accepted=match, score=float(match)) for match in matches]
