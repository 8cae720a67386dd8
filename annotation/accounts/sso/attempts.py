"""A sign-in that is under way: what its browser keeps of it, encrypted, and that it is finished once."""

import base64
import hashlib
import json
import secrets
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

from cryptography.fernet import InvalidToken
from django.db import IntegrityError, transaction
from django.utils.http import url_has_allowed_host_and_scheme

from annotation.accounts.models import SpentSignIn
from common.clock import now
from common.encryption.vault import vault_for

PURPOSE = b"annotation.accounts.sso"
LIFETIME = timedelta(minutes=10)
LONGEST_PATH = 1_000


class Purpose(StrEnum):
    """What follows once the provider said who it is."""

    SIGN_IN = "sign_in"
    CONNECT = "connect"
    # The provider has said it, and the account asks for a code.
    CODE = "code"


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One sign-in.

    state: ties the redirect to the browser; nonce: the ID token to the sign-in; verifier: the code to this
    server (PKCE). account, session: who connects, and in which session. identity: who has shown it.
    invitation: the token of the link that was open, by which somebody without an account joins.
    """

    purpose: Purpose
    state: str
    nonce: str
    verifier: str
    redirect_uri: str
    next_path: str
    begun_at: float
    account: str = ""
    session: str = ""
    identity: int = 0
    invitation: str = ""

    @classmethod
    def begin(cls, *, purpose: Purpose, redirect_uri: str, next_path: str, at: datetime) -> Self:
        """Draw a new one."""
        return cls(
            purpose=purpose,
            state=secrets.token_urlsafe(32),
            nonce=secrets.token_urlsafe(32),
            verifier=secrets.token_urlsafe(48),
            redirect_uri=redirect_uri,
            next_path=own_path(next_path),
            begun_at=at.timestamp(),
        )

    @property
    def challenge(self) -> str:
        """What the provider gets of the verifier: its SHA-256 (RFC 7636)."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def proved_by(self, identity: int, *, at: datetime) -> "Attempt":
        """Return what waits for the account's code."""
        return replace(
            self,
            purpose=Purpose.CODE,
            state=secrets.token_urlsafe(32),
            identity=identity,
            begun_at=at.timestamp(),
        )


def own_path(path: str) -> str:
    """Return a path of this site, else that of its first page: nobody is sent elsewhere after signing in."""
    is_plain = path.isascii() and path.isprintable() and "\\" not in path and len(path) <= LONGEST_PATH
    is_own = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_plain and is_own else "/"


def seal(attempt: Attempt) -> str:
    """Return what the browser keeps."""
    return vault_for(PURPOSE).encrypt(json.dumps(asdict(attempt)).encode()).decode()


def open_attempt(sealed: str, *, at: datetime) -> Attempt | None:
    """Return what a browser kept; None where it is not ours or too old."""
    try:
        opened = json.loads(vault_for(PURPOSE).decrypt(sealed.encode()))
        attempt = Attempt(**{**opened, "purpose": Purpose(opened["purpose"])})
    except (InvalidToken, ValueError, TypeError, KeyError):
        # Also what another version kept.
        return None
    age = at.timestamp() - attempt.begun_at
    return attempt if age <= LIFETIME.total_seconds() else None


def spend(attempt: Attempt, *, at: datetime) -> bool:
    """Say whether this is the first time that an attempt is finished; of two at once one is."""
    state_hash = hashlib.sha256(attempt.state.encode()).hexdigest()
    try:
        with transaction.atomic():
            SpentSignIn.objects.create(state_hash=state_hash, spent_at=at)
    except IntegrityError:
        return False
    return True


def sweep_spent(*, at: datetime | None = None) -> int:
    """Forget attempts that are too old to be finished again."""
    # Twice as long: clocks of several servers differ.
    return SpentSignIn.objects.filter(spent_at__lt=(at or now()) - 2 * LIFETIME).delete()[0]
