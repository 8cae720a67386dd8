"""The value of a statistic that has none: the reason, in words a person can read."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Undefined:
    """Say why there is no number, where others return NaN."""

    reason: str


Value: TypeAlias = float | Undefined


def number_or_none(value: Value) -> float | None:
    """Return the number itself, or None where it is undefined (for JSON, which has no NaN)."""
    return None if isinstance(value, Undefined) else value


def words_or_none(value: object) -> str | None:
    """Return why a value is undefined, or None where it is a number."""
    return value.reason if isinstance(value, Undefined) else None
