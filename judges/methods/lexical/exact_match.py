"""Exact match: an answer is correct when, normalized, it equals a gold answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.text import normalize_answer
from judges.methods.lexical.golds import ACCEPTED, REJECTED, answers_with_golds
from judges.protocol import JudgeInput, Verdict, WithOptions


def _normalized(golds: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(normalize_answer, golds))


@dataclass(frozen=True)
class ExactMatchOptions:
    """Exact match has no options."""


class ExactMatch(WithOptions[ExactMatchOptions]):
    """Equality after normalization. Source: Rajpurkar et al. 2016 (SQuAD v1.1)."""

    Options = ExactMatchOptions

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score 1 or 0; golds are normalized once for all answers to a question."""
        return [
            ACCEPTED if normalize_answer(answer) in golds else REJECTED
            for answer, golds in answers_with_golds(batch, _normalized)
        ]
