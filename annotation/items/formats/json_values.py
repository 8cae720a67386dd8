"""JSON that can be trusted: no repeated keys, no NaN, no endless depth, nothing a database cannot hold."""

import json
import math
from collections import Counter
from typing import Any


class BadJson(ValueError):
    """Text that is no usable JSON: a stable code, and a message that says where."""

    def __init__(self, code: str, message: str, *, offset: int = 0, is_cut_short: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.offset = offset
        # Only then may more text help.
        self.is_cut_short = is_cut_short


def loads(text: str) -> Any:
    """Parse one value that is all of `text`; raises `BadJson`."""
    value, end = decode_at(text, len(text) - len(text.lstrip()))
    if text[end:].strip():
        raise BadJson("not_json", f"The line goes on after the JSON value, at character {end + 1}.")
    return value


def decode_at(text: str, start: int) -> tuple[Any, int]:
    """Parse the value that begins at `start`; return it with the place after it; raises `BadJson`."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        message = f"The line is not JSON: {error.msg} at character {error.pos + 1}."
        raise BadJson("not_json", message, offset=error.pos, is_cut_short=True) from None
    except RecursionError:
        raise BadJson("too_deep", "The JSON is nested too deeply.") from None
    except BadJson:
        raise
    except ValueError as error:
        raise BadJson("not_json", f"The line is not JSON: {error}.") from None
    _require_storable(text[start:end])
    return value, end


def _require_storable(text: str) -> None:
    # Cheap test first: both only ever come from an escape.
    if "\\u" not in text:
        return
    lowered = text.lower()
    if "\\u0000" in lowered and _has_character(text, _is_nul):
        raise BadJson("nul_character", "The line holds a NUL character (\\u0000).")
    if "\\ud" in lowered and _has_character(text, _is_surrogate):
        raise BadJson("half_character", "The line holds half of a character pair (\\ud800–\\udfff).")


def _is_nul(character: str) -> bool:
    return character == "\0"


def _is_surrogate(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"


def _has_character(text: str, test: Any) -> bool:
    pending: list[Any] = [_DECODER.decode(text)]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending.extend(value)
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, str) and any(test(character) for character in value):
            return True
    return False


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        repeated = next(key for key, count in counts.items() if count > 1)
        raise BadJson("repeated_key", f"The key “{repeated[:60]}” stands twice in one object.")
    return values


def _refuse_constant(name: str) -> Any:
    raise BadJson("not_json", f"{name} is not JSON. Write null or a number.")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise BadJson("not_json", f"The number {text[:60]} is too large.")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_constant=_refuse_constant, parse_float=_finite
)
