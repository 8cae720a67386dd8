"""What a worker does for email."""

from celery import shared_task

from annotation.accounts.mailboxes import resetting
from annotation.accounts.outbox import sending, writing


@shared_task(name=writing.SEND_TASK)
def send() -> None:
    """Send what is due."""
    sending.send_due()


@shared_task(name=resetting.ANSWER_TASK)
def answer_password_request(request_id: int) -> None:
    """Send password links to whoever was asked about."""
    resetting.answer_request(request_id=request_id)
