"""API tokens: with one a program comes in as the person who created it, within a scope and a time.

A token names itself by its public id and proves itself by a secret of 192 bits, of which a hash is stored:
so a slow hash would protect nothing more, and a stolen table lets nobody in.
"""

import hashlib
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Case, Q, QuerySet, When
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from annotation.accounts.guessing import TooManyTries, count_wrong_token
from annotation.accounts.models import ApiToken, User
from annotation.accounts.rules import PresentedToken, parse_token, why_refused
from annotation.accounts.tokens import ports
from common.clock import now
from common.errors import Conflict, Forbidden, NotFound, TooMany, Unauthenticated

logger = logging.getLogger(__name__)

MOST_DAYS = 365
MOST_ACTIVE = 50
# More than can be active: only tokens that ended long ago are left out.
MOST_LISTED = 200
# Not each use is written down: whoever only reads does not keep writers waiting.
USE_NOTED_EVERY = timedelta(minutes=5)


class TokenNotFound(NotFound):
    """The person has no such token."""


class AccountChanged(Conflict):
    """The account has another password than the one that was checked, or is closed."""


class TooManyTokens(Conflict):
    """The person has as many active tokens as one may have."""


class TooManyWrongTokens(TooMany):
    """Somebody tried many tokens that are none."""


class TokenRefused(Forbidden):
    """The token is good, but not for this."""


class InvalidToken(Unauthenticated):
    """Nobody is let in with what was sent as an API token."""

    code = "token_invalid"


class CreatedToken(NamedTuple):
    """A token and, this once, the text by which it is used."""

    token: ApiToken
    text: str


@transaction.atomic
def create_token(
    *, user: User, name: str, scope: str, days: int, project: str = "", at: datetime | None = None
) -> CreatedToken:
    """Create a token for one project, or for all where `project` is empty; days: 1 to `MOST_DAYS`.

    user: as they were when their password was checked. Raises `AccountChanged`, `TooManyTokens`, that there
    is no such project for whoever is in none, and that viewers of a project have tokens that read.
    """
    at = at or now()
    # Two at once must not both find room, and a new password ends all tokens or comes first.
    present = User.objects.select_for_update().get(pk=user.pk)
    if present.password != user.password or not present.is_active:
        raise AccountChanged("Your password has changed. Sign in again, then create the token.")
    if _active(user, at=at).count() >= MOST_ACTIVE:
        raise TooManyTokens(
            f"You have {MOST_ACTIVE} active API tokens, which is the maximum. Revoke one first."
        )
    secret = secrets.token_hex(24)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        project_id=ports.find_own_project(user=user, slug=project, scope=scope) if project else None,
        scope=scope,
        secret_hash=_hash(secret),
        created_at=at,
        expires_at=at + timedelta(days=days),
    )
    logger.info("API token %s of %s created: %s", token.public_id, user.public_id, scope)
    return CreatedToken(token, PresentedToken(token.public_id, secret).text)


def list_tokens(*, user: User, at: datetime | None = None) -> QuerySet[ApiToken]:
    """Return a person's tokens: all active ones, then those that have ended, the latest of each first."""
    is_active_first = Case(When(_is_active(at=at or now()), then=0), default=1)
    tokens = user.api_tokens.select_related("project")
    return tokens.order_by(is_active_first, "-created_at", "-pk")[:MOST_LISTED]


def revoke_token(*, user: User, public_id: str, at: datetime | None = None) -> bool:
    """End one of the person's tokens at once, and return whether it had not ended before.

    Raises `TokenNotFound`.
    """
    if not user.api_tokens.filter(public_id=public_id).exists():
        raise TokenNotFound("You have no such API token.")
    return revoke_tokens(user=user, at=at, public_id=public_id) == 1


def revoke_tokens(*, user: User, at: datetime | None = None, **which: str) -> int:
    """End all tokens of the person, or those named, and return how many had not ended before."""
    at = at or now()
    with transaction.atomic():
        ending = _active(user, at=at).filter(**which).select_for_update()
        ids = list(ending.order_by("pk").values_list("public_id", flat=True))
        user.api_tokens.filter(public_id__in=ids).update(revoked_at=at)
    if ids:
        logger.info("API tokens of %s revoked: %s", user.public_id, ", ".join(ids))
    return len(ids)


def _is_active(*, at: datetime) -> Q:
    return Q(revoked_at=None, expires_at__gt=at)


def _active(user: User, *, at: datetime) -> QuerySet[ApiToken]:
    return user.api_tokens.filter(_is_active(at=at))


def recognize_token(*, request: HttpRequest, text: str, at: datetime | None = None) -> ApiToken:
    """Return the token that a request brings, with its person.

    Why it is of no use is told to whoever knows its secret. Raises `InvalidToken`, `TooManyWrongTokens`.
    """
    at = at or now()
    sent = parse_token(text)
    found = _find(sent.public_id) if sent else None
    # Compared with something in any case: the time does not tell whether there is such a token.
    is_known = constant_time_compare(found.secret_hash if found else "", _hash(sent.secret if sent else ""))
    if found is None or not is_known:
        _count_wrong(request, at=at)
        raise InvalidToken(
            "This is not a valid API token. Check that you copied all of it, or create a new one."
        )
    _require_active(found, at=at)
    _note_use(found, at=at)
    return found


def _find(public_id: str) -> ApiToken | None:
    return ApiToken.objects.select_related("user", "project").filter(public_id=public_id).first()


def _count_wrong(request: HttpRequest, *, at: datetime) -> None:
    try:
        count_wrong_token(request=request, at=at)
    except TooManyTries:
        raise TooManyWrongTokens("Too many invalid API tokens. Wait 15 minutes, then try again.") from None


def _require_active(token: ApiToken, *, at: datetime) -> None:
    if token.revoked_at is not None:
        raise InvalidToken("This API token was revoked. Create a new one.")
    if token.expires_at <= at:
        raise InvalidToken("This API token has expired. Create a new one.")
    if not token.user.is_active:
        raise InvalidToken("The account of this API token is inactive.")


def _note_use(token: ApiToken, *, at: datetime) -> None:
    is_due = Q(last_used_at=None) | Q(last_used_at__lte=at - USE_NOTED_EVERY)
    if token.last_used_at is None or token.last_used_at <= at - USE_NOTED_EVERY:
        ApiToken.objects.filter(is_due, pk=token.pk).update(last_used_at=at)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True)
class Bearer:
    """Who brings a token: what `request.auth` is then."""

    token: ApiToken

    def require(self, *, scope: str | None, slug: str | None, serves_project_tokens: bool) -> None:
        """Let a request in; raises `TokenRefused`. As `common.web.door.Credential` has it."""
        why = why_refused(
            scope=self.token.scope,
            project=self.token.project.slug if self.token.project else None,
            needed=scope,
            named=slug,
            serves_project_tokens=serves_project_tokens,
        )
        if why:
            raise TokenRefused(why)

    def reaches(self, project_id: int) -> bool:
        """Return whether the token is for this project."""
        return self.token.project_id in {None, project_id}


def find_bearer(*, request: HttpRequest, text: str) -> tuple[User, Bearer]:
    """Return who comes in with a token, and the token. Raises as `recognize_token` does."""
    token = recognize_token(request=request, text=text)
    return token.user, Bearer(token)
