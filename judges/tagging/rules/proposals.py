"""Tags that simple rules propose; people confirm or change them."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from analysis.text import normalize_answer
from judges.methods.lexical.golds import is_too_long

# Raised whenever the same answer may be proposed another tag.
REVISION = 2
# An answer that says so many words more than the gold answer explains it.
EXPLAINS_FROM = 6
_NOT_IN_A_WORD = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_MONTHS = frozenset(
    [
        *("january", "february", "march", "april", "may", "june"),
        *("july", "august", "september", "october", "november", "december"),
    ]
)
_NUMBER_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    "twenty",
)
_SMALL_NUMBERS = {word: str(value) for value, word in enumerate(_NUMBER_WORDS)}


class Proposal(NamedTuple):
    """The tags that are proposed for an item, and why."""

    tags: tuple[str, ...]
    reason: str


class _Pair(NamedTuple):
    """An answer beside one gold answer, both normalized and in words; accepted: what the judge said."""

    answer: str
    gold: str
    accepted: bool | None

    @property
    def words(self) -> list[str]:
        return self.answer.split()

    @property
    def gold_words(self) -> list[str]:
        return self.gold.split()

    @property
    def holds_gold(self) -> bool:
        return f" {self.gold} " in f" {self.answer} "

    @property
    def is_held(self) -> bool:
        return f" {self.answer} " in f" {self.gold} "

    @property
    def is_equal_but_for_marks(self) -> bool:
        return _joined(self.answer) == _joined(self.gold)

    @property
    def has_equal_numbers(self) -> bool:
        numbers = _numbers(self.gold)
        return bool(numbers) and numbers == _numbers(self.answer)

    @property
    def differs_in_time_only(self) -> bool:
        """Whether one is the other, more exact: what the longer one adds is days, months or years."""
        shorter, longer = sorted((set(self.words), set(self.gold_words)), key=len)
        added = longer - shorter
        return bool(shorter & longer) and shorter < longer and all(map(_is_of_a_date, added))

    @property
    def has_the_same_words(self) -> bool:
        return sorted(self.words) == sorted(self.gold_words)


_Rule = tuple[str, str, Callable[[_Pair], bool]]

# In order: the first that holds of any gold answer proposes.
_RULES: dict[str, tuple[_Rule, ...]] = {
    "kamalloo": (
        ("tokenization", "Only punctuation and spacing differ.", lambda pair: pair.is_equal_but_for_marks),
        (
            "granularity-temporal",
            "Both give the same date, one of them more precisely.",
            lambda pair: pair.differs_in_time_only,
        ),
        (
            "in-explanation",
            "A longer text contains a gold answer word for word.",
            lambda pair: pair.holds_gold and len(pair.words) - len(pair.gold_words) >= EXPLAINS_FROM,
        ),
        (
            "bridging",
            "The answer is a gold answer with words added or left out.",
            lambda pair: pair.holds_gold or pair.is_held,
        ),
        ("symbolic", "Both give the same numbers.", lambda pair: pair.has_equal_numbers),
    ),
    "efficientqa": (
        (
            "different-granularity",
            "Both give the same date, one of them more precisely.",
            lambda pair: pair.differs_in_time_only,
        ),
        (
            "semantically-same",
            "The answers differ only in punctuation, spacing, or added words.",
            lambda pair: pair.is_equal_but_for_marks or pair.holds_gold or pair.is_held,
        ),
        ("semantically-same", "Both give the same numbers.", lambda pair: pair.has_equal_numbers),
    ),
    "evouna-answers": (
        (
            "incom",
            ("The answer contains only words of a gold answer, but not all of them."),
            lambda pair: pair.is_held,
        ),
    ),
    "evouna-evaluators": (
        (
            "overall-misleading",
            "An answer that people reject contains a gold answer.",
            lambda pair: pair.accepted is True and pair.holds_gold,
        ),
        (
            "structure-variation",
            "The answer has the same words in a different order.",
            lambda pair: pair.accepted is False and pair.has_the_same_words,
        ),
        (
            "extended-answer",
            "A longer answer contains a gold answer, but the judge rejects it.",
            lambda pair: pair.accepted is False and pair.holds_gold,
        ),
        (
            "partial-match",
            "The answer contains only words of a gold answer, but not all of them, and the judge rejects it.",
            lambda pair: pair.accepted is False and pair.is_held,
        ),
    ),
}


def rules_signature(*, set_name: str) -> str:
    """Return what proposes in one line; equal signatures mean equal proposals on equal answers."""
    return f"rules|set:{set_name}|revision:{REVISION}"


def propose(
    *,
    set_key: str,
    answer: str,
    golds: Sequence[str],
    accepted: bool | None = None,
    offered: Iterable[str] | None = None,
) -> Proposal | None:
    """Return the tag of the first rule that holds, or None where none does, or texts are too long to compare.

    Only the ready-made sets have rules. accepted: what the judge said, for sets about verdicts. offered:
    the tags there are for this judge; None: all.
    """
    if is_too_long(answer=answer, golds=golds):
        return None
    known = None if offered is None else frozenset(offered)
    said = normalize_answer(answer)
    pairs = [_Pair(said, normalize_answer(gold), accepted) for gold in golds]
    usable = [pair for pair in pairs if pair.answer and pair.gold]
    for tag, reason, holds in _RULES.get(set_key, ()):
        if (known is None or tag in known) and any(map(holds, usable)):
            return Proposal((tag,), reason)
    return None


def _joined(text: str) -> str:
    return _NOT_IN_A_WORD.sub("", text)


def _numbers(text: str) -> list[str]:
    words = [_SMALL_NUMBERS.get(word, word) for word in text.split()]
    return sorted(found.replace(",", "") for word in words for found in _NUMBER.findall(word))


def _is_of_a_date(word: str) -> bool:
    return word.isdigit() or word in _MONTHS or bool(re.fullmatch(r"\d{1,2}(st|nd|rd|th)", word))
