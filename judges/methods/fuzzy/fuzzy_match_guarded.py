"""The guarded judge: the best stretch of an answer, if it states what the gold answer states."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from rapidfuzz import fuzz

from analysis.text import transliterate
from judges.methods.fuzzy.fuzzy_match import EXACT, threshold_option
from judges.methods.fuzzy.wordnet import load_synonyms
from judges.methods.lexical.golds import answers_with_golds
from judges.protocol import JudgeInput, Verdict, WithOptions, option

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"

SPELLED = {
    **{word: str(number) for names in (_SMALL, _ORDINALS) for number, word in enumerate(names.split())},
    **{word: str(10 * number) for number, word in enumerate(_TENS.split(), start=2)},
    **{f"{word[:-1]}ieth": str(10 * number) for number, word in enumerate(_TENS.split(), start=2)},
}
DAYS = frozenset(map(str, range(1, 32)))
UNITS = frozenset(map(str, range(1, 10)))
TENS = frozenset(str(10 * number) for number in range(2, 10))
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_MONTHS = "january february march april may june july august september october november december"
MONTHS = _MONTHS.split()
# Words of their own, too: a month only beside a number.
_AMBIGUOUS_MONTHS = frozenset({"march", "may", "mar", "sep", "dec", "jan"})
_MONTH_OF = {
    **{month: month for month in MONTHS},
    **{month[:3]: month for month in MONTHS},
    "sept": "september",
}
MONTH_NAMES = tuple(_MONTH_OF)
_ROMAN = re.compile(r"(?=[XVI])X{0,3}(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10}


def read_digits(text: str, suffix: str) -> str:
    """Return a number in digits: "840,000" is 840000, "5th" 5, "5.0" 5; "1960s" stays; else nothing."""
    if text.startswith("-"):
        return f"-{read_digits(text[1:], suffix)}"
    if not text[:1].isdigit():
        return ""
    whole, _, fraction = text.replace(",", "").partition(".")
    number = whole.lstrip("0") or "0"
    decimals = fraction.rstrip("0")
    return f"{number}.{decimals}" if decimals else number + ("s" if suffix == "s" else "")


def read_month(word: str, before: str, after: str) -> str:
    """Return the month's full name; "may" and "march" are months only beside a number."""
    month = _MONTH_OF.get(word, "")
    is_beside_number = before[:1].isdigit() or after[:1].isdigit()
    return month if word not in _AMBIGUOUS_MONTHS or is_beside_number else ""


def read_roman(word: str, before: str) -> str:
    """Return the number of "VIII", to XXXIX; a single letter is one only after a name ("Henry V")."""
    if not _ROMAN.fullmatch(word) or (len(word) == 1 and not before[:1].isupper()):
        return ""
    values = [_ROMAN_VALUES[letter] for letter in word]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return str(sum(-value if value < following else value for value, following in pairs))


ARTICLES = frozenset({"a", "an", "the"})
_MINUS = frozenset({"minus", "negative"})

_ISO_DATE = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_DAY_OF = re.compile(rf"\b(\d\d?(?:st|nd|rd|th)?) of (?=(?:{'|'.join(MONTH_NAMES)})\b)", re.IGNORECASE)
_TOKENS = re.compile(
    r"(?P<number>(?:(?<![^\s(])-)?\d+(?:,\d{3})*(?:\.\d+)?)(?P<suffix>(?:st|nd|rd|th|s)\b)?"
    r"|(?P<word>[A-Za-z]+(?:'[A-Za-z]+)*)|(?P<stop>[.,;:!?()])"
)


class Word(NamedTuple):
    """One word in lower case; `fact` is the number or month it states, `opens` whether a clause begins."""

    text: str
    fact: str = ""
    opens: bool = False


def read_words(text: str) -> tuple[Word, ...]:
    """Return the words of a text without articles; "five million" is one, "1990-05-12" three.

    A word that states a fact is spelled in one way only: "5th", "five" and "V" (in "Henry V") are all "5".
    Days come before their months, as in "12 May 1990".
    """
    # Transliteration has no letters for the mathematicians' minus.
    plain = transliterate(text.replace("\N{MINUS SIGN}", "-"))
    raw = _raw_words(_DAY_OF.sub(r"\1 ", _ISO_DATE.sub(_spell_date, plain)))
    words = (_word(raw, place) for place in range(len(raw)))
    return tuple(_days_first(_joined([word for word in words if word.text not in ARTICLES])))


def _spell_date(match: re.Match[str]) -> str:
    year, month, day = (int(part) for part in match.groups())
    return f"{day} {MONTHS[month - 1]} {year}" if 1 <= month <= 12 else match[0]


class _Raw(NamedTuple):
    text: str
    suffix: str
    opens: bool


def _raw_words(text: str) -> list[_Raw]:
    raw: list[_Raw] = []
    opens = True
    for match in _TOKENS.finditer(text):
        if match["stop"]:
            opens = True
            continue
        raw.append(_Raw(match["number"] or match["word"], match["suffix"] or "", opens))
        opens = False
    return raw


