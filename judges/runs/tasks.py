"""What a worker does for runs: ids in, one service call."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready

from common.clock import now
from judges.runs.services import sweep_runs, wake_runs, work_on_run

# So that a long run shares the worker with everything else: after this many batches it rings again.
BATCHES_A_CALL = 10


@shared_task(name="judges.runs.work")
def work(run_id: int) -> None:
    """Judge some batches of a run."""
    work_on_run(run_id=run_id, batches=BATCHES_A_CALL)


@shared_task(name="judges.runs.sweep")
def sweep() -> None:
    """Ring for whatever lies open."""
    sweep_runs(at=now())


@shared_task(name="judges.runs.wake")
def wake() -> None:
    """Ring for runs whose turn has come."""
    wake_runs(at=now())


@worker_ready.connect
def _sweep_at_start(**_: Any) -> None:
    sweep.delay()
