"""The adapter to OpenAI's API, which many servers speak. Loaded when such a model is first asked."""

import logging
import time
from typing import Any

import openai

from common.outgoing.guard import CallRefused, ReplyTooLarge
from judges.connections.rules.openai import read_completion, sent_fields
from judges.connections.services.port import Answered, Line, failure_of_call
from judges.methods.llm.client import CHAT, Completion, CompletionRequest, joined_messages

# At its lower levels it would write texts and addresses into the log.
logging.getLogger("openai").setLevel(logging.WARNING)

TOP_LOGPROBS = 5


class OpenAIAdapter:
    """OpenAI's library over a line."""

    def __init__(self, line: Line) -> None:
        self._model = line.model
        self._parameters = line.parameters
        # The transport writes the key; left out here, the library would take one from the environment.
        self._client = openai.OpenAI(
            api_key="set by the transport",
            base_url=line.base_url,
            timeout=line.timeout_seconds,
            max_retries=0,
            http_client=line.network,
        )

    def ask(self, request: CompletionRequest) -> Completion:
        """Make exactly one call; raises `Answered` for a status that is no success, else `JudgeFailed`."""
        began = time.monotonic()
        try:
            body = self._send(request)
        except openai.APIStatusError as error:
            raise _answered(error) from None
        except (openai.APIError, CallRefused, ReplyTooLarge) as error:
            raise failure_of_call(error) from None
        return read_completion(body, endpoint=request.endpoint, seconds=time.monotonic() - began)

    def close(self) -> None:
        """Let go of the network."""
        self._client.close()

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


def _logprob_fields(endpoint: str) -> dict[str, Any]:
    if endpoint == CHAT:
        return {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
    return {"logprobs": TOP_LOGPROBS}


def _answered(error: openai.APIStatusError) -> Answered:
    body = error.body if isinstance(error.body, dict) else {}
    return Answered(
        error.status_code,
        message=str(body.get("message") or ""),
        code=str(body.get("code") or body.get("type") or ""),
        retry_after=error.response.headers.get("Retry-After", ""),
    )
