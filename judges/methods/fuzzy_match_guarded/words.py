"""Read a text as words with what they state: numbers, months, where clauses begin."""

import re
from typing import NamedTuple

from analysis.text import transliterate
from judges.methods.fuzzy_match_guarded.numbers import (
    DAYS,
    MONTH_NAMES,
    MONTHS,
    SCALES,
    SPELLED,
    TENS,
    UNITS,
    read_digits,
    read_month,
    read_roman,
)

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
