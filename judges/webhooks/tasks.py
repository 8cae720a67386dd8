"""What a worker does for webhooks: an id in, one service call."""

from celery import shared_task

from judges.webhooks.services import noting, sending


@shared_task(name=noting.SEND_TASK)
def send(webhook_id: int) -> None:
    """Send what is due at one endpoint."""
    sending.send_due(webhook_id=webhook_id)
