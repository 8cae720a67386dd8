"""Celery's entry points to exports."""

from celery import shared_task

from annotation.release import services


@shared_task(name=services.EXPORT_TASK)
def make_export(export_id: int) -> None:
    """Write the file of one export."""
    services.make_export(export_id=export_id)


@shared_task(name="annotation.release.sweep")
def sweep() -> None:
    """Ring again for exports that wait for a worker or that one left behind; finish deletions."""
    services.ring_for_open_exports()
    services.sweep_deletions()
