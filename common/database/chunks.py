"""Whole studies in chunks: the write lock is held briefly, and the database learns how tables grow."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from time import monotonic, sleep
from typing import TypeVar

from django.db import connection

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


def refresh_statistics() -> None:
    """Count the tables anew that have changed much, if it was not asked within the last second.

    To be called in no transaction, as often as one likes, by whatever writes thousands of rows. PostgreSQL
    takes a table that was just filled for an empty one, reads it from end to end for every row of another,
    and learns better only when autovacuum comes by, a minute later or never. SQLite goes by its indexes.
    """
    global _asked_at
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        return
    if monotonic() - _asked_at < SECONDS_BETWEEN:
        return
    _asked_at = monotonic()
    with connection.cursor() as cursor:
        cursor.execute(_GROWN, [LEAST_CHANGED, CHANGED_SHARE])
        grown = [name for (name,) in cursor.fetchall()]
        for name in grown:
            # Whoever else is at it does it as well.
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {name}")
