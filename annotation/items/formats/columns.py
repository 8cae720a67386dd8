"""Which column means what: the names files use, and the user's own mapping."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

# What a table’s first column is called where it has no name.
OF_ROW_NUMBERS = "Unnamed: 0"
SYNONYMS: dict[str, tuple[str, ...]] = {
    "id": ("id", "_id", "qid", "question_id", "example_id", "uid"),
    "question": (
        *("question", "query", "input", "problem", "prompt", "user_input", "Frage"),
        *("question_text", "ambiguous_question"),
    ),
    "gold": (
        *("answer", "answers", "gold", "gold_answer", "gold_answers", "golden_answer", "golden_answers"),
        *("possible_answers", "target", "expected_output", "reference", "ground_truth", "ground_truths"),
        *("expected", "expected_answer", "expected_answers", "reference_answer", "reference_answers"),
        *("correct_answer", "correct_answers", "exact_answer", "ideal", "Richtige Antwort"),
        *("answer_aliases", "answers_aliases"),
    ),
    "prediction": ("prediction", "Model answer", "output", "response", "candidate", "generated_answer"),
    "system": ("model", "system", "run", "model_name", "system_name"),
    "dataset": ("dataset",),
    "tags": ("tags",),
    "reference_count": ("reference_count",),
    "confidence": ("confidence",),
    "metadata": ("metadata",),
    "passages": (
        *("passages", "passage", "context", "reference_contexts", "positive_ctxs"),
        *("paragraphs", "snippets"),
    ),
    "retrieved": (
        *("retrieved", "retrieved_contexts", "retrieved_passages", "contexts", "ctxs"),
        *("retrieval_context", "retrieved_documents", "retrieved_docs"),
    ),
    # What EfficientQA's release adds to a question: found out by judging, so never read back as given.
    "ignore": (
        *("def_correct_predictions", "poss_correct_predictions", "def_incorrect_predictions"),
        "answer_and_def_correct_predictions",
        # The numbers of rows, as pandas writes them.
        OF_ROW_NUMBERS,
    ),
}
QUESTION_NAMES = frozenset(name.lower() for name in SYNONYMS["question"])
# Further spellings of an answer in another column: they add to the gold answers.
ALIASES = frozenset({"answer_aliases", "answers_aliases"})
# Beside one of these, “answer” may be a system's: whoever imports the file has to say so.
_SURELY_GOLD = frozenset(
    {
        *("expected", "expected_answer", "expected_answers", "reference_answer", "reference_answers"),
        *("correct_answer", "correct_answers", "exact_answer", "ideal"),
    }
)
_OF_WHOM = frozenset({"answer", "answers"})
WIDE_PREFIX = "answer_"
# What follows “answer_” and says something about an answer: no system is called so.
_ABOUT_ANSWER = frozenset({"id", "ids", "type", "types", "start", "starts", "end", "url", "category"})
# "GPT-4 output" holds one system's answers; "output_tokens" and the like are none.
_WIDE = re.compile("(.+?)[ _-]+(?:output|response|prediction|generation|completion)", re.IGNORECASE)
# What stands before “output” and names no system: a gold answer, or whatever system the file is about.
_OF_GOLD = frozenset(
    {"expected", "reference", "gold", "golden", "correct", "target", "ideal", "ground truth"}
)
_OF_NO_SYSTEM = frozenset({"model", "system", "llm", "raw", "generated", "actual", "predicted", "candidate"})
VOTE_PREFIX = "annotator"
MEANING_BY_NAME = {name.lower(): meaning for meaning, names in SYNONYMS.items() for name in names}
IGNORE = "ignore"
LONGEST_MISTAKE = 60
LONGEST_WIDE = 200
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
        """Keep what is new in a row, up to 200 columns and three values of each, cut at 60 characters.

        The fields of objects are columns, too, under "column.field".
        """
        for column in columns:
            value = values[column.name]
            self._note_value(column, value)
            for name, within in () if _is_understood(column, value) else _fields_within(column.name, value):
                self._note_value(Column(name, ""), within)

    def _note_value(self, column: Column, value: Any) -> None:
        if column.name not in self._found and len(self._found) >= SHOWN_COLUMNS:
            return
        _, seen = self._found.setdefault(column.name, (column, []))
        words = beginning(value)
        if words and words not in seen and len(seen) < SHOWN_VALUES:
            seen.append(words)

    def to_json(self) -> list[dict[str, Any]]:
        """Return name, meaning ("" = not known), system ("" = none of its own) and values of each column."""
        return [{**column._asdict(), "values": values} for column, values in self._found.values()]


def _is_understood(column: Column, value: Any) -> bool:
    """Whether an object is read as a whole, so that its fields need no meaning."""
    is_gold = isinstance(value, Mapping) and ("text" in value or "value" in value)
    return column.meaning in ("metadata", "passages", "retrieved") or (column.meaning == "gold" and is_gold)


# Fields are shown of objects within objects, so deep, and so many of each object.
DEEPEST_FIELD = 3
MOST_FIELDS = 40
# A name with more parts is no field.
MOST_PARTS = 10
# No list has a place with a longer number.
MOST_DIGITS = 9


def _fields_within(name: str, value: Any, depth: int = DEEPEST_FIELD) -> Iterator[tuple[str, Any]]:
    """Yield the fields of an object, or of the first object of a list, with what they hold."""
    if isinstance(value, list):
        value = value[0] if value and isinstance(value[0], Mapping) else None
    if not depth or not isinstance(value, Mapping):
        return
    for field, within in islice(value.items(), MOST_FIELDS):
        yield f"{name}.{field}", within
        yield from _fields_within(f"{name}.{field}", within, depth - 1)


def field_at(values: Mapping[str, Any], name: str) -> Any:
    """Return what stands in a row under "column.field"; None where nothing does.

    A number is a place in a list; without one the fields of all objects of a list are a list.
    """
    value: Any = values
    parts = name.split(".")
    if len(parts) > MOST_PARTS:
        return None
    for part in parts:
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isdecimal():
            value = value[int(part)] if len(part) <= MOST_DIGITS and int(part) < len(value) else None
        elif isinstance(value, list):
            value = [each[part] for each in value if isinstance(each, Mapping) and part in each]
        else:
            return None
    return value


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
    raise BadMapping(
        f"“{pair}” is not a mapping. Write column=meaning with one of these meanings: {', '.join(MAPPABLE)}."
    )


def known_meaning(name: str) -> str:
    """Return the meaning a mapping names, by itself or by a usual column name; empty where there is none."""
    if name in SYNONYMS or (name.startswith("prediction:") and len(name) > 11):
        return name
    return MEANING_BY_NAME.get(name.lower(), "")


def understand(names: Iterable[str], mapping: Mapping[str, str], fields: Iterable[str] = ()) -> list[Column]:
    """Return what each column means; meaning "" where nobody knows. The mapping wins over the name.

    fields: those of the names that are mapped fields of other columns, which mean nothing themselves.
    """
    names = tuple(names)
    parts = {name.split(".", 1)[0] for name in fields}
    unclear = _OF_WHOM if any(name.lower() in _SURELY_GOLD for name in names) else frozenset()
    columns = []
    for name in names:
        if name in mapping:
            columns.append(_column(name, mapping[name]))
        elif name in parts:
            columns.append(Column(name, IGNORE))
        else:
            columns.append(Column(name, "") if name.lower() in unclear else _column(name, None))
    return columns


def _column(name: str, mapped: str | None) -> Column:
    if mapped is not None:
        meaning, _, system = known_meaning(mapped).partition(":")
        return Column(name, meaning, system)
    meaning = MEANING_BY_NAME.get(name.lower(), "")
    if not meaning and name.lower().startswith(WIDE_PREFIX) and len(name) > len(WIDE_PREFIX):
        system = name[len(WIDE_PREFIX) :]
        return Column(name, "") if system.lower() in _ABOUT_ANSWER else Column(name, "prediction", system)
    return Column(name, meaning) if meaning or len(name) > LONGEST_WIDE else _wide(name)


def _wide(name: str) -> Column:
    """Return what a column means whose name ends in “output” or the like; nothing where it does not."""
    match = _WIDE.fullmatch(name)
    named = match[1].strip() if match else ""
    word = named.lower().replace("_", " ")
    if word in _OF_GOLD:
        return Column(name, "gold")
    if word in _OF_NO_SYSTEM:
        return Column(name, "prediction")
    return Column(name, "prediction" if named else "", named)


def closest(name: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant, or nothing."""
    # Comparing takes time with the square of the length, and no known name is longer.
    if len(name) > LONGEST_MISTAKE:
        return ""
    # Imported here: only a mistake needs it.
    from difflib import get_close_matches

    return next(iter(get_close_matches(name.lower(), list(known), n=1, cutoff=0.75)), "")
