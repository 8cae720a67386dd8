"""Sign in by the provider, and connect an account to it: off to the provider, and back."""

import base64
import hashlib
import logging
import re
import secrets
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote_plus, urlencode

from django.conf import settings
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from annotation.accounts import services
from annotation.accounts.guessing import counted_reply, counted_try
from annotation.accounts.models import ProviderIdentity, User
from annotation.accounts.second_factor.checking import WRONG_CODES, find_factor, require_code
from annotation.accounts.sign_ins.noting import Kind, note
from annotation.accounts.sso import identities
from annotation.accounts.sso.attempts import Attempt, Purpose, open_attempt, seal, spend
from annotation.accounts.sso.provider import Provider
from annotation.accounts.tokens.ports import join_by_invitation
from common.clock import now
from common.errors import Conflict, DomainError, Forbidden, NotFound
from common.outgoing.keys import BEARER, KeyHeader

if TYPE_CHECKING:
    from annotation.accounts.sso.id_tokens import Claims

logger = logging.getLogger(__name__)

BASIC = KeyHeader("Authorization", "Basic ")
LONGEST_CODE = 4_000
# Of one name; after them a random ending is tried.
NUMBERED = 20


class SsoOff(NotFound):
    """The administrator has set none up."""

    def __init__(self) -> None:
        super().__init__("Single sign-on is not set up on this server. Sign in with your password.")


class SsoUnavailable(Conflict):
    """The provider is down, or says of itself what nobody can use."""

    def __init__(self) -> None:
        super().__init__(
            "The sign-in provider is not responding correctly. Try again in a few minutes. If that does not "
            "help, tell the administrator of this server."
        )


class SsoFailed(Forbidden):
    """What the provider says proves nothing."""

    def __init__(self) -> None:
        super().__init__(
            "Assay could not verify the sign-in provider’s response. Try again. If that does not help, "
            "tell the administrator of this server."
        )


class SsoStale(Forbidden):
    """The attempt is over, finished, or another browser's."""

    def __init__(self) -> None:
        super().__init__(
            "This sign-in attempt has expired, has already been used, or was started in another browser. "
            "Try again."
        )


class SsoCanceled(Forbidden):
    """The person or the provider said no."""

    def __init__(self) -> None:
        super().__init__("The sign-in provider did not sign you in. Try again.")


class SsoUnknown(Forbidden):
    """No account is connected to whom the provider names."""

    def __init__(self) -> None:
        super().__init__(
            "No account here is connected to this sign-in. Sign in with your password, then connect "
            "single sign-on under “Your account.” If you have no account, ask the lead of your project for "
            "an invitation."
        )


class SsoEnded(Forbidden):
    """The identity was connected to an account until a new password ended that."""

    def __init__(self) -> None:
        super().__init__(
            "This connection ended when the password changed. Sign in with your password and connect again."
        )


class SsoDisconnected(Forbidden):
    """The identity was connected to an account until its person disconnected it."""

    def __init__(self) -> None:
        super().__init__(
            "This sign-in was disconnected from an account here. Sign in to that account with your "
            "password and connect it again under “Your account,” or ask the administrator of this server "
            "for help."
        )


class SsoInactive(Forbidden):
    """The account may not be used any more."""

    def __init__(self) -> None:
        super().__init__("This account is inactive. Ask the administrator of this server to reactivate it.")


class Departure(NamedTuple):
    """Where the browser goes, and what it keeps."""

    address: str
    sealed: str


class Arrival(NamedTuple):
    """Where the browser goes on. sealed: what it keeps while a code is asked for. user: who is in."""

    path: str
    sealed: str = ""
    user: User | None = None


def provider_or_none() -> Provider | None:
    """Return the provider that is set up."""
    found: Provider | None = settings.ASSAY_SSO
    return found


def require_provider() -> Provider:
    """Return the provider; raises `SsoOff`."""
    found = provider_or_none()
    if found is None:
        raise SsoOff
    return found


