"""What other writings an answer has: dates, numbers, names and units as a regular expression (RE2)."""

import re
import string
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from annotation.gold.rules.vocabulary import (
    ARTICLES,
    LARGEST_SPELLED,
    LEADING,
    MONTHS,
    NO_NAMES,
    ORDINALS,
    ROLES,
    SAME,
    SUFFIXES,
    TITLES,
    UNITS,
    plain,
    read_spelled_number,
    spell_number,
)

# Blanks and punctuation, which exact match mostly deletes; classes of all Unicode would make large programs.
GAP = r"[\s!-/:-@[-\x60{-~‐-‧]"
_MARK = r"[\x{300}-\x{36f}]"
_LETTER = r"[a-z\x{c0}-\x{24f}\x{300}-\x{36f}]"
_BETWEEN = rf"{GAP}*(?:(?:the|an?){GAP}+)?"
_LEAD = rf"{GAP}*(?:(?:{'|'.join(LEADING)}){GAP}+){{0,3}}"
_TOKEN = re.compile(
    r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+\.[0-9]+|[0-9]+(?:st|nd|rd|th)\b|[0-9]+|[^\W0-9_]+|[%°&]",
    re.IGNORECASE,
)
_ISO_DATE = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
# Longer answers are sentences, which nobody writes twice alike.
MOST_TOKENS = 8
MOST_NAMES = 4


class Family(StrEnum):
    """What of an answer may be written another way; the first that applies names a pattern."""

    DATE = "date"
    NUMBER = "number"
    UNIT = "unit"
    NAME = "name"
    SPELLING = "spelling"


class Piece(NamedTuple):
    """A part of an answer: its regular expression, as examples write it, and whether it may be left out."""

    regex: str
    shown: str
    family: Family = Family.SPELLING
    is_optional: bool = False
    is_digits: bool = False


class Pattern(NamedTuple):
    """A regular expression for the writings of an answer, and some of them as examples."""

    regex: str
    family: Family
    examples: tuple[str, ...]


def tokens_of(text: str) -> list[str]:
    """Return the words and numbers of a text as typed, without articles and punctuation."""
    found = _TOKEN.findall(unicodedata.normalize("NFC", text))
    return [token for token in found if token.lower() not in ARTICLES]


def find_pattern(*, question: str, answer: str) -> Pattern | None:
    """Return the pattern of an answer's writings; None for an empty answer and one too long for that.

    The pattern matches an answer from its first letter to its last, whatever its case. It may have other
    blanks and punctuation, articles, words such as "in" and "about" before it, accents left out, and what
    the question itself says after it. Dates may stand in another order, numbers in words or digits, names
    with or without title and middle names, units abbreviated.
    """
    tokens = _without_lead(tokens_of(_spell_iso_dates(answer)))
    if not tokens or len(tokens) > MOST_TOKENS:
        return None
    asked = {plain(token) for token in tokens_of(question)}
    pieces = _read_name(tokens) if _asks_for_person(asked) else None
    pieces = pieces or _let_asked_go(_read_pieces(tokens), asked)
    regex = rf"\A{_LEAD}{_join(pieces)}{_tail(question)}{_kinship(asked)}{GAP}*\z"
    families = {piece.family for piece in pieces}
    return Pattern(regex, next(family for family in Family if family in families), _examples(pieces))


def _without_lead(tokens: list[str]) -> list[str]:
    while len(tokens) > 1 and tokens[0].lower() in LEADING:
        tokens = tokens[1:]
    return tokens


def _spell_iso_dates(text: str) -> str:
    def spell(found: re.Match[str]) -> str:
        year, month, day = found.groups()
        is_month = 1 <= int(month) <= len(MONTHS)
        return f"{int(day)} {MONTHS[int(month) - 1]} {year}" if is_month else found[0]

    return _ISO_DATE.sub(spell, text)


def _read_pieces(tokens: Sequence[str]) -> list[Piece]:
    pieces: list[Piece] = []
    place = 0
    while place < len(tokens):
        piece, used = _next_piece(tokens[place:])
        pieces.append(piece)
        place += used
    return _let_ranges_be_spoken(pieces)


def _next_piece(tokens: Sequence[str]) -> tuple[Piece, int]:
    return _read_date(tokens) or _read_number(tokens) or _read_same(tokens) or (_literal(tokens[0]), 1)


def _literal(token: str) -> Piece:
    return Piece(_regex_of(token), token)


def _regex_of(token: str) -> str:
    """Escape a word; where it has an accent the letter may stand without."""
    letters = unicodedata.normalize("NFD", token.lower())
    return "".join(
        f"{_MARK}*" if unicodedata.combining(letter) else letter if letter.isalnum() else re.escape(letter)
        for letter in re.sub(r"([\u0300-\u036f])[\u0300-\u036f]+", r"\1", letters)
    )


