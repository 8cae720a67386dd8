"""Gold answers in every shape files have them."""

import ast
import re
from collections.abc import Mapping
from typing import Any

from analysis.text import UnusablePattern, compile_pattern
from annotation.items.formats.columns import TEXT_NAMES
from annotation.items.formats.documents.strict_json import BadJson, loads, unstorable_in
from annotation.items.formats.records import Gold, is_too_deep

# By the option's value: what stands between gold answers in one text.
SEPARATORS = {
    "pipe": " | ",
    "bar": "|",
    "semicolon": ";",
    "comma": ",",
    "line": "\n",
    "spaced_slash": " / ",
    "slash": "/",
    "none": "",
}
# What may be meant as a separator and is not taken for one without asking.
_DOUBTFUL = {"semicolon": ";", "bar": "|", "line": "\n", "spaced_slash": " / "}
_NAMES = {"semicolon": "a semicolon", "bar": "“|”", "line": "a line break", "spaced_slash": "“ / ”"}
# Longer parts are sentences rather than answers, and a separator in fewer of the cells is none.
_LONGEST_PART = 60
_FEWEST_SHARE = 0.1
# How true and false are written, by the option's value.
BOOLEANS = {"yes_no": ("no", "yes"), "true_false": ("false", "true")}
# Far more than any data set has; each system's row may keep its own.
MOST_GOLDS = 1_000
# What pandas writes for a list; for NumPy's there are no commas (['a' 'b']), which is no list to Python.
_ELEMENT = r"""(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|None|-?\d++(?:\.\d++)?+)"""
_PYTHON_LIST = re.compile(rf"\[\s*+(?:{_ELEMENT}\s*+(?:,\s*+{_ELEMENT}\s*+)*+(?:,\s*+)?+)?+\]", re.DOTALL)
_QUOTED = r"""(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")"""
_NUMPY_LIST = re.compile(rf"\[\s*+{_QUOTED}(?:\s++{_QUOTED})++\s*+\]", re.DOTALL)
_NUMPY_ELEMENTS = re.compile(_QUOTED, re.DOTALL)
# Of passages, too: as long as a line may be.
_LONGEST_PYTHON_LIST = 1_000_000
_OPENING = ("[", "{", '("', "('", '"[', '"{', "array([")
# No answer begins so: what was meant as a list, and cut off.
_LIST_OF_TEXTS = ("['", '["', "{'", '{"', '[\\"', '{\\"')
_LIST_OF_ANYTHING = (*_LIST_OF_TEXTS, "[{'", '[{"')
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


class SeparatorDoubt:
    """Counts the gold cells that may hold several answers, between marks that nobody called separators."""

    def __init__(self) -> None:
        self._cells = 0
        self._found: dict[str, tuple[int, int, str]] = {}

    def note(self, value: Any, line: int) -> None:
        """Look at one cell; lists and objects need no separator."""
        if not isinstance(value, str) or not value.strip():
            return
        self._cells += 1
        if looks_like_list(value):
            return
        # What is split anyway is not doubtful.
        text = value.replace(SEPARATORS["pipe"], " ").strip()
        for name, mark in _DOUBTFUL.items():
            parts = [part.strip() for part in text.split(mark)] if mark in text else []
            if len(parts) > 1 and all(0 < len(part) <= _LONGEST_PART for part in parts):
                count, first, example = self._found.get(name, (0, line, " ".join(value.split())))
                self._found[name] = (count + 1, first, example)

    def told(self) -> tuple[bool, int, str] | None:
        """Return whether somebody has to say what is meant, the first line and words; None without doubt."""
        if not self._found:
            return None
        name, (count, line, example) = max(self._found.items(), key=lambda item: item[1][0])
        must_say = count >= self._cells * _FEWEST_SHARE
        cells = "1 gold answer" if count == 1 else f"{count:,} gold answers"
        what = (
            f"{cells} may contain several answers, separated by {_NAMES[name]} (“{example[:60]}”). If so, "
            f"set “Separator between gold answers” to “{name.replace('_', ' ')}” (gold_separator={name})"
        )
        words = f"{what}; if not, to “none.”" if must_say else f"{what}. Each is read as one gold answer."
        return must_say, line, words


