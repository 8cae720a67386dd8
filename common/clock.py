"""Times and seconds."""

from datetime import datetime

from django.db.models import Q
from django.utils import timezone


def now() -> datetime:
    """Return the current time in UTC; services take it as an argument, so tests can set it."""
    return timezone.now()


# A judgment takes longer; less than it is no time that was measured.
LEAST_SECONDS = 0.001
MOST_SECONDS = 86_400


def is_measured(field: str) -> Q:
    """Return which rows have seconds that can be summed and divided by, whatever a client once said."""
    return Q(**{f"{field}__gte": LEAST_SECONDS, f"{field}__lte": MOST_SECONDS})
