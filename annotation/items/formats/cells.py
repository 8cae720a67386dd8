"""Single cells as typed values, or a reason why they cannot be."""

import math
import re
from collections.abc import Mapping
from typing import Any

LARGEST_COUNT = 1_000


class BadCell(ValueError):
    """A cell that cannot be used: column, code and message."""

    def __init__(self, column: str, code: str, message: str) -> None:
        super().__init__(message)
        self.column = column
        self.code = code
        self.message = message


def text_in(values: Mapping[str, Any], column: str | None) -> str:
    """Return a cell as text, empty where column or value is absent; raises `BadCell`."""
    value = values[column] if column else None
    if value is None or column is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadCell(column, "not_text", f"“{column}” must be text here.")
    return str(value)


def answer_in(value: Any, column: str) -> str:
    """Return a system's answer, or an element of a list of them, as text; raises `BadCell`."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadCell(column, "answer_not_text", "The answer is neither text nor a number nor a list.")
    return str(value)


def number_in(values: Mapping[str, Any], column: str | None) -> float | None:
    """Return a cell as a finite number, None where it is empty; raises `BadCell`."""
    if column is None or values[column] in (None, ""):
        return None
    value: Any = values[column]
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise BadCell(column, "confidence_not_a_number", "The confidence is no number.")
    return number


def count_in(values: Mapping[str, Any], column: str | None) -> int | None:
    """Return a cell as a whole number from 0 to 1,000, None where it is empty; raises `BadCell`."""
    if column is None or values[column] in (None, ""):
        return None
    text = str(values[column]).strip().removesuffix(".0")
    if isinstance(values[column], bool) or not re.fullmatch("[0-9]{1,4}", text) or int(text) > LARGEST_COUNT:
        raise BadCell(
            column, "not_a_count", f"“{column}” must be a whole number from 0 to {LARGEST_COUNT:,}."
        )
    return int(text)


def tags_in(values: Mapping[str, Any], column: str | None) -> tuple[str, ...]:
    """Return the tags of a cell: a list, or text with commas in between."""
    value = values[column] if column else None
    if isinstance(value, list):
        return tuple(str(tag) for tag in value)
    return tuple(tag.strip() for tag in str(value or "").split(",") if tag.strip())
