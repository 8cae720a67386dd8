"""Times and seconds."""

from datetime import UTC, datetime, timedelta

from django.db.models import Q
from django.utils import timezone


def now() -> datetime:
    """Return the current time in UTC; services take it as an argument, so tests can set it."""
    return timezone.now()


def microseconds(at: datetime) -> int:
    """Return a time as whole microseconds since 1970, as `rows.Microseconds` reads it."""
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


# A judgment takes longer; less than it is no time that was measured.
LEAST_SECONDS = 0.001
MOST_SECONDS = 86_400


def is_measured(field: str) -> Q:
    """Return which rows have seconds that can be summed and divided by, whatever a client once said."""
    return Q(**{f"{field}__gte": LEAST_SECONDS, f"{field}__lte": MOST_SECONDS})
