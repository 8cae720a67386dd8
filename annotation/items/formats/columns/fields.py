"""The fields of objects in a row, under "column.field"."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

# Fields are shown of objects within objects, so deep, and so many of each object.
DEEPEST_FIELD = 3
MOST_FIELDS = 40
# A name with more parts is no field.
MOST_PARTS = 10
# No list has a place with a longer number.
MOST_DIGITS = 9


# Under what names the turns of a conversation stand, and under what names those who speak.
_SPEAKERS = ("role", "from")
_SAID = ("content", "value", "text")
_ROLES = {"human": "user", "gpt": "assistant", "bot": "assistant", "ai": "assistant", "model": "assistant"}
USER = "user"
ASSISTANT = "assistant"


def fields_within(name: str, value: Any, depth: int = DEEPEST_FIELD) -> Iterator[tuple[str, Any]]:
    """Yield the fields of an object, or of the first object of a list, with what they hold.

    Of a conversation they are what the user and the assistant said last.
    """
    if is_conversation(value):
        yield from ((f"{name}.{role}", last_said(value, role)) for role in (USER, ASSISTANT))
        return
    if isinstance(value, list):
        value = value[0] if value and isinstance(value[0], Mapping) else None
    if not depth or not isinstance(value, Mapping):
        return
    for field, within in islice(value.items(), MOST_FIELDS):
        yield f"{name}.{field}", within
        yield from fields_within(f"{name}.{field}", within, depth - 1)


def is_conversation(value: Any) -> bool:
    """Whether a list holds the turns of a conversation, each with who speaks and what is said."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(turn, Mapping) and _speaker(turn) and _words(turn) is not None for turn in value)
    )


def last_said(turns: list[Any], role: str) -> Any:
    """Return what somebody said last in a conversation; None where they said nothing."""
    return next((_words(turn) for turn in reversed(turns) if _speaker(turn) == role), None)


def _speaker(turn: Mapping[str, Any]) -> str:
    said = next((turn[name] for name in _SPEAKERS if isinstance(turn.get(name), str)), "")
    return _ROLES.get(said.lower(), said.lower())


def _words(turn: Mapping[str, Any]) -> str | None:
    words = next((turn[name] for name in _SAID if turn.get(name) is not None), None)
    if isinstance(words, list):
        texts = [part.get("text") for part in words if isinstance(part, Mapping)]
        words = "\n".join(text for text in texts if isinstance(text, str))
    return words if isinstance(words, str) else None


def field_at(values: Mapping[str, Any], name: str) -> Any:
    """Return what stands in a row under "column.field"; None where nothing does.

    A number is a place in a list; without one the fields of all objects of a list are a list. Of a
    conversation, “user” and “assistant” are what they said last.
    """
    value: Any = values
    parts = name.split(".")
    if len(parts) > MOST_PARTS:
        return None
    for part in parts:
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list):
            value = _in_list(value, part)
        else:
            return None
    return value


def _in_list(value: list[Any], part: str) -> Any:
    if part.isdecimal():
        return value[int(part)] if len(part) <= MOST_DIGITS and int(part) < len(value) else None
    if part in (USER, ASSISTANT) and is_conversation(value):
        return last_said(value, part)
    return [each[part] for each in value if isinstance(each, Mapping) and part in each]


def is_of_turns(values: Mapping[str, Any], question: str, gold: str) -> bool:
    """Whether gold answers are as many as the elements of which a question is one: then each has its own."""
    holder, _, place = question.rpartition(".")
    turns, golds = (field_at(values, holder), values[gold]) if place.isdecimal() else (None, None)
    return isinstance(turns, list) and isinstance(golds, list) and len(golds) == len(turns) > 1


def fields_like(values: Mapping[str, Any], pattern: str) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a row whose names fit "column.*" or "column.*.field", with what they hold."""
    before, _, after = pattern.partition(".*")
    held = field_at(values, before)
    if not isinstance(held, Mapping) or not (after == "" or after.startswith(".")):
        return
    for name, value in held.items():
        within = field_at(value, after[1:]) if after and isinstance(value, Mapping) else value
        if not after or isinstance(value, Mapping):
            yield f"{before}.{name}{after}", within
