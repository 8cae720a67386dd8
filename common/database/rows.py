"""Many rows at once: read as arrays and of one moment, inserted without objects, written in chunks."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import StringIO
from itertools import chain, islice
from time import monotonic, sleep
from typing import Any, TypeVar

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BigIntegerField, DateTimeField, Field, Func, JSONField, Model, QuerySet
from django.db.models.sql.compiler import SQLCompiler
from numpy.typing import NDArray

ROWS_AT_ONCE = 20_000


class Microseconds(Func):
    """A time as whole microseconds since 1970, UTC."""

    template = "CAST(EXTRACT(EPOCH FROM %(expressions)s) * 1000000 AS bigint)"
    output_field = BigIntegerField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **extra: Any
    ) -> tuple[str, Any]:
        """Return it of the text that SQLite keeps: 2026-03-02 09:00:00, then perhaps a dot and six digits.

        Given all of that, SQLite would round to thousandths.
        """
        seconds = "CAST(strftime('%%%%s', substr(%(expressions)s, 1, 19)) AS integer)"
        rest = "CAST(substr(%(expressions)s, 21) AS integer)"
        return self.as_sql(compiler, connection, template=f"{seconds} * 1000000 + {rest}", **extra)


def read_rows(queryset: QuerySet[Any, Any], *fields: str) -> Iterator[tuple[Any, ...]]:
    """Yield these fields of every row as the database gives them: no model, no conversion.

    For numbers and texts only: what Django makes of a column afterwards (JSON, booleans of SQLite, times)
    is left out. A condition that nothing can meet asks nothing.
    """
    try:
        sql, parameters = queryset.values_list(*fields).query.sql_with_params()
    except EmptyResultSet:
        return
    with connections[queryset.db].cursor() as cursor:
        cursor.execute(sql, parameters)
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            yield from rows


def read_together(*querysets: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of several reads of the same columns, by one statement, each after its read's place.

    As the database gives them, sorted, and none of what nothing can meet: see `read_rows`.
    """
    return run_sorted(*sql_together(*querysets))


def run_sorted(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the sorted rows of a statement, none of an empty one."""
    if not sql:
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return sorted(cursor.fetchall())


def sql_together(*querysets: QuerySet[Any, Any]) -> tuple[str, list[Any]]:
    """Return one statement for several reads; an empty one where nothing can meet any of them."""
    parts: list[str] = []
    values: list[Any] = []
    for place, queryset in enumerate(querysets):
        with suppress(EmptyResultSet):
            sql, parameters = queryset.query.sql_with_params()
            parts.append(f"SELECT {place}, part{place}.* FROM ({sql}) AS part{place}")  # noqa: S608 - Django's
            values += parameters
    return " UNION ALL ".join(parts), values


def read_numbers(queryset: QuerySet[Any, Any], *fields: str) -> NDArray[np.float64]:
    """Return rows × fields; every value is a number, never null. Whole numbers are exact up to 2**53."""
    flat = np.fromiter(chain.from_iterable(read_rows(queryset, *fields)), dtype=np.float64)
    return flat.reshape(-1, len(fields))


def read_integers(queryset: QuerySet[Any, Any], *fields: str) -> NDArray[np.int64]:
    """Return rows × fields of whole numbers; none is null."""
    flat = np.fromiter(chain.from_iterable(read_rows(queryset, *fields)), dtype=np.int64)
    return flat.reshape(-1, len(fields))


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


def insert_objects(objects: Sequence[Model]) -> None:
    """Insert a few new objects of one model by one statement, and give them their keys.

    As `bulk_create`, which takes longer to write its statement than to run it. Every field is stored as it
    is: none may be made by the database or on saving.
    """
    if not objects:
        return
    model, quoted = type(objects[0]), connection.ops.quote_name
    columns = [field for field in model._meta.local_concrete_fields if not field.primary_key]
    names = ", ".join(quoted(column.column) for column in columns)
    places = ", ".join([f"({', '.join(['%s'] * len(columns))})"] * len(objects))
    rows = [[getattr(each, column.attname) for column in columns] for each in objects]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {quoted(model._meta.db_table)} ({names}) VALUES {places} RETURNING id",  # noqa: S608 - names of ours
            list(chain.from_iterable(_converted(rows, [_converter(column) for column in columns]))),
        )
        keys = cursor.fetchall()
    for each, (key,) in zip(objects, keys, strict=True):
        each.pk = key
        each._state.adding, each._state.db = False, connection.alias


def update_rows(model: type[Model], fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Give fields of rows new values by one statement; each row is its key, then the values.

    For texts and whole numbers only. Django's `bulk_update` says it by a CASE for each value, which takes
    longer to write than to run.
    """
    if not rows:
        return
    quoted = connection.ops.quote_name
    table, columns = quoted(model._meta.db_table), [quoted(_field(model, name).column) for name in fields]
    changes = ", ".join(f"{column} = given.column{place}" for place, column in enumerate(columns, start=2))
    places = ", ".join([f"({', '.join(['%s'] * (1 + len(fields)))})"] * len(rows))
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET {changes} FROM (VALUES {places}) AS given "  # noqa: S608 - names of ours
            f"WHERE {table}.id = given.column1",
            list(chain.from_iterable(rows)),
        )


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


