"""Decisions about runs: batches and their retries, pace, whose turn it is, what a call may cost, samples."""

from judges.runs.rules.batching import (
    LONGEST_HOLD_SECONDS,
    LONGEST_PAUSE_SECONDS,
    MAX_ATTEMPTS,
    MAX_REFUSALS,
    NO_GOLD,
    NO_PATTERN,
    ONLY_PATTERNS,
    Pace,
    is_given_up,
    is_taken_over,
    lease_end,
    pace,
    pause_seconds,
    reason_not_to_ask,
    split_into_batches,
)
from judges.runs.rules.pacing import BURST_SECONDS, book_turn, expected_seconds, free_from, spacing_seconds
from judges.runs.rules.sampling import Forecast, Means, draw_sample, forecast
from judges.runs.rules.spending import likely_tokens, most_input_tokens

__all__ = [
    "BURST_SECONDS",
    "LONGEST_HOLD_SECONDS",
    "LONGEST_PAUSE_SECONDS",
    "MAX_ATTEMPTS",
    "MAX_REFUSALS",
    "NO_GOLD",
    "NO_PATTERN",
    "ONLY_PATTERNS",
    "Forecast",
    "Means",
    "Pace",
    "book_turn",
    "draw_sample",
    "expected_seconds",
    "forecast",
    "free_from",
    "is_given_up",
    "is_taken_over",
    "lease_end",
    "likely_tokens",
    "most_input_tokens",
    "pace",
    "pause_seconds",
    "reason_not_to_ask",
    "spacing_seconds",
    "split_into_batches",
]
