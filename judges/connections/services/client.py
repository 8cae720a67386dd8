"""Ask a model: OpenAI's client over the guarded way out. Loaded when a model is first asked."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from datetime import datetime
from functools import partial
from typing import Any, Self

import httpx2
import openai
from django.db.models import F, Q

from common.clock import now
from judges.connections.models import Connection
from judges.connections.rules.addresses import (
    AddressPolicy,
    Destination,
    UnusableAddress,
    parse_destination,
    require_allowed,
)
from judges.connections.rules.calls import Trial, cost_of, failure_of_status, read_completion, sent_fields
from judges.connections.rules.keys import hide_key
from judges.connections.selectors import KeyUnusable, address_policy, decrypt_key
from judges.connections.services.guard import (
    CallRefused,
    GuardedTransport,
    ReplyTooLarge,
    Resolve,
    resolve_host,
)
from judges.methods.llm.client import CHAT, Completion, CompletionRequest, Message, joined_messages
from judges.protocol import JudgeFailed

LOOK_SECONDS = 1.0
# A call that was cut off comes back at once, unless it has not even found the server yet.
PARTING_SECONDS = 1.0
UNWANTED = "The run ended while the call was running."


def wait_for(
    call: Callable[[], Completion], *, is_wanted: Callable[[], bool], cut: Callable[[], None]
) -> Completion:
    """Return what the call returns, or raise what it raises; it is made in a thread of its own.

    is_wanted is asked every `LOOK_SECONDS`. Once it says no, `cut` must break off whatever the call
    waits for; a call that does not end even so is left to itself, and `JudgeFailed` says that it may be
    billed.
    """
    reply: Future[Completion] = Future()
    threading.Thread(target=_make, args=(call, reply), name="call", daemon=True).start()
    while not _is_there(reply, LOOK_SECONDS):
        if not is_wanted():
            cut()
            return _parting(reply)
    return reply.result()


def _make(call: Callable[[], Completion], reply: "Future[Completion]") -> None:
    try:
        reply.set_result(call())
    except BaseException as error:
        reply.set_exception(error)


def _parting(reply: "Future[Completion]") -> Completion:
    # What came in at the last moment is paid like any reply, and kept.
    if _is_there(reply, PARTING_SECONDS) and reply.exception() is None:
        return reply.result()
    failure = reply.exception() if reply.done() else None
    may_be_billed = failure.may_be_billed if isinstance(failure, JudgeFailed) else True
    raise JudgeFailed(UNWANTED, retryable=False, may_be_billed=may_be_billed)


def _is_there(reply: "Future[Completion]", seconds: float) -> bool:
    return bool(wait([reply], timeout=seconds).done)


# At its lower levels it would write texts and addresses into the log.
logging.getLogger("openai").setLevel(logging.WARNING)

TOP_LOGPROBS = 5


class OpenAIClient:
    """One connection, opened. Threads may share it."""

    def __init__(
        self, connection: Connection, *, client: openai.OpenAI, transport: GuardedTransport, key: str
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

    def _failure(self, error: openai.APIStatusError, *, at: datetime) -> JudgeFailed:
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

    cause = _first_cause(error)
    if isinstance(cause, CallRefused):
        return JudgeFailed(str(cause), retryable=False, pauses_run=True)
    if isinstance(cause, ReplyTooLarge):
        return JudgeFailed("The provider’s reply was too large.", retryable=True, may_be_billed=True)
    # Whoever was never reached has done no work.
    was_reached = not isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout)
    words = "The provider could not be reached, or the connection was lost."
    if isinstance(error, openai.APITimeoutError):
        words = "The provider did not respond in time."
    return JudgeFailed(words, retryable=True, may_be_billed=was_reached)


def _first_cause(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def open_client(connection: Connection, *, resolve: Resolve | None = None) -> OpenAIClient:
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
    resolve: Resolve | None,
) -> GuardedTransport:

    return GuardedTransport(
        destination=destination,
        policy=policy,
        timeout_seconds=float(connection.timeout_seconds),
        key=key,
        resolve=resolve or resolve_host,
    )


def _make_client(
    connection: Connection, *, destination: Destination, transport: GuardedTransport
) -> openai.OpenAI:

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


LONGEST_TRIAL_SECONDS = 20
# More than any tokenizer makes of the question below.
MOST_INPUT_TOKENS = 128
CAP_REACHED = "The connection’s spending limit is too low for another call. Raise it first."
_REQUEST = CompletionRequest(
    messages=(Message("user", "Reply with the word Yes."),), endpoint="", max_tokens=16, temperature=0.0
)


def try_connection(*, connection: Connection, resolve: Resolve | None = None) -> Trial:
    """Make one call of a few tokens, outside any run; never raises for a failed call.

    It counts against the connection's cap: charged at its bound beforehand, so that it is paid whatever
    happens, and given back what it did not cost.
    """
    connection.timeout_seconds = min(connection.timeout_seconds, LONGEST_TRIAL_SECONDS)
    bound = _cost(connection, MOST_INPUT_TOKENS, _REQUEST.max_tokens)
    row = Connection.objects.filter(pk=connection.pk)
    has_room = Q(spend_cap=None) | Q(spend_cap__gte=F("spent") + F("reserved") + bound)
    if not row.filter(has_room).update(spent=F("spent") + bound):
        return Trial(works=False, error=CAP_REACHED)
    try:
        with open_client(connection, resolve=resolve) as client:
            completion = client.complete(_REQUEST._replace(endpoint=connection.endpoint))
    except JudgeFailed as failure:
        row.update(spent=F("spent") - (0 if failure.may_be_billed else bound))
        return Trial(works=False, error=failure.reason)
    row.update(spent=F("spent") - max(0, bound - _charge(connection, completion, bound)))
    return Trial(
        works=True,
        model=completion.model or connection.model,
        reply=completion.text[:100],
        seconds=completion.seconds,
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
    )


def _cost(connection: Connection, input_tokens: int, output_tokens: int) -> int:
    return cost_of(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        input_price=connection.input_price,
        output_price=connection.output_price,
    )


def _charge(connection: Connection, completion: Completion, bound: int) -> int:
    # A server that counts no tokens may have counted them for the bill.
    if not completion.input_tokens:
        return bound
    return _cost(connection, completion.input_tokens, completion.output_tokens or _REQUEST.max_tokens)