def begin_sign_in(*, redirect_uri: str, next_path: str, invitation: str = "") -> Departure:
    """Send somebody to the provider; raises `SsoOff` and `SsoUnavailable`.

    invitation: the token of an open link, whose page is the next one. It is looked at once they are back.
    """
    path = f"/join/{invitation}" if invitation else next_path
    begun = Attempt.begin(purpose=Purpose.SIGN_IN, redirect_uri=redirect_uri, next_path=path, at=now())
    return _depart(replace(begun, invitation=invitation), require_provider())


def begin_connecting(*, request: HttpRequest, user: User, password: str, redirect_uri: str) -> Departure:
    """Send whoever knows the account's password to the provider, to connect the account.

    Raises `SsoOff`, `SsoConnected`, `SsoUnavailable`, and as `services.require_password` does.
    """
    provider = require_provider()
    services.require_password(request=request, user=user, password=password)
    if identities.describe(user=user, issuer=provider.issuer, name="").connected_at is not None:
        raise identities.SsoConnected
    begun = Attempt.begin(purpose=Purpose.CONNECT, redirect_uri=redirect_uri, next_path="/account", at=now())
    attempt = replace(begun, account=user.public_id, session=_mark_of_session(request))
    return _depart(attempt, provider)


def disconnect(*, request: HttpRequest, user: User, password: str) -> None:
    """Disconnect the account. Raises `SsoOff`, `SsoNotConnected`, and as `services.require_password` does."""
    provider = require_provider()
    services.require_password(request=request, user=user, password=password)
    with transaction.atomic():
        identities.disconnect(user=user, issuer=provider.issuer)
        note(user=user, kind=Kind.SSO_DISCONNECTED, request=request)


def _depart(attempt: Attempt, provider: Provider) -> Departure:
    # Libraries for the network and for keys take a tenth of a second to load, and few servers need them.
    from annotation.accounts.sso import discovery

    try:
        endpoint = discovery.read_metadata(provider=provider).authorization
    except discovery.ProviderFailed as failure:
        raise _logged(failure, SsoUnavailable()) from None
    asked = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": attempt.redirect_uri,
        "scope": "openid profile",
        "state": attempt.state,
        "nonce": attempt.nonce,
        "code_challenge": attempt.challenge,
        "code_challenge_method": "S256",
    }
    mark = "&" if "?" in endpoint.url else "?"
    return Departure(f"{endpoint.url}{mark}{urlencode(asked)}", seal(attempt))


def find_attempt(*, sealed: str, state: str, at: datetime | None = None) -> Attempt | None:
    """Return the attempt that a redirect of the provider belongs to, if this browser has begun it."""
    attempt = open_attempt(sealed, at=at or now())
    if attempt is None or attempt.purpose is Purpose.CODE:
        return None
    return attempt if constant_time_compare(attempt.state, state) else None


def finish(*, request: HttpRequest, attempt: Attempt, said: Mapping[str, str]) -> Arrival:
    """Take in whom the provider names, or connect the account that asked for it; an attempt counts once.

    said: what the redirect brings. Raises `TooManyTries`, or a `DomainError` of this module or of
    `identities`.
    """
    provider, at = require_provider(), now()
    if attempt.purpose is Purpose.CONNECT:
        _require_same_session(request, attempt)
    # Each is a row, and a call to the provider.
    with counted_reply(request=request, wrong=(SsoFailed, SsoCanceled), at=at):
        if not spend(attempt, at=at):
            raise SsoStale
        person = _prove(attempt, said, provider=provider, at=at)
    if attempt.purpose is Purpose.CONNECT:
        return _connect(request, provider=provider, subject=person.subject)
    found = identities.find_identity(issuer=provider.issuer, subject=person.subject)
    if found is not None:
        return _enter(request, found, attempt, at=at)
    if not attempt.invitation and not provider.creates_accounts:
        raise SsoUnknown
    try:
        return _begin_account(request, attempt, provider, person)
    except identities.SsoInUse:
        # Of two at once both get the account that was first.
        found = identities.find_identity(issuer=provider.issuer, subject=person.subject)
    if found is None:
        raise SsoStale
    return _enter(request, found, attempt, at=at)


