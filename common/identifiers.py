"""Names: random public identifiers, names told apart, the version, and signatures that name all options."""

import hashlib
import secrets
from collections import Counter
from collections.abc import Iterable

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
LENGTH = 14
# Bytes as letters, but for the last eight: with them eight letters would come more often than others.
_LETTERS = bytes(ord(ALPHABET[byte % len(ALPHABET)]) for byte in range(256))
_UNEVEN = bytes(range(256 // len(ALPHABET) * len(ALPHABET), 256))


def new_public_id() -> str:
    """Return 14 characters with 69 bits of chance, safe to read aloud and to put into an address."""
    # Drawn for all letters at once, as imports make tens of thousands of these.
    letters = b""
    while len(letters) < LENGTH:
        letters += secrets.token_bytes(LENGTH + 2).translate(_LETTERS, _UNEVEN)
    return letters[:LENGTH].decode()


VERSION = "0.1.0"


def spell(**parts: object) -> str:
    """Return named parts as one line, `name:value` each, so that equal lines mean equal parts."""
    return "|".join(f"{name}:{_escape(as_text(value))}" for name, value in parts.items())


def as_text(value: object) -> str:
    """Return the one text that stands for a value in a signature."""
    return repr(value) if isinstance(value, float) else str(value)


def sign_figures(
    subject: str, *, has_intervals: bool = False, seed: int | None = None, **choices: object
) -> str:
    """Return what produced a table's numbers: what it is of, every choice, its intervals and this version.

    A choice that is None or empty was not made and is left out. seed: of what is drawn.
    Source of the idea: sacrebleu (Post 2018).
    """
    made = {name: value for name, value in choices.items() if value is not None and value != ""}
    drawn = {"interval": "questions t"} if has_intervals else {}
    if seed is not None:
        drawn["seed"] = str(seed)
    return f"{subject}|{spell(**made, **drawn, version=VERSION)}"


def hash_signature(signature: str) -> str:
    """Return the SHA-256 of a signature, by which runs are told apart."""
    return hashlib.sha256(signature.encode()).hexdigest()


def _escape(text: str) -> str:
    # No separator inside a value.
    return text.replace("%", "%25").replace("|", "%7C")


def tell_apart(names: Iterable[tuple[str, str]]) -> list[str]:
    """Return each name; behind one that several have stands, in brackets, what it comes with."""
    named = list(names)
    count = Counter(name for name, _ in named)
    return [name if count[name] == 1 else f"{name} ({own})" for name, own in named]
