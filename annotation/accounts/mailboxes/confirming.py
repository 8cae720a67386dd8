"""A person's address is entered, confirmed, removed, and a digest chosen; who may is asked before.

It is asked in `accounts.services`, or by a link.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from annotation.accounts.mailboxes.addresses import clean_address
from annotation.accounts.models import Mailbox, OutgoingMail, User
from annotation.accounts.outbox.letters import read_unsubscribe_token
from annotation.accounts.outbox.writing import count_written, page_language, require_mail, write_mail
from common.clock import now
from common.errors import Conflict, NotFound, TooMany

Kind = OutgoingMail.Kind
Digest = Mailbox.Digest
LINK_LASTS = timedelta(days=1)
MOST_LINKS_A_DAY = 5
# Of a new password: whoever knows one changes it as often as they like.
MOST_NOTICES_A_DAY = 10
# In UTC; those once a week come on Mondays.
DIGEST_HOUR = 6


class EmailLinkUnusable(NotFound):
    """The link was used, has expired, was replaced or never was."""

    def __init__(self) -> None:
        super().__init__(
            "This link was already used or has expired. To get a new one, enter the email address again on "
            "the “Your account” page."
        )


class TooManyAddresses(TooMany):
    """Somebody entered address after address."""

    def __init__(self) -> None:
        super().__init__("You entered too many email addresses today. Try again tomorrow.")


class AddressNeeded(Conflict):
    """A digest goes to a confirmed address only."""

    def __init__(self) -> None:
        super().__init__("Confirm an email address first.")


class UnsubscribeLinkUnusable(NotFound):
    """The link is not one of ours."""

    def __init__(self) -> None:
        super().__init__(
            "This link is incomplete. Copy it from the message again, or use the link in the next message."
        )


@dataclass(frozen=True)
class EmailSettings:
    """Where the person gets email.

    `is_on`: whether this server sends email. `address`: the confirmed address, or empty. `confirmed_at`:
    when it was confirmed. `pending`: the address awaiting confirmation, or empty. `digest`: how often digests
    are sent.
    """

    is_on: bool
    address: str
    confirmed_at: datetime | None
    pending: str
    digest: Mailbox.Digest


@dataclass(frozen=True)
class EmailLink:
    """The address that a link confirms, and the username of its account."""

    username: str
    address: str


def describe(*, user: User, at: datetime | None = None) -> EmailSettings:
    """Return what the person may know of it."""
    box = Mailbox.objects.filter(user=user).first() or Mailbox(user=user)
    waits = box.pending_until is not None and box.pending_until > (at or now())
    return EmailSettings(
        is_on=settings.ASSAY_SENDS_MAIL,
        address=box.address,
        confirmed_at=box.confirmed_at,
        pending=box.pending if waits else "",
        digest=Digest(box.digest),
    )


def enter_address(*, user: User, address: str, at: datetime | None = None) -> None:
    """Send a link that confirms the address; until it is used the former one stays.

    Raises `MailOff`, `AddressUnusable` and `TooManyAddresses`.
    """
    require_mail()
    at, address, token = at or now(), clean_address(address), secrets.token_urlsafe(24)
    with transaction.atomic():
        # Two who enter one at once take turns, so that the limit holds.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        written = count_written(user=user, kind=Kind.CONFIRM, since=at - timedelta(days=1))
        if written >= MOST_LINKS_A_DAY:
            raise TooManyAddresses
        # An earlier link works no more, so no message needs to bring it.
        _forget_waiting(user, Kind.CONFIRM)
        language = page_language(user)
        Mailbox.objects.update_or_create(
            user=user,
            defaults={
                "pending": address,
                "pending_hash": _hash(token),
                "pending_until": at + LINK_LASTS,
                "language": language,
            },
        )
        write_mail(
            kind=Kind.CONFIRM,
            user=user,
            recipient=address,
            language=language,
            worth=LINK_LASTS,
            link=f"/account/confirm-email/{token}",
            at=at,
        )


def find_link(*, token: str, at: datetime | None = None) -> Mailbox:
    """Return the mailbox whose waiting address a link confirms; raises `EmailLinkUnusable`."""
    open_links = Mailbox.objects.filter(user__is_active=True, pending_until__gt=at or now())
    found = open_links.filter(pending_hash=_hash(token)).select_related("user").first()
    if found is None:
        raise EmailLinkUnusable
    return found


def describe_link(*, token: str) -> EmailLink:
    """Return what a link confirms; raises `EmailLinkUnusable`."""
    box = find_link(token=token)
    return EmailLink(username=box.user.username, address=box.pending)


@transaction.atomic
def confirm_address(*, token: str, at: datetime | None = None) -> User:
    """Let mail go to the address that the link came to; tell the former one. Raises `EmailLinkUnusable`."""
    at = at or now()
    user = find_link(token=token, at=at).user
    # Whoever enters or removes one meanwhile takes turns with it.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    box = find_link(token=token, at=at)
    former, box.address = box.address, box.pending
    box.confirmed_at, box.pending, box.pending_hash, box.pending_until = at, "", "", None
    box.save()
    _tell_former(user, former=former, present=box.address, language=box.language, at=at)
    return user


@transaction.atomic
def remove_address(*, user: User, at: datetime | None = None) -> bool:
    """Forget the person's addresses, and tell the confirmed one; return whether there were any."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    box = Mailbox.objects.filter(user=user).first()
    if box is None:
        return False
    forget_mailbox(user=user)
    if settings.ASSAY_SENDS_MAIL:
        _tell_former(user, former=box.address, present="", language=box.language, at=at or now())
    return True


