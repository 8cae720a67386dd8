"""Open a connection: OpenAI's client over the guarded transport, its failures in our words."""

import logging
import time
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from common.clock import now
from judges.connections.models import Connection
from judges.connections.rules.addresses import (
    AddressPolicy,
    Destination,
    UnusableAddress,
    parse_destination,
    require_allowed,
)
from judges.connections.rules.parameters import sent_fields
from judges.connections.rules.replies import failure_of_status, hide_key, read_completion
from judges.connections.services.keys import KeyUnusable, decrypt_key
from judges.connections.services.policy import address_policy
from judges.connections.services.waiting import wait_for
from judges.methods.llm.client import CHAT, Completion, CompletionRequest, joined_messages
from judges.protocol import JudgeFailed

if TYPE_CHECKING:
    import openai

    from judges.connections.services.transport import GuardedTransport, Resolve

# At their lower levels these would write texts and addresses into the log.
for _name in ("openai", "httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)

TOP_LOGPROBS = 5


class OpenAIClient:
    """One connection, opened. Threads may share it."""

    def __init__(
        self, connection: Connection, *, client: "openai.OpenAI", transport: "GuardedTransport", key: str
    ) -> None:
        self._client = client
        self._transport = transport
        self._key = key
        self._model = connection.model
        self._parameters = dict(connection.parameters)

    def complete(
        self, request: CompletionRequest, *, is_wanted: Callable[[], bool] | None = None
    ) -> Completion:
        """Ask once; raises `JudgeFailed`.

        is_wanted: asked every second by the thread that waits; once it says no, all calls of this client
        are broken off.
        """
        if is_wanted is None:
            return self._complete(request)
        return wait_for(partial(self._complete, request), is_wanted=is_wanted, cut=self._transport.cut)

    def _complete(self, request: CompletionRequest) -> Completion:
        import openai

        from judges.connections.services.transport import CallRefused, ReplyTooLarge

        began = time.monotonic()
        try:
            body = self._send(request)
        except openai.APIStatusError as error:
            raise self._failure(error, at=now()) from None
        except (openai.APIError, CallRefused, ReplyTooLarge) as error:
            raise _failure_of_call(error) from None
        completion = read_completion(body, endpoint=request.endpoint, seconds=time.monotonic() - began)
        # Here and nowhere else comes in what a server says; whoever stores or shows it need not ask.
        return hide_key(completion, key=self._key)

    def close(self) -> None:
        """Let go of the network."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, request: CompletionRequest) -> bytes:
        fields = self._fields(request)
        if request.endpoint == CHAT:
            messages: Any = [message._asdict() for message in request.messages]
            return self._client.chat.completions.with_raw_response.create(messages=messages, **fields).content
        prompt = joined_messages(request.messages)
        return self._client.completions.with_raw_response.create(prompt=prompt, **fields).content

    def _fields(self, request: CompletionRequest) -> dict[str, Any]:
        limit = self._parameters.get("max_tokens_field", "max_tokens")
        fields = {"model": self._model, limit: request.max_tokens, **sent_fields(self._parameters)}
        if self._parameters.get("sends_temperature", True):
            fields["temperature"] = request.temperature
        if request.wants_logprobs:
            fields |= _logprob_fields(request.endpoint)
        return fields | self._format_fields(request)

    def _format_fields(self, request: CompletionRequest) -> dict[str, Any]:
        way = self._parameters.get("structured_output", "json_schema")
        if request.response_schema is None or request.endpoint != CHAT or way == "none":
            return {}
        if way == "json_object":
            return {"response_format": {"type": "json_object"}}
        named = {"name": "verdict", "strict": True, "schema": dict(request.response_schema)}
        return {"response_format": {"type": "json_schema", "json_schema": named}}

    def _failure(self, error: "openai.APIStatusError", *, at: datetime) -> JudgeFailed:
        body = error.body if isinstance(error.body, dict) else {}
        return failure_of_status(
            error.status_code,
            message=str(body.get("message") or ""),
            code=str(body.get("code") or body.get("type") or ""),
            key=self._key,
            retry_after=error.response.headers.get("Retry-After", ""),
            at=at,
        )


def _logprob_fields(endpoint: str) -> dict[str, Any]:
    if endpoint == CHAT:
        return {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
    return {"logprobs": TOP_LOGPROBS}


def _failure_of_call(error: Exception) -> JudgeFailed:
    import httpx2
    from openai import APITimeoutError

    from judges.connections.services.transport import CallRefused, ReplyTooLarge

    cause = _first_cause(error)
    if isinstance(cause, CallRefused):
        return JudgeFailed(str(cause), retryable=False, pauses_run=True)
    if isinstance(cause, ReplyTooLarge):
        return JudgeFailed("The server's reply was far too large.", retryable=True, may_be_billed=True)
    # Whoever was never reached has done no work.
    was_reached = not isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout)
    words = "The server could not be reached, or broke off."
    if isinstance(error, APITimeoutError):
        words = "The server did not answer in time."
    return JudgeFailed(words, retryable=True, may_be_billed=was_reached)


def _first_cause(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def open_client(connection: Connection, *, resolve: "Resolve | None" = None) -> OpenAIClient:
    """Return a client for the connection, made anew; raises `JudgeFailed` where it may not be called.

    `resolve` finds the addresses of a name; it is asked once a call, and what it says is what is called.
    """
    if connection.archived_at is not None:
        raise JudgeFailed("The connection is archived.", retryable=False, pauses_run=True)
    policy = address_policy()
    try:
        destination = parse_destination(connection.base_url)
        require_allowed(destination, policy)
        key = _stored_key(connection)
    except (UnusableAddress, KeyUnusable) as error:
        raise JudgeFailed(str(error), retryable=False, pauses_run=True) from None
    transport = _make_transport(connection, destination, policy=policy, key=key, resolve=resolve)
    client = _make_client(connection, destination=destination, transport=transport)
    return OpenAIClient(connection, client=client, transport=transport, key=key)


def _stored_key(connection: Connection) -> str:
    if not connection.encrypted_key:
        return ""
    return decrypt_key(encrypted=connection.encrypted_key, base_url=connection.base_url)


def _make_transport(
    connection: Connection,
    destination: Destination,
    *,
    policy: AddressPolicy,
    key: str,
    resolve: "Resolve | None",
) -> "GuardedTransport":
    from judges.connections.services.transport import GuardedTransport, resolve_host

    return GuardedTransport(
        destination=destination,
        policy=policy,
        timeout_seconds=float(connection.timeout_seconds),
        key=key,
        resolve=resolve or resolve_host,
    )


def _make_client(
    connection: Connection, *, destination: Destination, transport: "GuardedTransport"
) -> "openai.OpenAI":
    import httpx2
    import openai

    seconds = float(connection.timeout_seconds)
    network = httpx2.Client(transport=transport, timeout=seconds, follow_redirects=False, trust_env=False)
    # The transport writes the key; left out here, the library would take one from the environment.
    return openai.OpenAI(
        api_key="set by the transport",
        base_url=destination.url,
        timeout=seconds,
        max_retries=0,
        http_client=network,
    )