def finish_with_code(*, request: HttpRequest, sealed: str, code: str) -> User:
    """Take in whoever the provider has named, with the code that their account asks for.

    Raises `SsoOff`, `SsoStale`, `SsoInactive`, `TooManyTries`, and as `require_code` does.
    """
    provider, at = require_provider(), now()
    attempt = open_attempt(sealed, at=at)
    if attempt is None or attempt.purpose is not Purpose.CODE:
        raise SsoStale
    found = ProviderIdentity.objects.filter(pk=attempt.identity, issuer=provider.issuer, ended_at=None)
    identity = found.select_related("user").first()
    if identity is None:
        raise SsoStale
    user = _require_active(request, identity)
    with counted_try(request=request, account=user.username, wrong=WRONG_CODES):
        _require_code(request, user, code)
    if not spend(attempt, at=at):
        raise SsoStale
    services.begin_session(request=request, user=user, how=Kind.SSO_SIGNED_IN)
    return user


def _require_code(request: HttpRequest, user: User, code: str) -> None:
    try:
        require_code(user=user, code=code)
    except WRONG_CODES:
        note(user=user, kind=Kind.SSO_WRONG_CODE, request=request)
        raise


def _mark_of_session(request: HttpRequest) -> str:
    return hashlib.sha256(str(request.session.session_key).encode()).hexdigest()


def _require_same_session(request: HttpRequest, attempt: Attempt) -> None:
    user = request.user
    is_same = isinstance(user, User) and user.public_id == attempt.account
    if not is_same or not constant_time_compare(attempt.session, _mark_of_session(request)):
        raise SsoStale


def _prove(attempt: Attempt, said: Mapping[str, str], *, provider: Provider, at: datetime) -> "Claims":
    """Return whom the provider names."""
    from annotation.accounts.sso import discovery, id_tokens

    try:
        metadata = discovery.read_metadata(provider=provider)
        _require_issuer(said, provider, is_told=metadata.names_issuer)
        token = _redeem(attempt, _code_of(said), provider=provider)
        nonce = attempt.nonce
        keys = discovery.read_keys(provider=provider)
        try:
            return id_tokens.check(token, keys=keys, provider=provider, nonce=nonce, at=at)
        except id_tokens.UnknownKey:
            # It may have a new one since it was asked last.
            keys = discovery.read_keys(provider=provider, anew=True)
            return id_tokens.check(token, keys=keys, provider=provider, nonce=nonce, at=at)
    except discovery.ProviderFailed as failure:
        raise _logged(failure, SsoUnavailable()) from None
    except id_tokens.BadToken as failure:
        raise _logged(failure, SsoFailed()) from None


def _require_issuer(said: Mapping[str, str], provider: Provider, *, is_told: bool) -> None:
    """Refuse what another provider may have sent (RFC 9207)."""
    if ("iss" in said or is_told) and said.get("iss") != provider.issuer:
        raise _logged("the redirect names another issuer", SsoFailed())


def _code_of(said: Mapping[str, str]) -> str:
    if "error" in said:
        raise _logged(f"it replied {ascii(said['error'])[:100]}", SsoCanceled())
    code = said.get("code", "")
    if not 0 < len(code) <= LONGEST_CODE:
        raise _logged("the redirect has no code", SsoFailed())
    return code


def _redeem(attempt: Attempt, code: str, *, provider: Provider) -> object:
    """Return the ID token that the provider gives for a code."""
    from annotation.accounts.sso import discovery

    metadata = discovery.read_metadata(provider=provider)
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": attempt.redirect_uri,
        "code_verifier": attempt.verifier,
    }
    pair = f"{quote_plus(provider.client_id)}:{quote_plus(provider.client_secret)}"
    key = base64.b64encode(pair.encode()).decode() if metadata.takes_basic else ""
    if not key:
        form |= {"client_id": provider.client_id, "client_secret": provider.client_secret}
    status, body = discovery.call(
        metadata.token,
        provider=provider,
        form=urlencode(form).encode(),
        key=key,
        key_header=BASIC if key else BEARER,
    )
    if status != 200:
        raise _logged(f"it gave no token: {status} {ascii(body.get('error'))[:100]}", SsoFailed())
    return body.get("id_token")


