"""Containment: an answer is correct when a gold answer stands in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from analysis.text import normalize_answer
from judges.protocol import JudgeInput, Verdict, option

EMPTY_GOLD = "empty_gold"


@dataclass(frozen=True)
class ContainmentOptions:
    """Which of the published lexical matchings it is."""

    match: str = option(
        "contained",
        choices=("contained", "equal"),
        help="The normalized gold must stand anywhere in the normalized answer, or equal it.",
    )
    empty_gold: str = option(
        "refuse",
        choices=("refuse", "match"),
        help="What a gold that normalizes to nothing does: it is left out, or (as published) matches all.",
    )
    split: str = option(
        "none",
        choices=("none", "slash"),
        help='Whether a gold such as "14 December/December 1972" is several, parted by "/".',
    )


def _normalized(golds: tuple[str, ...], *, split: str) -> tuple[str, ...]:
    parts = (part for gold in golds for part in (gold.split("/") if split == "slash" else (gold,)))
    return tuple(dict.fromkeys(map(normalize_answer, parts)))


class Containment:
    """Lexical matching. Source: Wang et al. 2023 (EVOUNA / QA-Eval)."""

    Options = ContainmentOptions

    def __init__(self, options: ContainmentOptions) -> None:
        self.options = options

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score 1 or 0; unscored `empty_gold` where every gold normalizes to nothing and such are refused."""
        normalized = cache(partial(_normalized, split=self.options.split))
        return [self._verdict(normalize_answer(item.answer), normalized(item.golds)) for item in batch]

    def _verdict(self, answer: str, golds: tuple[str, ...]) -> Verdict:
        if self.options.empty_gold == "refuse":
            usable = tuple(filter(None, golds))
            if golds and not usable:
                return Verdict(accepted=None, unscored_reason=EMPTY_GOLD)
            golds = usable
        accepted = self._is_match(answer, golds)
        return Verdict(accepted=accepted, score=float(accepted))

    def _is_match(self, answer: str, golds: tuple[str, ...]) -> bool:
        if self.options.match == "equal":
            return answer in golds
        return any(gold in answer for gold in golds)
