"""All words: an answer is correct if it has all words of a gold answer, in any order."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.judges import JudgeInput, Verdict, WithOptions, option


@dataclass(frozen=True)
class AllWordsOptions:
    """How much else an answer may say."""

    extra_words: int = option(
        20, help="Most words that the answer may have besides those of the gold answer.", between=(0, 1000)
    )


class AllWords(WithOptions[AllWordsOptions]):
    """All words of the gold answer, in any order."""

    Options = AllWordsOptions

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Accept or reject; an answer without words is unscored."""
        return [self._verdict(item) for item in batch]

    def _verdict(self, item: JudgeInput) -> Verdict:
        said = set(item.answer.casefold().split())
        if not said:
            return Verdict(accepted=None, unscored_reason="The answer has no words.")
        golds = [set(gold.casefold().split()) for gold in item.golds]
        return Verdict(
            accepted=any(
                gold <= said and len(said - gold) <= self.options.extra_words for gold in golds if gold
            )
        )
