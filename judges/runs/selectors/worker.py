"""Ask whether anybody does the background work, and whether the clock rings for it."""

from datetime import datetime, timedelta
from enum import StrEnum

from celery import current_app
from django.core.cache import cache
from kombu.exceptions import OperationalError

from common.clock import now
from judges.runs.models import LastSweep

REPLY_SECONDS = 1.0
# The sweeper leaves its sign every five seconds; two that were late are no reason to worry.
LATE_AFTER = timedelta(seconds=15)
REMEMBERED_SECONDS = 5


class Lack(StrEnum):
    """What background work lacks, as far as can be told."""

    NOTHING = ""
    WORKER = "worker"
    CLOCK = "clock"


def is_worker_running() -> bool:
    """Say whether background work is done: that a worker is there and that the clock rings for it."""
    return background_lack() is Lack.NOTHING


def background_lack(*, at: datetime | None = None) -> Lack:
    """Return what background work lacks.

    The sweeper's own row says that clock, queue and worker work. Where it is late the worker is asked, at
    most every five seconds: with all its processes busy it lives, and the sign waits its turn.
    """
    if LastSweep.objects.filter(swept_at__gt=(at or now()) - LATE_AFTER).exists():
        return Lack.NOTHING
    known = cache.get("background-lack")
    if known is None:
        known = _ask_a_worker().value
        cache.set("background-lack", known, timeout=REMEMBERED_SECONDS)
    return Lack(known)


def _ask_a_worker() -> Lack:
    # Loaded when asked: an installation whose queue is no Redis starts without it.
    from redis.exceptions import RedisError

    try:
        asked = current_app.control.inspect(timeout=REPLY_SECONDS, limit=1)
        busy, pools = asked.active(), asked.stats()
    except (OperationalError, RedisError, OSError):
        return Lack.WORKER
    if not busy or not pools:
        return Lack.WORKER
    has_time = any(len(busy.get(name, [])) < pool["pool"]["max-concurrency"] for name, pool in pools.items())
    return Lack.CLOCK if has_time else Lack.NOTHING
