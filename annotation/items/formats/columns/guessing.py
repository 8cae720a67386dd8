"""What columns mean whose names do not say it: fields of objects, and columns that hold questions."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from annotation.items.formats.columns.fields import field_at, fields_within, is_conversation
from annotation.items.formats.columns.names import (
    BY_SYSTEM,
    IGNORE,
    Column,
    is_about_row,
    is_prompt,
    key_of,
    known_meaning,
    meaning_of,
    understand,
)
from annotation.items.formats.columns.samples import is_understood

# Rows at the beginning of a file that are looked at.
ROWS_LOOKED_AT = 20
Cells = Mapping[str, Any]
# Fields that say nothing by themselves: what they are is said by the object that holds them.
_PLAIN_FIELDS = frozenset({"text", "texts", "value", "values", "content", "body", "string", "strings"})
_ANSWER_FIELDS = _PLAIN_FIELDS | {"answer", "answers"}
# What objects are called that hold a question, gold answers, or a system's answer, beside the usual names.
_HOLDERS = {
    **dict.fromkeys(("request", "inputs", "q"), "question"),
    **dict.fromkeys(("truth", "expectation", "expectations", "outputs_expected", "label", "labels"), "gold"),
    **dict.fromkeys(("reply", "outputs", "result", "generated", "completions"), "prediction"),
}
_ROLES = ("question", "gold", "prediction")
# A column holds questions if more than half of its first texts are: so many words, and a mark behind them.
_FEWEST_WORDS = 3
_IS_QUESTION = re.compile(r"\S+(?:\s+\S+){2}.*[?？]\W*", re.DOTALL)
# Data sets of search queries have questions without the mark.
_ASKS = re.compile(
    r"(?:(?:in|on|at|to|of|by|from|for|with|under|during|auf|aus|bei|für|mit|nach|seit|von|zu)\s+)?"
    r"(?:who|whom|whose|what|when|where|which|why|how|who's|what's|where's|when's"
    r"|wer|wem|wen|wessen|was|wann|wo|woher|wohin|warum|wieso|wie|wieviele?|welche[mnrs]?)(?:\s+\S+){2}.*",
    re.IGNORECASE | re.DOTALL,
)
LONGEST_QUESTION = 2_000
# “Bewertung Anna,” “Verdict by Ann”: votes, if nothing else is in the column.
_VOTES_BY = re.compile(
    r"(?:(?:bewertung|urteil)(?: von| durch)?|(?:rating|judge?ment|verdict|vote|label) by)[ _:(-]+"
    r"([^\s:()_-][^:()]*?)\)?",
    re.IGNORECASE,
)
# Words that are surely votes.
VOTES = frozenset(
    {"correct", "incorrect", "right", "wrong", "yes", "no"}
    | {"richtig", "falsch", "korrekt", "inkorrekt", "ja", "nein"}
)
LONGEST_NAMED = 100


def is_question(text: str) -> bool:
    """Whether a text is a question by its form: three words or more, and a question mark or a “who”."""
    text = text.strip()
    return len(text) <= LONGEST_QUESTION and bool(_IS_QUESTION.fullmatch(text) or _ASKS.fullmatch(text))


class Guess(NamedTuple):
    """What is guessed of a file's columns from its first rows.

    meanings: by "column" or "column.field". by_value: the column that is taken for the questions because of
    what it holds, or "". unclear: fields that stand beside these and that nobody knows, with a value.
    """

    meanings: dict[str, str] = {}
    by_value: str = ""
    unclear: tuple[tuple[str, Any], ...] = ()


def guess(rows: Sequence[Cells], mapping: Mapping[str, str]) -> Guess:
    """Guess what neither names nor people say, from the first rows of a file."""
    columns = understand(dict.fromkeys(name for row in rows for name in row), mapping)
    by_system = [each.name for each in columns if each.name not in mapping and _is_by_system(each, rows)]
    closed = [each for each in columns if each.name not in mapping and each.name not in by_system]
    opened = [each.name for each in closed if _is_opened(each, rows)]
    said = [known_meaning(meaning).partition(":")[0] for meaning in mapping.values()]
    held = {each.meaning for each in columns if each.name not in opened} | set(said)
    fields = [name for column in opened for name in _fields_of(column, rows)]
    # A table has the fields of objects as columns, under the same names.
    flat = [each.name for each in closed if not each.meaning and _FLAT.fullmatch(each.name)]
    found: dict[str, list[str]] = {}
    for name in (*fields, *flat):
        found.setdefault(_meaning_of_field(name), []).append(name)
    # Of two fields that may be meant nobody knows which is.
    meanings = {
        name: meaning
        for meaning, names in found.items()
        if meaning not in ("", IGNORE) and meaning not in held and (name := _only(names))
    }
    meanings = _without_doubtful_outputs(meanings, held)
    meanings.update((f"{name}.*", "prediction") for name in by_system)
    meanings.update(_votes_among(closed, rows))
    if by_value := _questions_among(columns, opened, fields, rows, held | set(meanings.values()), mapping):
        meanings[by_value] = "question"
    settled = {name for meaning in found for name in found[meaning] if meaning == IGNORE}
    return Guess(meanings, by_value, tuple(_unclear(fields, settled | set(meanings), opened, columns, rows)))


def _votes_among(columns: Iterable[Column], rows: Sequence[Cells]) -> Iterator[tuple[str, str]]:
    """Yield the columns that are named after a person who judged and that hold nothing but such words."""
    columns = tuple(columns)
    systems = {each.system.casefold() for each in columns if each.meaning == "prediction"}
    for each in columns:
        match = (
            _VOTES_BY.fullmatch(each.name) if not each.meaning and len(each.name) < LONGEST_NAMED else None
        )
        if match is None or match[1].casefold() in systems:
            continue
        held = {str(value).strip().casefold() for row in rows if (value := row.get(each.name)) is not None}
        if held - {""} and held - {""} <= VOTES:
            yield each.name, f"vote:{match[1]}"


def _only(names: Sequence[str]) -> str:
    """Return the only field of these; of several the only one that is no prompt, which may hold more."""
    plain = [name for name in names if not is_prompt(name)] if len(names) > 1 else names
    return plain[0] if len(plain) == 1 else ""


def _without_doubtful_outputs(meanings: dict[str, str], held: set[str]) -> dict[str, str]:
    """Leave out what `outputs` holds beside `inputs` where no gold answer is: it may be one itself."""
    has_inputs = any(name.startswith("inputs.") for name in meanings)
    if not has_inputs or "gold" in {*held, *meanings.values()}:
        return meanings
    return {name: meaning for name, meaning in meanings.items() if not name.startswith("outputs.")}


# What a field is called where a table has it as a column.
_FLAT = re.compile(r"\w+(?:\.\w+)+")


def _is_by_system(column: Column, rows: Sequence[Cells]) -> bool:
    """Whether a column holds objects with each system's answer under its name."""
    held = [value for row in rows if (value := row.get(column.name)) not in (None, "")]
    return key_of(column.name) in BY_SYSTEM and bool(held) and all(map(_has_answers, held))


