"""Statements that PostgreSQL keeps planned: each connection has one planned once, and then names it.

Planning a rater's reads takes PostgreSQL about as long as running them.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any
from weakref import WeakKeyDictionary

from django.db import DatabaseError, connection

# Each is some tens of kB of a connection's memory. What comes later is planned each time, as ever.
MOST_KEPT = 100
# PostgreSQL's words for a statement that the connection keeps already, and for one that it does not keep.
KEPT_ALREADY, NOT_KEPT = "42P05", "26000"
# Names by psycopg2's connection, which ends with PostgreSQL's process and all that it keeps; empty: not kept.
_kept: "WeakKeyDictionary[Any, dict[int, str]]" = WeakKeyDictionary()
_pooled: set[str] = set()


def planned(
    number: int, sql: str, parameters: Sequence[Any], places: Sequence[int]
) -> tuple[str, Sequence[Any]]:
    """Return a statement that does the same with these parameters, planned before where that can be.

    `number`: the statement's own in this process. `places`: of the parameters that change from one call to
    the next; all others are part of what is kept. Nothing is kept on SQLite, nor behind a pooler that gives
    each transaction another connection: Django's `DISABLE_SERVER_SIDE_CURSORS` says so, or an error does.
    """
    if connection.vendor != "postgresql" or connection.alias in _pooled:
        return sql, parameters
    if connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS"):
        return sql, parameters
    connection.ensure_connection()
    kept = _kept.setdefault(connection.connection, {})
    if number not in kept:
        if len(kept) >= MOST_KEPT:
            return sql, parameters
        kept[number] = _keep(sql, parameters, places)
    name = kept[number]
    if not name:
        return sql, parameters
    values = [parameters[place] for place in places]
    return f"EXECUTE {name} ({', '.join(['%s'] * len(values))})" if values else f"EXECUTE {name}", values


@contextmanager
def noticing_poolers() -> Iterator[None]:
    """Keep nothing any more in this process once PostgreSQL does not know a statement that was kept."""
    try:
        yield
    except DatabaseError as error:
        if getattr(error.__cause__, "pgcode", "") == NOT_KEPT:
            _pooled.add(connection.alias)
        raise


def _keep(sql: str, parameters: Sequence[Any], places: Sequence[int]) -> str:
    """Have the connection keep a statement, and return its name; an empty one where PostgreSQL will not.

    The name tells the statement's words: behind a pooler another process may have kept one here. Past
    Django's cursor: it is nothing that the request asks.
    """
    from psycopg2 import Error
    from psycopg2.extensions import AsIs

    given = list(parameters)
    for number, place in enumerate(places, start=1):
        given[place] = AsIs(f"${number}")
    with connection.connection.cursor() as cursor:
        text = cursor.mogrify(sql, given)
        name = f"assay_{blake2b(text, digest_size=12).hexdigest()}"
        # A type that cannot be told must not end the caller's transaction.
        if connection.in_atomic_block:
            cursor.execute("SAVEPOINT keeping")
        try:
            cursor.execute(b"PREPARE " + name.encode() + b" AS " + text)
        except Error as error:
            name = name if error.pgcode == KEPT_ALREADY else ""
            if connection.in_atomic_block:
                cursor.execute("ROLLBACK TO SAVEPOINT keeping")
        if connection.in_atomic_block:
            cursor.execute("RELEASE SAVEPOINT keeping")
    return name
