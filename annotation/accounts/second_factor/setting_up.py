"""The second factor is set up, turned on and off; who may is asked before, in `accounts.services`."""

import logging
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.accounts.models import RecoveryCode, SecondFactor, User
from annotation.accounts.second_factor.checking import find_factor, open_secret, seal, use_code
from annotation.accounts.second_factor.codes import (
    app_address,
    clean_code,
    draw_qr_code,
    hash_recovery_code,
    new_recovery_codes,
    new_secret,
)
from common.clock import now
from common.errors import Conflict

logger = logging.getLogger(__name__)


class SecondFactorOn(Conflict):
    """There is one already."""

    def __init__(self) -> None:
        super().__init__("Two-factor authentication is already on.")


class SecondFactorOff(Conflict):
    """There is none that could be turned off, or none being set up."""

    def __init__(self) -> None:
        super().__init__(
            "Two-factor authentication is off. Reload the page, then set up two-factor authentication."
        )


@dataclass(frozen=True)
class TwoFactor:
    """Whether sign-in asks for a code, since when, and how many recovery codes are left."""

    is_on: bool
    turned_on_at: datetime | None
    recovery_codes_left: int


@dataclass(frozen=True)
class AppSecret:
    """The secret for an authenticator app, shown only once: as text, a link, and a QR code (a data URL)."""

    secret: str
    address: str
    qr_code: str


@dataclass(frozen=True)
class RecoveryCodes:
    """Recovery codes, shown only once. Each works once in place of a code from the app."""

    codes: list[str]


def describe(*, user: User) -> TwoFactor:
    """Return what the person may know of it."""
    factor = find_factor(user=user)
    if factor is None:
        return TwoFactor(is_on=False, turned_on_at=None, recovery_codes_left=0)
    left = factor.recovery_codes.filter(used_at=None).count()
    return TwoFactor(is_on=True, turned_on_at=factor.confirmed_at, recovery_codes_left=left)


@transaction.atomic
def begin(*, user: User, at: datetime | None = None) -> AppSecret:
    """Draw a new secret, which asks for nothing before it is confirmed. Raises `SecondFactorOn`."""
    # Two who begin at once take turns.
    User.objects.select_for_update().get(pk=user.pk)
    if find_factor(user=user) is not None:
        raise SecondFactorOn
    secret = new_secret()
    SecondFactor.objects.update_or_create(
        user=user,
        defaults={
            "sealed_secret": seal(secret, user=user),
            "created_at": at or now(),
            "last_step": 0,
            "wrong_count": 0,
        },
    )
    address = app_address(secret=secret, username=user.username)
    return AppSecret(secret=secret, address=address, qr_code=draw_qr_code(address))


def confirm(*, user: User, code: str, at: datetime | None = None) -> RecoveryCodes:
    """Turn it on for whoever shows a code of the app, and return the recovery codes.

    Raises `SecondFactorOff` where nothing was begun, `SecondFactorOn`, and as `use_code` does.
    """
    at = at or now()
    factor = SecondFactor.objects.filter(user=user).select_related("user").first()
    if factor is None:
        raise SecondFactorOff
    if factor.confirmed_at is not None:
        raise SecondFactorOn
    open_secret(factor)
    use_code(factor=factor, code=clean_code(code), at=at)
    with transaction.atomic():
        # Whoever begins anew takes turns with it.
        User.objects.select_for_update().get(pk=user.pk)
        # Only the secret that was confirmed: in another tab another may have been begun.
        begun = SecondFactor.objects.filter(
            pk=factor.pk, confirmed_at=None, sealed_secret=factor.sealed_secret
        )
        if not begun.update(confirmed_at=at):
            raise SecondFactorOff
        codes = _replace_recovery_codes(factor)
    logger.info("%s turned two-factor authentication on", user.public_id)
    return codes


@transaction.atomic
def renew_recovery_codes(*, user: User) -> RecoveryCodes:
    """Replace all recovery codes, used or not. Raises `SecondFactorOff`."""
    factor = SecondFactor.objects.select_for_update().filter(user=user).exclude(confirmed_at=None).first()
    if factor is None:
        raise SecondFactorOff
    return _replace_recovery_codes(factor)


def _replace_recovery_codes(factor: SecondFactor) -> RecoveryCodes:
    codes = new_recovery_codes()
    factor.recovery_codes.all().delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(factor=factor, code_hash=hash_recovery_code(code)) for code in codes
    )
    return RecoveryCodes(codes)


def turn_off(*, user: User) -> bool:
    """Forget secret and recovery codes; return whether there were any."""
    deleted, _ = SecondFactor.objects.filter(user=user).delete()
    if deleted:
        logger.info("Two-factor authentication for %s is off", user.public_id)
    return bool(deleted)
