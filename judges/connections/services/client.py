"""Ask a model: an adapter to its API over the guarded way out. Loaded when a model is first asked."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from typing import Self

import httpx2

from common.clock import now
from common.outgoing.addresses import (
    AddressPolicy,
    Destination,
    UnusableAddress,
    parse_destination,
    require_allowed,
)
from common.outgoing.guard import GuardedTransport, Resolve, resolve_host
from judges.connections.models import Connection
from judges.connections.ports import charge_trial, refund_trial
from judges.connections.rules.apis import ANTHROPIC, APIS, GEMINI, LOCAL, not_installed
from judges.connections.rules.calls import Trial, cost_of, failure_of_status
from judges.connections.rules.keys import hide_key
from judges.connections.selectors import (
    KeyUnusable,
    LocalModelUnusable,
    address_policy,
    cure_of,
    decrypt_key,
    find_local_model,
    require_local_files,
    revision_of,
)
from judges.connections.services.local import LocalAdapter
from judges.connections.services.port import Adapter, Answered, Line
from judges.methods.llm.client import Completion, CompletionRequest, Message
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


class ModelClient:
    """One connection, opened. Threads may share it."""

    def __init__(
        self, adapter: Adapter | LocalAdapter, *, cut: Callable[[], None], key: str = "", revision: str = ""
    ) -> None:
        # Of a local model, as it was opened.
        self.revision = revision
        self._adapter = adapter
        self._cut = cut
        self._key = key

    def complete(
        self, request: CompletionRequest, *, is_wanted: Callable[[], bool] | None = None
    ) -> Completion:
        """Ask once; raises `JudgeFailed`.

        is_wanted: asked every second by the thread that waits; once it says no, all calls of this client
        are broken off.
        """
        if is_wanted is None:
            return self._complete(request)
        return wait_for(partial(self._complete, request), is_wanted=is_wanted, cut=self._cut)

    def _complete(self, request: CompletionRequest) -> Completion:
        try:
            completion = self._adapter.ask(request)
        except Answered as answer:
            raise self._failure(answer) from None
        # Here and nowhere else comes in what a server says; whoever stores or shows it need not ask.
        return hide_key(completion, key=self._key)

    def close(self) -> None:
        """Let go of the network."""
        self._adapter.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _failure(self, answer: Answered) -> JudgeFailed:
        return failure_of_status(
            answer.status,
            message=answer.message,
            code=answer.code,
            key=self._key,
            retry_after=answer.retry_after,
            at=now(),
        )


def open_client(connection: Connection, *, resolve: Resolve | None = None) -> ModelClient:
    """Return a client for the connection, made anew; raises `JudgeFailed` where it may not be called.

    `resolve` finds the addresses of a name; it is asked once a call, and what it says is what is called.
    """
    _require_usable(connection)
    if connection.api == LOCAL:
        return _open_local(connection)
    policy = address_policy()
    try:
        destination = parse_destination(connection.base_url)
        require_allowed(destination, policy)
        key = _stored_key(connection)
    except (UnusableAddress, KeyUnusable) as error:
        raise JudgeFailed(str(error), retryable=False, pauses_run=True) from None
    adapter = _adapter_of(connection.api)
    transport = _make_transport(connection, destination, policy=policy, key=key, resolve=resolve)
    return ModelClient(adapter(_make_line(connection, destination, transport)), cut=transport.cut, key=key)


def _stored_key(connection: Connection) -> str:
    if not connection.encrypted_key:
        return ""
    return decrypt_key(encrypted=connection.encrypted_key, base_url=connection.base_url)


def _require_usable(connection: Connection) -> None:
    if connection.archived_at is not None:
        raise JudgeFailed("The connection is archived.", retryable=False, pauses_run=True)
    if cure := cure_of(connection.api):
        raise JudgeFailed(not_installed(connection.api, cure), retryable=False, pauses_run=True)


def _open_local(connection: Connection) -> ModelClient:
    try:
        model = find_local_model(connection.model)
        revision = revision_of(connection.model)
    except LocalModelUnusable as error:
        raise JudgeFailed(str(error), retryable=False, pauses_run=True) from None
    adapter = LocalAdapter(
        model,
        revision=revision,
        parameters=dict(connection.parameters),
        timeout_seconds=float(connection.timeout_seconds),
    )
    return ModelClient(adapter, cut=adapter.cut, revision=revision)


def _adapter_of(api: str) -> type[Adapter]:
    # Each brings its library.
    if api == ANTHROPIC:
        from judges.connections.services.anthropic import AnthropicAdapter

        return AnthropicAdapter
    if api == GEMINI:
        from judges.connections.services.gemini import GeminiAdapter

        return GeminiAdapter
    from judges.connections.services.openai import OpenAIAdapter

    return OpenAIAdapter


def _make_transport(
    connection: Connection,
    destination: Destination,
    *,
    policy: AddressPolicy,
    key: str,
    resolve: Resolve | None,
) -> GuardedTransport:

    api = APIS[connection.api]
    return GuardedTransport(
        destination=destination,
        policy=policy,
        timeout_seconds=float(connection.timeout_seconds),
        key=key,
        key_header=api.key_header,
        headers=api.headers,
        resolve=resolve or resolve_host,
    )


def _make_line(connection: Connection, destination: Destination, transport: GuardedTransport) -> Line:
    seconds = float(connection.timeout_seconds)
    return Line(
        network=httpx2.Client(transport=transport, timeout=seconds, follow_redirects=False, trust_env=False),
        base_url=destination.url,
        model=connection.model,
        parameters=dict(connection.parameters),
        timeout_seconds=seconds,
    )


LONGEST_TRIAL_SECONDS = 20
# More than any tokenizer makes of the question below.
MOST_INPUT_TOKENS = 128
_REQUEST = CompletionRequest(
    messages=(Message("user", "Reply with the word Yes."),), endpoint="", max_tokens=16, temperature=0.0
)


def try_connection(*, connection: Connection, resolve: Resolve | None = None) -> Trial:
    """Make one call of a few tokens, outside any run; never raises for a failed call.

    Of a local model it only looks whether it is there.

    It counts against the connection's cap and its organization's limit: charged at its bound beforehand, so
    that it is paid whatever happens, and given back what it did not cost.
    """
    if connection.api == LOCAL:
        return _try_local(connection)
    connection.timeout_seconds = min(connection.timeout_seconds, LONGEST_TRIAL_SECONDS)
    bound = _cost(connection, MOST_INPUT_TOKENS, _REQUEST.max_tokens)
    try:
        charge = charge_trial(connection=connection, bound=bound, at=now())
    except JudgeFailed as refusal:
        return Trial(works=False, error=refusal.reason)
    try:
        with open_client(connection, resolve=resolve) as client:
            completion = client.complete(_REQUEST._replace(endpoint=connection.endpoint))
    except JudgeFailed as failure:
        if not failure.may_be_billed:
            refund_trial(charge=charge, amount=charge.amount)
        return Trial(works=False, error=failure.reason)
    refund_trial(charge=charge, amount=max(0, charge.amount - _charge(connection, completion, charge.amount)))
    return Trial(
        works=True,
        model=completion.model or connection.model,
        reply=completion.text[:100],
        seconds=completion.seconds,
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
    )


def _try_local(connection: Connection) -> Trial:
    # Its weights belong into workers alone: here they would fill the memory of a web server. Not even
    # their hash is computed.
    try:
        _require_usable(connection)
        require_local_files(find_local_model(connection.model))
    except (JudgeFailed, LocalModelUnusable) as failure:
        return Trial(works=False, error=str(failure))
    return Trial(works=True, model=connection.model)


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
