"""A client between a judge and a model that pays for what is asked, once, and not before its turn."""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from common.clock import now
from judges.connections.models import Connection
from judges.methods.llm.client import Completion, CompletionRequest
from judges.protocol import JudgeFailed
from judges.runs.models import Call
from judges.runs.rules import most_input_tokens
from judges.runs.services.holding import is_under_way
from judges.runs.services.spending import Request, Ticket, claim_call, fail_call, settle_call

BROKE_OFF = "The call broke off."


class NetworkClient(Protocol):
    """Whoever asks a provider."""

    def complete(self, request: CompletionRequest, *, is_wanted: Callable[[], bool]) -> Completion:
        """Ask once, and break off where nobody wants the reply any more; raises `JudgeFailed`."""
        ...


class MeteredClient:
    """Asks for one answer of a run. Each reply is kept at once: what is paid for is never asked again."""

    def __init__(self, client: NetworkClient, *, connection: Connection, ticket: Ticket) -> None:
        self._client = client
        self._connection = connection
        self._ticket = ticket

    def complete(self, request: CompletionRequest) -> Completion:
        """Ask once, or repeat the reply to an equal request; raises `JudgeFailed`."""
        call = claim_call(ticket=self._ticket, request=self._wanted(request), at=now())
        if call.state == Call.State.SETTLED:
            return _reply_of(call)
        completion = self._ask(call, request)
        settle_call(call=call, completion=completion, most_output_tokens=request.max_tokens, at=now())
        return completion

    def _wanted(self, request: CompletionRequest) -> Request:
        texts = [message.content for message in request.messages]
        return Request(
            cache_key=cache_key(self._connection, request),
            repeat=request.repeat,
            most_input_tokens=most_input_tokens(texts=texts, schema=request.response_schema),
            most_output_tokens=request.max_tokens,
        )

    def _ask(self, call: Call, request: CompletionRequest) -> Completion:
        try:
            return self._client.complete(request, is_wanted=self._is_wanted)
        except JudgeFailed as error:
            _fail(call, error.reason, may_be_billed=error.may_be_billed, at=now())
            raise
        except BaseException:
            _fail(call, BROKE_OFF, may_be_billed=True, at=now())
            raise

    def _is_wanted(self) -> bool:
        return is_under_way(run_id=self._ticket.run_id)


def _fail(call: Call, reason: str, *, may_be_billed: bool, at: datetime) -> None:
    fail_call(call=call, reason=reason, may_be_billed=may_be_billed, at=at)


def _reply_of(call: Call) -> Completion:
    return Completion(
        text=call.reply,
        finish_reason=call.finish_reason,
        model=call.model,
        fingerprint=call.fingerprint,
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        seconds=call.seconds,
        logprobs=tuple((token, value) for token, value in call.logprobs),
    )


def cache_key(connection: Connection, request: CompletionRequest) -> str:
    """Return the SHA-256 of all that a reply depends on: the model, its address, and the request."""
    place = [connection.base_url, connection.endpoint, connection.model, connection.parameters]
    spelled = json.dumps([place, request._asdict()], sort_keys=True, ensure_ascii=False, default=dict)
    return hashlib.sha256(spelled.encode("utf-8", "surrogatepass")).hexdigest()
