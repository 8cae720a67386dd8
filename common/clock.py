"""The one place that asks what time it is."""

from datetime import datetime

from django.utils import timezone


def now() -> datetime:
    """Return the current time in UTC; services take it as an argument, so tests can set it."""
    return timezone.now()
