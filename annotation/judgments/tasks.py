"""What workers do for judgments."""

from celery import shared_task

from annotation.judgments import services


@shared_task(name="annotation.judgments.sweep")
def sweep() -> None:
    """Settle what web servers have left lying: they do it after their replies, unless they were killed."""
    services.settle_due()
