"""Hold on to batches for as long as their worker lives and somebody wants what it does."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection, connections

from common.clock import now
from judges.runs.models import JudgeRun
from judges.runs.rules import LONGEST_HOLD_SECONDS
from judges.runs.selectors import ACTIVE_STATES
from judges.runs.services.batches import Claim, renew_lease

logger = logging.getLogger(__name__)


class Keeper:
    """Renews the leases of the batches in hand from a thread of its own, which ends with the process.

    So a dead worker's batches are free again within one lease, however long a model takes over one.
    """

    def __init__(self) -> None:
        """Hold nothing yet."""
        self._held: dict[str, tuple[Claim, datetime]] = {}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._renew_until_over, name="leases", daemon=True)

    def __enter__(self) -> "Keeper":
        """Begin to renew."""
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Renew no more."""
        self._is_over.set()
        self._thread.join()

    @contextmanager
    def holding(self, claim: Claim) -> Iterator[None]:
        """Hold on to a batch."""
        self._held[claim.owner] = (claim, now())
        try:
            yield
        finally:
            del self._held[claim.owner]

    def _renew_until_over(self) -> None:
        try:
            while not self._is_over.wait(settings.ASSAY_RUN_LEASE_SECONDS / 3):
                self._renew(now())
        finally:
            connections.close_all()

    def _renew(self, at: datetime) -> None:
        for claim, since in list(self._held.values()):
            # What hangs for ever must not hold its batch for ever.
            if at - since < timedelta(seconds=LONGEST_HOLD_SECONDS):
                _try_to_renew(claim, at)


def _try_to_renew(claim: Claim, at: datetime) -> None:
    try:
        renew_lease(claim=claim, at=at)
    except DatabaseError as error:
        logger.warning("could not renew a lease: %s", type(error).__name__)
        connections.close_all()


def is_under_way(*, run_id: int) -> bool:
    """Say whether somebody still wants what a worker has in hand of a run: not once it was cancelled.

    While the database is away nobody can tell, and it stays wanted.
    """
    wanted = JudgeRun.objects.filter(pk=run_id, state__in=(*ACTIVE_STATES, JudgeRun.State.PAUSED))
    try:
        return wanted.exists()
    except DatabaseError as error:
        logger.warning("could not look at a run: %s", type(error).__name__)
        connection.close()
        return True
