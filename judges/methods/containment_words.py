"""Containment bounded by words: a gold answer must stand in the answer as whole words."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from judges.methods.containment import empty_gold_option, judge_lexically, split_option
from judges.protocol import JudgeInput, Verdict


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


class ContainmentWords:
    """Containment that tells "1962" from "11962". A variant of Wang et al. 2023; published nowhere."""

    Options = ContainmentWordsOptions

    def __init__(self, options: ContainmentWordsOptions) -> None:
        self.options = options

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score 1 or 0; unscored `empty_gold` as containment is."""
        return judge_lexically(
            batch, split=self.options.split, empty_gold=self.options.empty_gold, is_match=stands_as_words
        )
