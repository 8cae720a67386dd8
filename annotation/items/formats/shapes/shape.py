"""A shape of files: how one of their rows becomes rows under the usual column names."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.items.formats.columns import understand
from annotation.items.formats.documents.streaming import Found, Walk
from annotation.items.formats.generic import (
    READING_OPTIONS,
    UNANSWERABLE,
    RowReader,
    said_of_unanswerable,
)
from annotation.items.formats.records import (
    Format,
    ItemRecord,
    Kind,
    Look,
    Problem,
    Row,
    Source,
    left_out,
)
from annotation.items.formats.tables import BadCell, file_problems, read_rows, shallow

# What a file of questions may have besides, by the usual names.
OF_ANSWERS = frozenset({"prediction", "system", "confidence"})
MOST_HEADERS = 100
Cells = Mapping[str, Any]
# Reads the rows of a file, and adds the names of what stands beside them.
Rows = Callable[[Source, dict[str, None]], Iterator[Row | Problem]]


@dataclass(frozen=True)
class Shape:
    """Files of one shape, which are read without a question to anybody.

    items: gives for a row of the file the rows it holds, each a dict under the names `question`, `id`, `gold`
    (a list), `prediction`, `system`, `dataset`, `tags`, `metadata`, `passages` and `retrieved`; raises
    `BadCell`. reads: the fields it
    looks at; "a.b" is field b of what stands in a, be it an object or a list of them. All others are named as
    left out. path: where the rows stand in a document that holds them deeper than any reader would look.
    """

    key: str
    name: str
    summary: str
    recognized_by: str
    recognizes: Callable[[Look], bool]
    items: Callable[[Cells], Iterable[dict[str, Any]]]
    reads: tuple[str, ...]
    path: tuple[str, ...] = ()
    rows: Rows | None = None

    @property
    def format(self) -> Format:
        """The format that reads files of this shape."""
        return Format(
            key=self.key,
            name=self.name,
            summary=self.summary,
            kind=Kind.ITEMS,
            read=self.read,
            options=READING_OPTIONS,
            recognizes=self.recognizes,
            recognized_by=self.recognized_by,
        )

    def read(self, source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
        """Yield one record for each row that the file's rows hold; at the end what was left out."""
        problems = file_problems(source)
        yield from problems
        if problems:
            return
        # What columns mean is fixed here.
        kept = {name: value for name, value in options.items() if name not in ("map", "samples")}
        reading = RowReader(source, {**kept, "gold_separator": "none", "unknown_columns": "refuse"})
        rest = _Rest(self.reads)
        unanswerable = Counter[str]()
        for row in self._rows(source, rest):
            if isinstance(row, Problem):
                yield row
                continue
            answers = {name: row.values[name] for name in rest.answers_in(row.values)}
            rest.note(row.values)
            try:
                for item in self.items(row.values):
                    item = {**answers, **item}
                    unanswerable.update(tag for tag in item.get("tags", ()) if tag == UNANSWERABLE)
                    record = reading.record(Row(row.line, item))
                    yield from reading.take_warnings()
                    yield record
            except BadCell as error:
                yield source.error(error.code, error.message, line=row.line, column=error.column)
        yield from said_of_unanswerable(source, unanswerable[UNANSWERABLE])
        yield from left_out(source, rest.names)

    def _rows(self, source: Source, rest: "_Rest") -> Iterator[Row | Problem]:
        if self.rows:
            return self.rows(source, rest.names)
        return (
            rows_at(source, self.path, rest.names) if self.path else read_rows(source, passed_by=rest.names)
        )


