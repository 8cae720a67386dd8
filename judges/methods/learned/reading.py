"""Texts as the learned judge compares them: words with their place, numbers, sentences, what stands out."""

import re
from functools import lru_cache
from typing import NamedTuple

from analysis.text import transliterate
from judges.methods.fuzzy.fuzzy_match_guarded import MONTH_NAMES, MONTHS, SCALES, SPELLED, TENS, UNITS

# An answer's features cost time by its words; what a person would read of it first decides.
MOST_LETTERS = 4_000
# Answers of search engines: "2018" with a footnote 1 is "20181.", "Paris1." a word with one, "1.7" is "1. 7",
# and before links blanks are lost: "theThames".
_ENDS = r"\s*(?:[.,;:)]|$)"
_TOKENS = re.compile(
    r"(?P<dotted>(?:[^\W\d_]\.){2,}|(?:[A-Z]\. ){1,4}[A-Z]\.)"
    r"|(?P<note>\[\d{1,3}\])"
    rf"|(?<![\d,.$])(?P<year>1[5-9]\d\d|20[0-2]\d)[1-9]\d?(?={_ENDS})"
    r"|(?P<number>\d{1,3}\. \d{1,2}(?![\d.,:])|\d+(?:,\d{3})*(?:\.\d+)?)(?P<suffix>(?:st|nd|rd|th|s)\b)?"
    r"|(?P<glued>(?:the|at|of|in|is|by|and|was|on|from|to|as|for|with|called|named)(?=[A-Z][a-z]))"
    rf"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)(?:(?<=[^\W\d_][a-z][a-z])\d{{1,3}}(?={_ENDS}))?"
    r"|(?P<stop>[.!?\n])|(?P<pause>[,;:()])",
    re.MULTILINE,
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
_UNREAD = frozenset({"note"})
_IN_LETTERS = frozenset({"word", "glued"})
# Names of several words that have a short one.
_SHORT_NAMES = {("united", "states"): "usa", ("united", "kingdom"): "uk", ("great", "britain"): "britain"}
_SHORT_FORMS = {"U.S.": "usa", "U. S.": "usa", "US": "usa", "USA": "usa", "U.S.A.": "usa", "U.K.": "uk"}
_DASHES = frozenset("-–—")
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
    capital letter, or is a number. numbers: places of words that are numbers. decades: places of those that
    are decades ("1960s").
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
    decades: tuple[int, ...]


def read(text: str) -> Text:
    """Read a text; what follows its first `MOST_LETTERS` letters is left out."""
    reading = _Reading()
    for match in _TOKENS.finditer(text[:MOST_LETTERS]):
        reading.take(match, text)
    return reading.finish(text[:MOST_LETTERS])


class _Reading:
    """A text being read, word by word."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.spans: list[tuple[int, int, int, int, bool]] = []
        self.numbers: list[int] = []
        self.decades: list[int] = []
        self.sentence = self.pause = 0

    def take(self, match: re.Match[str], text: str) -> None:
        """Take in a word, or a mark between words."""
        kind = match.lastgroup or ""
        if kind in _MARKS:
            self.pause += 1
            self.sentence += kind == "stop"
            return
        word, number = _read_word(match, kind)
        if not word:
            return
        if number:
            word = number = self._complete(match, number, text)
        if self._join(word, number, kind):
            start, _, sentence, pause, is_capital = self.spans[-1]
            self.spans[-1] = (start, match.end(kind), sentence, pause, is_capital)
            return
        if number:
            self.numbers.append(len(self.words))
        self.words.append(word)
        is_capital = kind not in _IN_LETTERS or match[0][0].isupper()
        self.spans.append((match.start(), match.end(kind), self.sentence, self.pause, is_capital))

    def _complete(self, match: re.Match[str], number: str, text: str) -> str:
        """Return 1990 of "the 90s", which is a decade, and 1653 of "1632–53"."""
        if match["suffix"] == "s":
            year = f"19{number}" if len(number) == 2 and number[1] == "0" and number >= "20" else number
            if is_year(year):
                self.decades.append(len(self.words))
            return year
        if len(number) == 2 and self.words and is_year(self.words[-1]):
            end, first = self.spans[-1][1], self.words[-1]
            if match.start() == end + 1 and text[end] in _DASHES and number > first[2:]:
                return first[:2] + number
        return number

    def _join(self, word: str, number: str, kind: str) -> bool:
        """Make one of "twenty five", of "5 million" and of "United States", and say whether that was done."""
        if not self.words:
            return False
        last = self.words[-1]
        if self.numbers and self.numbers[-1] == len(self.words) - 1:
            if word in SCALES:
                self.words[-1] = _digits(f"{float(last) * SCALES[word]:.6f}")
                return True
            if number and kind == "word" and last in TENS and number in UNITS:
                self.words[-1] = str(int(last) + int(number))
                return True
        elif short := _SHORT_NAMES.get((last, word)):
            self.words[-1] = short
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
            decades=tuple(self.decades),
        )


def _read_word(match: re.Match[str], kind: str) -> tuple[str, str]:
    """Return a word as it is compared, and the number that it is; empty where it is none."""
    raw = match[0]
    if kind in _UNREAD:
        return "", ""
    if raw in _SHORT_FORMS:
        return _SHORT_FORMS[raw], ""
    if kind == "glued":
        return raw, ""
    if kind == "word":
        raw = match["word"]
        word = _fold(raw)
        number = _NUMBERS.get(word) or (_ROMAN.get(word, "") if raw.isupper() else "")
        return number or word, number
    if kind == "dotted":
        return _fold(raw.replace(".", "").replace(" ", "")), ""
    number = match["year"] if kind == "year" else _digits(match["number"].replace(" ", ""))
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
