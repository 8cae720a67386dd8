"""What a worker does for runs: ids in, one service call."""

from typing import Any

from celery import shared_task
from celery.signals import celeryd_after_setup, worker_ready

from common.clock import now
from judges.runs.services.worker import SEATS, note_sweep, take_turn, wake_runs

# So that a long run shares the worker with everything else: after this much it rings again, and whatever
# else waits comes first (`CELERY_TASK_ROUTES`).
BATCHES_A_CALL = 10
SECONDS_A_CALL = 2.0


@shared_task(name="judges.runs.work")
def work(run_id: int) -> None:
    """Judge some batches of a run."""
    take_turn(run_id=run_id, batches=BATCHES_A_CALL, seconds=SECONDS_A_CALL)


@shared_task(name="judges.runs.wake")
def wake() -> None:
    """Ring for runs whose turn has come."""
    wake_runs(at=now())


@shared_task(name="judges.runs.show_life")
def show_life() -> None:
    """Leave the sign that everything between the clock and the database works."""
    note_sweep(at=now())


@celeryd_after_setup.connect
def _set_up_seats(instance: Any, **_: Any) -> None:
    SEATS.set_up(processes=instance.concurrency)


@worker_ready.connect
def _show_life_at_start(**_: Any) -> None:
    show_life.delay()
