"""How the rows of a JSON document are arranged: found from its beginning, and read."""

from collections.abc import Container, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from annotation.items.formats.documents.outline import outline_of
from annotation.items.formats.documents.streaming import EACH, NAMED, Found, Walk
from annotation.items.formats.records import Problem, Row, Source, left_out


class Arrangement(StrEnum):
    """Where the rows of a document stand."""

    LIST = "list"
    BY_ID = "by_id"
    COLUMNS = "columns"
    # Columns as lists, and rows as lists beside the names of their columns.
    LISTS = "lists"
    SPLIT = "split"
    # Rows as lists, the first of which may name the columns.
    TABLE = "table"
    # Lists of rows under several names; answers under their questions.
    BY_NAME = "by_name"
    PAIRS = "pairs"
    ROW = "row"


class Place(NamedTuple):
    """How the rows of a document are arranged, and the members that lead to them."""

    arrangement: Arrangement
    path: tuple[str, ...] = ()


# What documents call their columns and their rows, where the rows are lists.
_SPLIT = (
    ("columns", "data"),
    ("columns", "rows"),
    ("header", "rows"),
    ("headers", "rows"),
    ("fields", "values"),
)
_FEWEST_ROWS = 2
# Lists of objects that stand beside the rows and describe them.
_BESIDE_ROWS = frozenset({"columns", "errors", "features", "fields", "links", "schema", "warnings"})
# Parts of the names of what rows have that belong to a question in another list.
_OF_ANSWERS = ("id", "answer", "gold", "predict", "output", "response")
# Lists of objects are looked for in objects within objects, so deep.
_LISTS_DEPTH = 3
# A name of so many words is a question, where it holds an answer.
_FEWEST_WORDS = 3
# The columns of a name that rows stand under, and of what stands under a question. Nobody knows what they
# are: systems or data sets, gold answers or a system's.
OF_NAME = "list"
OF_VALUE = "value"


def place_of_rows(outline: Any, question_names: Container[str]) -> Place | None:
    """Return where the rows of a document stand; None where it has several lists that may be meant.

    question_names: in small letters; an object that has a text under one of them is a row itself.
    """
    if not isinstance(outline, Mapping):
        return Place(Arrangement.TABLE if _is_list_of_lists(outline) else Arrangement.ROW)
    if found := _turned(outline, question_names):
        return found
    if any(isinstance(value, str) and name.lower() in question_names for name, value in outline.items()):
        return Place(Arrangement.ROW)
    for level in _levels(outline):
        if places := _places_among(level, question_names):
            return _place_among(outline, places, question_names)
    if outline and all(isinstance(value, Mapping) for value in outline.values()):
        return Place(Arrangement.BY_ID)
    return Place(Arrangement.ROW)


def lists_of_objects(outline: Any) -> list[str]:
    """Return the paths of the lists of objects that are nearest to the top, with points in between."""
    for level in _levels(outline):
        if found := [".".join(path) for path, value in level if _is_list_of_objects(value)]:
            return found
    return []


def _levels(outline: Any) -> Iterator[list[tuple[tuple[str, ...], Any]]]:
    """Yield the members of a document, then those of its members, with the names that lead to each."""
    level: list[tuple[tuple[str, ...], Any]] = [((), outline)]
    for _ in range(_LISTS_DEPTH):
        level = [
            ((*path, name), value)
            for path, each in level
            if isinstance(each, Mapping)
            for name, value in each.items()
        ]
        yield level


def _place_among(outline: Any, places: list[Place], question_names: Container[str]) -> Place | None:
    """Return the place that is meant: the only one, all of them by name, or the only one with questions."""
    if len(places) == 1:
        return places[0]
    if by_name := _place_by_name(outline, places, question_names):
        return by_name
    if any(place.arrangement is not Arrangement.LIST for place in places):
        return None
    firsts = {place: _first_in(outline, place) for place in places}
    asking = [place for place, first in firsts.items() if _asks(first, question_names)]
    others = [first for place, first in firsts.items() if place not in asking]
    return asking[0] if len(asking) == 1 and not any(map(_may_be_answer, others)) else None


def _first_in(outline: Any, place: Place) -> Mapping[str, Any]:
    rows: Any = outline
    for name in place.path:
        rows = rows[name]
    first: Mapping[str, Any] = rows[0]
    return first


def _asks(row: Mapping[str, Any], question_names: Container[str]) -> bool:
    """Whether a row has a question, itself or in an object that it holds."""
    held = [value for value in row.values() if isinstance(value, Mapping)]
    return any(_has_question(each, question_names) for each in (row, *held))


def _may_be_answer(row: Mapping[str, Any]) -> bool:
    """Whether a row that has no question may belong to one that has."""
    return any(part in name.lower() for name in row for part in _OF_ANSWERS)