class _Rest:
    """The names of the fields that a shape does not read and that hold something, the first first."""

    def __init__(self, reads: Iterable[str]) -> None:
        self.names: dict[str, None] = {}
        parts = [name.partition(".") for name in reads]
        self._settled = {name for name, _, _ in parts}
        self._read = frozenset(self._settled)
        self._answers: dict[tuple[str, ...], list[str]] = {}
        self._inner: dict[str, set[str]] = {}
        for name, _, inner in parts:
            if inner:
                self._inner.setdefault(name, set()).add(inner)

    def answers_in(self, values: Cells) -> list[str]:
        """Return the columns of a row that hold systems' answers beside what the shape reads."""
        names = tuple(values)
        if names not in self._answers:
            # JSON objects may each have their own keys.
            if len(self._answers) > MOST_HEADERS:
                self._answers.clear()
            found = understand((name for name in names if name not in self._read), {})
            self._answers[names] = [
                column.name for column in found if column.meaning in OF_ANSWERS and not column.system
            ]
            self._settled.update(self._answers[names])
        return self._answers[names]

    def note(self, values: Cells) -> None:
        """Look at one row; only names that are new cost anything."""
        new = values.keys() - self._settled
        # In the order of the file, but only where there is something new.
        for name in values if new else ():
            if name in new and values[name] not in (None, "", [], {}):
                self._settled.add(name)
                self.names.setdefault(name)
        for name, known in self._inner.items():
            within = values.get(name)
            for each in within if isinstance(within, list) else (within,):
                if isinstance(each, Mapping) and (new := each.keys() - known):
                    known.update(new)
                    self.names.update(dict.fromkeys(f"{name}.{inner}" for inner in sorted(new)))


def walk_rows(
    source: Source, path: tuple[str, ...], passed_by: dict[str, None], *, but: Container[str] = ()
) -> Iterator[Found | Problem]:
    """Yield the values at a path of a document, as many as rows are allowed; `passed_by` gets the rest."""
    walk = Walk(source, path, but=but)
    yield from limited(source, walk.found())
    passed_by.update(walk.passed_by)


def limited(source: Source, values: Iterable[Found | Problem]) -> Iterator[Found | Problem]:
    """Yield as many values as rows are allowed, and say where there are more."""
    for count, found in enumerate(values, 1):
        if count > source.limits.max_rows and isinstance(found, Found):
            limit = source.limits.max_rows
            yield source.error("too_many_rows", f"The file has more than {limit:,} rows.", line=found.line)
            return
        yield found


def rows_at(
    source: Source, path: tuple[str, ...], passed_by: dict[str, None], *, but: Container[str] = ()
) -> Iterator[Row | Problem]:
    """Yield the objects at a path of a document as rows, as `walk_rows` does."""
    for found in walk_rows(source, path, passed_by, but=but):
        yield found if isinstance(found, Problem) else as_row(source, found)


def as_row(source: Source, found: Found) -> Row | Problem:
    """Return an object that was found as a row."""
    if isinstance(found.value, dict):
        return shallow(source, Row(found.line, found.value))
    return source.error("not_an_object", "An object {…} was expected here.", line=found.line)


def object_in(values: Cells, name: str) -> Cells:
    """Return the object in a field, empty where there is none; raises `BadCell`."""
    value = values.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadCell(name, "not_an_object", f"“{name}” must be an object here.")
    return value


def list_in(values: Cells, name: str) -> list[Any]:
    """Return the list in a field, empty where there is none; raises `BadCell`."""
    value = values.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadCell(name, "not_a_list", f"“{name}” must be a list here.")
    return value


def objects_in(values: Cells, name: str) -> list[Cells]:
    """Return the objects of the list in a field; raises `BadCell`."""
    found = list_in(values, name)
    if not all(isinstance(each, Mapping) for each in found):
        raise BadCell(name, "not_an_object", f"“{name}” must be a list of objects here.")
    return found


def is_object(value: Any, *names: str) -> bool:
    """Whether a value is an object that has all of these fields."""
    return isinstance(value, Mapping) and all(name in value for name in names)


def is_objects(value: Any, *names: str) -> bool:
    """Whether a value is a list that begins with an object that has all of these fields."""
    return isinstance(value, list) and bool(value) and is_object(value[0], *names)


def is_texts(value: Any) -> bool:
    """Whether a value is a list of texts."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


IDS = ("id", "question_id", "qid")


def id_in(values: Cells) -> Any:
    """Return the ID of a question by the first usual name that a row has; or None."""
    return next((values[name] for name in IDS if values.get(name) is not None), None)


def given(**cells: Any) -> dict[str, Any]:
    """Return a row of those cells that hold something; what stands under one name is one column."""
    return {name: value for name, value in cells.items() if value is not None}
