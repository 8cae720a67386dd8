"""Anthropic's Messages API: what a request becomes, and how a reply is read."""

from collections.abc import Mapping
from typing import Any

from judges.connections.rules.calls import Parameters, count_of, name_of, read_whole, storable
from judges.methods.llm.client import Completion, CompletionRequest

# From this version on a temperature is refused, whatever it is.
VERSION = "2026-10-21"
VERSION_WITH_TEMPERATURE = "2023-06-01"
PARAMETERS = Parameters(
    numbers={},
    choices={
        "reasoning_effort": ("low", "medium", "high", "xhigh", "max"),
        "thinking": ("adaptive", "disabled"),
        "service_tier": ("auto", "standard_only"),
        "structured_output": ("json_schema", "none"),
        "sends_temperature": (True, False),
    },
)
# In the words that judges know; every other reason is told as it is.
_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
_PAUSING_CODES = {
    "billing_error",
    "contract_spend_limit_reached",
    "enforced_spend_limit_reached",
    "linked_organization_billing_unavailable",
    "linked_organization_spend_limit_reached",
    "organization_on_hold",
}


def needs_a_person(code: str, message: str) -> bool:
    """Say whether somebody has to raise a limit, or speak with the provider, before anything goes better."""
    # An account without credit is told so with the code of any bad request.
    return code in _PAUSING_CODES or "credit balance" in message


def version_of(parameters: Mapping[str, Any]) -> str:
    """Return the version of the API that requests are made in."""
    return VERSION_WITH_TEMPERATURE if parameters.get("sends_temperature", False) else VERSION


def sent_fields(request: CompletionRequest, *, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a request, besides the model."""
    system = "\n\n".join(each.content for each in request.messages if each.role == "system")
    fields: dict[str, Any] = {
        "max_tokens": request.max_tokens,
        "messages": [each._asdict() for each in request.messages if each.role != "system"],
    }
    if system:
        fields["system"] = system
    if output := _output_fields(request, parameters):
        fields["output_config"] = output
    if "thinking" in parameters:
        fields["thinking"] = {"type": parameters["thinking"]}
    if "service_tier" in parameters:
        fields["service_tier"] = parameters["service_tier"]
    return fields


def _output_fields(request: CompletionRequest, parameters: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if "reasoning_effort" in parameters:
        fields["effort"] = parameters["reasoning_effort"]
    if request.response_schema is not None and parameters.get("structured_output") != "none":
        fields["format"] = {"type": "json_schema", "schema": dict(request.response_schema)}
    return fields


def read_completion(body: bytes, *, seconds: float) -> Completion:
    """Return the completion a reply holds; raises `JudgeFailed`, since trying again may help."""
    return read_whole(body, lambda reply: _completion(reply, seconds))


def _completion(reply: Mapping[str, Any], seconds: float) -> Completion:
    # A model that refuses or only thinks says nothing: that is an empty reply, not a broken one.
    texts = [block["text"] for block in reply["content"] if block["type"] == "text"]
    reason = reply["stop_reason"]
    usage = reply.get("usage") or {}
    cached = count_of(usage.get("cache_read_input_tokens"))
    return Completion(
        text=storable("".join(texts)),
        finish_reason=_REASONS.get(reason) or name_of(reason),
        model=name_of(reply.get("model")),
        # What is read from a cache, or put there, is not in the count of the others.
        input_tokens=count_of(usage.get("input_tokens"))
        + count_of(usage.get("cache_creation_input_tokens"))
        + cached,
        output_tokens=count_of(usage.get("output_tokens")),
        seconds=seconds,
        cached_tokens=cached,
    )
