"""Characters that a reader does not see and a model does: zero width, direction, tags, fillers."""

import re
import unicodedata

# Joiners shape Arabic and Indic words and hold emoji together, as the last selector does; elsewhere they
# hide something.
_JOINED = re.compile(
    "(?<=[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff\u0e80-\u0eff\u1000-\u109f])[\u200c\u200d]"
    "|(?<=[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
    "|(?<=[#*0-9\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f"
)
_SOFT_HYPHEN = "\u00ad"
# Not of a category that is hidden as a whole.
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
_KEPT_CONTROLS = frozenset("\n\r\t")


def is_hidden(character: str) -> bool:
    """Say whether a character draws nothing; joiners count, whatever stands beside them."""
    if character in _KEPT_CONTROLS:
        return False
    if (
        character in _FILLERS
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0000" <= character <= "\U000e0fff"
    ):
        return True
    return unicodedata.category(character) in {"Cf", "Cc", "Co", "Cs", "Zl", "Zp"}


def strip_hidden(text: str) -> str:
    """Return text without hidden characters; line separators become line ends, needed joiners stay."""
    if text.isascii() and text.isprintable():
        return text
    needed = {found.start() for found in _JOINED.finditer(text)}
    return "".join(
        character if place in needed or not is_hidden(character) else _instead(character)
        for place, character in enumerate(text)
    )


def _instead(character: str) -> str:
    return "\n" if character in "\u2028\u2029\x0b\x0c\x85" else ""


def hides_something(text: str) -> bool:
    """Say whether text holds hidden characters beyond those that typesetting leaves behind."""
    if text.isascii() and text.isprintable():
        return False
    needed = {found.start() for found in _JOINED.finditer(text)}
    return any(
        is_hidden(character) and place not in needed and character != _SOFT_HYPHEN
        for place, character in enumerate(text)
    )
