"""The adapter to Anthropic's Messages API. Loaded when such a model is first asked."""

import logging
import time
from typing import Any

import anthropic

from common.outgoing.guard import CallRefused, ReplyTooLarge
from judges.connections.rules.anthropic import needs_a_person, read_completion, sent_fields, version_of
from judges.connections.rules.calls import NEEDS_A_PERSON
from judges.connections.services.port import Answered, Line, failure_of_call
from judges.methods.llm.client import Completion, CompletionRequest

# At its lower levels it would write texts and addresses into the log.
logging.getLogger("anthropic").setLevel(logging.WARNING)


class AnthropicAdapter:
    """Anthropic's library over a line."""

    def __init__(self, line: Line) -> None:
        self._model = line.model
        self._parameters = line.parameters
        # The transport writes the key; left out here, the library would take one from the environment.
        self._client = anthropic.Anthropic(
            api_key="set by the transport",
            # The library writes the version into the path by itself.
            base_url=line.base_url.removesuffix("/v1"),
            timeout=line.timeout_seconds,
            max_retries=0,
            default_headers={"anthropic-version": version_of(line.parameters)},
            http_client=line.network,
            # Else variables of the environment could have prompts told to a collector.
            open_telemetry={"traces": False, "propagation": False},
        )

    def ask(self, request: CompletionRequest) -> Completion:
        """Make exactly one call; raises `Answered` for a status that is no success, else `JudgeFailed`."""
        began = time.monotonic()
        try:
            body = self._send(request)
        except anthropic.APIStatusError as error:
            raise _answered(error) from None
        except (anthropic.APIError, CallRefused, ReplyTooLarge) as error:
            raise failure_of_call(error) from None
        return read_completion(body, seconds=time.monotonic() - began)

    def close(self) -> None:
        """Let go of the network."""
        self._client.close()

    def _send(self, request: CompletionRequest) -> bytes:
        fields = {"model": self._model, **sent_fields(request, parameters=self._parameters)}
        # The library no longer knows a temperature; older models take one all the same.
        warm = {"temperature": request.temperature} if self._parameters.get("sends_temperature") else None
        create: Any = self._client.messages.with_raw_response.create
        sent: bytes = create(extra_body=warm, **fields).read()
        return sent


def _answered(error: anthropic.APIStatusError) -> Answered:
    message, code = str(error.api_message or ""), str(error.error_code or error.type or "")
    return Answered(
        error.status_code,
        message=message,
        code=NEEDS_A_PERSON if needs_a_person(code, message) else code,
        retry_after=error.response.headers.get("Retry-After", ""),
    )
