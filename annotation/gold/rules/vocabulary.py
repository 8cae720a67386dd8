"""Words that may be written another way, left out, or put in front, and numbers written out (English)."""

from collections.abc import Sequence
from typing import NamedTuple

from analysis.text import transliterate

MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
# What may stand before an answer without making it another: "in 1999", "about ten", "the s-block".
LEADING = (
    *("in", "on", "at", "by", "from", "during", "the", "a", "an", "about", "around", "approximately"),
    *("roughly", "circa", "ca", "it", "is", "was", "they", "are", "were"),
)
ARTICLES = ("a", "an", "the")
TITLES = (
    *("mr", "mrs", "ms", "miss", "dr", "doctor", "professor", "prof", "sir", "dame", "lord", "lady"),
    *("king", "queen", "prince", "princess", "emperor", "empress", "duke", "duchess", "earl", "count"),
    *("president", "chancellor", "senator", "governor", "mayor", "judge", "justice", "secretary"),
    *("general", "colonel", "major", "captain", "lieutenant", "sergeant", "admiral", "commander"),
    *("pope", "saint", "st", "father", "reverend", "rev", "coach", "chief"),
)
ROLES = (
    *("actor", "actress", "singer", "songwriter", "rapper", "musician", "composer", "comedian", "dancer"),
    *("author", "writer", "novelist", "poet", "playwright", "journalist", "director", "producer"),
    *("player", "cricketer", "footballer", "boxer", "golfer", "quarterback", "scientist", "physicist"),
    *("chemist", "biologist", "mathematician", "astronomer", "philosopher", "explorer", "inventor"),
    *("engineer", "architect", "painter", "artist", "sculptor", "politician", "lawyer", "model"),
)
SUFFIXES = ("jr", "junior", "sr", "senior", "ii", "iii", "iv")
# Written one way or the other; the first form is what examples show.
SAME = (
    ("kilometers", "kilometer", "kilometres", "kilometre", "km"),
    ("meters", "meter", "metres", "metre", "m"),
    ("centimeters", "centimeter", "centimetres", "centimetre", "cm"),
    ("millimeters", "millimeter", "millimetres", "millimetre", "mm"),
    ("miles", "mile", "mi"),
    ("feet", "foot", "ft"),
    ("inches", "inch"),
    ("yards", "yard", "yd"),
    ("kilograms", "kilogram", "kg"),
    ("grams", "gram", "g"),
    ("pounds", "pound", "lb", "lbs"),
    ("ounces", "ounce", "oz"),
    ("liters", "liter", "litres", "litre"),
    ("years", "year", "yrs", "yr"),
    ("months", "month"),
    ("weeks", "week"),
    ("days", "day"),
    ("hours", "hour", "hrs", "hr"),
    ("minutes", "minute", "mins", "min"),
    ("seconds", "second", "secs", "sec"),
    ("percent", "per cent", "%"),
    ("degrees", "degree", "deg", "°"),
    ("and", "&"),
    ("bc", "bce", "b c", "b c e"),
    ("ad", "ce", "a d", "c e"),
    ("mount", "mt"),
    ("saint", "st"),
    ("united states", "united states of america", "us", "usa", "u s", "u s a"),
    ("united kingdom", "uk", "u k"),
    ("united nations", "un", "u n"),
)
UNITS = frozenset(form for forms in SAME[:22] for form in forms)
# In an answer they are no name of a person.
NO_NAMES = frozenset(
    {*ARTICLES, "and", "or", "of", "in", "on", "at", "to", "for", "by", "with", "from", "no", "not", "who"}
)
COPULAS = ("is", "are", "was", "were")
# What a sentence may say between its subject and the answer.
FILLERS = frozenset(
    {*LEADING, "located", "based", "known", "as", "called", "named", "also", "to", "of", "primarily"}
    | {"typically", "usually", "mainly", "generally", "most", "likely", "first", "last", "currently"}
    | {"played", "filmed", "written", "founded", "released", "that", "which", "who", "did", "does", "do"}
)
# Where what follows explains and no longer answers.
CLAUSES = (
    *("which", "who", "where", "because", "with", "when", "while", "since", "but", "although"),
    *("starring", "including", "according"),
)

_UNTIL_TWENTY = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {word: value for value, word in enumerate(_UNTIL_TWENTY)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_HUNDRED = 100
LARGEST_SPELLED = 999_999
ORDINALS = {
    **dict(zip(("first", "second", "third", "fifth", "eighth", "ninth"), (1, 2, 3, 5, 8, 9), strict=True)),
    **dict(zip(("twelfth", "twentieth", "thirtieth"), (12, 20, 30), strict=True)),
    **{f"{word}th": value for word, value in _SMALL.items() if value in {4, 6, 7, 10, 11, *range(13, 20)}},
}


class SpelledNumber(NamedTuple):
    """A number written out, and of how many words."""

    value: int
    words: int


def read_spelled_number(words: Sequence[str]) -> SpelledNumber | None:
    """Read the number that words in lower case begin with: "two hundred and five"; None without one."""
    total = current = used = 0
    for place, word in enumerate(words):
        if word == "and" and words[place - 1] == "hundred" and words[place + 1 : place + 2] != []:
            if words[place + 1] not in _SMALL:
                break
            continue
        if not _goes_on(words[:place], word):
            break
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "hundred":
            current *= _HUNDRED
        else:
            total, current = total + current * _LARGE[word], 0
        used = place + 1
    return SpelledNumber(total + current, used) if used else None


def _goes_on(before: Sequence[str], word: str) -> bool:
    """Say whether a word makes one number with those before it: "twenty one" does, "nineteen ninety" not."""
    last = before[-1] if before else ""
    if word in _SMALL:
        return last not in _SMALL or (last in _TENS and 0 < _SMALL[word] < 10)
    return (word == "hundred" or word in _LARGE) and last in (_SMALL | _LARGE | {"hundred": _HUNDRED})


def spell_number(value: int) -> str:
    """Write a number of 0 to `LARGEST_SPELLED` out in words, without "and"."""
    if value < len(_UNTIL_TWENTY):
        return _UNTIL_TWENTY[value]
    if value < _HUNDRED:
        tens, rest = divmod(value, 10)
        return " ".join([_TENS[tens - 2], *([_UNTIL_TWENTY[rest]] if rest else [])])
    size, name = (_HUNDRED, "hundred") if value < 10**3 else (10**3, "thousand")
    count, rest = divmod(value, size)
    return " ".join([spell_number(count), name, *([spell_number(rest)] if rest else [])])


def plain(word: str) -> str:
    """Return a word in lower case and ASCII letters, to look it up."""
    return transliterate(word).lower()
