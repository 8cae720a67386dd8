"""Celery's entry points to exports."""

from celery import shared_task

from annotation.release import services


@shared_task(name=services.EXPORT_TASK)
def make_export(export_id: int) -> None:
    """Write the file of one export."""
    services.make_export(export_id=export_id)
