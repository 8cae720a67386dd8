"""Claims to requests by their idempotency keys, and what was replied to them.

A row is the claim: it is inserted in a transaction of its own, and a constraint lets one in. A repeat finds
the row and gets the reply that it holds. Whoever dies over it holds it no longer than until the lease ends,
or not at all where somebody on the same machine looks. Then the next one takes it over where the reply is
kept in the same transaction as the work (`is_whole`), since nothing of it is there; else nobody knows
whether it was carried out, and every repeat is told so.
"""

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet, Sum

from annotation.accounts.models import IdempotencyKey
from common.clock import now
from common.encryption.vault import keys_for, vault_for
from common.errors import Conflict, TooMany, Unprocessable
from common.requests.idempotency import Asked, KeptReply
from common.requests.naming import new_request_id
from common.tasks import forget_work, has_died

LASTS = timedelta(hours=24)
# Longer than any request takes that is still waited for.
LEASE = timedelta(minutes=5)
PURPOSE = b"assay idempotency keys 1 "
# What one sweep deletes at once; whoever writes waits for no more.
A_CHUNK = 1_000
TRIES = 5
# Of one account: larger replies than fit into so many bytes are not kept, only that they were given.
MOST_KEPT_BYTES = 100_000_000


class IdempotencyKeyReused(Unprocessable):
    """Another request was sent with the same key."""


class IdempotencyKeyRunning(Conflict):
    """The first request with the key is not answered yet."""


class IdempotencyOutcomeUnknown(Conflict):
    """The server stopped over the first request, or failed, and cannot say what came of it."""


class TooManyIdempotencyKeys(TooMany):
    """As many keys of the account are kept as may be; each for a day."""


class IdempotencyReplyLost(Conflict):
    """The first request was carried out, and what was replied to it cannot be told again."""


@dataclass(frozen=True)
class Held:
    """A claim that this request holds, as `common.requests.idempotency.Claim` has it."""

    row: int
    user: int
    owner: str
    key: str
    work_name: str

    def keep(self, reply: KeptReply) -> None:
        """Store the reply, encrypted; raises `IdempotencyKeyRunning` where somebody took the claim over."""
        sealed = "" if reply.body is None else _seal(reply, key=self.key)
        if not self._has_room(len(sealed)):
            sealed = ""
        finished = {"finished_at": now(), "status": reply.status}
        if not self._open().update(**finished, sealed_reply=sealed, reply_bytes=len(sealed)):
            raise _running()

    def _has_room(self, size: int) -> bool:
        kept = IdempotencyKey.objects.filter(user=self.user).aggregate(bytes=Sum("reply_bytes"))["bytes"]
        return size + (kept or 0) <= MOST_KEPT_BYTES

    def release(self) -> None:
        """Delete the row, unless it holds a reply."""
        self._open().delete()

    def abandon(self) -> None:
        """End the lease."""
        self._open().update(lease_ends_at=now())

    def _open(self) -> QuerySet[IdempotencyKey]:
        return IdempotencyKey.objects.filter(pk=self.row, owner=self.owner, finished_at=None)


def claim_request(*, asked: Asked, at: datetime | None = None) -> Held | KeptReply:
    """Return the claim to a request, or the reply that the same request got; as the port has it.

    Raises `IdempotencyKeyReused`, `IdempotencyKeyRunning`, `IdempotencyOutcomeUnknown`,
    `IdempotencyReplyLost`, `TooManyIdempotencyKeys`.
    """
    at = at or now()
    for _ in range(TRIES):
        row = _find(asked, at=at)
        if row is None:
            held = _insert(asked, at=at)
        elif row.fingerprint not in _fingerprints(asked):
            raise IdempotencyKeyReused(
                "This idempotency key was already used for a different request. Use a new key for each "
                "request, and reuse a key only to repeat exactly the same request."
            )
        elif row.finished_at is not None:
            return _open_reply(row, key=asked.key)
        else:
            held = _take_over(row, asked, at=at)
        if held is not None:
            return held
    raise _running()


def _find(asked: Asked, *, at: datetime) -> IdempotencyKey | None:
    row = IdempotencyKey.objects.filter(user=asked.user, name=_name_of(asked)).first()
    if row is not None and row.expires_at <= at:
        IdempotencyKey.objects.filter(pk=row.pk, expires_at__lte=at).delete()
        return None
    return row


