"""What was read and written while the write lock was held: SQLite takes it as every `atomic` begins."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.transaction import Atomic

WRITING = re.compile(r"\s*(INSERT|UPDATE|DELETE)", re.IGNORECASE)
ENDING = ("SAVEPOINT", "RELEASE", "ROLLBACK")
OURS = re.compile(r".*/((?:annotation|judges|config|common)/.*\.py)$")


@dataclass
class Hold:
    """One outermost transaction: who began it, what it asked and wrote, and whether it was refused."""

    began: str
    asked: int = 0
    read_rows: int = 0
    written_rows: int = 0
    writes: int = 0
    is_refused: bool = False

    @property
    def is_needless(self) -> bool:
        """Whether nothing was written although nothing was wrong: `snapshot` reads without it."""
        return not self.writes and not self.is_refused

    @property
    def rows(self) -> int:
        """How many rows were read and written: what is read under the lock keeps others waiting, too."""
        return self.read_rows + self.written_rows


class Holds(list[Hold]):
    """All holds, those that are `open`, and `whole`: what would be one, were all one transaction."""

    def __init__(self) -> None:
        super().__init__()
        self.whole = Hold("all of it")
        self.open: list[Hold] = []


@contextmanager
def recorded_holds() -> Iterator[Holds]:
    """Note every transaction that the product begins; those around the recording are left out."""
    holds = Holds()
    open_holds = holds.open
    enter, leave = Atomic.__enter__, Atomic.__exit__

    def begin(atomic: Atomic) -> None:
        enter(atomic)
        open_holds.append(open_holds[0] if open_holds else Hold(_who()))

    def end(atomic: Atomic, *error: Any) -> None:
        hold = open_holds.pop()
        if not open_holds:
            hold.is_refused = error[0] is not None
            holds.append(hold)
        leave(atomic, *error)

    def count(execute: Any, sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        _note(holds.whole, sql, rest)
        if open_holds and not sql.startswith(ENDING):
            _note(open_holds[0], sql, rest)
        elif WRITING.match(sql):
            # A statement on its own holds the lock for as long as it takes.
            holds.append(Hold(_who()))
            _note(holds[-1], sql, rest)
        return result

    with (
        patch.object(Atomic, "__enter__", begin),
        patch.object(Atomic, "__exit__", end),
        patch.object(CursorWrapper, "fetchmany", _counting(holds, open_holds), create=True),
        connection.execute_wrapper(count),
    ):
        yield holds


def _counting(holds: Holds, open_holds: list[Hold]) -> Callable[..., Any]:
    """Return what reads rows as a cursor does, and counts them."""

    def fetch(cursor: CursorWrapper, *size: int) -> Any:
        with cursor.db.wrap_database_errors:
            rows = cursor.cursor.fetchmany(*size)
        for hold in (holds.whole, *open_holds[:1]):
            hold.read_rows += len(rows)
        return rows

    return fetch


def _note(hold: Hold, sql: str, rest: tuple[Any, ...]) -> None:
    hold.asked += 1
    if WRITING.match(sql):
        hold.writes += 1
        hold.written_rows += max(_inserted_rows(sql), rest[-1]["cursor"].rowcount)


def _inserted_rows(sql: str) -> int:
    # SQLite does not count what an INSERT returns.
    return sql.count("), (") + 1 if sql.lstrip().upper().startswith("INSERT") else 0


def _who() -> str:
    """Return the innermost line of the product that is running."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        found = OURS.match(frame.f_code.co_filename)
        if found and "site-packages" not in frame.f_code.co_filename:
            return f"{found.group(1)}: {frame.f_code.co_name}"
        frame = frame.f_back
    return "somebody else"
