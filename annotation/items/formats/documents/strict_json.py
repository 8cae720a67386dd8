"""Parse JSON strictly: no key twice in an object, no NaN, no text that a database cannot store."""

import json
import math
import re
from collections import Counter
from typing import Any

# What may stand between values; Unicode has more.
WHITE_SPACE = " \t\r\n"


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
        raise BadJson("not_json", f"There is text after the JSON value, at character {end + 1}.")
    return value


def decode_at(text: str, start: int) -> tuple[Any, int]:
    """Parse the value that begins at `start`; return it with the place after it; raises `BadJson`."""
    try:
        value, end = DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        message = f"The line is not JSON: {error.msg} at character {error.pos + 1}."
        raise BadJson("not_json", message, offset=error.pos, is_cut_short=True) from None
    except RecursionError:
        raise BadJson("too_deep", "The JSON is nested too deeply.") from None
    except BadJson:
        raise
    except ValueError as error:
        raise BadJson("not_json", f"The line is not JSON: {error}.") from None
    # Most texts have no escape at all, and need no copy of themselves.
    if text.find("\\u", start, end) >= 0 and _SUSPECT.search(text[start:end]):
        _require_storable(value)
    return value, end


# What cannot be stored only ever comes from an escape; one that looks so may be harmless.
_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_MESSAGES = {
    "nul_character": "The line contains a null character (\\u0000). Remove this character.",
    "half_character": (
        "The line contains an unpaired surrogate, which is half of a character (\\ud800–\\udfff). "
        "Remove this character."
    ),
}


def unstorable_in(text: str) -> str:
    """Return "nul_character" or "half_character" where a text holds one, as no stored text may; else ""."""
    found = _UNSTORABLE.search(text)
    if found is None:
        return ""
    return "nul_character" if found[0] == "\0" else "half_character"


def _require_storable(value: Any) -> None:
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            pending.extend(each)
            pending.extend(each.values())
        elif isinstance(each, list):
            pending.extend(each)
        elif isinstance(each, str) and (code := unstorable_in(each)):
            raise BadJson(code, _MESSAGES[code])


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        repeated = next(key for key, count in counts.items() if count > 1)
        raise BadJson("repeated_key", f"The key “{repeated[:60]}” appears twice in one object.")
    return values


def _refuse_constant(name: str) -> Any:
    raise BadJson("not_json", f"{name} is not JSON. Write null or a number.")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise BadJson("not_json", f"The number {text[:60]} is too large.")
    return number


DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_keys, parse_constant=_refuse_constant, parse_float=_finite
)
