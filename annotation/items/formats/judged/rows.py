"""Rows that annotators judged: what they saw under the usual column names, with their votes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from annotation.items.formats.columns import SYNONYMS, key_of
from annotation.items.formats.generic import READING_OPTIONS, RowReader
from annotation.items.formats.records import ItemRecord, OptionSpec, Problem, Row, Source, Vote, left_out
from annotation.items.formats.shapes.shape import Cells, given
from annotation.items.formats.tables import BadCell, file_problems, read_rows
from annotation.items.formats.voting import LABELS, Together

JUDGED = "answer"
# In a task's data, by meaning: what stands under the first of these names.
NAMES_IN_TASKS = {
    "question": SYNONYMS["question"],
    "prediction": SYNONYMS["prediction"],
    "gold": tuple(name for name in (*SYNONYMS["gold"], "correct_answer") if name != JUDGED),
    "system": SYNONYMS["system"],
    "id": SYNONYMS["id"],
    "dataset": SYNONYMS["dataset"],
}
CHOICE = OptionSpec(
    "choice",
    "",
    (),
    "Name of the field whose choices are votes, if annotators made choices in several fields.",
)
JUDGED_OPTIONS = (CHOICE, LABELS, *(spec for spec in READING_OPTIONS if spec.name != "list_prediction"))


class Judged(NamedTuple):
    """What annotators judged: what they saw, by field, and their votes, found once that is read."""

    shown: Cells
    votes: Iterable[Vote]


def read_judged(
    source: Source,
    options: Mapping[str, Any],
    judged_in: Callable[[Cells], Iterable[Judged]],
    *,
    shown_in: str,
    unread: dict[str, None],
    rows: Iterable[Row | Problem] | None = None,
) -> Iterator[ItemRecord | Problem]:
    """Yield one record an answer that annotators judged, with the votes of all rows on it.

    options: those of `READING_OPTIONS`. judged_in: what was judged in a row; raises `BadCell`. shown_in: the
    field with what annotators saw. unread: gets the names of its fields that are not read; all in it are
    named as left out. rows: those of the file, where they are not read as usual.
    """
    problems = file_problems(source)
    yield from problems
    if problems:
        return
    fixed = {"map": {}, "gold_separator": "none", "unknown_columns": "refuse"}
    reading = RowReader(source, {**options, **fixed, "samples": None})
    together = Together(source)
    for row in read_rows(source) if rows is None else rows:
        if isinstance(row, Problem):
            yield row
            continue
        try:
            for judged in judged_in(row.values):
                record = _record_of(reading, row.line, judged, shown_in, unread)
                yield from reading.take_warnings()
                yield from together.add(record)
        except BadCell as error:
            yield source.error(error.code, error.message, line=row.line, column=error.column)
    yield from together.records()
    yield from left_out(source, unread)


def _record_of(
    reading: RowReader, line: int, judged: Judged, shown_in: str, unread: dict[str, None]
) -> ItemRecord:
    """Return the answer that was judged, with its votes; raises `BadCell`."""
    cells, read = _judged_cells(judged.shown, shown_in)
    unread.update((f"{shown_in}.{name}", None) for name in judged.shown if name not in read)
    record = reading.record(Row(line, cells))
    votes = tuple(vote._replace(line=line) for vote in judged.votes)
    return replace(record, predictions=tuple(replace(each, votes=votes) for each in record.predictions))


def _judged_cells(data: Cells, shown_in: str) -> tuple[dict[str, Any], set[str | None]]:
    """Return what was shown, under the usual names, and what was read for that; raises `BadCell`."""
    by_key = {key_of(name): name for name in reversed(tuple(data))}
    named = {
        meaning: next((by_key[key] for name in names if (key := key_of(name)) in by_key), None)
        for meaning, names in NAMES_IN_TASKS.items()
    }
    if JUDGED in data:
        # What was judged is a system's answer, unless another field is.
        named["gold" if named["prediction"] else "prediction"] = JUDGED
    if named["prediction"] is None:
        message = (
            f"“{shown_in}” has no field with the answer that was judged (answer, prediction, output, "
            "response)."
        )
        raise BadCell(shown_in, "missing_answer", message)
    cells = given(**{meaning: data[name] for meaning, name in named.items() if name is not None})
    return cells, set(named.values())