def _word(raw: list[_Raw], place: int) -> Word:
    text, suffix, opens = raw[place]
    before, after = (
        raw[near].text if 0 <= near < len(raw) and near != place else "" for near in (place - 1, place + 1)
    )
    lower = text.lower()
    fact = (
        read_digits(text, suffix)
        or SPELLED.get(lower, "")
        or read_month(lower, before, after)
        or read_roman(text, before)
    )
    return Word(fact or lower.replace("'", ""), fact, opens)


def _joined(words: list[Word]) -> list[Word]:
    """Join "twenty" and "5" to 25, "5" and "million" to 5000000."""
    joined: list[Word] = []
    for word in words:
        last = joined[-1] if joined else Word("")
        number = _together(last, word)
        if number:
            joined[-1] = Word(number, number, last.opens)
        else:
            joined.append(word)
    return joined


def _days_first(words: list[Word]) -> list[Word]:
    """Write "May 12" as "12 May"; a day that a month already has stays behind it ("12 May 7 people")."""
    for place in range(1, len(words)):
        month, day = words[place - 1 : place + 1]
        has_day = place > 1 and words[place - 2].fact in DAYS and not month.opens
        if month.fact in MONTHS and day.fact in DAYS and not day.opens and not has_day:
            words[place - 1 : place + 1] = day._replace(opens=month.opens), month._replace(opens=False)
    return words


def _together(last: Word, word: Word) -> str:
    if word.opens:
        return ""
    if last.text in _MINUS and word.fact[:1].isdigit():
        return f"-{word.fact}"
    if not last.fact:
        return ""
    if last.fact in TENS and word.fact in UNITS:
        return str(int(last.fact) + int(word.fact))
    scale = SCALES.get(word.text)
    if scale is None or not last.fact.removeprefix("-").replace(".", "", 1).isdigit():
        return ""
    return read_digits(f"{float(last.fact) * scale:.6f}", "")


_YES = frozenset({"yes", "true", "correct", "yeah", "yep"})
_NO = frozenset({"no", "false", "incorrect", "untrue", "nope"})
_YES_OR_NO = _YES | _NO
# "True or false" is no reply, "no, that is true" is one.
_REPLIES = frozenset({"yes", "yeah", "yep", "no", "nope"})
# "No one knows" and "I have no idea" say neither.
_NO_REPLY_BEFORE = frozenset({"1", "idea", "doubt", "matter"})
_DENIALS = frozenset({"not", "never", "no", "nor", "neither", "without", "cannot"})
# "Not only" denies nothing.
_TAKEN_BACK = frozenset({"only", "just", "merely"})
_BEFORE_NOT = "is are was were do does did has have had ca could wo would should must ai need"
_AUXILIARIES = frozenset(_BEFORE_NOT.split())
# How many words a "not" reaches: "was not written by Paul".
_REACH = 3


def polarity(words: Sequence[Word]) -> bool | None:
    """Say whether a text says yes or no: by its first word, else by the only such word; None if neither."""
    said = list(_said(words))
    if words and words[0].text in _REPLIES:
        return said[0]
    different = set(said) - {None}
    return different.pop() if len(different) == 1 else None


def is_boolean(words: Sequence[Word]) -> bool:
    """Say whether a text is yes or no and nothing else."""
    return len(words) == 1 and next(_said(words)) is not None


def _said(words: Sequence[Word]) -> Iterator[bool | None]:
    """Yield of each word whether it says yes or no, turned round where its clause denies it before."""
    is_denied = False
    for place, word in enumerate(words):
        if _begins_clause(word):
            is_denied = False
        is_said = word.text in _YES_OR_NO and not (
            word.text == "no" and _follows(words, place, _NO_REPLY_BEFORE)
        )
        yield (word.text in _YES) is not is_denied if is_said else None
        is_denied = is_denied or _denies(words, place)


def denials(words: Sequence[Word], start: int, end: int) -> int:
    """Count the denials among the words from start to end, and those shortly before in the same clause."""
    reached = start
    while reached > max(0, start - _REACH) and not _begins_clause(words[reached]):
        reached -= 1
    return sum(_denies(words, place) for place in range(reached, end))


def _begins_clause(word: Word) -> bool:
    return word.opens or word.text == "but"


def _denies(words: Sequence[Word], place: int) -> bool:
    text = words[place].text
    if text in _DENIALS:
        return not _follows(words, place, _TAKEN_BACK)
    return text.endswith("nt") and text[:-2] in _AUXILIARIES


def _follows(words: Sequence[Word], place: int, texts: frozenset[str]) -> bool:
    return any(word.text in texts and not word.opens for word in words[place + 1 : place + 2])


_INFLECTIONS = ("s", "es", "d", "ed", "ing")
# From this ratio on a word may stand in the place of another, rather than beside it.
_SIMILAR = 50


@dataclass(frozen=True)
class FuzzyMatchGuardedOptions:
    """How close an answer, or a stretch of a longer answer, must come."""

    threshold: float = threshold_option()
    stretch_threshold: float = option(
        80.0,
        help=(
            "For an answer longer than the gold answer: the lowest accepted similarity ratio. It compares "
            "the gold answer with the most similar part of the answer of about the same length."
        ),
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


class FuzzyMatchGuarded(WithOptions[FuzzyMatchGuardedOptions]):
    """Fuzzy Match that lets numbers, dates and yes/no veto. After Si et al. 2023; the guards are ours."""

    Options = FuzzyMatchGuardedOptions

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