def _turned(outline: Mapping[str, Any], question_names: Container[str]) -> Place | None:
    """Return how a document holds a table that is no list of objects; None where it holds none."""
    if _has_columns(outline):
        return Place(Arrangement.COLUMNS)
    if _split_names(outline):
        return Place(Arrangement.SPLIT)
    if _has_lists(outline, question_names):
        return Place(Arrangement.LISTS)
    if _has_answers_by_question(outline):
        return Place(Arrangement.PAIRS)
    tables = [name for name, value in outline.items() if _is_list_of_lists(value)]
    is_alone = not any(
        isinstance(value, Mapping | list) for name, value in outline.items() if name not in tables
    )
    return Place(Arrangement.TABLE, (tables[0],)) if len(tables) == 1 and is_alone else None


def _place_by_name(
    outline: Mapping[str, Any], places: list[Place], question_names: Container[str]
) -> Place | None:
    """Return the object whose members are all lists of rows with a question each; None where there is none.

    Of lists that are unlike each other one is meant, and nobody knows which.
    """
    parents = {place.path[:-1] for place in places}
    if len(parents) > 1 or any(place.arrangement is not Arrangement.LIST for place in places):
        return None
    (parent,) = parents
    held: Any = outline
    for name in parent:
        held = held[name]
    lists = [held[place.path[-1]] for place in places]
    is_like = len(lists) == len(held) and all(_has_question(each[0], question_names) for each in lists)
    return Place(Arrangement.BY_NAME, parent) if is_like else None


def _has_question(row: Mapping[str, Any], question_names: Container[str]) -> bool:
    return any(isinstance(held, str) and name.lower() in question_names for name, held in row.items())


def _places_among(
    members: Iterable[tuple[tuple[str, ...], Any]], question_names: Container[str]
) -> list[Place]:
    """Return where rows may stand among members of one depth: lists of objects, else objects by their ids."""
    members = list(members)
    lists = [path for path, value in members if _is_list_of_objects(value)]
    rows = [path for path in lists if path[-1] not in _BESIDE_ROWS] if len(lists) > 1 else lists
    if lists:
        return [Place(Arrangement.LIST, path) for path in rows or lists]
    by_id = [path for path, value in members if _has_questions_by_id(value, question_names)]
    return [Place(Arrangement.BY_ID, path) for path in by_id]


def first_row_of(outline: Mapping[str, Any], question_names: Container[str]) -> Mapping[str, Any]:
    """Return the first row of a document as far as its beginning shows it; empty where nobody knows."""
    place = place_of_rows(outline, question_names)
    if place is None:
        return {}
    if place.arrangement is Arrangement.COLUMNS:
        return {name: next(iter(column.values())) for name, column in outline.items() if column}
    if place.arrangement is Arrangement.BY_ID and not place.path:
        name, row = next(iter(outline.items()))
        return {"id": name, **row}
    return _first_in(outline, place) if place.arrangement is Arrangement.LIST else outline


def _is_list_of_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def _has_questions_by_id(value: Any, question_names: Container[str]) -> bool:
    """Whether an object holds nothing but objects, under their ids, each with a question."""
    if not isinstance(value, Mapping) or len(value) < _FEWEST_ROWS:
        return False
    rows = list(value.values())
    # The last one may be cut off.
    return all(isinstance(row, Mapping) for row in rows) and all(
        _has_question(row, question_names) for row in rows[:-1]
    )


def _is_list_of_lists(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, list) and each for each in value)


