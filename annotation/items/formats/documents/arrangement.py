"""How the rows of a JSON document are arranged: found from its beginning, and read."""

from collections.abc import Container, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from annotation.items.formats.documents.streaming import EACH, NAMED, Walk
from annotation.items.formats.records import Problem, Row, Source, left_out


class Arrangement(StrEnum):
    """Where the rows of a document stand."""

    LIST = "list"
    BY_ID = "by_id"
    COLUMNS = "columns"
    ROW = "row"


class Place(NamedTuple):
    """How the rows of a document are arranged, and the members that lead to them."""

    arrangement: Arrangement
    path: tuple[str, ...] = ()


# Lists of objects are looked for in objects within objects, so deep.
_LISTS_DEPTH = 3


def place_of_rows(outline: Any, question_names: Container[str]) -> Place | None:
    """Return where the rows of a document stand; None where it has several lists that may be meant.

    question_names: in small letters; an object that has a text under one of them is a row itself.
    """
    if not isinstance(outline, Mapping):
        return Place(Arrangement.ROW)
    if _has_columns(outline):
        return Place(Arrangement.COLUMNS)
    if any(isinstance(value, str) and name.lower() in question_names for name, value in outline.items()):
        return Place(Arrangement.ROW)
    level: list[tuple[tuple[str, ...], Any]] = [((), outline)]
    for _ in range(_LISTS_DEPTH):
        members = [
            ((*path, name), value)
            for path, each in level
            if isinstance(each, Mapping)
            for name, value in each.items()
        ]
        lists = [path for path, value in members if _is_list_of_objects(value)]
        if lists:
            return Place(Arrangement.LIST, lists[0]) if len(lists) == 1 else None
        level = members
    if outline and all(isinstance(value, Mapping) for value in outline.values()):
        return Place(Arrangement.BY_ID)
    return Place(Arrangement.ROW)


def first_row_of(outline: Mapping[str, Any], question_names: Container[str]) -> Mapping[str, Any]:
    """Return the first row of a document as far as its beginning shows it; empty where nobody knows."""
    place = place_of_rows(outline, question_names)
    if place is None:
        return {}
    if place.arrangement is Arrangement.COLUMNS:
        return {name: next(iter(column.values())) for name, column in outline.items() if column}
    if place.arrangement is Arrangement.BY_ID:
        name, row = next(iter(outline.items()))
        return {"id": name, **row}
    if place.arrangement is Arrangement.ROW:
        return outline
    rows: Any = outline
    for name in place.path:
        rows = rows[name]
    first: Mapping[str, Any] = rows[0]
    return first


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _has_columns(outline: Mapping[str, Any]) -> bool:
    """Whether each member is a column, whose cells stand under the numbers of their rows."""
    columns = list(outline.values())
    if not all(isinstance(column, Mapping) for column in columns):
        return False
    # The last one may be cut off before its first cell.
    return any(columns) and all(name.isdecimal() for column in columns for name in column)


_STEPS = {Arrangement.ROW: (), Arrangement.LIST: (EACH,), Arrangement.BY_ID: (NAMED,)}


def read_object(
    source: Source, place: Place, *, passed_by: dict[str, None] | None = None
) -> Iterator[Row | Problem]:
    """Yield the rows of a document, and at the end a warning that names what stands beside them.

    passed_by: takes the names of what stands beside the rows in place of the warning.
    """
    if place.arrangement is Arrangement.COLUMNS:
        walk = Walk(source, (NAMED, NAMED))
        yield from _joined_columns(source, walk)
        yield from _told(source, walk, passed_by)
        return
    walk = Walk(source, (*place.path, *_STEPS[place.arrangement]))
    for found in walk.found():
        if isinstance(found, Problem):
            yield found
        elif not isinstance(found.value, dict):
            yield source.error("not_an_object", "An object {…} was expected here.", line=found.line)
        elif place.arrangement is Arrangement.BY_ID:
            yield Row(found.line, {"id": found.names[0], **found.value})
        else:
            yield Row(found.line, found.value)
    yield from _told(source, walk, passed_by)


def _told(source: Source, walk: Walk, passed_by: dict[str, None] | None) -> Iterator[Problem]:
    if passed_by is None:
        yield from left_out(source, walk.passed_by)
    else:
        passed_by.update(walk.passed_by)


def _joined_columns(source: Source, walk: Walk) -> Iterator[Row | Problem]:
    rows: dict[str, Row] = {}
    for found in walk.found():
        if isinstance(found, Problem):
            yield found
            return
        column, number = found.names
        row = rows.get(number)
        if row is None and len(rows) > source.limits.max_rows:
            break
        if row is None:
            row = rows[number] = Row(found.line, {})
        row.values[column] = found.value
    yield from rows.values()