def parse_golds(
    value: Any, *, separator: str = "pipe", is_regex: bool = False, booleans: str = "ask"
) -> tuple[Gold, ...]:
    """Return the gold answers of a cell, each once, in order; raises `BadGold`.

    Read are a string, a list, JSON or a Python list or tuple in a string, SQuAD's `{"text": […]}` and
    TriviaQA's `{"value": …, "aliases": […]}`, also in a string. separator: a key of `SEPARATORS`, for strings
    only. booleans: "yes_no" or "true_false"; otherwise true and false are refused.
    """
    texts = dict.fromkeys(_texts(_spelled_out(value, booleans), separator))
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


def begins_as_list(text: str) -> bool:
    """Whether a text begins as only a list of texts or of objects does."""
    return text.lstrip().startswith(_LIST_OF_ANYTHING)


def _spelled_out(value: Any, booleans: str) -> Any:
    if isinstance(value, bool):
        return spelled(value, booleans)
    if isinstance(value, list) and any(isinstance(each, bool) for each in value):
        return [spelled(each, booleans) if isinstance(each, bool) else each for each in value]
    return value


def spelled(value: bool, booleans: str) -> str:
    """Return true or false as an answer; raises `BadGold` where nobody said how it is written."""
    if booleans not in BOOLEANS:
        raise BadGold(
            "gold_not_text",
            f"The answer is neither text nor a number: {str(value).lower()}. Set “True and false” to “yes "
            "no” (booleans=yes_no) or “true false” (booleans=true_false), whichever the systems use.",
        )
    return BOOLEANS[booleans][value]


def _texts(value: Any, separator: str) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str):
        return _from_string(value, separator)
    if isinstance(value, list):
        return [text for element in value if element is not None for text in _with_aliases(element)]
    if isinstance(value, Mapping):
        return _from_mapping(value)
    return [_one(value)]


def _with_aliases(element: Any) -> list[str]:
    """Return a gold answer of a list with the spellings beside it, as in MKQA; none where it is null."""
    if not isinstance(element, Mapping):
        return [_one(element)]
    held = next((element[name] for name in TEXT_NAMES if name in element), element)
    return [*([] if held is None else [_one(element)]), *_texts(element.get("aliases"), "none")]


def _one(value: Any) -> str:
    if isinstance(value, Mapping):
        value = next((value[name] for name in TEXT_NAMES if name in value), value)
    if isinstance(value, str):
        return value
    # bool is an int to Python, but "True" is nobody's gold answer.
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, list):
        message = "The list of gold answers contains lists. Write one list of all correct answers."
        raise BadGold("gold_not_text", message)
    raise BadGold("gold_not_text", f"A gold answer is neither text nor a number: {str(value)[:60]}.")


def listed_in(text: str) -> list[Any] | None:
    """Return the list that stands in a text as JSON or as Python writes it, else None; raises `BadGold`."""
    text = text.strip()
    if text.startswith(("('", '("')) and text.endswith(")"):
        return _python_list(f"[{text[1:-1]}]")
    if not (text.startswith("[") and text.endswith("]")):
        return None
    listed = _json_list(text)
    return _python_list(text) if listed is None else listed


def _from_string(text: str, separator: str) -> list[str]:
    listed = listed_in(text)
    if listed is not None:
        return [_one(element) for element in listed if element is not None]
    if (held := _json_object(text)) is not None:
        return _from_mapping(held)
    between = SEPARATORS[separator]
    parts = text.split(between) if between else [text]
    return [part.strip() for part in parts if part.strip()]


def _json_object(text: str) -> Mapping[str, Any] | None:
    """Return SQuAD's or TriviaQA's object that stands in a text, if it is one."""
    text = text.strip()
    if not (text.startswith('{"') and text.endswith("}")):
        return None
    try:
        value = loads(text)
    except BadJson:
        return None
    is_gold = isinstance(value, dict) and any(name in value for name in TEXT_NAMES) and not is_too_deep(value)
    return value if is_gold else None


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
    if len(text) > _LONGEST_PYTHON_LIST:
        return None
    if _NUMPY_LIST.fullmatch(text):
        # Python would join texts without a comma in between.
        text = f"[{', '.join(_NUMPY_ELEMENTS.findall(text))}]"
    elif not _PYTHON_LIST.fullmatch(text):
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
        return [*_texts(value["text"], "none"), *_texts(value.get("aliases"), "none")]
    if "value" not in value and "answer" in value:
        return _texts(value["answer"], "none")
    if "value" in value:
        return [*_texts(value["value"], "none"), *_texts(value.get("aliases"), "none")]
    raise BadGold(
        "gold_not_text", "The gold answer is an object that has neither “text” nor “value” as a key."
    )


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
