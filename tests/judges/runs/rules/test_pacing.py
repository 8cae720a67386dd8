"""Whose turn it is: no minute holds more calls than a connection allows."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judges.runs.rules import book_turn, expected_seconds, free_from

START = datetime(2026, 1, 1, tzinfo=UTC)


def calls_made(*, calls_a_minute: int, gaps: list[float]) -> list[datetime]:
    """Ask again and again after these pauses, and return when a call was allowed."""
    at, due, made = START, None, []
    for gap in gaps:
        at += timedelta(seconds=gap)
        if free_from(next_call_at=due, calls_a_minute=calls_a_minute, rests_until=None, at=at) is None:
            due = book_turn(next_call_at=due, calls_a_minute=calls_a_minute, at=at)
            made.append(at)
    return made


class TestTurns:
    @given(
        calls_a_minute=st.integers(1, 120),
        gap=st.sampled_from([0.05, 0.2, 0.5]),
        rests=st.dictionaries(st.integers(0, 600), st.floats(0, 90), max_size=4),
    )
    @example(calls_a_minute=22, gap=0.05, rests={1: 0.99999})
    @settings(max_examples=40)
    def test_never_pass_the_limit_in_any_minute(
        self, calls_a_minute: int, gap: float, rests: dict[int, float]
    ) -> None:
        gaps = [rests.get(place, gap) for place in range(2_000)]
        made = calls_made(calls_a_minute=calls_a_minute, gaps=gaps)
        # However many calls there are, the one after a whole quota comes a minute after its first.
        minute = timedelta(seconds=60)
        after_the_quota = zip(made, made[calls_a_minute:], strict=False)
        assert all(later - first >= minute for first, later in after_the_quota)

    @pytest.mark.parametrize("calls_a_minute", [1, 20, 60, 600])
    def test_use_nearly_all_of_it(self, calls_a_minute: int) -> None:
        made = calls_made(calls_a_minute=calls_a_minute, gaps=[0.05] * (10 * 60 * 20))
        assert len(made) >= 0.9 * 10 * calls_a_minute

    def test_say_from_when_on_to_ask_again(self) -> None:
        due = None
        while free_from(next_call_at=due, calls_a_minute=30, rests_until=None, at=START) is None:
            due = book_turn(next_call_at=due, calls_a_minute=30, at=START)
        until = free_from(next_call_at=due, calls_a_minute=30, rests_until=None, at=START)
        assert until is not None
        assert free_from(next_call_at=due, calls_a_minute=30, rests_until=None, at=until) is None

    def test_wait_for_the_end_of_a_rest(self) -> None:
        later = START + timedelta(seconds=9)
        given = {"next_call_at": None, "calls_a_minute": None, "rests_until": later}
        assert free_from(**given, at=START) == later
        assert free_from(**given, at=later) is None

    def test_are_not_booked_without_a_limit(self) -> None:
        assert book_turn(next_call_at=None, calls_a_minute=None, at=START) is None


class TestExpectedSeconds:
    def test_is_what_takes_longer(self) -> None:
        given = {"calls": 100, "seconds_a_call": 2.0, "at_once": 4}
        assert expected_seconds(**given, calls_a_minute=None) == 50.0
        assert expected_seconds(**given, calls_a_minute=6_000) == 50.0
        assert expected_seconds(**given, calls_a_minute=60) == pytest.approx(100 * 65 / 60)
