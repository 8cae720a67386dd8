"""Ring for background work once the rows that describe it are committed."""

import logging
from functools import partial
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def enqueue_on_commit(task_name: str, *args: Any, expires_seconds: float | None = None) -> None:
    """Ask a worker to run `task_name` with ids as arguments after the current transaction commits.

    expires_seconds: a worker that comes to it later than that passes over it.

    A broker that cannot be reached is logged and forgotten: the rows are the truth, and the
    sweeper rings again for whatever is still open.
    """
    options = {} if expires_seconds is None else {"expires": expires_seconds}
    transaction.on_commit(partial(_ring, task_name, args, **options))


def _ring(task_name: str, args: tuple[Any, ...], **options: Any) -> None:
    try:
        current_app.send_task(task_name, args=args, ignore_result=True, **options)
    except (OperationalError, OSError) as error:
        logger.warning("could not ring for %s: %s", task_name, type(error).__name__)
