"""Take a connection's key out of what its server says: whole, in part, and as it is usually encoded."""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeVar
from urllib.parse import quote, unquote

MASK = "[key]"
# So many characters of a key in a row give it away.
PART = 8
# Shorter ones are words that a local server takes for a key, and stand in any reply.
SHORTEST_KEY = 4

_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
Said = TypeVar("Said")


def hide_key(said: Said, *, key: str) -> Said:
    """Return what a server said, with `[key]` wherever its key stands; texts inside tuples, too.

    Any eight characters of the key in a row are hidden, in upper or lower case, and so are those of its
    base64 and hexadecimal forms; of a text that has them percent-encoded nothing stays. What a server
    hides in other ways cannot be told from text.
    """
    if isinstance(said, str):
        return _hidden(said, key)  # type: ignore[return-value]
    if isinstance(said, tuple):
        parts = [hide_key(part, key=key) for part in said]
        return said._make(parts) if hasattr(said, "_make") else type(said)(parts)
    return said


def _hidden(text: str, key: str) -> str:
    parts, size = _parts(key)
    if not parts:
        return text
    kept: list[str] = []
    end = 0
    for start in _places(text, parts, size):
        if start > end or not kept:
            kept += [text[end:start], MASK]
        end = start + size
    hidden = "".join([*kept, text[end:]])
    is_spelled = "%" in hidden and any(True for _ in _places(unquote(hidden), parts, size))
    return MASK if is_spelled else hidden


def _places(text: str, parts: frozenset[str], size: int) -> Iterator[int]:
    lower = text.translate(_LOWER)
    return (start for start in range(len(lower) - size + 1) if lower[start : start + size] in parts)


@lru_cache(maxsize=64)
def _parts(key: str) -> tuple[frozenset[str], int]:
    """Return all that gives a key away, in lower case, and how long each of it is."""
    size = min(PART, len(key))
    forms = [key] if len(key) >= SHORTEST_KEY else []
    if len(key) >= PART:
        raw = key.encode()
        forms += [quote(key, safe=""), raw.hex(), *_base64_forms(raw)]
    lower = (form.translate(_LOWER) for form in forms)
    return frozenset(form[at : at + size] for form in lower for at in range(len(form) - size + 1)), size


def _base64_forms(raw: bytes) -> Iterator[str]:
    """Yield what the key looks like in base64 with nought, one or two bytes before it in its group."""
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            whole = encode(b"\0" * before + raw).decode()
            settled = (before + len(raw)) // 3 * 4
            yield whole[(0, 2, 3)[before] : settled]
