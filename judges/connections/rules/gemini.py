"""Google's Gemini API: what a request becomes, and how a reply is read."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from judges.connections.rules.calls import (
    Parameters,
    Place,
    alternatives_to_verdict,
    count_of,
    name_of,
    read_whole,
    storable,
)
from judges.methods.llm.client import Completion, CompletionRequest

VERSION = "v1beta"
TOP_LOGPROBS = 5
PARAMETERS = Parameters(
    numbers={
        "top_p": (0.0, 1.0),
        "top_k": (0, 1000),
        "presence_penalty": (-2.0, 2.0),
        "frequency_penalty": (-2.0, 2.0),
        # In tokens; 0: the model does not think, -1: as it likes.
        "thinking_budget": (-1, 100_000),
    },
    choices={
        "reasoning_effort": ("minimal", "low", "medium", "high"),
        "structured_output": ("json_schema", "json_object", "none"),
        "sends_temperature": (True, False),
    },
)
_ADDRESS = re.compile(r"(.*?)(?:/(v\d[a-z0-9]*))?")
# What the library writes into a path, and what would lead that path elsewhere.
_MODEL = re.compile(r"(?!.*\.\.)[\w./:@-]+")
_THOUGHTS = {"thinking_budget", "reasoning_effort"}
_DETAIL = "type.googleapis.com/google.rpc."


def split_address(base_url: str) -> tuple[str, str]:
    """Return an address without the version of the API, and the version; the usual one where it has none."""
    found = _ADDRESS.fullmatch(base_url)
    assert found is not None
    return found[1], found[2] or VERSION


def is_model(name: str) -> bool:
    """Say whether a model can be named so."""
    return _MODEL.fullmatch(name) is not None


def sent_fields(request: CompletionRequest, *, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a request, in the library's names."""
    system = "\n\n".join(each.content for each in request.messages if each.role == "system")
    own = {name: value for name, value in parameters.items() if name in PARAMETERS.numbers}
    fields: dict[str, Any] = {"max_output_tokens": request.max_tokens, **own}
    fields.pop("thinking_budget", None)
    if system:
        fields["system_instruction"] = system
    if parameters.get("sends_temperature", True):
        fields["temperature"] = request.temperature
    if request.wants_logprobs:
        fields |= {"response_logprobs": True, "logprobs": TOP_LOGPROBS}
    if _THOUGHTS & set(parameters):
        fields["thinking_config"] = _thoughts(parameters)
    return fields | _format_fields(request, parameters)


def _thoughts(parameters: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if "thinking_budget" in parameters:
        fields["thinking_budget"] = int(parameters["thinking_budget"])
    if "reasoning_effort" in parameters:
        fields["thinking_level"] = parameters["reasoning_effort"].upper()
    return fields


def _format_fields(request: CompletionRequest, parameters: Mapping[str, Any]) -> dict[str, Any]:
    way = parameters.get("structured_output", "json_schema")
    if request.response_schema is None or way == "none":
        return {}
    fields: dict[str, Any] = {"response_mime_type": "application/json"}
    return (
        fields if way == "json_object" else {**fields, "response_json_schema": dict(request.response_schema)}
    )


def sent_turns(request: CompletionRequest) -> list[tuple[str, str]]:
    """Return what is said after the system's text, each with who says it."""
    said = [each for each in request.messages if each.role != "system"]
    return [("model" if each.role == "assistant" else "user", each.content) for each in said]


def read_completion(body: bytes, *, seconds: float) -> Completion:
    """Return the completion a reply holds; raises `JudgeFailed`, since trying again may help."""
    return read_whole(body, lambda reply: _completion(reply, seconds))


def _completion(reply: Mapping[str, Any], seconds: float) -> Completion:
    text, reason = "", "content_filter"
    logprobs: tuple[tuple[str, float], ...] = ()
    # A prompt that is blocked gets no candidate, but the reason; without either the reply is broken.
    if not (reply.get("promptFeedback") or {}).get("blockReason"):
        candidate = reply["candidates"][0]
        text, reason = _text(candidate), _reason(candidate.get("finishReason"))
        logprobs = _logprobs(candidate.get("logprobsResult"))
    usage = reply.get("usageMetadata") or {}
    return Completion(
        text=storable(text),
        finish_reason=reason,
        model=name_of(reply.get("modelVersion")),
        # What was read from a cache is counted in it.
        input_tokens=count_of(usage.get("promptTokenCount")),
        output_tokens=count_of(usage.get("candidatesTokenCount")) + count_of(usage.get("thoughtsTokenCount")),
        seconds=seconds,
        logprobs=logprobs,
        cached_tokens=count_of(usage.get("cachedContentTokenCount")),
    )


def _text(candidate: Mapping[str, Any]) -> str:
    parts = (candidate.get("content") or {}).get("parts") or []
    return "".join(part.get("text", "") for part in parts if not part.get("thought"))


def _reason(reason: str | None) -> str:
    if reason == "STOP":
        return "stop"
    # Whoever names no reason has not come to an end. All the others withhold a reply, or what is missing.
    return "length" if reason in {None, "MAX_TOKENS", "CONTINUATION"} else "content_filter"


def _logprobs(offered: Any) -> tuple[tuple[str, float], ...]:
    try:
        places = list(_places(offered))
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        return ()
    return alternatives_to_verdict(places)


def _places(offered: Any) -> Iterator[Place]:
    for chosen, top in zip(offered["chosenCandidates"], offered["topCandidates"], strict=True):
        offers = [(str(each["token"]), float(each["logProbability"])) for each in top["candidates"]]
        yield str(chosen["token"]), offers


def read_details(error: Any) -> dict[str, Mapping[str, Any]]:
    """Return the details of an error by their kind: `ErrorInfo`, `RetryInfo`, `QuotaFailure` and others."""
    inner = error.get("error") if isinstance(error, dict) else None
    details = inner.get("details") if isinstance(inner, dict) else None
    found = [each for each in details if isinstance(each, dict)] if isinstance(details, list) else []
    return {str(each.get("@type", "")).removeprefix(_DETAIL): each for each in found}


def needs_a_person(status: str, details: Mapping[str, Mapping[str, Any]]) -> bool:
    """Say whether somebody has to act before anything goes better.

    A wrong key is told as any bad request; a country or an account that may not call, as a condition.
    """
    if status == "FAILED_PRECONDITION" or details.get("ErrorInfo", {}).get("reason") == "API_KEY_INVALID":
        return True
    violations = details.get("QuotaFailure", {}).get("violations")
    quotas = [str(each.get("quotaId", "")) for each in violations or () if isinstance(each, dict)]
    # Waiting for minutes is of no use against a quota of the day.
    return any("PerDay" in quota for quota in quotas)


def retry_after_of(details: Mapping[str, Mapping[str, Any]]) -> str:
    """Return for how many seconds the provider asks for silence; empty where it does not say."""
    delay = details.get("RetryInfo", {}).get("retryDelay")
    return delay.removesuffix("s") if isinstance(delay, str) else ""
