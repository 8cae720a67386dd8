"""What a provider's failure means for a run: try again, give up, or wait for a person."""

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from judges.connections.rules.masking import MASK, hide_key
from judges.connections.rules.texts import storable
from judges.protocol import JudgeFailed

LONGEST_REST_SECONDS = 3600.0
# For a provider that is overloaded and does not say for how long.
USUAL_REST_SECONDS = 5.0
_LONGEST_MESSAGE = 200
_KEY_LIKE = re.compile(r"(?i)\b(?:bearer\s+\S+|(?:sk|pk|rk|key|gsk|xai)[-_][\w-]{8,}|[\w-]{32,})")
# A person has to act before anything of the run can go better.
_PAUSING = {401, 402, 403, 404}
_PASSING = {408, 409, 425, 429}
# The server said no before it did anything; of other failures nobody knows what they cost.
_UNBILLED = {409, 425, 429, 503}
_RESTING = {429, 503, 529}
_SPENT = "insufficient_quota"


def failure_of_status(
    status: int, *, message: str, code: str, key: str, retry_after: str, at: datetime
) -> JudgeFailed:
    """Return what an answer that is no success means."""
    if 300 <= status < 400:
        return JudgeFailed(
            "The server sent a redirect, which is not followed.", retryable=False, pauses_run=True
        )
    if status in _PAUSING or code == _SPENT:
        return JudgeFailed(_told(status, shortened(message, key=key)), retryable=False, pauses_run=True)
    if status in _PASSING or status >= 500:
        # Without the provider's words, which often name the request: failures are counted by reason.
        return JudgeFailed(
            _told(status),
            retryable=True,
            retry_after_seconds=_rest_after(status, retry_after, at),
            may_be_billed=status not in _UNBILLED,
        )
    return JudgeFailed(_told(status, shortened(message, key=key)), retryable=False)


def _rest_after(status: int, retry_after: str, at: datetime) -> float | None:
    asked = parse_retry_after(retry_after, at=at)
    return USUAL_REST_SECONDS if asked is None and status in _RESTING else asked


def _told(status: int, message: str = "") -> str:
    return f"The provider answered {status}: {message}" if message else f"The provider answered {status}."


def shortened(message: str, *, key: str) -> str:
    """Return a provider's message in one short line, without the key or anything like one."""
    line = hide_key(" ".join(storable(message).split()), key=key)
    return _KEY_LIKE.sub(MASK, line)[:_LONGEST_MESSAGE]


def parse_retry_after(text: str, *, at: datetime) -> float | None:
    """Return how many seconds a provider asks for, from seconds or a date; never more than an hour."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = _seconds_until(text, at)
    if math.isnan(seconds) or seconds < 0:
        return None
    return min(seconds, LONGEST_REST_SECONDS)


def _seconds_until(text: str, at: datetime) -> float:
    try:
        until = parsedate_to_datetime(text)
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        return max(0.0, (until - at).total_seconds())
    except (ValueError, OverflowError):
        return math.nan
