"""Which account a person has whom the provider names; who may change that is asked before."""

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from annotation.accounts.models import ProviderIdentity, User
from annotation.accounts.sign_ins.noting import Kind, note
from common.clock import now
from common.errors import Conflict


class SsoInUse(Conflict):
    """The identity is connected to another account."""

    def __init__(self) -> None:
        super().__init__("This sign-in is connected to another account. Disconnect it there first.")


class SsoConnected(Conflict):
    """The account is connected to an identity of this provider."""

    def __init__(self) -> None:
        super().__init__("Your account is already connected. Disconnect it first.")


class SsoNotConnected(Conflict):
    """There is nothing to disconnect."""

    def __init__(self) -> None:
        super().__init__("Your account is not connected. Reload the page.")


@dataclass(frozen=True)
class Connection:
    """The account’s connection to single sign-on.

    `provider`: the provider’s name; empty if single sign-on is not set up. `connected_at`: when the account
    was connected; null if it is not. `ended_at`: when a new password ended an earlier connection; null
    otherwise, including while the account is connected. `has_password`: whether the account has a password.
    `ends_with_password`: whether setting a new password ends the connection.
    """

    provider: str
    connected_at: datetime | None
    ended_at: datetime | None
    has_password: bool
    ends_with_password: bool


def describe(*, user: User, issuer: str, name: str) -> Connection:
    """Return how an account can be signed in to; issuer, name: of the provider, empty for none."""
    known = ProviderIdentity.objects.filter(user=user, issuer=issuer, was_disconnected=False)
    found = known.filter(ended_at=None).first() if issuer else None
    former = known.order_by("-ended_at", "-pk").first() if issuer and found is None else None
    return Connection(
        provider=name,
        connected_at=found.connected_at if found else None,
        ended_at=former.ended_at if former else None,
        has_password=user.has_usable_password(),
        ends_with_password=found is not None and not found.is_origin,
    )


def find_identity(*, issuer: str, subject: str) -> ProviderIdentity | None:
    """Return the identity that the provider names, with its account; also one that is ended."""
    return ProviderIdentity.objects.filter(issuer=issuer, subject=subject).select_related("user").first()


def connect(
    *, user: User, issuer: str, subject: str, is_origin: bool = False, at: datetime | None = None
) -> ProviderIdentity:
    """Let a person of the provider sign in to an account. Raises `SsoInUse` and `SsoConnected`.

    One that is ended, of whichever account, becomes this account's: ended, it gives nobody a claim to it.
    is_origin: the account was made for them, so that nothing of them may be known.
    """
    at = at or now()
    try:
        with transaction.atomic():
            if not is_origin and _take_over(user=user, issuer=issuer, subject=subject, at=at):
                return ProviderIdentity.objects.get(issuer=issuer, subject=subject)
            return ProviderIdentity.objects.create(
                user=user, issuer=issuer, subject=subject, is_origin=is_origin, connected_at=at
            )
    except IntegrityError:
        known = find_identity(issuer=issuer, subject=subject)
        is_others = known is not None and known.ended_at is None and known.user_id != user.pk
        raise (SsoInUse if is_others else SsoConnected) from None


def _take_over(*, user: User, issuer: str, subject: str, at: datetime) -> bool:
    # Conditional, so that of two accounts at once one gets it.
    ended = ProviderIdentity.objects.filter(issuer=issuer, subject=subject, ended_at__isnull=False)
    return bool(ended.update(user=user, connected_at=at, ended_at=None, was_disconnected=False))


def disconnect(*, user: User, issuer: str, at: datetime | None = None) -> None:
    """Let single sign-on open the account no more; raises `SsoNotConnected`.

    Whose the identity was stays known, so that it makes no second account for them. It is of origin no more:
    who knows the password may connect it again.
    """
    open_one = ProviderIdentity.objects.filter(user=user, issuer=issuer, ended_at=None)
    if not open_one.update(ended_at=at or now(), was_disconnected=True, is_origin=False):
        raise SsoNotConnected


def end_connections(*, user: User, request: HttpRequest | None = None, at: datetime | None = None) -> None:
    """End what was connected by a password that is no more: somebody else may have known it.

    request: by which the password was changed; None where a command did it.
    """
    at = at or now()
    connected = ProviderIdentity.objects.filter(user=user, is_origin=False, ended_at=None)
    if connected.update(ended_at=at):
        note(user=user, kind=Kind.SSO_ENDED, request=request, at=at)


def forget_identities(*, user: User) -> None:
    """Forget who a person is for any provider."""
    ProviderIdentity.objects.filter(user=user).delete()
