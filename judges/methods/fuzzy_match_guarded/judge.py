"""The guarded judge: the best stretch of an answer, if it states what the gold answer states."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz import fuzz

from judges.methods.fuzzy_match import EXACT, threshold_option
from judges.methods.fuzzy_match_guarded.polarity import denials, is_boolean, polarity
from judges.methods.fuzzy_match_guarded.words import Word, read_words
from judges.methods.golds import answers_with_golds
from judges.methods.wordnet import load_synonyms
from judges.protocol import JudgeInput, Verdict, option

_INFLECTIONS = ("s", "es", "d", "ed", "ing")
# From this ratio on a word may stand in the place of another, rather than beside it.
_SIMILAR = 50


@dataclass(frozen=True)
class FuzzyMatchGuardedOptions:
    """How close an answer, or a stretch of a longer answer, must come."""

    threshold: float = threshold_option()
    stretch_threshold: float = option(
        80.0,
        help="In an answer longer than the gold, a stretch of the gold's length is accepted from this ratio.",
        between=(0.0, 100.0),
    )


class _Gold(NamedTuple):
    words: tuple[Word, ...]
    text: str
    facts: frozenset[str]
    polarity: bool | None


class _Answer(NamedTuple):
    """The words of an answer, where each starts in its text, and the facts of all of them."""

    words: tuple[Word, ...]
    starts: tuple[int, ...]
    text: str
    facts: frozenset[str]

    def text_of(self, start: int, end: int) -> str:
        """Return the text of the words from start to end."""
        return self.text[self.starts[start] : self.starts[end - 1] + len(self.words[end - 1].text)]


class FuzzyMatchGuarded:
    """Fuzzy Match that lets numbers, dates and yes/no veto. After Si et al. 2023; the guards are ours."""

    Options = FuzzyMatchGuardedOptions

    def __init__(self, options: FuzzyMatchGuardedOptions) -> None:
        self.options = options

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score from 0 to 100: the best ratio that passed the guards, 0 where none did."""
        return [
            self._verdict(_read_answer(answer), golds)
            for answer, golds in answers_with_golds(batch, _read_golds)
        ]

    def _verdict(self, answer: _Answer, golds: Sequence[_Gold]) -> Verdict:
        ratios = [self._ratio(answer, gold) for gold in golds]
        best = max(ratios, default=0.0)
        return Verdict(accepted=best >= self.options.threshold, score=best)

    def _ratio(self, answer: _Answer, gold: _Gold) -> float:
        if not answer.words or not gold.words:
            return 0.0
        if gold.polarity is not None:
            return EXACT if polarity(answer.words) is gold.polarity else 0.0
        if is_boolean(answer.words) or not gold.facts <= answer.facts:
            return 0.0
        best, rivals = 0.0, _Rivals(answer)
        for span in _spans(len(answer.words), len(gold.words)):
            best = max(best, self._guarded_ratio(answer, gold, *span, above=best, rivals=rivals))
        return best

    def _guarded_ratio(
        self, answer: _Answer, gold: _Gold, start: int, end: int, *, above: float, rivals: "_Rivals"
    ) -> float:
        is_whole = end - start == len(answer.words)
        needed = self.options.threshold if is_whole else self.options.stretch_threshold
        ratio = fuzz.ratio(answer.text_of(start, end), gold.text, score_cutoff=max(needed, above))
        # The guards cost more than the ratio does: only what would be the best so far has to pass them.
        if ratio <= above:
            return 0.0
        stretch = answer.words[start:end]
        if _facts(stretch) != gold.facts or rivals.stand_in(stretch, gold.words):
            return 0.0
        is_denied = denials(answer.words, start, end) > denials(gold.words, 0, len(gold.words))
        return 0.0 if is_denied else ratio


def _spans(answer_length: int, gold_length: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches to try: the whole answer, and every shorter one about as long as the gold."""
    yield 0, answer_length
    for length in range(max(1, gold_length - 1), min(gold_length + 2, answer_length)):
        yield from ((start, start + length) for start in range(answer_length - length + 1))


def _read_answer(answer: str) -> _Answer:
    words = read_words(answer)
    lengths = (len(word.text) + 1 for word in words)
    return _Answer(words, tuple(accumulate(lengths, initial=0)), _text(words), _facts(words))


def _read_golds(golds: tuple[str, ...]) -> tuple[_Gold, ...]:
    return tuple(map(_read_gold, golds))


def _read_gold(gold: str) -> _Gold:
    words = read_words(gold)
    return _Gold(words, _text(words), _facts(words), polarity(words) if is_boolean(words) else None)


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _facts(words: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.fact for word in words if word.fact)


class _Rivals:
    """The words of an answer that are near in letters to a word of the gold; each pair is compared once."""

    def __init__(self, answer: _Answer) -> None:
        self._answer = answer
        self._near: dict[str, dict[str, float]] = {}

    def stand_in(self, stretch: Sequence[Word], gold: Sequence[Word]) -> bool:
        """Say whether an English word stands in another's place: "latitude" is no misspelt "altitude"."""
        here, there = {word.text for word in stretch}, {word.text for word in gold}
        extra = here - there
        return bool(extra) and any(self._is_replaced(missing, extra) for missing in there - here)

    def _is_replaced(self, missing: str, extra: set[str]) -> bool:
        near = self._near_to(missing)
        nearest = max(extra & near.keys(), key=lambda word: (near[word], word), default="")
        return bool(nearest) and _are_different_words(nearest, missing)

    def _near_to(self, missing: str) -> dict[str, float]:
        if missing not in self._near:
            ratios = {
                word: fuzz.ratio(word, missing, score_cutoff=_SIMILAR)
                for word in {word.text for word in self._answer.words}
            }
            self._near[missing] = {word: ratio for word, ratio in ratios.items() if ratio}
        return self._near[missing]


def _are_different_words(one: str, other: str) -> bool:
    synonyms = load_synonyms()
    if not (synonyms.knows(one) and synonyms.knows(other)):
        return False
    return other not in synonyms.of(one) and not _is_inflection(one, other) and not _is_inflection(other, one)


def _is_inflection(longer: str, shorter: str) -> bool:
    stems = (shorter, shorter.removesuffix("e"))
    return any(longer == stem + ending for stem in stems for ending in _INFLECTIONS)