def _has_answers(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and all(isinstance(each, str | int | float | None) for each in value.values())
        and not any(key_of(name) in _ANSWER_FIELDS or meaning_of(name) for name in value)
    )


def _is_opened(column: Column, rows: Sequence[Cells]) -> bool:
    """Whether a column holds objects or a conversation whose parts mean something each."""
    value = next((row[column.name] for row in rows if row.get(column.name)), None)
    if column.meaning == IGNORE or is_understood(column, value):
        return False
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, Mapping)


def _fields_of(column: str, rows: Sequence[Cells]) -> list[str]:
    """Return the fields of a column that hold no further objects, of all rows that are looked at."""
    names: dict[str, bool] = {}
    for row in rows:
        for name, value in fields_within(column, row.get(column)):
            first = value[0] if isinstance(value, list) and value else value
            names[name] = names.get(name, True) and (not isinstance(first, Mapping) or is_conversation(value))
    return [name for name, is_last in names.items() if is_last]


def _meaning_of_field(name: str) -> str:
    """Return what a field means by its name and by the names of the objects that hold it."""
    *holders, field = map(key_of, name.split("."))
    own = meaning_of(name.rsplit(".", 1)[-1])
    holder = next((role for each in reversed(holders) if (role := _role_of(each))), "")
    if field in ("user", "assistant"):
        return "question" if field == "user" else ""
    if field in _ANSWER_FIELDS or (own in ("", "id") and field in ("name", "id") and holder == "system"):
        return _of_holder(field, own, holder)
    if own in _ROLES:
        return own if holder in ("", "question", own) else ""
    return own or (IGNORE if is_about_row(field) else "")


def _role_of(holder: str) -> str:
    return _HOLDERS.get(holder) or meaning_of(holder)


def _of_holder(field: str, own: str, holder: str) -> str:
    if field in ("name", "id"):
        return holder
    if own == "gold":
        return {"prediction": "prediction", "gold": "gold", "": "gold"}.get(holder, "")
    return holder if holder in _ROLES else ""


def _questions_among(
    columns: Iterable[Column],
    opened: Sequence[str],
    fields: Iterable[str],
    rows: Sequence[Cells],
    held: set[str],
    mapping: Mapping[str, str],
) -> str:
    """Return the only column or field that holds questions and that nobody knows; "" where there is none."""
    if "question" in held:
        return ""
    unknown = [
        each.name
        for each in understand([each.name for each in columns], _without_rest(mapping))
        if not each.meaning and each.name not in opened
    ]
    inner = [name for name in fields if not _meaning_of_field(name) and name not in mapping]
    holding = [
        name for name in (*unknown, *inner) if _holds_questions(field_or_cell(row, name) for row in rows)
    ]
    return holding[0] if len(holding) == 1 else ""


def _without_rest(mapping: Mapping[str, str]) -> dict[str, str]:
    return {name: meaning for name, meaning in mapping.items() if name != "*"}


def field_or_cell(row: Cells, name: str) -> Any:
    """Return what a row has in a column, or under "column.field"."""
    return row[name] if name in row else field_at(row, name)


def _holds_questions(values: Iterable[Any]) -> bool:
    held = [value for value in values if value not in (None, "")]
    alike = [value for value in held if isinstance(value, str) and is_question(value)]
    return len(alike) * 2 > len(held)


def _unclear(
    fields: Iterable[str],
    settled: set[str],
    opened: Sequence[str],
    columns: Iterable[Column],
    rows: Sequence[Cells],
) -> Iterator[tuple[str, Any]]:
    """Yield fields that hold something, of objects some of whose fields are known or that should be texts."""
    named = {each.name for each in columns if each.meaning in _ROLES and each.name in opened}
    known = {name.split(".", 1)[0] for name in settled} | named
    for name in fields:
        if name not in settled and name.split(".", 1)[0] in known:
            value = next(
                (held for row in rows if (held := field_at(row, name)) not in (None, "", [], {})), None
            )
            if value is not None:
                yield name, value
