"""Which column means what: the names files use, and the user's own mapping."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

SYNONYMS: dict[str, tuple[str, ...]] = {
    "id": ("id", "qid", "question_id", "example_id", "uid"),
    "question": ("question", "query", "input", "problem", "prompt"),
    "gold": (
        *("answer", "answers", "gold", "gold_answer", "gold_answers", "golden_answer", "golden_answers"),
        *("possible_answers", "target", "expected_output", "reference"),
    ),
    "prediction": ("prediction", "Model answer", "output", "response", "candidate", "generated_answer"),
    "system": ("model", "system", "run"),
    "dataset": ("dataset",),
    "tags": ("tags",),
    "reference_count": ("reference_count",),
    "confidence": ("confidence",),
    "metadata": ("metadata",),
    # What EfficientQA's release adds to a question: found out by judging, so never read back as given.
    "ignore": (
        *("def_correct_predictions", "poss_correct_predictions", "def_incorrect_predictions"),
        "answer_and_def_correct_predictions",
    ),
}
WIDE_PREFIX = "answer_"
VOTE_PREFIX = "annotator"
MEANING_BY_NAME = {name.lower(): meaning for meaning, names in SYNONYMS.items() for name in names}
IGNORE = "ignore"
LONGEST_MISTAKE = 60
# What a page shows of columns, so that people know them by what they hold.
SHOWN_COLUMNS = 200
SHOWN_VALUES = 3
LONGEST_VALUE = 60
ROWS_LOOKED_AT = 20
# What the right side of a mapping may be.
MAPPABLE = (*SYNONYMS, "prediction:<system>")


class Column(NamedTuple):
    """What a column means; `system` is set for a column that holds one system's answers."""

    name: str
    meaning: str
    system: str = ""


class ColumnSamples:
    """The columns of an import's files in the order in which they come, each with its first values."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Column, list[str]]] = {}

    def note(self, columns: Sequence[Column], values: Mapping[str, Any]) -> None:
        """Keep what is new in a row, up to 200 columns and three values of each, cut at 60 characters."""
        for column in columns:
            if column.name in self._found or len(self._found) < SHOWN_COLUMNS:
                _, seen = self._found.setdefault(column.name, (column, []))
                value = beginning(values[column.name])
                if value and value not in seen and len(seen) < SHOWN_VALUES:
                    seen.append(value)

    def to_json(self) -> list[dict[str, Any]]:
        """Return name, meaning ("" = not known), system ("" = none of its own) and values of each column."""
        return [{**column._asdict(), "values": values} for column, values in self._found.values()]


def beginning(value: Any) -> str:
    """Return how a cell begins, whatever is in it, in one line of 60 characters at most."""
    if value is None:
        return ""
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(words.split())
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


class BadMapping(ValueError):
    """A mapping that names a meaning which does not exist, or one meaning twice."""


def parse_mapping(pairs: Iterable[str]) -> dict[str, str]:
    """Read pairs "their column=meaning" into column → meaning; "meaning=their column" is understood too.

    Raises `BadMapping`.
    """
    return dict(_pair(pair) for pair in pairs)


def _pair(pair: str) -> tuple[str, str]:
    left, _, right = (part.strip() for part in pair.partition("="))
    if left and (meaning := known_meaning(right)):
        return left, meaning
    if right and (meaning := known_meaning(left)):
        return right, meaning
    raise BadMapping(f"“{pair}” is no mapping. Write column=meaning with one of: {', '.join(MAPPABLE)}.")


def known_meaning(name: str) -> str:
    """Return the meaning a mapping names, by itself or by a usual column name; empty where there is none."""
    if name in SYNONYMS or (name.startswith("prediction:") and len(name) > 11):
        return name
    return MEANING_BY_NAME.get(name.lower(), "")


def understand(names: Iterable[str], mapping: Mapping[str, str]) -> list[Column]:
    """Return what each column means; meaning "" where nobody knows. The mapping wins over the name."""
    return [_column(name, mapping.get(name)) for name in names]


def _column(name: str, mapped: str | None) -> Column:
    if mapped is not None:
        meaning, _, system = known_meaning(mapped).partition(":")
        return Column(name, meaning, system)
    meaning = MEANING_BY_NAME.get(name.lower(), "")
    if not meaning and name.lower().startswith(WIDE_PREFIX) and len(name) > len(WIDE_PREFIX):
        return Column(name, "prediction", name[len(WIDE_PREFIX) :])
    return Column(name, meaning)


def closest(name: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant, or nothing."""
    # Comparing takes time with the square of the length, and no known name is longer.
    if len(name) > LONGEST_MISTAKE:
        return ""
    # Imported here: only a mistake needs it.
    from difflib import get_close_matches

    return next(iter(get_close_matches(name.lower(), list(known), n=1, cutoff=0.75)), "")