def forget_mailbox(*, user: User) -> None:
    """Forget where a person gets email, and whatever waits to be sent there."""
    Mailbox.objects.filter(user=user).delete()
    _forget_waiting(user, Kind.CONFIRM, Kind.PASSWORD_LINK, Kind.DIGEST)


@transaction.atomic
def keep_address(*, user: User, at: datetime | None = None) -> None:
    """Keep the confirmed address with a new password, and tell it; forget what the former one let in.

    That is an address that waits to be confirmed, and links to a new password that wait to be sent: whoever
    had them sent may have known the former password.
    """
    at = at or now()
    # Whoever confirms one meanwhile takes turns with it.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    Mailbox.objects.filter(user=user).update(pending="", pending_hash="", pending_until=None)
    _forget_waiting(user, Kind.CONFIRM, Kind.PASSWORD_LINK)
    box = Mailbox.objects.filter(user=user).exclude(address="").first()
    if box is not None and settings.ASSAY_SENDS_MAIL:
        _tell_new_password(user, box, at=at)


def _tell_new_password(user: User, box: Mailbox, *, at: datetime) -> None:
    kind = Kind.PASSWORD_CHANGED
    if count_written(user=user, kind=kind, since=at - timedelta(days=1)) < MOST_NOTICES_A_DAY:
        write_mail(
            kind=kind,
            user=user,
            recipient=box.address,
            language=user.language or box.language,
            worth=timedelta(days=1),
            at=at,
        )


def forget_mail(*, user: User) -> None:
    """Forget all messages that a person got or caused, too, with whom they went to."""
    forget_mailbox(user=user)
    OutgoingMail.objects.filter(user=user).delete()


def _forget_waiting(user: User, *kinds: OutgoingMail.Kind) -> None:
    # Counted still, by whoever limits how many are written.
    waiting = OutgoingMail.objects.filter(user=user, kind__in=kinds, state=OutgoingMail.State.WAITING)
    waiting.update(state=OutgoingMail.State.DROPPED, sealed="", finished_at=now())


def _tell_former(user: User, *, former: str, present: str, language: str, at: datetime) -> None:
    if former and former != present:
        write_mail(
            kind=Kind.ADDRESS_CHANGED,
            user=user,
            recipient=former,
            language=user.language or language,
            worth=timedelta(days=1),
            at=at,
        )


def choose_digest(*, user: User, digest: str, at: datetime | None = None) -> None:
    """Choose how often a message says what waits. Raises `MailOff` and `AddressNeeded`."""
    due = next_digest(digest, after=at or now())
    if due is not None:
        require_mail()
    language = page_language(user)
    boxes = Mailbox.objects.filter(user=user).exclude(address="")
    if not boxes.update(digest=digest, digest_at=due, language=language) and due is not None:
        raise AddressNeeded


def find_subscriber(*, token: str) -> str:
    """Return whose digest a link ends; raises `UnsubscribeLinkUnusable`."""
    public_id = read_unsubscribe_token(token)
    if public_id is None:
        raise UnsubscribeLinkUnusable
    return public_id


def unsubscribe(*, token: str) -> None:
    """End the digest of whoever has the link; again, it changes nothing. Raises `UnsubscribeLinkUnusable`."""
    public_id = find_subscriber(token=token)
    Mailbox.objects.filter(user__public_id=public_id).update(digest=Digest.OFF, digest_at=None)


def next_digest(digest: str, *, after: datetime) -> datetime | None:
    """Return when the next message is due: at the same time for everybody, whatever happens in projects."""
    if digest == Digest.OFF:
        return None
    due = after.replace(hour=DIGEST_HOUR, minute=0, second=0, microsecond=0)
    days = 1 if digest == Digest.DAILY else 7
    while due <= after or (days == 7 and due.weekday() != 0):
        due += timedelta(days=1)
    return due


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
