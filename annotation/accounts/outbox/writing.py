"""Write messages as rows, in the transaction of what they are about; nothing is sent here."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.utils.translation import get_language

from annotation.accounts.models import OutgoingMail, User
from common.clock import now
from common.encryption.vault import vault_for
from common.errors import Conflict
from common.identifiers import new_public_id
from common.tasks import enqueue_on_commit

Kind = OutgoingMail.Kind
SEND_TASK = "accounts.outbox.send"
PURPOSE = b"annotation.accounts.outbox"


class MailOff(Conflict):
    """No mail server is set up."""

    def __init__(self) -> None:
        super().__init__("This server does not send email. Ask its administrator to set up a mail server.")


class LinkUnreadable(Exception):
    """The server has another secret key than the one by which the link was encrypted."""


def require_mail() -> None:
    """Pass where email is sent; raises `MailOff`."""
    if not settings.ASSAY_SENDS_MAIL:
        raise MailOff


def write_mail(
    *,
    kind: OutgoingMail.Kind,
    user: User,
    recipient: str,
    language: str,
    worth: timedelta,
    link: str = "",
    project_id: int | None = None,
    about: str = "",
    facts: Mapping[str, str] | None = None,
    at: datetime | None = None,
) -> OutgoingMail:
    """Write a message and ring for it after the caller's transaction.

    worth: for how long it is of use. link: the path with a secret in it, which is stored encrypted.
    """
    at, public_id = at or now(), new_public_id()
    mail = OutgoingMail.objects.create(
        public_id=public_id,
        kind=kind,
        user=user,
        project_id=project_id,
        about=about,
        recipient=recipient,
        language=language,
        facts=dict(facts or {}),
        sealed=seal_link(link, public_id=public_id) if link else "",
        next_try_at=at,
        worth_until=at + worth,
        created_at=at,
    )
    enqueue_on_commit(SEND_TASK)
    return mail


def seal_link(link: str, *, public_id: str) -> str:
    """Return what is stored of a link; it opens for this message alone."""
    return vault_for(PURPOSE).encrypt(f"{public_id} {link}".encode()).decode()


def open_link(mail: OutgoingMail) -> str:
    """Return the link's path; raises `LinkUnreadable`."""
    try:
        opened = vault_for(PURPOSE).decrypt(mail.sealed.encode()).decode()
    except InvalidToken:
        raise LinkUnreadable from None
    owner, _, link = opened.partition(" ")
    if owner != mail.public_id:
        raise LinkUnreadable
    return link


def count_written(*, user: User, kind: OutgoingMail.Kind, since: datetime) -> int:
    """Count the messages of a kind that a person caused; rows are kept for longer than anybody asks."""
    return OutgoingMail.objects.filter(user=user, kind=kind, created_at__gt=since).count()


def page_language(user: User) -> str:
    """Return the language for a person: the account's, or that of the page on which they are now."""
    spoken = user.language or (get_language() or "").partition("-")[0]
    return spoken if spoken in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
