"""Regular expressions as gold: an answer is correct when a pattern is found in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.text import search_any
from judges.methods.lexical.golds import ACCEPTED, REJECTED
from judges.protocol import JudgeInput, Verdict, WithOptions, option


@dataclass(frozen=True)
class RegexOptions:
    """How much of an answer a pattern must match."""

    anchored: bool = option(
        False,
        help="Whether a pattern must match the whole answer. "
        "Otherwise, a match anywhere in the answer is enough.",
    )


class Regex(WithOptions[RegexOptions]):
    """Search for any pattern. Source: CuratedTREC (Baudiš and Šedivý 2015), as Chen et al. 2017 judge it."""

    Options = RegexOptions

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score 1 or 0; unscored where no pattern matches and one could not be tried."""
        return [self._verdict(item.answer.strip(), item.patterns) for item in batch]

    def _verdict(self, answer: str, patterns: Sequence[str]) -> Verdict:
        found = search_any(patterns, answer, anchored=self.options.anchored)
        if found.is_found:
            return ACCEPTED
        return Verdict(accepted=None, unscored_reason=found.failure) if found.failure else REJECTED
