"""What a worker does for policies: ids in, one service call."""

from celery import shared_task

from judges.prejudging.services.policies import work_on_application


@shared_task(name="judges.prejudging.work")
def work(application_id: int) -> None:
    """Apply a policy, or take it back."""
    work_on_application(application_id=application_id)