def _has_answers_by_question(outline: Mapping[str, Any]) -> bool:
    """Whether each member is a question by its words, with a text or a list of texts under it."""
    return bool(outline) and all(
        len(name.split()) >= _FEWEST_WORDS and all(isinstance(each, str) for each in _listed(value))
        for name, value in outline.items()
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _split_names(outline: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the members with the names of columns and with rows that are lists, if there are such."""
    for names, rows in _SPLIT:
        named, listed = outline.get(names), outline.get(rows)
        if (
            isinstance(named, list)
            and isinstance(listed, list)
            and named
            and listed
            and all(isinstance(each, str) for each in named)
            and all(isinstance(each, list) for each in listed)
        ):
            return names, rows
    return None


def _has_lists(outline: Mapping[str, Any], question_names: Container[str]) -> bool:
    """Whether each member is a column, as a list of its cells."""
    columns = list(outline.values())
    if len(columns) < _FEWEST_ROWS or not all(isinstance(column, list) for column in columns):
        return False
    return any(
        name.lower() in question_names and column and all(isinstance(each, str) for each in column)
        for name, column in outline.items()
    )


def _has_columns(outline: Mapping[str, Any]) -> bool:
    """Whether each member is a column, whose cells stand under the numbers of their rows."""
    columns = list(outline.values())
    if not all(isinstance(column, Mapping) for column in columns):
        return False
    # The last one may be cut off before its first cell.
    return any(columns) and all(name.isdecimal() for column in columns for name in column)


_STEPS = {
    Arrangement.ROW: (),
    Arrangement.LIST: (EACH,),
    Arrangement.BY_ID: (NAMED,),
    Arrangement.BY_NAME: (NAMED, EACH),
    Arrangement.PAIRS: (NAMED,),
}


def read_lists(source: Source, place: Place) -> Iterator[tuple[int, list[Any]] | Problem]:
    """Yield the rows of a `TABLE` with their lines, as lists, and at the end what stands beside them."""
    walk = Walk(source, (*place.path, EACH))
    for found in walk.found():
        if isinstance(found, Problem):
            yield found
        elif not isinstance(found.value, list):
            yield source.error(
                "not_a_list", "A list […] with the cells of a row was expected here.", line=found.line
            )
        else:
            yield found.line, found.value
    yield from left_out(source, walk.passed_by)


def read_object(
    source: Source, place: Place, *, passed_by: dict[str, None] | None = None
) -> Iterator[Row | Problem]:
    """Yield the rows of a document, and at the end a warning that names what stands beside them.

    Those of a `TABLE` are read by `read_lists`.

    passed_by: takes the names of what stands beside the rows in place of the warning.
    """
    if place.arrangement is Arrangement.COLUMNS:
        walk = Walk(source, (NAMED, NAMED))
        yield from _joined_columns(source, walk)
        yield from _told(source, walk, passed_by)
        return
    if place.arrangement is Arrangement.LISTS:
        yield from _joined_lists(source)
        return
    if place.arrangement is Arrangement.SPLIT:
        yield from _split_rows(source, passed_by)
        return
    walk = Walk(source, (*place.path, *_STEPS[place.arrangement]))
    for found in walk.found():
        yield found if isinstance(found, Problem) else _row(source, place.arrangement, found)
    yield from _told(source, walk, passed_by)


# The columns of the names that rows stand under.
_NAME_COLUMNS = {Arrangement.BY_ID: "id", Arrangement.BY_NAME: OF_NAME}


def _row(source: Source, arrangement: Arrangement, found: Found) -> Row | Problem:
    if arrangement is Arrangement.PAIRS:
        return Row(found.line, {"question": found.names[0], OF_VALUE: found.value})
    if not isinstance(found.value, dict):
        return source.error("not_an_object", "An object {…} was expected here.", line=found.line)
    if arrangement in _NAME_COLUMNS:
        return Row(found.line, {_NAME_COLUMNS[arrangement]: found.names[0], **found.value})
    return Row(found.line, found.value)


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


def _joined_lists(source: Source) -> Iterator[Row | Problem]:
    """Yield the rows of columns that are lists; they have to be equally long."""
    rows: list[Row] = []
    counts: dict[str, int] = {}
    for found in Walk(source, (NAMED, EACH)).found():
        if isinstance(found, Problem):
            yield found
            return
        (column,), (number,) = found.names, found.place
        counts[column] = number + 1
        if number == len(rows):
            if number > source.limits.max_rows:
                break
            rows.append(Row(found.line, {}))
        rows[number].values[column] = found.value
    if len(set(counts.values())) > 1:
        words = ", ".join(f"“{name[:60]}” has {count:,}" for name, count in list(counts.items())[:5])
        yield source.error("uneven_columns", f"The columns have different lengths: {words}.", line=1)
        return
    yield from rows


def _split_rows(source: Source, passed_by: dict[str, None] | None) -> Iterator[Row | Problem]:
    """Yield rows that are lists, under the names that stand beside them."""
    called = _split_names(outline_of(source)) or _SPLIT[0]
    names: list[Any] = []
    for found in Walk(source, (called[0], EACH)).found():
        if isinstance(found, Problem):
            yield found
            return
        names.append(found.value)
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        message = f"“{called[0]}” must name each column once."
        yield source.error("repeated_column", message, line=1)
        return
    walk = Walk(source, (called[1], EACH))
    for found in walk.found():
        if isinstance(found, Problem):
            yield found
        elif not isinstance(found.value, list) or len(found.value) != len(names):
            message = f"A list of {len(names):,} cells was expected here, one for each name in “{called[0]}.”"
            yield source.error("wrong_cell_count", message, line=found.line)
        else:
            yield Row(found.line, dict(zip(names, found.value, strict=True)))
    walk.passed_by.pop(called[0], None)
    yield from _told(source, walk, passed_by)
