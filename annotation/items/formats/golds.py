"""Gold answers in every shape files have them."""

import ast
import re
from collections.abc import Mapping
from typing import Any

from analysis.text import UnusablePattern, compile_pattern
from annotation.items.formats.documents.strict_json import BadJson, loads, unstorable_in
from annotation.items.formats.records import Gold, is_too_deep

SEPARATORS = {"pipe": " | ", "slash": "/", "none": ""}
# Far more than any data set has; each system's row may keep its own.
MOST_GOLDS = 1_000
# What pandas writes for a list. NumPy's ['a' 'b'] has no commas and is no list to Python either.
_ELEMENT = r"""(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|None|-?\d++(?:\.\d++)?+)"""
_PYTHON_LIST = re.compile(rf"\[\s*+(?:{_ELEMENT}\s*+(?:,\s*+{_ELEMENT}\s*+)*+(?:,\s*+)?+)?+\]", re.DOTALL)
# Of passages, too: as long as a line may be.
_LONGEST_PYTHON_LIST = 1_000_000
_OPENING = ("[", "{", '("', "('", '"[', '"{', "array([")
# No answer begins so: what was meant as a list, and cut off.
_LIST_OF_TEXTS = ("['", '["', "{'", '{"', '[\\"', '{\\"')
_UNUSABLE_TEXT = {
    "nul_character": "a null character (\\x00 or \\u0000)",
    "half_character": "an unpaired surrogate, which is half of a character (\\ud800–\\udfff)",
}
_CLOSING = ("]", "}", ")", ']"', '}"')


class BadGold(ValueError):
    """A gold answer nobody can use: a stable code and a message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def parse_golds(value: Any, *, separator: str = "pipe", is_regex: bool = False) -> tuple[Gold, ...]:
    """Return the gold answers of a cell, each once, in order; raises `BadGold`.

    Read are a string, a list, JSON or a Python list in a string, SQuAD's `{"text": […]}` and TriviaQA's
    `{"value": …, "aliases": […]}`. separator: "pipe" ( | ), "slash" or "none", for strings only.
    """
    texts = dict.fromkeys(_texts(value, separator))
    if len(texts) > MOST_GOLDS:
        raise BadGold("too_many_golds", too_many_golds(len(texts)))
    return tuple(_gold(text, is_regex) for text in texts)


def too_many_golds(count: int) -> str:
    """Say that a question has more gold answers than it may have."""
    return f"The question has {count:,} gold answers; at most {MOST_GOLDS:,} are allowed."


def looks_like_list(text: str) -> bool:
    """Whether a text that was read as one answer was probably meant as a list or an object."""
    bare = text.strip()
    return bare.startswith(_LIST_OF_TEXTS) or (bare.startswith(_OPENING) and bare.endswith(_CLOSING))


def _texts(value: Any, separator: str) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str):
        return _from_string(value, separator)
    if isinstance(value, list):
        return [_one(element) for element in value if element is not None]
    if isinstance(value, Mapping):
        return _from_mapping(value)
    return [_one(value)]


def _one(value: Any) -> str:
    if isinstance(value, str):
        return value
    # bool is an int to Python, but "True" is nobody's gold answer.
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise BadGold("gold_not_text", f"A gold answer is neither text nor a number: {str(value)[:60]}.")


def listed_in(text: str) -> list[Any] | None:
    """Return the list that stands in a text as JSON or as Python writes it, else None; raises `BadGold`."""
    text = text.strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    listed = _json_list(text)
    return _python_list(text) if listed is None else listed


def _from_string(text: str, separator: str) -> list[str]:
    listed = listed_in(text)
    if listed is not None:
        return [_one(element) for element in listed if element is not None]
    between = SEPARATORS[separator]
    parts = text.split(between) if between else [text]
    return [part.strip() for part in parts if part.strip()]


def _json_list(text: str) -> list[Any] | None:
    try:
        value = loads(text)
    except BadJson as error:
        if error.code in _UNUSABLE_TEXT:
            raise _unusable(error.code) from None
        # "[sic]" is an answer, not JSON.
        return None
    if is_too_deep(value):
        raise BadGold("gold_not_text", "The list of gold answers is nested too deeply.")
    return value if isinstance(value, list) else None


def _python_list(text: str) -> list[Any] | None:
    if len(text) > _LONGEST_PYTHON_LIST or not _PYTHON_LIST.fullmatch(text):
        return None
    try:
        value: list[Any] = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    # Files hold neither character, but Python's escapes may.
    for element in value:
        if isinstance(element, str) and (code := unstorable_in(element)):
            raise _unusable(code)
    return value


def _unusable(code: str) -> BadGold:
    return BadGold(
        "gold_not_text", f"The list of gold answers contains {_UNUSABLE_TEXT[code]}. Remove this character."
    )


def _from_mapping(value: Mapping[str, Any]) -> list[str]:
    if "text" in value:
        return _texts(value["text"], "none")
    if "value" in value:
        return [*_texts(value["value"], "none"), *_texts(value.get("aliases"), "none")]
    raise BadGold("gold_not_text", "The gold answer is an object without “text” or “value”.")


def _gold(text: str, is_regex: bool) -> Gold:
    if is_regex:
        require_pattern(text)
    return Gold(text, is_regex)


def require_pattern(pattern: str) -> None:
    """Raise `BadGold` unless `pattern` is a regular expression that RE2 accepts."""
    try:
        compile_pattern(pattern)
    except UnusablePattern as error:
        raise BadGold(
            "bad_pattern", f"“{pattern[:80]}” is not a usable regular expression: {error}."
        ) from None
