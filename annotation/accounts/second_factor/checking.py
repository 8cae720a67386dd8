"""Whether somebody has the second factor of an account: each code once, and few wrong ones."""

import logging
from datetime import datetime

from cryptography.fernet import InvalidToken
from django.db.models import F

from annotation.accounts.models import RecoveryCode, SecondFactor, User
from annotation.accounts.second_factor.codes import clean_code, find_step, hash_recovery_code, is_app_code
from common.clock import now
from common.encryption.vault import vault_for
from common.errors import Conflict, Forbidden

logger = logging.getLogger(__name__)

PURPOSE = b"annotation.accounts.second_factor"
# Wrong codes of an app in a row, by whomever: so many guesses hit one of a million by 3 in 10,000.
MOST_WRONG = 100


class CodeNeeded(Forbidden):
    """The password is right, and the account asks for a code, too."""

    def __init__(self) -> None:
        super().__init__("Enter the 6-digit code from your authenticator app, or a recovery code.")


class WrongCode(Forbidden):
    """The code is not one of the app now, or it was used."""

    def __init__(self) -> None:
        super().__init__(
            "This code is incorrect or was already used. Wait for the next code in your authenticator app, "
            "then try again."
        )


class AppCodesLocked(Forbidden):
    """Too many wrong codes were tried in a row."""

    def __init__(self) -> None:
        super().__init__(
            "Too many incorrect codes were entered for this account. Use a recovery code, or ask the "
            "administrator of this server to reset two-factor authentication."
        )


# Tries that count as wrong ones: locked codes, too, else nobody would stop whoever goes on trying.
WRONG_CODES = (WrongCode, AppCodesLocked)


class SecondFactorUnreadable(Conflict):
    """The server has another secret key than the one by which the secret was encrypted."""

    def __init__(self) -> None:
        super().__init__(
            "The server cannot read the key of your authenticator app. Use a recovery code, or ask the "
            "administrator of this server to reset two-factor authentication."
        )


def seal(secret: str, *, user: User) -> str:
    """Return what is stored of a secret; it opens for this person alone."""
    return vault_for(PURPOSE).encrypt(f"{user.public_id} {secret}".encode()).decode()


def open_secret(factor: SecondFactor) -> str:
    """Return the secret; raises `SecondFactorUnreadable`."""
    try:
        opened = vault_for(PURPOSE).decrypt(factor.sealed_secret.encode()).decode()
    except InvalidToken:
        opened = ""
    owner, _, secret = opened.partition(" ")
    if owner != factor.user.public_id:
        logger.error("The authenticator app key of %s cannot be read", factor.user.public_id)
        raise SecondFactorUnreadable
    return secret


def find_factor(*, user: User) -> SecondFactor | None:
    """Return what the person has turned on; None for nothing, also while it is being set up."""
    return SecondFactor.objects.filter(user=user).exclude(confirmed_at=None).select_related("user").first()


def require_code(*, user: User, code: str, at: datetime | None = None) -> None:
    """Let whoever has the second factor pass, and everybody where the account has none.

    A code that was right is used by it. Raises `CodeNeeded` where none was given, `WrongCode`,
    `AppCodesLocked` and `SecondFactorUnreadable`.
    """
    factor = find_factor(user=user)
    if factor is None:
        return
    cleaned = clean_code(code)
    if not cleaned:
        raise CodeNeeded
    use_code(factor=factor, code=cleaned, at=at or now())


def use_code(*, factor: SecondFactor, code: str, at: datetime) -> None:
    """Use a cleaned code, of the app or for recovery. Raises as `require_code` does."""
    if is_app_code(code):
        _use_app_code(factor, code, at=at)
    else:
        _use_recovery_code(factor, code, at=at)


def _use_app_code(factor: SecondFactor, code: str, *, at: datetime) -> None:
    row = SecondFactor.objects.filter(pk=factor.pk)
    # Counted before it is compared, so that many at once gain nothing.
    if not row.filter(wrong_count__lt=MOST_WRONG).update(wrong_count=F("wrong_count") + 1):
        raise AppCodesLocked
    step = find_step(code, secret=open_secret(factor), at=at)
    # Conditional, so that of two with one code the second is too late.
    if step is None or not row.filter(last_step__lt=step).update(last_step=step, wrong_count=0):
        raise WrongCode


def _use_recovery_code(factor: SecondFactor, code: str, *, at: datetime) -> None:
    unused = RecoveryCode.objects.filter(factor=factor, code_hash=hash_recovery_code(code), used_at=None)
    if not unused.update(used_at=at):
        raise WrongCode
    SecondFactor.objects.filter(pk=factor.pk).update(wrong_count=0)
    logger.info("%s used a recovery code", factor.user.public_id)
