"""Texts as the learned judge compares them: words with their place, numbers, sentences, what stands out."""

import re
from functools import lru_cache
from typing import NamedTuple

from analysis.text import transliterate
from judges.methods.fuzzy.fuzzy_match_guarded import MONTH_NAMES, MONTHS, SCALES, SPELLED, TENS, UNITS

# An answer's features cost time by its words; what a person would read of it first decides.
MOST_LETTERS = 4_000
_TOKENS = re.compile(
    r"(?P<dotted>(?:[^\W\d_]\.){2,})"
    r"|(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?P<suffix>(?:st|nd|rd|th|s)\b)?"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)"
    r"|(?P<stop>[.!?\n])|(?P<pause>[,;:()])"
)
_TIMES = {
    "once": "1",
    "twice": "2",
    "thrice": "3",
    "single": "1",
    "couple": "2",
    "dozen": "12",
    "half": "0.5",
}
_NUMBERS = {**SPELLED, **_TIMES}
_MARKS = frozenset({"stop", "pause"})
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9", "xi": "11"}
_AMBIGUOUS_MONTHS = frozenset({"march", "may", "mar", "sep", "dec", "jan"})
_MONTH_OF = {name: next(month for month in MONTHS if month.startswith(name[:3])) for name in MONTH_NAMES}
_YEARS = range(1000, 2100)
# English function words: their absence says nothing of an answer.
STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "from",
        "by",
        "with",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "and",
        "or",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "he",
        "she",
        "his",
        "her",
        "they",
        "their",
        "them",
        "him",
        "i",
        "you",
        "we",
        "our",
        "your",
        "my",
        "me",
        "us",
        "who",
        "whom",
        "whose",
        "which",
        "what",
        "when",
        "where",
        "why",
        "how",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "will",
        "would",
        "can",
        "could",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "not",
        "no",
        "than",
        "then",
        "there",
        "here",
        "so",
        "such",
        "also",
        "into",
        "over",
        "about",
        "after",
        "before",
        "during",
        "between",
        "up",
        "down",
        "out",
        "off",
        "if",
        "but",
        "both",
        "each",
        "any",
        "some",
        "all",
        "most",
        "more",
        "other",
        "only",
        "own",
        "same",
        "too",
        "very",
        "just",
        "s",
        "t",
    ]
)


class Text(NamedTuple):
    """A text as words: parallel tuples, a word each.

    words: folded to lower-case ASCII, numbers in digits without commas, months in full. stems: without
    endings. starts, ends: places in the original text. sentences: the number of the sentence a word is in.
    pauses: the number of commas, brackets and sentence ends before it. capitals: whether it begins with a
    capital letter, or is a number. numbers: places of words that are numbers.
    """

    original: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sentences: tuple[int, ...]
    pauses: tuple[int, ...]
    capitals: tuple[bool, ...]
    numbers: tuple[int, ...]


def read(text: str) -> Text:
    """Read a text; what follows its first `MOST_LETTERS` letters is left out."""
    reading = _Reading()
    for match in _TOKENS.finditer(text[:MOST_LETTERS]):
        reading.take(match)
    return reading.finish(text[:MOST_LETTERS])


class _Reading:
    """A text being read, word by word."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.spans: list[tuple[int, int, int, int, bool]] = []
        self.numbers: list[int] = []
        self.sentence = self.pause = 0

    def take(self, match: re.Match[str]) -> None:
        """Take in a word, or a mark between words."""
        kind = match.lastgroup or ""
        if kind in _MARKS:
            self.pause += 1
            self.sentence += kind == "stop"
            return
        word, number = _read_word(match, kind)
        if not word:
            return
        follows_number = bool(self.numbers) and self.numbers[-1] == len(self.words) - 1
        if follows_number and self._is_joined(word, number, kind):
            start, _, sentence, pause, is_capital = self.spans[-1]
            self.spans[-1] = (start, match.end(), sentence, pause, is_capital)
            return
        if number:
            self.numbers.append(len(self.words))
        self.words.append(word)
        is_capital = kind != "word" or match[0][0].isupper()
        self.spans.append((match.start(), match.end(), self.sentence, self.pause, is_capital))

    def _is_joined(self, word: str, number: str, kind: str) -> bool:
        """Make one number of "twenty five" and of "5 million", and say whether that was done."""
        last = self.words[-1]
        if word in SCALES:
            self.words[-1] = _digits(f"{float(last) * SCALES[word]:.6f}")
            return True
        if number and kind == "word" and last in TENS and number in UNITS:
            self.words[-1] = str(int(last) + int(number))
            return True
        return False

    def finish(self, text: str) -> Text:
        """Return the text that was read."""
        _name_months(self.words)
        starts, ends, sentences, pauses, capitals = (
            zip(*self.spans, strict=True) if self.spans else ((), (), (), (), ())
        )
        return Text(
            original=text,
            words=tuple(self.words),
            stems=tuple(map(stem, self.words)),
            starts=starts,
            ends=ends,
            sentences=sentences,
            pauses=pauses,
            capitals=capitals,
            numbers=tuple(self.numbers),
        )


def _read_word(match: re.Match[str], kind: str) -> tuple[str, str]:
    """Return a word as it is compared, and the number that it is; empty where it is none."""
    raw = match[0]
    if kind == "word":
        word = _fold(raw)
        number = _NUMBERS.get(word) or (_ROMAN.get(word, "") if raw.isupper() else "")
        return number or word, number
    if kind == "dotted":
        return _fold(raw.replace(".", "")), ""
    number = _digits(match["number"])
    return number, number


@lru_cache(maxsize=32_768)
def _fold(raw: str) -> str:
    if not raw.isascii():
        raw = transliterate(raw)
    word = raw.lower()
    if word.endswith("'s"):
        word = word[:-2]
    return "".join(filter(str.isalnum, word)) if not word.isalnum() else word


def _digits(number: str) -> str:
    whole, _, fraction = number.replace(",", "").partition(".")
    fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole


def _name_months(words: list[str]) -> None:
    for place, word in enumerate(words):
        month = _MONTH_OF.get(word)
        if month is None:
            continue
        near = words[max(0, place - 1) : place] + words[place + 1 : place + 2]
        if word not in _AMBIGUOUS_MONTHS or any(other[0].isdigit() for other in near):
            words[place] = month


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """Return a word without its commonest English endings; words that look alike stay apart where short."""
    if len(word) <= 3 or word[0].isdigit():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("es") and len(word) > 5 and word[-3] in "sxzh":
        return word[:-2]
    if word.endswith("s") and word[-2] not in "su":
        return word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def is_year(number: str) -> bool:
    """Say whether a number may be a year: 1000 to 2099."""
    return len(number) == 4 and number.isdigit() and int(number) in _YEARS
