"""How often somebody may guess: wrong tries are counted by account, by client and by both.

Names and addresses are kept as keyed hashes only: people type passwords where names belong. Why it is so:
docs/decisions/0023.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, NamedTuple

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from annotation.accounts.models import User, WrongTries
from common.clock import now
from common.errors import DomainError, TooMany
from common.requests.peers import find_client, is_trusted

logger = logging.getLogger(__name__)

WINDOW = timedelta(minutes=15)
# Wrong tries in a window: of one client at one account, of all strangers at it, of one client at any.
PAIR_LIMIT, ACCOUNT_LIMIT, CLIENT_LIMIT = 10, 100, 50
# Password links that one client may ask for in a window.
LINK_LIMIT = 10

DEVICE_COOKIE = "assay-device"
DEVICE_SECONDS = 365 * 24 * 60 * 60
# Of those who sign in on one device, the last ones are known there.
KNOWN_ACCOUNTS = 5
SALT = "annotation.accounts.guessing"


class TooManyTries(TooMany):
    """Too many wrong tries were made in the last quarter of an hour."""

    def __init__(self) -> None:
        super().__init__(
            "Too many failed attempts. Wait 15 minutes, or ask the administrator of this server for a "
            "link to set a new password."
        )


class TooManyLinkRequests(TooMany):
    """One client asked for too many password links in the last quarter of an hour."""

    def __init__(self) -> None:
        super().__init__(
            "Too many password links were requested from your network. Wait 15 minutes, then try again."
        )


class Count(NamedTuple):
    """One of the counts to which a try adds, and how many wrong ones it takes."""

    account: str
    client: str
    limit: int


class Device(NamedTuple):
    """A browser in which somebody has signed in, and the accounts (hashed) that did."""

    key: str
    accounts: list[str]


@contextmanager
def counted_try(
    *, request: HttpRequest, account: str, wrong: tuple[type[DomainError], ...], at: datetime | None = None
) -> Iterator[None]:
    """Count one try at an account, whether there is such or not, until it turns out not to be `wrong`.

    It is counted before it is made, so that many at once gain nothing. Raises `TooManyTries`, at once or in
    place of the error of the last try that is taken.
    """
    counts = _counts_of(request, account)
    _take(counts, at=at or now(), request=request)
    try:
        yield
    except wrong as error:
        if _is_spent(counts):
            raise TooManyTries from error
        raise
    except Exception:
        _give_back(counts)
        raise
    _give_back(counts)
    WrongTries.objects.filter(account=counts[0].account, client=counts[0].client).delete()
    _clear_away(at=at or now())


def count_wrong_token(*, request: HttpRequest, at: datetime) -> None:
    """Count an API token that is none; raises `TooManyTries` where one client sent too many.

    Apart from passwords: a program that is set up wrong keeps nobody from signing in.
    """
    client = _hash(f"client {client_of(request)}")
    _take([Count(_hash("API tokens"), client, CLIENT_LIMIT)], at=at, request=request)


@contextmanager
def counted_reply(
    *, request: HttpRequest, wrong: tuple[type[DomainError], ...], at: datetime | None = None
) -> Iterator[None]:
    """Count a reply of the sign-in provider by client, until it turns out not to be `wrong`.

    Apart from passwords, and for no account: nobody keeps others from signing in. Raises `TooManyTries`.
    """
    counts = [Count(_hash("single sign-on"), _hash(f"client {client_of(request)}"), CLIENT_LIMIT)]
    _take(counts, at=at or now(), request=request)
    try:
        yield
    except wrong:
        raise
    except Exception:
        _give_back(counts)
        raise
    _give_back(counts)


def count_link_request(*, request: HttpRequest, at: datetime) -> None:
    """Count a request for a password link, whoever it is about; raises `TooManyLinkRequests`."""
    client = _hash(f"client {client_of(request)}")
    try:
        _take([Count(_hash("password links"), client, LINK_LIMIT)], at=at, request=request)
    except TooManyTries:
        raise TooManyLinkRequests from None


def forget_tries(*, username: str) -> None:
    """Let somebody in again after wrong tries."""
    WrongTries.objects.filter(account=_hash(username)).delete()


def remember_device(response: Any, *, request: HttpRequest, user: User) -> None:
    """Give the browser a cookie by which wrong tries of others do not keep this person out."""
    known = _device_of(request) or Device(key=token_hex(8), accounts=[])
    others = [account for account in known.accounts if account != _hash(user.username)]
    device = Device(key=known.key, accounts=[_hash(user.username), *others][:KNOWN_ACCOUNTS])
    response.set_cookie(
        DEVICE_COOKIE,
        signing.dumps(device, salt=SALT),
        max_age=DEVICE_SECONDS,
        path="/api/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _device_of(request: HttpRequest) -> Device | None:
    try:
        kept = signing.loads(request.COOKIES.get(DEVICE_COOKIE, ""), salt=SALT, max_age=DEVICE_SECONDS)
    except signing.BadSignature:
        return None
    return Device(*kept)


def _counts_of(request: HttpRequest, account: str) -> list[Count]:
    """Return where a try counts, the pair first; of whoever is known it counts there only."""
    name = _hash(account)
    user, device = getattr(request, "user", None), _device_of(request)
    if isinstance(user, User) and user.username == account:
        return [Count(name, _hash(f"session {request.session.session_key}"), PAIR_LIMIT)]
    if device is not None and name in device.accounts:
        return [Count(name, _hash(f"device {device.key}"), PAIR_LIMIT)]
    client = _hash(f"client {client_of(request)}")
    return [Count(name, client, PAIR_LIMIT), Count(name, "", ACCOUNT_LIMIT), Count("", client, CLIENT_LIMIT)]


def client_of(request: HttpRequest) -> str:
    """Return the address by which a client is told from others."""
    return find_client(
        peer=request.META.get("REMOTE_ADDR", ""),
        forwarded=request.META.get("HTTP_X_FORWARDED_FOR", ""),
        trusted=settings.ASSAY_TRUSTED_PROXIES,
    )


def _hash(text: str) -> str:
    return salted_hmac(SALT, text, algorithm="sha256").hexdigest()


def _take(counts: list[Count], *, at: datetime, request: HttpRequest) -> None:
    try:
        with transaction.atomic():
            # In one order, so that two who share some of the counts wait for each other at most.
            for count in sorted(counts):
                _add_to(count, at=at)
    except TooManyTries:
        _log_refusal(request)
        raise


def _add_to(count: Count, *, at: datetime) -> None:
    WrongTries.objects.get_or_create(account=count.account, client=count.client, defaults={"since": at})
    row = WrongTries.objects.filter(account=count.account, client=count.client)
    row.filter(since__lte=at - WINDOW).update(number=0, since=at)
    if not row.filter(number__lt=count.limit).update(number=F("number") + 1):
        raise TooManyTries


def _is_spent(counts: list[Count]) -> bool:
    return any(
        WrongTries.objects.filter(account=account, client=client, number__gte=limit).exists()
        for account, client, limit in counts
    )


def _give_back(counts: list[Count]) -> None:
    for account, client, _ in counts:
        row = WrongTries.objects.filter(account=account, client=client, number__gt=0)
        row.update(number=F("number") - 1)


def _clear_away(*, at: datetime) -> None:
    """Forget counts that nobody adds to any more; rows that somebody holds are left for the next time."""
    with transaction.atomic():
        old = WrongTries.objects.filter(since__lte=at - timedelta(days=1)).select_for_update(skip_locked=True)
        WrongTries.objects.filter(
            pk__in=list(old.order_by("pk").values_list("pk", flat=True)[:1000])
        ).delete()


def _log_refusal(request: HttpRequest) -> None:
    peer = request.META.get("REMOTE_ADDR", "")
    logger.warning("refused a sign-in attempt after too many failed ones from %s", client_of(request))
    if "HTTP_X_FORWARDED_FOR" in request.META and not is_trusted(peer, settings.ASSAY_TRUSTED_PROXIES):
        logger.warning(
            "%s sends X-Forwarded-For but is not trusted: if it is your proxy, add it to "
            "ASSAY_TRUSTED_PROXIES; otherwise everyone counts as one client",
            peer,
        )