# Of rows; tests lower it, so that a small study is as many chunks as a large one.
LARGEST = 2_000
# Longer than this nobody writes at a time, nor one chunk after the other: SQLite lets one write, and who
# waits for it looks again after 100 ms at the latest.
WRITING_SECONDS = 0.25
PAUSE_SECONDS = 0.11
Row = TypeVar("Row")


def in_chunks(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Yield the rows in order, some at a time: keys, read before the first chunk is written.

    How long a chunk takes depends on what is written, on the machine and on who else is at work on it, so the
    first has a hundredth of the most rows; a chunk is halved where the one before took too long, and doubled
    where it was done at once. In between the database learns how tables have grown.
    """
    size = max(1, LARGEST // 100)
    start, began = 0, monotonic()
    while start < len(rows):
        refresh_statistics()
        asked = monotonic()
        yield rows[start : start + size]
        start += size
        at = monotonic()
        size = _next_size(size, seconds=at - asked)
        if at - began >= WRITING_SECONDS and start < len(rows):
            let_others_in()
            began = monotonic()


def _next_size(size: int, *, seconds: float) -> int:
    if seconds > WRITING_SECONDS:
        return max(1, size // 2)
    return min(LARGEST, 2 * size) if seconds < WRITING_SECONDS / 4 else size


def let_others_in() -> None:
    """Leave SQLite's write lock alone for as long as whoever waits for it may sleep."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        sleep(PAUSE_SECONDS)


def batched(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    """Yield the rows in order, in lists of at most `size`; whoever writes goes `in_chunks` instead."""
    found = iter(rows)
    while batch := list(islice(found, size)):
        yield batch


# As long as PostgreSQL waits before it tells what a session changed.
SECONDS_BETWEEN = 1.0
# A table is counted anew once so many rows, and this part of all, have changed: autovacuum's own measure.
LEAST_CHANGED = 500
CHANGED_SHARE = 0.1

_GROWN = """
    SELECT quote_ident(schemaname) || '.' || quote_ident(relname) FROM pg_stat_user_tables
    WHERE schemaname = current_schema() AND n_mod_since_analyze > %s + %s * n_live_tup ORDER BY relname
"""
_asked_at = -SECONDS_BETWEEN


def refresh_statistics(
    *, seconds_between: float = SECONDS_BETWEEN, changed_share: float = CHANGED_SHARE
) -> None:
    """Count the tables anew of which so large a share has changed.

    Unless this process asked so many seconds ago or less.

    To be called in no transaction, as often as one likes, by whatever writes thousands of rows. PostgreSQL
    takes a table that was just filled for an empty one, reads it from end to end for every row of another,
    and learns better only when autovacuum comes by, a minute later or never. SQLite goes by its indexes.
    """
    global _asked_at
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        return
    if monotonic() - _asked_at < seconds_between:
        return
    _asked_at = monotonic()
    with connection.cursor() as cursor:
        cursor.execute(_GROWN, [LEAST_CHANGED, changed_share])
        grown = [name for (name,) in cursor.fetchall()]
        for name in grown:
            # Whoever else is at it does it as well.
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {name}")


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all queries inside see the same state of the database; nothing can be written.

    `transaction.atomic` is for writing: on SQLite it takes the one write lock (IMMEDIATE), and keeps it for
    as long as somebody reads. Inside a transaction of the caller this is part of it.
    """
    if connection.in_atomic_block:
        yield
        return
    with _begin_reading():
        with connection.cursor() as cursor:
            cursor.execute(_READ_ONLY[connection.vendor])
        yield


_READ_ONLY = {
    "postgresql": "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "sqlite": "PRAGMA query_only = ON",
}


@contextmanager
def _begin_reading() -> Iterator[None]:
    if connection.vendor != "sqlite":
        with transaction.atomic():
            yield
        return
    # Typed for any database, though only SQLite's has a mode; each connection sets it anew, so there is one.
    database: Any = connection
    database.ensure_connection()
    mode, database.transaction_mode = database.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic():
            yield
    finally:
        database.transaction_mode = mode
        with database.cursor() as cursor:
            cursor.execute("PRAGMA query_only = OFF")
