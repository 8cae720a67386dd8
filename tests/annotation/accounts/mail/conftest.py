"""Email that is on, people with a confirmed address, and what was sent to whom."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.core import mail as outbox

from annotation.accounts.mailboxes.resetting import answer_request
from annotation.accounts.models import Mailbox, OutgoingMail, PasswordRequest, User
from annotation.accounts.outbox.sending import send_due
from annotation.accounts.services import create_user
from common.clock import now
from tests.smtp import turn_mail_on

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def _mail_is_on(settings: LazySettings, tmp_path: Any) -> None:
    turn_mail_on(settings)
    settings.DATA_DIR = tmp_path


@pytest.fixture
def person(db: None) -> User:
    return create_user(username="pat", name="Pat Okafor", password=PASSWORD)


def give_address(user: User, address: str, **fields: Any) -> Mailbox:
    """Confirm an address without a message."""
    box, _ = Mailbox.objects.update_or_create(
        user=user, defaults={"address": address, "confirmed_at": now(), "language": "en", **fields}
    )
    return box


def deliver() -> list[Any]:
    """Do what workers do, and return the messages that this sends."""
    before = len(outbox.outbox)
    for asked in PasswordRequest.objects.order_by("pk"):
        answer_request(request_id=asked.pk)
    send_due()
    return outbox.outbox[before:]


def link_in(message: Any) -> str:
    """Return the path of the one link with a secret."""
    found: list[str] = re.findall(r"https://assay\.test(/\S+)", message.body)
    return found[-1]


def make_due(mail: OutgoingMail) -> None:
    OutgoingMail.objects.filter(pk=mail.pk).update(next_try_at=now() - timedelta(seconds=1))
