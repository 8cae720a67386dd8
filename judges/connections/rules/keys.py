"""Hide the key of a connection in whatever comes back."""

import re
import unicodedata
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

MASK = "[key]"
# So many characters of a key in a row give it away.
PART = 8
# Shorter ones are words that a local server takes for a key, and stand in any reply.
SHORTEST_KEY = 4

_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
# A sign as it is escaped in JSON, addresses and HTML; a line end escaped; letters and digits.
_SIGNS = re.compile(
    r"\\{1,4}u(?P<unit>[0-9a-f]{4})|(?:\\{1,4}x|%(?:25){0,3}|&#x0{0,4}|\b0x)(?P<hex>[0-9a-f]{2});?"
    r"|&#0{0,4}(?P<decimal>[0-9]{2,3});?|\\{1,4}[nrt]|(?P<plain>[^\W_]+)",
    re.IGNORECASE,
)
Said = TypeVar("Said")


def hide_key(said: Said, *, key: str) -> Said:
    """Return what a server said, with `[key]` wherever its key stands; texts inside tuples, too.

    Any eight characters of the key in a row are hidden, in upper or lower case, and so are those of its
    base64 and hexadecimal forms: also escaped for JSON, addresses or HTML, and with anything but letters
    and digits between them. What a server hides in other ways cannot be told from text.
    """
    if isinstance(said, str):
        return _hidden(said, key)  # type: ignore[return-value]
    if isinstance(said, tuple):
        parts = [hide_key(part, key=key) for part in said]
        return said._make(parts) if hasattr(said, "_make") else type(said)(parts)
    return said


def _hidden(text: str, key: str) -> str:
    if len(key) < SHORTEST_KEY:
        return text
    kept: list[str] = []
    end = 0
    for first, last in sorted(_places(text, key)):
        if first > end or not kept:
            kept += [text[end:first], MASK]
        end = max(end, last)
    return "".join([*kept, text[end:]])


def _places(text: str, key: str) -> Iterator[tuple[int, int]]:
    """Yield where something that gives the key away begins and ends."""
    parts, spelled = _parts(key)
    yield from _found(parts, text.translate(_LOWER))
    words = [(_read(found), *found.span()) for found in _SIGNS.finditer(text)]
    hits = list(_found(spelled, "".join(word for word, _, _ in words)))
    if hits:
        signs = [place for word, start, end in words for place in _signs(len(word), start, end)]
        yield from ((signs[first][0], signs[last - 1][1]) for first, last in hits)


def _found(parts: Iterable[str], text: str) -> Iterator[tuple[int, int]]:
    for part in parts:
        at = text.find(part)
        while at >= 0:
            yield at, at + len(part)
            at = text.find(part, at + 1)


def _read(found: re.Match[str]) -> str:
    """Return letters and digits, each of one sign, in lower case; nothing of what is neither."""
    code = int(found["unit"] or found["hex"] or "0", 16) or int(found["decimal"] or 0)
    plain: str = found["plain"] or chr(code)
    if not plain.isascii():
        plain = "".join(unicodedata.normalize("NFKC", sign)[:1] or sign for sign in plain)
    return plain.translate(_LOWER) if plain.isalnum() else ""


def _signs(count: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each sign of a word stands; one that is escaped takes all of its place."""
    width = (end - start) // count if count else 0
    return ((at, at + width) for at in range(start, start + count * width, width or 1))


@lru_cache(maxsize=64)
def _parts(key: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return all that gives a key away, in lower case; and of its letters and digits alone."""
    forms = [key]
    if len(key) >= PART:
        forms += [key.encode().hex(), *_base64_forms(key.encode())]
    lower = [form.translate(_LOWER) for form in forms]
    letters = ["".join(filter(str.isalnum, form)) for form in lower]
    return _runs(lower, size=min(PART, len(key))), _runs(letters, size=PART)


def _runs(texts: Iterable[str], *, size: int) -> frozenset[str]:
    return frozenset(text[at : at + size] for text in texts for at in range(len(text) - size + 1))


def _base64_forms(raw: bytes) -> Iterator[str]:
    """Yield what the key looks like in base64 with nought, one or two bytes before it in its group."""
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            whole = encode(b"\0" * before + raw).decode()
            settled = (before + len(raw)) // 3 * 4
            yield whole[(0, 2, 3)[before] : settled]
