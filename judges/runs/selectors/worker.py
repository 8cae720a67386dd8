"""Ask whether anybody does the background work."""

from celery import current_app
from django.core.cache import cache
from kombu.exceptions import OperationalError

PING_SECONDS = 1.0


def is_worker_running() -> bool:
    """Say whether any worker answers; asked at most every five seconds."""
    known: bool | None = cache.get("worker-running")
    if known is None:
        known = _does_a_worker_answer()
        cache.set("worker-running", known, timeout=5)
    return known


def _does_a_worker_answer() -> bool:
    # Loaded when asked: an installation whose queue is no Redis starts without it.
    from redis.exceptions import RedisError

    try:
        return bool(current_app.control.inspect(timeout=PING_SECONDS, limit=1).ping())
    except (OperationalError, RedisError, OSError):
        return False
