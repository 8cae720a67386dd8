"""Batches, pauses and pace, as pure functions."""

from datetime import UTC, datetime, timedelta

import pytest

from judges.runs.rules import (
    LONGEST_PAUSE_SECONDS,
    MAX_ATTEMPTS,
    is_given_up,
    pace,
    pause_seconds,
)

AT = datetime(2026, 11, 1, tzinfo=UTC)


class TestPause:
    def test_grows_with_the_attempt_up_to_a_limit(self) -> None:
        pauses = [pause_seconds(attempt=attempt, chance=1.0) for attempt in (1, 2, 3, 100)]
        assert pauses == [2, 4, 8, LONGEST_PAUSE_SECONDS]

    def test_may_be_nothing(self) -> None:
        assert pause_seconds(attempt=3, chance=0.0) == 0

    def test_comes_to_an_end(self) -> None:
        assert [is_given_up(attempt=attempt) for attempt in (1, MAX_ATTEMPTS)] == [False, True]


class TestPace:
    def test_tells_rate_and_time_left(self) -> None:
        assert pace(judged=20, left=30, started_at=AT, at=AT + timedelta(seconds=10)) == (2.0, 15.0)

    @pytest.mark.parametrize(
        ("judged", "started_at", "seconds"), [(0, AT, 10), (20, None, 10), (20, AT, 0), (20, AT, -1)]
    )
    def test_tells_nothing_where_nothing_is_known(
        self, judged: int, started_at: datetime | None, seconds: int
    ) -> None:
        at = AT + timedelta(seconds=seconds)
        assert pace(judged=judged, left=30, started_at=started_at, at=at) == (None, None)
