"""Chunks: every row once, as large as they may be, and as small as a busy machine needs."""

import pytest

from common.database import rows

# Between chunks the database is asked which tables have grown.
pytestmark = pytest.mark.django_db


class Clock:
    """A time that goes on by so much with each row that is written."""

    def __init__(self, seconds_a_row: float) -> None:
        self.seconds_a_row = seconds_a_row
        self.seconds = 0.0
        self.pauses = 0

    def write(self, count: int) -> list[int]:
        """Return how many rows were written at a time."""
        sizes = []
        for chunk in rows.in_chunks(range(count)):
            self.seconds += len(chunk) * self.seconds_a_row
            sizes.append(len(chunk))
        return sizes

    def pause(self) -> None:
        self.pauses += 1


def clock(patch: pytest.MonkeyPatch, seconds_a_row: float, *, largest: int) -> Clock:
    patch.setattr(rows, "LARGEST", largest)
    made = Clock(seconds_a_row)
    patch.setattr(rows, "monotonic", lambda: made.seconds)
    patch.setattr(rows, "let_others_in", made.pause)
    return made


class TestInChunks:
    @pytest.mark.parametrize("count", [0, 1, 5, 1_000])
    def test_every_row_comes_once_in_order(self, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rows, "LARGEST", 20)
        found = list(rows.in_chunks(range(count)))
        assert [row for chunk in found for row in chunk] == list(range(count))
        assert max(map(len, found), default=0) <= 20

    def test_grow_where_they_are_written_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert clock(monkeypatch, 0.0, largest=400).write(100) == [4, 8, 16, 32, 40]

    def test_shrink_where_the_machine_is_slow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sizes = clock(monkeypatch, 0.02, largest=10_000).write(400)
        assert sizes[:4] == [100, 50, 25, 12]
        assert set(sizes[3:-1]) == {12}

    def test_are_one_row_at_least(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert clock(monkeypatch, 9.0, largest=200).write(5) == [2, 1, 1, 1]

    @pytest.mark.parametrize(("seconds_a_chunk", "pauses"), [(1.0, 9), (0.125, 4), (0.001, 0)])
    def test_who_wrote_for_long_leaves_the_lock_to_others(
        self, seconds_a_chunk: float, pauses: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        writer = clock(monkeypatch, seconds_a_chunk, largest=1)
        assert writer.write(10) == [1] * 10
        assert writer.pauses == pauses
