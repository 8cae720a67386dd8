"""The adapter to Google's Gemini API. Loaded when such a model is first asked."""

import logging
import time

import httpx2
from google import genai
from google.genai import errors, types
from google.genai.client import DebugConfig

from common.outgoing.guard import CallRefused, ReplyTooLarge
from judges.connections.rules.calls import BROKEN, NEEDS_A_PERSON
from judges.connections.rules.gemini import (
    is_model,
    needs_a_person,
    read_completion,
    read_details,
    retry_after_of,
    sent_fields,
    sent_turns,
    split_address,
)
from judges.connections.services.port import Answered, Line, failure_of_call
from judges.methods.llm.client import Completion, CompletionRequest
from judges.protocol import JudgeFailed

# At its lower levels it would write texts and addresses into the log.
logging.getLogger("google_genai").setLevel(logging.WARNING)

NOT_A_MODEL = "The Gemini API has no model with this name. Correct the connection’s model."


class GeminiAdapter:
    """Google's library over a line."""

    def __init__(self, line: Line) -> None:
        self._model = line.model
        self._parameters = line.parameters
        self._network = line.network
        base_url, version = split_address(line.base_url)
        # Left out here, the library would take key, address, cloud and replays from the environment.
        self._client = genai.Client(
            vertexai=False,
            api_key="set by the transport",
            debug_config=DebugConfig(client_mode=None, replays_directory=None, replay_id=None),
            http_options=types.HttpOptions(
                base_url=base_url,
                api_version=version,
                timeout=round(line.timeout_seconds * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
                httpx_client=line.network,
            ),
        )

    def ask(self, request: CompletionRequest) -> Completion:
        """Make exactly one call; raises `Answered` for a status that is no success, else `JudgeFailed`."""
        if not is_model(self._model):
            raise JudgeFailed(NOT_A_MODEL, retryable=False, pauses_run=True)
        began = time.monotonic()
        contents, config = self._contents(request), self._config(request)
        try:
            reply = self._client.models.generate_content(
                model=self._model, contents=contents, config=config
            ).sdk_http_response
        except errors.APIError as error:
            raise _answered(error) from None
        except (httpx2.HTTPError, CallRefused, ReplyTooLarge) as error:
            raise failure_of_call(error) from None
        except ValueError:
            # The library reads the words of a failure as JSON, whatever they are.
            raise JudgeFailed(BROKEN, retryable=True, may_be_billed=True) from None
        body = reply.body if reply is not None and reply.body else ""
        return read_completion(body.encode(errors="replace"), seconds=time.monotonic() - began)

    def close(self) -> None:
        """Let go of the network."""
        self._client.close()
        self._network.close()

    def _contents(self, request: CompletionRequest) -> list[types.Content]:
        return [types.Content(role=role, parts=[types.Part(text=text)]) for role, text in sent_turns(request)]

    def _config(self, request: CompletionRequest) -> types.GenerateContentConfig:
        return types.GenerateContentConfig(
            **sent_fields(request, parameters=self._parameters),
            # Each of these could make further calls, which nobody has reserved money for.
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            automatic_continuation=False,
            should_return_http_response=True,
        )


def _answered(error: errors.APIError) -> Answered:
    details = read_details(error.details)
    status = str(error.status or "")
    headers = getattr(error.response, "headers", {})
    return Answered(
        error.code,
        message=str(error.message or ""),
        code=NEEDS_A_PERSON if needs_a_person(status, details) else status,
        retry_after=headers.get("Retry-After") or retry_after_of(details),
    )
