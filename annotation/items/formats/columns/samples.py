"""What a file's columns hold, for people to know them by."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.items.formats.columns.fields import fields_within
from annotation.items.formats.columns.names import TEXT_NAMES, Column, base_of

# What a page shows of columns, so that people know them by what they hold.
SHOWN_COLUMNS = 200
SHOWN_VALUES = 3
LONGEST_VALUE = 60


class ColumnSamples:
    """The columns of an import's files in the order in which they come, each with its first values."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Column, list[str]]] = {}

    def note(self, columns: Sequence[Column], values: Mapping[str, Any]) -> None:
        """Keep what is new in a row, up to 200 columns and three values of each, cut at 60 characters.

        The fields of objects are columns, too, under "column.field".
        """
        known = {column.name: column for column in columns}
        noted: set[str] = set()
        for column in columns:
            value = values[column.name]
            if column.name not in noted:
                self._note_value(column, value)
            if not is_understood(column, value):
                for name, within in fields_within(column.name, value):
                    noted.add(name)
                    self._note_value(known.get(name, Column(name, "")), within)

    def _note_value(self, column: Column, value: Any) -> None:
        if column.name not in self._found and len(self._found) >= SHOWN_COLUMNS:
            return
        _, seen = self._found.setdefault(column.name, (column, []))
        words = beginning(value)
        if words and words not in seen and len(seen) < SHOWN_VALUES:
            seen.append(words)

    def to_json(self) -> list[dict[str, Any]]:
        """Return name, meaning ("" = not known), system ("" = none of its own) and values of each column.

        Several columns that nobody knows and that one mapping can explain come as one, too: before them
        `answer_*` for numbered ones and `models.*` for the fields of one object, and `*` for all, at the end.
        """
        families = _families([column.name for column, _ in self._found.values() if not column.meaning])
        listed = [{**column._asdict(), "values": values} for column, values in self._found.values()]
        for pattern, names in families.items():
            values = [f"{name}: {value}" for name in names for value in self._found[name][1][:1]]
            family = {**Column(pattern, "")._asdict(), "values": values[:SHOWN_VALUES]}
            first = next(place for place, each in enumerate(listed) if each["name"] == names[0])
            listed.insert(len(listed) if pattern == "*" else first, family)
        return listed[:SHOWN_COLUMNS]


def _families(unknown: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns that nobody knows by what one mapping may call several of them together."""
    families: dict[str, list[str]] = {}
    for name in unknown:
        holder, point, _ = name.rpartition(".")
        pattern = f"{holder}.*" if point else f"{base_of(name)}*"
        if pattern != f"{name}*":
            families.setdefault(pattern, []).append(name)
    columns = [name for name in unknown if "." not in name]
    several = {pattern: names for pattern, names in families.items() if len(names) > 1}
    return {**several, "*": columns} if len(columns) > 1 else several


def is_understood(column: Column, value: Any) -> bool:
    """Whether an object is read as a whole, so that its fields need no meaning."""
    first = value[0] if isinstance(value, list) and value else value
    is_gold = isinstance(first, Mapping) and any(name in first for name in TEXT_NAMES)
    return column.meaning in ("metadata", "passages", "retrieved") or (column.meaning == "gold" and is_gold)


def beginning(value: Any) -> str:
    """Return how a cell begins, whatever is in it, in one line of 60 characters at most."""
    if value is None:
        return ""
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(words.split())
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"
