"""Django's backend for SQLite, in which writers take turns.

SQLite has no queue for its write lock: whoever finds it taken sleeps, up to 100 ms, and looks again. Where
others write one transaction after the other, somebody may look in vain for as long as they do, and is told
"database is locked" in the end. So there is a turnstile before the lock: a lock of the system on a file,
across threads and processes, for whoever is about to take the write lock. Only one at a time looks whether
it is free, and nobody who has just written can come before them.
"""

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

WRITING = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)", re.IGNORECASE)


@contextmanager
def turn(path: Path) -> Iterator[None]:
    """Wait until nobody else is in the turnstile, and be in it for as long as the context lasts.

    The system gives it up for whoever dies. Opened anew each time, so that threads exclude each other, too.
    Where it cannot be opened there is no queue: SQLite itself says what is wrong with the folder.
    """
    file = _open(path)
    if file is None:
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            # Not by closing alone: a child that was forked meanwhile has the file open as well.
            fcntl.flock(file, fcntl.LOCK_UN)
    finally:
        os.close(file)


def _open(path: Path) -> int | None:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that stands in the queue before it takes the write lock."""

    transaction_mode: str

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Have single statements that write take turns like transactions."""
        super().__init__(*arguments, **options)
        self.execute_wrappers.append(self._execute_in_turn)

    def _start_transaction_under_autocommit(self) -> None:
        # Typed for any database, though only SQLite's begins transactions by itself.
        django: Any = super()
        path = self._turnstile()
        if path is None or self.transaction_mode != "IMMEDIATE":
            django._start_transaction_under_autocommit()
            return
        # SQLite notes how to undo each statement and savepoint. Beyond 64 kB it would use a file, and many
        # inserts into tables with triggers would take twice as long.
        self._keep_temporary("MEMORY")
        # Left as soon as the lock is ours: the next one may wait for it while we write.
        with turn(path):
            django._start_transaction_under_autocommit()

    def _set_autocommit(self, autocommit: bool) -> None:
        # Typed for any database, too.
        django: Any = super()
        django._set_autocommit(autocommit)
        if autocommit:
            # Who reads may sort more than memory holds.
            self._keep_temporary("DEFAULT")

    def _keep_temporary(self, where: str) -> None:
        with self.wrap_database_errors:
            self.connection.execute(f"PRAGMA temp_store = {where}")

    def _execute_in_turn(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        path = self._turnstile() if self.get_autocommit() and WRITING.match(sql) else None
        if path is None:
            return execute(sql, params, many, context)
        with turn(path):
            return execute(sql, params, many, context)

    def _turnstile(self) -> Path | None:
        name = str(self.settings_dict["NAME"])
        return None if self.is_in_memory_db() else Path(f"{name}-turn")