def _day_regex(day: int) -> str:
    return rf"0?{day}(?:st|nd|rd|th)?" if day < 10 else rf"{day}(?:st|nd|rd|th)?"


def _month_regex(month: int) -> str:
    name = MONTHS[month - 1]
    short = rf"(?:{name[3:]})?" if len(name) > 3 else ""
    return rf"{name[:3]}t?{short}" if name == "september" else rf"{name[:3]}{short}"


def _read_date(tokens: Sequence[str]) -> tuple[Piece, int] | None:
    """Read "14 December 1972", "December 14th, 1972" or "14 December"."""
    first, second, third = (*map(str.lower, tokens[:3]), "", "", "")[:3]
    if (day := _day(first)) and (month := _month(second)):
        return _date_piece(day, month, third)
    if (month := _month(first)) and (day := _day(second)):
        return _date_piece(day, month, third)
    return None


def _day(token: str) -> int | None:
    found = re.fullmatch(r"0?(\d{1,2})(?:st|nd|rd|th)?", token)
    return int(found[1]) if found and 1 <= int(found[1]) <= 31 else None


def _month(token: str) -> int | None:
    for number, name in enumerate(MONTHS, start=1):
        if token == name or (len(token) >= 3 and token in (name[:3], "sept"[: 4 * (number == 9)])):
            return number
    return None


def _date_piece(day: int, month: int, year: str) -> tuple[Piece, int]:
    has_year = re.fullmatch(r"\d{4}", year) is not None
    day_regex, month_regex = _day_regex(day), _month_regex(month)
    orders = [
        rf"{day_regex}{GAP}*(?:of{GAP}+)?{month_regex}",
        rf"{month_regex}{GAP}*(?:the{GAP}+)?{day_regex}",
    ]
    if not has_year:
        return Piece(f"(?:{'|'.join(orders)})", f"{day} {MONTHS[month - 1].title()}", Family.DATE), 2
    written = [rf"{order}{GAP}+(?:in{GAP}+)?{year}" for order in orders]
    written.append(rf"{year}[-/.]0?{month}[-/.]0?{day}")
    shown = f"{day} {MONTHS[month - 1].title()} {year}"
    return Piece(f"(?:{'|'.join(written)})", shown, Family.DATE, is_digits=True), 3


def _read_number(tokens: Sequence[str]) -> tuple[Piece, int] | None:
    token = tokens[0].lower()
    if (ordinal := _ordinal(token)) is not None:
        words = [word for word, value in ORDINALS.items() if value == ordinal]
        forms = [rf"{ordinal}(?:st|nd|rd|th)", *words]
        return Piece(f"(?:{'|'.join(forms)})", token, Family.NUMBER, is_digits=True), 1
    if "." in token and token[0] in string.digits:
        whole, part = token.split(".")
        return Piece(rf"{whole}\s?\.\s?{part}", token, Family.NUMBER, is_digits=True), 1
    if token[0] in string.digits:
        return _number_piece(int(token.replace(",", "")), is_year=len(token) == 4), 1
    spelled = read_spelled_number([each.lower() for each in tokens])
    return (_number_piece(spelled.value, is_year=False), spelled.words) if spelled else None


def _ordinal(token: str) -> int | None:
    digits = token[:-2]
    if token[-2:] in {"st", "nd", "rd", "th"} and digits.isdecimal():
        return int(digits)
    return ORDINALS.get(token)


def _number_piece(value: int, *, is_year: bool) -> Piece:
    """Return a number in digits, with separators, and in words; four digits alone are mostly a year."""
    digits = str(value)
    if is_year:
        return Piece(digits, digits, is_digits=True)
    grouped = f"{value:,}"
    forms = [grouped.replace(",", "[,.\\s]?")]
    if value <= LARGEST_SPELLED:
        words = spell_number(value).replace("hundred ", "hundred (?:and )?")
        forms.append(words.replace(" ", f"{GAP}+"))
    return Piece(f"(?:{'|'.join(forms)})", grouped, Family.NUMBER, is_digits=True)


def _read_same(tokens: Sequence[str]) -> tuple[Piece, int] | None:
    words = [token.lower() for token in tokens]
    for forms in SAME:
        for form in sorted(forms, key=len, reverse=True):
            parts = form.split()
            if words[: len(parts)] == parts:
                # Letters of an abbreviation may have dots between them, or nothing.
                regexes = [f"{GAP}*".join(map(re.escape, each.split())) for each in forms]
                family = Family.UNIT if form in UNITS else Family.SPELLING
                return Piece(f"(?:{'|'.join(regexes)})", " ".join(tokens[: len(parts)]), family), len(parts)
    return None


