"""Shares: every row once, as large as they may be, and as small as a busy machine needs."""

import pytest

from common.database import shares

# Between shares the database is asked which tables have grown.
pytestmark = pytest.mark.django_db


class Clock:
    """A time that goes on by so much with each row that is written."""

    def __init__(self, seconds_a_row: float) -> None:
        self.seconds_a_row = seconds_a_row
        self.seconds = 0.0
        self.pauses = 0

    def write(self, rows: int, *, of: int) -> list[int]:
        """Return how many rows were written at a time."""
        sizes = []
        for share in shares.in_shares(range(rows), of=of):
            self.seconds += len(share) * self.seconds_a_row
            sizes.append(len(share))
        return sizes

    def pause(self) -> None:
        self.pauses += 1


def clock(patch: pytest.MonkeyPatch, seconds_a_row: float) -> Clock:
    made = Clock(seconds_a_row)
    patch.setattr(shares, "monotonic", lambda: made.seconds)
    patch.setattr(shares, "let_others_in", made.pause)
    return made


class TestInShares:
    @pytest.mark.parametrize("rows", [0, 1, 5, 1_000])
    def test_every_row_comes_once_in_order(self, rows: int) -> None:
        found = list(shares.in_shares(range(rows), of=20))
        assert [row for share in found for row in share] == list(range(rows))
        assert max(map(len, found), default=0) <= 20

    def test_grow_where_they_are_written_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert clock(monkeypatch, 0.0).write(100, of=40) == [10, 20, 40, 30]

    def test_shrink_where_the_machine_is_slow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sizes = clock(monkeypatch, 0.02).write(400, of=400)
        assert sizes[:4] == [100, 50, 25, 12]
        assert set(sizes[3:-1]) == {12}

    def test_are_one_row_at_least(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert clock(monkeypatch, 9.0).write(5, of=8) == [2, 1, 1, 1]

    @pytest.mark.parametrize(("seconds_a_share", "pauses"), [(1.0, 9), (0.125, 4), (0.001, 0)])
    def test_who_wrote_for_long_leaves_the_lock_to_others(
        self, seconds_a_share: float, pauses: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        writer = clock(monkeypatch, seconds_a_share)
        assert writer.write(10, of=1) == [1] * 10
        assert writer.pauses == pauses
