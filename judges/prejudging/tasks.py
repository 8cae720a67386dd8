"""What a worker does for policies: ids in, one service call."""

from typing import Any

from celery import shared_task
from celery.signals import worker_ready

from judges.prejudging.services import sweep_applications, work_on_application


@shared_task(name="judges.prejudging.work")
def work(application_id: int) -> None:
    """Apply a policy, or take it back."""
    work_on_application(application_id=application_id)


@shared_task(name="judges.prejudging.sweep")
def sweep() -> None:
    """Ring for whatever lies open."""
    sweep_applications()


@worker_ready.connect
def _sweep_at_start(**_: Any) -> None:
    sweep.delay()
