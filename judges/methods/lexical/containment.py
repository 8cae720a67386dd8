"""Containment, by characters and by words."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import contains, eq
from typing import NamedTuple

from analysis.text import normalize_answer
from judges.methods.lexical.golds import ACCEPTED, REJECTED, answers_with_golds
from judges.protocol import JudgeInput, Verdict, WithOptions, option

EMPTY_GOLD = "empty_gold"

_NO_USABLE_GOLD = Verdict(accepted=None, unscored_reason=EMPTY_GOLD)


def empty_gold_option() -> str:
    """Declare the option of what a gold does of which nothing remains."""
    declared: str = option(
        "refuse",
        choices=("refuse", "match"),
        help="What to do with a gold answer that is empty after normalization: leave it out, or (as "
        "published) let it match every answer.",
    )
    return declared


def split_option() -> str:
    """Declare the option of whether a gold is parted at slashes."""
    declared: str = option(
        "none",
        choices=("none", "slash"),
        help="Whether “/” separates gold answers (as in “14 December/December 1972”).",
    )
    return declared


@dataclass(frozen=True)
class ContainmentOptions:
    """Which of the published lexical matchings it is."""

    match: str = option(
        "contained",
        choices=("contained", "equal"),
        help="Whether the normalized gold answer must be contained in the normalized answer, or equal it.",
    )
    empty_gold: str = empty_gold_option()
    split: str = split_option()


class Containment(WithOptions[ContainmentOptions]):
    """Lexical matching. Source: Wang et al. 2023 (EVOUNA / QA-Eval)."""

    Options = ContainmentOptions

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

    prepare = partial(_normalized, split=split, keeps_empty=empty_gold == "match")
    return [
        _verdict(normalize_answer(answer), golds, is_match)
        for answer, golds in answers_with_golds(batch, prepare)
    ]


def _verdict(answer: str, golds: "_Golds", is_match: Callable[[str, str], bool]) -> Verdict:
    if golds.is_unusable:
        return _NO_USABLE_GOLD
    for gold in golds.usable:
        if is_match(answer, gold):
            return ACCEPTED
    return REJECTED


class _Golds(NamedTuple):
    usable: tuple[str, ...]
    is_unusable: bool


def _normalized(golds: tuple[str, ...], *, split: str, keeps_empty: bool) -> _Golds:
    parts = (part for gold in golds for part in (gold.split("/") if split == "slash" else (gold,)))
    normalized = dict.fromkeys(map(normalize_answer, parts))
    usable = tuple(gold for gold in normalized if gold or keeps_empty)
    return _Golds(usable, is_unusable=bool(golds) and not usable)


def stands_as_words(answer: str, gold: str) -> bool:
    """Say whether `gold` is in `answer` with no letter, digit or accent touching it on either side.

    An empty gold stands in every answer, as it does without the bounds.
    """
    start = answer.find(gold)
    while start != -1:
        end = start + len(gold)
        if not gold or not (_continues(answer[start - 1 : start]) or _continues(answer[end : end + 1])):
            return True
        start = answer.find(gold, start + 1)
    return False


def _continues(neighbor: str) -> bool:
    return neighbor.isalnum() or (neighbor != "" and unicodedata.category(neighbor)[0] == "M")


@dataclass(frozen=True)
class ContainmentWordsOptions:
    """What containment does with unusual gold answers."""

    empty_gold: str = empty_gold_option()
    split: str = split_option()


class ContainmentWords(WithOptions[ContainmentWordsOptions]):
    """Containment that tells "1962" from "11962". A variant of Wang et al. 2023; published nowhere."""

    Options = ContainmentWordsOptions

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score 1 or 0; unscored `empty_gold` as containment is."""
        return judge_lexically(
            batch, split=self.options.split, empty_gold=self.options.empty_gold, is_match=stands_as_words
        )
