"""Containment: an answer is correct when a gold answer stands in it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import contains, eq

from analysis.text import normalize_answer
from judges.protocol import JudgeInput, Verdict, option

EMPTY_GOLD = "empty_gold"

_ACCEPTED, _REJECTED = Verdict(accepted=True, score=1.0), Verdict(accepted=False, score=0.0)
_NO_USABLE_GOLD = Verdict(accepted=None, unscored_reason=EMPTY_GOLD)


def empty_gold_option() -> str:
    """Declare the option of what a gold does of which nothing remains."""
    declared: str = option(
        "refuse",
        choices=("refuse", "match"),
        help="What a gold that normalizes to nothing does: it is left out, or (as published) matches all.",
    )
    return declared


def split_option() -> str:
    """Declare the option of whether a gold is parted at slashes."""
    declared: str = option(
        "none",
        choices=("none", "slash"),
        help='Whether a gold such as "14 December/December 1972" is several, parted by "/".',
    )
    return declared


@dataclass(frozen=True)
class ContainmentOptions:
    """Which of the published lexical matchings it is."""

    match: str = option(
        "contained",
        choices=("contained", "equal"),
        help="The normalized gold must stand anywhere in the normalized answer, or equal it.",
    )
    empty_gold: str = empty_gold_option()
    split: str = split_option()


class Containment:
    """Lexical matching. Source: Wang et al. 2023 (EVOUNA / QA-Eval)."""

    Options = ContainmentOptions

    def __init__(self, options: ContainmentOptions) -> None:
        self.options = options

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score 1 or 0; unscored `empty_gold` where every gold normalizes to nothing and such are refused."""
        return judge_lexically(
            batch,
            split=self.options.split,
            empty_gold=self.options.empty_gold,
            is_match=eq if self.options.match == "equal" else contains,
        )


def judge_lexically(
    batch: Sequence[JudgeInput], *, split: str, empty_gold: str, is_match: Callable[[str, str], bool]
) -> list[Verdict]:
    """Accept answers for which `is_match(answer, gold)` is true of a gold, both normalized."""

    @cache
    def usable(golds: tuple[str, ...]) -> tuple[str, ...]:
        normalized = _normalized(golds, split=split)
        return normalized if empty_gold == "match" else tuple(filter(None, normalized))

    def verdict(item: JudgeInput) -> Verdict:
        golds = usable(item.golds)
        if item.golds and not golds:
            return _NO_USABLE_GOLD
        answer = normalize_answer(item.answer)
        for gold in golds:
            if is_match(answer, gold):
                return _ACCEPTED
        return _REJECTED

    return [verdict(item) for item in batch]


def _normalized(golds: tuple[str, ...], *, split: str) -> tuple[str, ...]:
    parts = (part for gold in golds for part in (gold.split("/") if split == "slash" else (gold,)))
    return tuple(dict.fromkeys(map(normalize_answer, parts)))
