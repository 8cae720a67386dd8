"""What a provider says of itself: its addresses and keys, read over the guarded way out and kept briefly.

Loaded when somebody first signs in by it. Whatever it sends is a stranger's: short, checked, never shown.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpcore2
import httpx2

from annotation.accounts.sso.provider import Endpoint, Provider, read_endpoint
from common.outgoing.addresses import UnusableAddress
from common.outgoing.guard import CallRefused, GuardedTransport, ReplyTooLarge
from common.outgoing.keys import BEARER, KeyHeader

# Of one call, however slowly its reply comes in.
CALL_SECONDS = 5.0
KEPT_SECONDS = 600.0
# So long nobody asks again who would wait for the same: a provider that is down holds up few.
FAILED_SECONDS = 3.0
# At once, of all threads of a process, and how many more wait: the others go on serving people who judge.
MOST_CALLS, MOST_WAITING = 2, 2
MOST_KEYS = 50
LONGEST_REPLY = 500_000

BROKEN = (httpcore2.NetworkError, httpcore2.ProtocolError)
_CALLS = threading.BoundedSemaphore(MOST_CALLS)
_WAITING_TO_CALL = threading.BoundedSemaphore(MOST_WAITING)
_WAITING_TO_READ = threading.BoundedSemaphore(MOST_WAITING)


class ProviderFailed(Exception):
    """The provider cannot be reached, or what it says cannot be used; why is for the administrator."""


class Metadata(NamedTuple):
    """How the provider is spoken to.

    takes_basic: whether the client's secret goes into a header, else into the form. names_issuer: whether it
    says in each redirect who it is (RFC 9207).
    """

    authorization: Endpoint
    token: Endpoint
    keys: Endpoint
    takes_basic: bool
    names_issuer: bool


def call(
    endpoint: Endpoint,
    *,
    provider: Provider,
    form: bytes | None = None,
    key: str = "",
    key_header: KeyHeader = BEARER,
) -> tuple[int, dict[str, Any]]:
    """Get, or post a form, and return status and JSON object of the reply; raises `ProviderFailed`."""
    try:
        with _turn(_CALLS, waiting=_WAITING_TO_CALL):
            return _call(endpoint, provider=provider, form=form, key=key, key_header=key_header)
    except CallRefused as refused:
        raise ProviderFailed(str(refused)) from None
    except ReplyTooLarge:
        raise ProviderFailed("its reply is too large or compressed") from None
    except (httpx2.TimeoutException, httpcore2.TimeoutException):
        raise ProviderFailed(f"it did not respond within {CALL_SECONDS:g} seconds") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, *BROKEN) as error:
        raise ProviderFailed(f"it could not be reached ({ascii(str(error))[:200]})") from None


@contextmanager
def _turn(lock: threading.Semaphore, *, waiting: threading.Semaphore) -> Iterator[None]:
    """Hold a lock; raises `ProviderFailed` where too many threads wait for it, or it does not come free."""
    if not lock.acquire(blocking=False):
        if not waiting.acquire(blocking=False):
            raise ProviderFailed("too many requests are already waiting for it")
        try:
            if not lock.acquire(timeout=CALL_SECONDS):
                raise ProviderFailed("other requests have been waiting for it too long")
        finally:
            waiting.release()
    try:
        yield
    finally:
        lock.release()


def _call(
    endpoint: Endpoint, *, provider: Provider, form: bytes | None, key: str, key_header: KeyHeader
) -> tuple[int, dict[str, Any]]:
    transport = GuardedTransport(
        destination=endpoint.destination,
        policy=provider.policy(),
        timeout_seconds=CALL_SECONDS,
        key=key,
        key_header=key_header,
    )
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if form is not None else {}
    method = "GET" if form is None else "POST"
    client = httpx2.Client(transport=transport, timeout=CALL_SECONDS, follow_redirects=False, trust_env=False)
    with client:
        reply = client.request(method, endpoint.url, content=form, headers=headers)
        return reply.status_code, _read_object(reply.content, status=reply.status_code)


def _read_object(body: bytes, *, status: int) -> dict[str, Any]:
    try:
        found = json.loads(body) if len(body) <= LONGEST_REPLY else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ProviderFailed(f"it replied {status} with something other than a JSON object")
    return found


def _get(endpoint: Endpoint, *, provider: Provider) -> dict[str, Any]:
    status, found = call(endpoint, provider=provider)
    if status != 200:
        raise ProviderFailed(f"it replied {status} at {endpoint.url}")
    return found


class _Kept(NamedTuple):
    value: Any
    failure: ProviderFailed | None
    until: float


class _Memory:
    """What was read last. One reads it anew; others go by the former meanwhile, or wait if there is none."""

    def __init__(self) -> None:
        self._lock = threading.BoundedSemaphore(1)
        self._is_read = False
        self._kept: dict[Any, _Kept] = {}

    def get(self, name: Any, read: Callable[[], Any], *, anew: bool = False) -> Any:
        """Return what is kept under a name, else read it. Raises `ProviderFailed`, also one that is kept."""
        kept = self._kept.get(name)
        if kept is None or anew or kept.until < time.monotonic():
            kept = self._read(name, read, former=kept, anew=anew)
        if kept.failure is not None:
            raise kept.failure
        return kept.value

    def _read(self, name: Any, read: Callable[[], Any], *, former: _Kept | None, anew: bool) -> _Kept:
        if former is not None and self._is_read and not anew:
            return former
        with _turn(self._lock, waiting=_WAITING_TO_READ):
            self._is_read = True
            try:
                present = self._kept.get(name)
                # Unless another has read it meanwhile.
                if present is None or present is former:
                    present = self._kept[name] = _read(read)
                return present
            finally:
                self._is_read = False

    def forget(self) -> None:
        """Begin anew."""
        self._kept.clear()


def _read(read: Callable[[], Any]) -> _Kept:
    try:
        return _Kept(read(), None, time.monotonic() + KEPT_SECONDS)
    except ProviderFailed as failure:
        return _Kept(None, failure, time.monotonic() + FAILED_SECONDS)


KEPT = _Memory()


def read_metadata(*, provider: Provider) -> Metadata:
    """Return how the provider is spoken to; raises `ProviderFailed`."""
    found: Metadata = KEPT.get(provider.discovery_url, lambda: _read_metadata(provider))
    return found


def read_keys(*, provider: Provider, anew: bool = False) -> list[dict[str, Any]]:
    """Return the keys by which the provider signs; anew: also those that are new since it was asked last.

    Raises `ProviderFailed`.
    """
    metadata = read_metadata(provider=provider)
    found: list[dict[str, Any]] = KEPT.get(
        (provider.issuer, metadata.keys), lambda: _read_keys(metadata.keys, provider), anew=anew
    )
    return found


def _read_metadata(provider: Provider) -> Metadata:
    said = _get(read_endpoint(provider.discovery_url, provider=provider), provider=provider)
    if said.get("issuer") != provider.issuer:
        raise ProviderFailed(
            f"it calls itself {ascii(said.get('issuer'))[:200]}, but ASSAY_SSO_ISSUER is "
            f"{provider.issuer}: the two must be exactly the same"
        )
    ways = said.get("token_endpoint_auth_methods_supported")
    return Metadata(
        authorization=_endpoint("authorization_endpoint", said, provider),
        token=_endpoint("token_endpoint", said, provider),
        keys=_endpoint("jwks_uri", said, provider),
        # What holds where it says nothing.
        takes_basic=not isinstance(ways, list) or "client_secret_basic" in ways,
        names_issuer=said.get("authorization_response_iss_parameter_supported") is True,
    )


def _endpoint(name: str, said: dict[str, Any], provider: Provider) -> Endpoint:
    try:
        return read_endpoint(said.get(name), provider=provider)
    except UnusableAddress as error:
        raise ProviderFailed(f"its {name} cannot be used. {error}") from None


def _read_keys(endpoint: Endpoint, provider: Provider) -> list[dict[str, Any]]:
    keys = _get(endpoint, provider=provider).get("keys")
    if not isinstance(keys, list):
        raise ProviderFailed("its list of keys cannot be read")
    return [key for key in keys[:MOST_KEYS] if isinstance(key, dict)]
