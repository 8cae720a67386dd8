"""Read everything as of one moment, and keep nobody from writing meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


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