def _logged(why: object, error: DomainError) -> DomainError:
    logger.warning("single sign-on: %s", why)
    return error


def _connect(request: HttpRequest, *, provider: Provider, subject: str) -> Arrival:
    user = request.user
    assert isinstance(user, User)
    with transaction.atomic():
        # The password was asked for before the provider was; a new one ends connections, or comes first.
        present = User.objects.select_for_update().get(pk=user.pk)
        if present.password != user.password or not present.is_active:
            raise SsoStale
        identities.connect(user=user, issuer=provider.issuer, subject=subject)
        note(user=user, kind=Kind.SSO_CONNECTED, request=request)
    return Arrival("/account?sso=connected")


def _enter(request: HttpRequest, identity: ProviderIdentity, attempt: Attempt, *, at: datetime) -> Arrival:
    user = _require_active(request, identity)
    if find_factor(user=user) is not None:
        waiting = attempt.proved_by(identity.pk, at=at)
        return Arrival(f"/sign-in?{urlencode({'step': 'code', 'next': attempt.next_path})}", seal(waiting))
    services.begin_session(request=request, user=user, how=Kind.SSO_SIGNED_IN)
    return Arrival(attempt.next_path, user=user)


def _require_active(request: HttpRequest, identity: ProviderIdentity) -> User:
    user = identity.user
    if identity.ended_at is not None:
        note(user=user, kind=Kind.SSO_REFUSED, request=request)
        raise SsoDisconnected if identity.was_disconnected else SsoEnded
    if not user.is_active or user.is_imported:
        note(user=user, kind=Kind.SSO_FAILED, request=request)
        raise SsoInactive
    return user


def _begin_account(request: HttpRequest, attempt: Attempt, provider: Provider, person: "Claims") -> Arrival:
    """Let somebody new in, by the invitation if there is one. Raises `SsoInUse` for one who is not new."""

    def make_account() -> User:
        return _make_account(request, provider, person)

    if not attempt.invitation:
        user, path = make_account(), attempt.next_path
    else:
        joined = join_by_invitation(token=attempt.invitation, make_account=make_account)
        if joined is None:
            # Nothing was made; the page of the link says that it is of no use.
            return Arrival(attempt.next_path)
        user, path = joined.user, f"/{joined.slug}"
    services.begin_session(request=request, user=user, how=Kind.SSO_SIGNED_IN)
    return Arrival(path, user=user)


def _make_account(request: HttpRequest, provider: Provider, person: "Claims") -> User:
    """Make an account for whom the provider names; raises `SsoInUse` where there is one."""
    wanted = clean_username(person.username or person.name)
    for chosen in _numbered(wanted):
        name = (person.name or person.username)[:150].strip() or chosen
        user = User(username=chosen, name=name)
        user.set_unusable_password()
        try:
            with transaction.atomic():
                services.save_new_user(user)
                identities.connect(user=user, issuer=provider.issuer, subject=person.subject, is_origin=True)
                note(user=user, kind=Kind.SSO_CONNECTED, request=request)
        except services.NameTaken:
            continue
        return user
    raise SsoStale


def clean_username(wished: str) -> str:
    """Return what may be a username of what the provider calls somebody, or of their name."""
    text = unicodedata.normalize("NFKC", wished)
    text = re.sub(r"[^\w.@+-]", "", re.sub(r"\s+", ".", text.strip()))[:120].strip(".")
    try:
        UnicodeUsernameValidator()(text)
    except ValidationError:
        return "user"
    return text


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{number}" for number in range(2, NUMBERED))
    yield from (f"{name}-{secrets.token_hex(4)}" for _ in range(3))