def _let_ranges_be_spoken(pieces: list[Piece]) -> list[Piece]:
    """Let "10–12" be "10 to 12", and the other way about."""
    spoken: list[Piece] = []
    for before, piece, after in zip([None, *pieces], pieces, [*pieces[1:], None], strict=False):
        is_between = before is not None and after is not None and before.is_digits and after.is_digits
        if is_between and piece.shown.lower() in {"to", "through", "until"}:
            continue
        if (
            before is not None
            and spoken
            and piece.is_digits
            and (before.is_digits or spoken[-1] is not before)
        ):
            spoken.append(Piece("(?:to|through|until)", "to", is_optional=True))
        spoken.append(piece)
    return spoken


def _let_asked_go(pieces: list[Piece], asked: set[str]) -> list[Piece]:
    """Let the last words go where the question says them: "subdural hematoma" of "which hematoma"."""
    left = list(pieces)
    for place in range(len(pieces) - 1, 0, -1):
        if pieces[place].is_digits or plain(pieces[place].shown) not in asked:
            break
        left[place] = pieces[place]._replace(is_optional=True)
    return left


def _asks_for_person(asked: set[str]) -> bool:
    return bool(asked & {"who", "whom", "whose"})


def _read_name(tokens: Sequence[str]) -> list[Piece] | None:
    """Read the name of a person: first and last name stand, titles and middle names may be left out."""
    words = list(tokens)
    while len(words) > 2 and words[0].lower() in (*TITLES, *ROLES):
        words = words[1:]
    suffix = words.pop().lower() if len(words) > 2 and words[-1].lower() in SUFFIXES else ""
    if not 2 <= len(words) <= MOST_NAMES or not all(map(_may_be_name, words)):
        return None
    title = rf"(?:(?:{_LETTER}+(?:ian|ish|ese|can)|{'|'.join((*TITLES, *ROLES))}){GAP}+){{0,2}}"
    first, *middle, last = words
    optional = [_middle(each) for each in middle] or [
        Piece(rf"{_LETTER}+", "", Family.NAME, is_optional=True)
    ]
    pieces = [
        Piece(title + _regex_of(first), first, Family.NAME),
        *optional,
        Piece(_regex_of(last), last, Family.NAME),
    ]
    return [*pieces, Piece("|".join((suffix,)), suffix, is_optional=True)] if suffix else pieces


def _may_be_name(word: str) -> bool:
    return word.isalpha() and word.lower() not in NO_NAMES


def _middle(name: str) -> Piece:
    regex = _regex_of(name)
    # An initial stands for every name that begins with it, and every name for its initial.
    either = rf"{regex}{_LETTER}*" if len(name) == 1 else rf"(?:{regex}|{_regex_of(name[0])})"
    return Piece(either, name, Family.NAME, is_optional=True)


def _join(pieces: Iterable[Piece]) -> str:
    regex, is_first, was_digits = "", True, False
    for piece in pieces:
        # "18 20" is not "1820".
        gap = "" if is_first else f"{GAP}+" if was_digits and piece.is_digits else _BETWEEN
        regex += f"(?:{gap}{piece.regex})?" if piece.is_optional else gap + f"(?:{piece.regex})"
        is_first, was_digits = False, piece.is_digits or (piece.is_optional and was_digits)
    return regex


_KIND = re.compile(r"\b(?:what|which)\s+([^\W\d_]{3,})", re.IGNORECASE)
_NO_KINDS = {"are", "was", "were", "did", "does", "the", "has", "had", "have", "can", "will", "would", "kind"}


def _tail(question: str) -> str:
    """Let the answer end in what was asked for: "Elk River" of "what river flows …"."""
    found = _KIND.search(question)
    if not found or plain(found[1]) in _NO_KINDS:
        return ""
    return rf"(?:{GAP}+{_regex_of(found[1])})?"


def _kinship(asked: set[str]) -> str:
    """Let who somebody is to another stand behind the name: "Dáin, his cousin"."""
    return rf"(?:{GAP}+(?:his|her|their){GAP}+{_LETTER}+)?" if _asks_for_person(asked) else ""


def _examples(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """Return the answer as the pattern reads it, in full and as short as it may be."""
    full = " ".join(piece.shown for piece in pieces if piece.shown)
    short = " ".join(piece.shown for piece in pieces if piece.shown and not piece.is_optional)
    return tuple(dict.fromkeys([full, short]))
