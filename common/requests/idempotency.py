"""A write that is sent again is not carried out again: `Idempotency-Key`, as the IETF's draft has it.

Why it is so, and what happens where the server dies in between: docs/decisions/0057.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any, NamedTuple, Protocol

from django.core.exceptions import SuspiciousOperation
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, transaction
from django.http import Http404, HttpResponse, HttpResponseBase
from rest_framework.exceptions import APIException
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from common.errors import DomainError, Invalid
from common.events import Port
from common.tasks import at_work, forget_work

logger = logging.getLogger(__name__)

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
LONGEST_KEY = 255
# Larger replies are not kept; those of writes have a few thousand bytes.
LARGEST_REPLY_BYTES = 1_000_000
# All that a reply to a repeat has of the first one's head: no cookies, and nothing of the connection.
KEPT_HEADERS = ("Content-Type", "Location")


class IdempotencyKeyInvalid(Invalid):
    """The header holds no key."""


class Asked(NamedTuple):
    """A request with a key: who sent it to which address, and what tells whether another is the same.

    is_whole: whether the reply is kept in the transaction that carries the request out.
    """

    user: Any
    address: str
    key: str
    digest: bytes
    is_whole: bool


class KeptReply(NamedTuple):
    """What the first request got; `body` is None where it was not kept."""

    status: int
    headers: dict[str, str]
    body: bytes | None


class Claim(Protocol):
    """The right to carry out a request: nobody else carries out another with its key meanwhile."""

    @property
    def work_name(self) -> str:
        """By which `common.tasks` knows whether whoever has the claim is alive."""

    def keep(self, reply: KeptReply) -> None:
        """Keep what is replied from now on; raises that somebody else has the claim by now."""

    def release(self) -> None:
        """Let the next request with the key be the first: this one has changed nothing."""

    def abandon(self) -> None:
        """End it without a reply: nobody knows whether the request was carried out."""


@Port
def claim_request(*, asked: Asked) -> Claim | KeptReply:
    """Return the claim to a request, or what was replied to it before.

    Raises that it is being carried out, that it was another one, or that nobody knows what came of it.
    """
    raise NotImplementedError


def answer_once(
    view: APIView, request: Request, make: Callable[[], HttpResponseBase], *, is_whole: bool
) -> HttpResponseBase:
    """Return the reply that `make` makes, or that it made when the same request came with the same key."""
    key = _read_key(request)
    if key is None:
        return make()
    digest = digest_of(view, request)
    found = claim_request(asked=Asked(request.user, request.path, key, digest, is_whole))
    if isinstance(found, KeptReply):
        return _replay(found)
    try:
        with at_work(found.work_name):
            return _carry_out(view, request, make, found, is_whole=is_whole)
    finally:
        # The row says what came of it; only whoever is killed leaves this behind.
        forget_work(found.work_name)


def _read_key(request: Request) -> str | None:
    sent = request.headers.get(HEADER)
    if sent is None:
        return None
    key = sent.strip()
    if not (1 <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise IdempotencyKeyInvalid(
            f"The header {HEADER} must have 1 to {LONGEST_KEY} printable ASCII characters. "
            "Use a new random UUID for each action."
        )
    return key


def digest_of(view: APIView, request: Request) -> bytes:
    """Return the hash of all that is sent but the head: of an upload what its parts hold, piece by piece."""
    found = hashlib.sha256()
    for part in _parts_of(view, request):
        found.update(part)
    return found.digest()


def _parts_of(view: APIView, request: Request) -> Iterable[bytes]:
    yield _sized(request.META.get("QUERY_STRING", "").encode())
    is_form = (request.content_type or "").startswith("multipart/")
    if not (is_form and MultiPartParser in view.parser_classes):
        yield request._request.body
        return
    # What stands between the parts is drawn anew whenever they are sent.
    form: Any = request.data
    for name, values in sorted(form.lists()):
        for value in values:
            yield _sized(name.encode())
            if isinstance(value, UploadedFile):
                yield _sized((value.name or "").encode(), size=value.size)
                yield from value.chunks()
                value.seek(0)
            else:
                yield _sized(str(value).encode())


def _sized(text: bytes, *, size: int | None = None) -> bytes:
    return b"%d %d " % (len(text), size or 0) + text


def _replay(kept: KeptReply) -> HttpResponse:
    reply = HttpResponse(kept.body or b"", status=kept.status, headers=kept.headers)
    if "Content-Type" not in kept.headers:
        del reply.headers["Content-Type"]
    reply.headers[REPLAYED] = "true"
    return reply


def _carry_out(
    view: APIView, request: Request, make: Callable[[], HttpResponseBase], claim: Claim, *, is_whole: bool
) -> HttpResponseBase:
    try:
        with transaction.atomic() if is_whole else nullcontext():
            reply = _rendered(view, request, make())
            if is_whole:
                claim.keep(kept(reply))
    except Exception as error:
        _let_go(claim.release if is_whole or _is_refusal(error) else claim.abandon)
        raise
    if not is_whole:
        # It is carried out, whatever becomes of the claim: a repeat is told so where this fails.
        _let_go(lambda: claim.keep(kept(reply)))
    return reply


def _rendered(view: APIView, request: Request, reply: HttpResponseBase) -> HttpResponseBase:
    """Have the body made now, as whoever sends it would."""
    made: Any = reply
    finished: HttpResponseBase = view.finalize_response(request, made)
    return finished.render() if isinstance(finished, Response) else finished


def kept(reply: HttpResponseBase) -> KeptReply:
    """Return what is kept of a reply; of one that is too large, or a stream, not the body."""
    headers = {name: reply.headers[name] for name in KEPT_HEADERS if name in reply.headers}
    body = reply.content if isinstance(reply, HttpResponse) else None
    is_small = body is not None and len(body) <= LARGEST_REPLY_BYTES
    return KeptReply(reply.status_code, headers, body if is_small else None)


def _is_refusal(error: Exception) -> bool:
    if isinstance(error, APIException):
        return error.status_code < 500
    return isinstance(error, DomainError | Http404 | SuspiciousOperation)


def _let_go(act: Callable[[], None]) -> None:
    try:
        act()
    except DatabaseError as error:
        logger.warning("a request with an idempotency key was left open: %s", type(error).__name__)
