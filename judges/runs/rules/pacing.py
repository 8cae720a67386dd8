"""Whose turn it is: never more calls a minute than a connection allows, however many workers ask.

Source: the generic cell rate algorithm (ITU-T I.371): one time a connection says when its next call is due.
"""

from datetime import datetime, timedelta

MINUTE_SECONDS = 60.0
# So much of the quota may be called at once: a worker that comes now and then catches up.
BURST_SECONDS = 5.0


def spacing_seconds(*, calls_a_minute: int) -> float:
    """Return how far apart calls are, so that no minute holds more of them, bursts included."""
    # n calls take at least (n - 1) of these less a burst, which is a minute for the n after the quota.
    return (MINUTE_SECONDS + BURST_SECONDS) / calls_a_minute


def free_from(
    *, next_call_at: datetime | None, calls_a_minute: int | None, rests_until: datetime | None, at: datetime
) -> datetime | None:
    """Return from when on a connection may be called; None where it may be called now."""
    times = [rests_until] if rests_until else []
    if next_call_at and calls_a_minute:
        times.append(next_call_at - timedelta(seconds=BURST_SECONDS))
    latest = max(times, default=at)
    return latest if latest > at else None


def book_turn(*, next_call_at: datetime | None, calls_a_minute: int | None, at: datetime) -> datetime | None:
    """Return when the call after one made now is due; None where calls are not counted."""
    if not calls_a_minute:
        return None
    due = max(next_call_at or at, at)
    return due + timedelta(seconds=spacing_seconds(calls_a_minute=calls_a_minute))


def expected_seconds(*, calls: int, seconds_a_call: float, at_once: int, calls_a_minute: int | None) -> float:
    """Return how long calls will take with so many at once, or as long as the rate limit wants."""
    working = calls * seconds_a_call / at_once
    pacing = calls * spacing_seconds(calls_a_minute=calls_a_minute) if calls_a_minute else 0.0
    return max(working, pacing)
