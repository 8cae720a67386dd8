"""`/healthz`: what works, for whoever watches the installation; a look every five seconds at most."""

import threading
from typing import NamedTuple

from django.core.cache import cache
from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from common.database.versions import missing_migrations
from common.tasks import is_queue_there
from judges.runs.selectors.progress import Lack, background_lack

REMEMBERED_SECONDS = 5
OK = "ok"
_looking = threading.Lock()


class Health(NamedTuple):
    """Each part: "ok", or what is wrong with it."""

    process: str = OK
    database: str = OK
    tables: str = OK
    queue: str = OK
    worker: str = OK
    clock: str = OK

    @property
    def is_well(self) -> bool:
        """Whether all of it works."""
        return set(self) == {OK}


@require_safe
def answer_health(_request: HttpRequest) -> JsonResponse:
    """Say which parts work; the door lets in whoever watches before anything else looks at the request."""
    health = _known_health()
    said = {"status": OK if health.is_well else "failing", "checks": health._asdict()}
    status = 200 if health.is_well else 503
    return JsonResponse(said, status=status, headers={"Cache-Control": "no-store"})


def _known_health() -> Health:
    known = cache.get("health")
    if known is None and _looking.acquire(blocking=False):
        try:
            known = look()
            cache.set("health", known, timeout=REMEMBERED_SECONDS)
            cache.set("last-health", known, timeout=None)
        finally:
            _looking.release()
    # While somebody looks, others are told what was seen last.
    return known or cache.get("last-health") or Health(process="is starting")


def look() -> Health:
    """Look at every part; the sweeper's row says in one read that all of them work."""
    try:
        if not _are_tables_current():
            unknown = "unknown: the database lacks tables"
            return Health(tables="migrations are missing", queue=unknown, worker=unknown, clock=unknown)
        lack = background_lack()
    except DatabaseError:
        unknown = "unknown: the database cannot be reached"
        return Health(
            database="cannot be reached", tables=unknown, queue=unknown, worker=unknown, clock=unknown
        )
    if lack is Lack.NOTHING:
        return Health()
    if not is_queue_there():
        unknown = "unknown: the queue cannot be reached"
        return Health(queue="cannot be reached", worker=unknown, clock=unknown)
    if lack is Lack.WORKER:
        return Health(worker="does not respond", clock="unknown: no worker responds")
    return Health(clock="has not run for 15 seconds")


def _are_tables_current() -> bool:
    # A process serves one version: once its tables are there, they stay.
    if not cache.get("has-tables"):
        cache.set("has-tables", not missing_migrations(), timeout=None)
    return bool(cache.get("has-tables"))
