"""Whole studies in shares: what writes them takes the write lock for one share at a time, and briefly."""

from collections.abc import Iterator, Sequence
from time import monotonic, sleep
from typing import TypeVar

from django.db import connection

from common.statistics import refresh_statistics

# Tests lower it, so that a small study is as many shares as a large one.
LARGEST = 10_000
# Longer than this nobody writes at a time, nor one share after the other: SQLite lets one write, and who
# waits for it looks again after 100 ms at the latest.
WRITING_SECONDS = 0.25
PAUSE_SECONDS = 0.11
Row = TypeVar("Row")


def in_shares(rows: Sequence[Row], *, of: int) -> Iterator[Sequence[Row]]:
    """Yield the rows in order, so many at a time at most: keys, read before the first share is written.

    How long a share takes depends on the machine and on who else is at work on it, so a share is halved
    where the one before took too long, and doubled where it was done at once; the first is a quarter.
    In between the database learns how tables have grown.
    """
    largest = min(of, LARGEST)
    size = max(1, largest // 4)
    start, began = 0, monotonic()
    while start < len(rows):
        refresh_statistics()
        asked = monotonic()
        yield rows[start : start + size]
        start += size
        at = monotonic()
        size = _next_size(size, seconds=at - asked, largest=largest)
        if at - began >= WRITING_SECONDS and start < len(rows):
            let_others_in()
            began = monotonic()


def _next_size(size: int, *, seconds: float, largest: int) -> int:
    if seconds > WRITING_SECONDS:
        return max(1, size // 2)
    return min(largest, 2 * size) if seconds < WRITING_SECONDS / 4 else size


def let_others_in() -> None:
    """Leave SQLite's write lock alone for as long as whoever waits for it may sleep."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        sleep(PAUSE_SECONDS)
