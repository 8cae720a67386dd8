"""Numbers and months in English text, each in one spelling."""

import re

_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_ORDINALS = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

SPELLED = {
    **{word: str(number) for names in (_SMALL, _ORDINALS) for number, word in enumerate(names)},
    **{word: str(10 * number) for number, word in enumerate(_TENS, start=2)},
    **{f"{word[:-1]}ieth": str(10 * number) for number, word in enumerate(_TENS, start=2)},
}
DAYS = frozenset(map(str, range(1, 32)))
UNITS = frozenset(map(str, range(1, 10)))
TENS = frozenset(str(10 * number) for number in range(2, 10))
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
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
