"""Exact match: an answer is correct when, normalized, it equals a gold answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.text import normalize_answer
from judges.methods.golds import answers_with_golds
from judges.protocol import JudgeInput, Verdict

_ACCEPTED, _REJECTED = Verdict(accepted=True, score=1.0), Verdict(accepted=False, score=0.0)


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
        return [
            _ACCEPTED if normalize_answer(answer) in golds else _REJECTED
            for answer, golds in answers_with_golds(batch, _normalized)
        ]
