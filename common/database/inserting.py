"""Insert many rows of a table, without making an object of each."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import StringIO
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, Field, JSONField, Model

Converter = Callable[[Any], Any]
# As COPY's text format has them.
ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
NULL = "\\N"


def reserve_keys(model: type[Model], count: int) -> Sequence[int]:
    """Return keys for so many rows about to be inserted, lowest first; on SQLite only in a transaction."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [table, count]
            )
            return [key for (key,) in cursor.fetchall()]
        # Who writes has the only lock, so nobody takes these meanwhile.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
    first = found[0] + 1 if found else 1
    return range(first, first + count)


def insert_rows(model: type[Model], fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows given as values of these fields, foreign keys as keys; all but a key made by the database.

    By COPY on PostgreSQL, by one prepared statement on SQLite.
    """
    if not rows:
        return
    columns = [_field(model, name) for name in fields]
    converted = _converted(rows, [_converter(column) for column in columns])
    names = ", ".join(connection.ops.quote_name(column.column) for column in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    # Django turns errors of `execute` into its own, and not those of COPY.
    with connection.cursor() as cursor, connection.wrap_database_errors:
        if connection.vendor == "postgresql":
            text = StringIO("".join(map(_copied, converted)))
            cursor.copy_expert(f"COPY {table} ({names}) FROM STDIN", text)
            return
        places = ", ".join(["%s"] * len(columns))
        cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", list(converted))  # noqa: S608 - names of ours


def _copied(row: Sequence[Any]) -> str:
    return "\t".join(map(_cell, row)) + "\n"


def _cell(value: Any) -> str:
    return NULL if value is None else str(value).translate(ESCAPES)


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    field = model._meta.get_field(name)
    assert isinstance(field, Field)
    return field


def _converter(field: "Field[Any, Any]") -> Converter | None:
    """Return what turns a value into the database's, None where it is so already."""
    if isinstance(field, JSONField):
        return _as_json
    if isinstance(field, DateTimeField):
        return partial(field.get_db_prep_save, connection=connection)
    return None


def _as_json(value: Any) -> str | None:
    return None if value is None else json.dumps(value)


def _converted(
    rows: Iterable[Sequence[Any]], converters: Sequence[Converter | None]
) -> Iterator[Sequence[Any]]:
    changing = [(place, convert) for place, convert in enumerate(converters) if convert is not None]
    for row in rows:
        values = list(row)
        for place, convert in changing:
            values[place] = convert(values[place])
        yield values