def _insert(asked: Asked, *, at: datetime) -> Held | None:
    """Return the claim; None where somebody else was faster."""
    _require_few(asked, at=at)
    try:
        with transaction.atomic():
            row = IdempotencyKey.objects.create(
                user=asked.user,
                name=_name_of(asked),
                fingerprint=_fingerprints(asked)[0],
                is_whole=asked.is_whole,
                owner=new_request_id(),
                lease_ends_at=at + LEASE,
                expires_at=at + LASTS,
            )
    except IntegrityError:
        return None
    return _held(row, asked)


def _require_few(asked: Asked, *, at: datetime) -> None:
    most = settings.ASSAY_IDEMPOTENCY_KEYS
    # Several at once may go beyond it by as many; what it prevents is a table that grows without end.
    kept = IdempotencyKey.objects.filter(user=asked.user, expires_at__gt=at)
    if kept.count() >= most:
        raise TooManyIdempotencyKeys(
            f"Your account has used {most:,} idempotency keys in the last 24 hours, which is the maximum. "
            "Wait until the oldest expire. You can also send the request without a key, but then check what "
            "it did before you repeat it. The administrator of this server can raise the limit "
            "(ASSAY_IDEMPOTENCY_KEYS).",
            details={"limit": most},
        )


def _take_over(row: IdempotencyKey, asked: Asked, *, at: datetime) -> Held | None:
    """Return the claim of somebody who is gone; None where somebody else was faster."""
    is_dead = has_died(_work_name(row))
    if row.lease_ends_at > at and not is_dead:
        raise _running()
    left = IdempotencyKey.objects.filter(pk=row.pk, owner=row.owner, finished_at=None)
    if row.is_whole:
        row.owner, former = new_request_id(), row.owner
        is_ours = left.filter(owner=former).update(owner=row.owner, lease_ends_at=at + LEASE)
        return _held(row, asked) if is_ours else None
    if not left.exists():
        return None
    if is_dead:
        left.update(lease_ends_at=at)
        forget_work(_work_name(row))
    raise IdempotencyOutcomeUnknown(
        "The server stopped or failed during this request, so the change may or may not have been made. "
        "Check first. If it was not made, try again; programs need a new idempotency key."
    )


def sweep_keys(*, at: datetime | None = None) -> int:
    """Delete what has expired, a chunk at most; returns how many rows."""
    with transaction.atomic():
        expired = IdempotencyKey.objects.filter(expires_at__lte=at or now()).order_by("pk")
        chunk = list(expired.select_for_update(skip_locked=True).values_list("pk", flat=True)[:A_CHUNK])
        return IdempotencyKey.objects.filter(pk__in=chunk).delete()[0]


def _running() -> IdempotencyKeyRunning:
    return IdempotencyKeyRunning(
        "This request was already sent and is still being processed. Try again in a moment."
    )


def _held(row: IdempotencyKey, asked: Asked) -> Held:
    return Held(row=row.pk, user=row.user_id, owner=row.owner, key=asked.key, work_name=_work_name(row))


def _work_name(row: IdempotencyKey) -> str:
    return f"request-{row.pk}"


def _name_of(asked: Asked) -> str:
    return hashlib.sha256(f"{asked.address}\n{asked.key}".encode()).hexdigest()


def _purpose(key: str) -> bytes:
    return PURPOSE + key.encode()


def _fingerprints(asked: Asked) -> list[str]:
    """Return what tells requests apart, by each secret of the server.

    Without the secret nobody can try passwords or keys of models against what is stored.
    """
    return [hmac.digest(secret, asked.digest, "sha256").hex() for secret in keys_for(_purpose(asked.key))]


def _seal(reply: KeptReply, *, key: str) -> str:
    # The idempotency key itself is not stored: only whoever sends it again can have the reply opened.
    opened = json.dumps({"headers": reply.headers, "body": (reply.body or b"").decode()})
    return vault_for(_purpose(key)).encrypt(opened.encode()).decode()


def _open_reply(row: IdempotencyKey, *, key: str) -> KeptReply:
    try:
        opened = json.loads(vault_for(_purpose(key)).decrypt(row.sealed_reply.encode()))
    except InvalidToken:
        raise IdempotencyReplyLost(
            "This request was already completed, but its reply was not saved. Look up what it created or "
            "changed instead of sending it again."
        ) from None
    return KeptReply(row.status or 200, opened["headers"], opened["body"].encode())
