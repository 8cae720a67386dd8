"""OpenAI's API: what a request becomes, and how a reply is read. Many servers speak it."""

from collections.abc import Mapping, Sequence
from typing import Any

from judges.connections.rules.calls import (
    LONGEST_REASON,
    Parameters,
    Place,
    alternatives_to_verdict,
    count_of,
    name_of,
    read_whole,
    storable,
)
from judges.methods.llm.client import CHAT, Completion

PARAMETERS = Parameters(
    numbers={
        "top_p": (0.0, 1.0),
        "min_p": (0.0, 1.0),
        "top_k": (0, 1000),
        "presence_penalty": (-2.0, 2.0),
        "frequency_penalty": (-2.0, 2.0),
    },
    choices={
        "reasoning_effort": ("none", "minimal", "low", "medium", "high"),
        "service_tier": ("auto", "default", "flex", "priority"),
        # What the server calls the limit, and what it refuses or cannot do.
        "max_tokens_field": ("max_tokens", "max_completion_tokens"),
        "structured_output": ("json_schema", "json_object", "none"),
        "sends_temperature": (True, False),
        "enable_thinking": (True, False),
    },
)
_AS_THEY_ARE = {*PARAMETERS.numbers, "reasoning_effort", "service_tier"}
# Servers take these, OpenAI's library does not know them.
_EXTRA = {"top_k", "min_p"}


def sent_fields(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the request that the parameters stand for."""
    fields: dict[str, Any] = {
        name: value for name, value in parameters.items() if name in _AS_THEY_ARE - _EXTRA
    }
    extra: dict[str, Any] = {name: value for name, value in parameters.items() if name in _EXTRA}
    if "enable_thinking" in parameters:
        extra["chat_template_kwargs"] = {"enable_thinking": parameters["enable_thinking"]}
    return {**fields, "extra_body": extra} if extra else fields


def read_completion(body: bytes, *, endpoint: str, seconds: float) -> Completion:
    """Return the completion a reply holds; raises `JudgeFailed`, since trying again may help."""
    return read_whole(body, lambda reply: _completion(reply, endpoint, seconds))


def _completion(reply: Mapping[str, Any], endpoint: str, seconds: float) -> Completion:
    choice = reply["choices"][0]
    said = choice["message"].get("content") if endpoint == CHAT else choice["text"]
    # A model that refuses or only thinks says nothing: that is an empty reply, not a broken one.
    text = "" if said is None else said
    usage = reply.get("usage") or {}
    if not isinstance(text, str):
        raise TypeError
    return Completion(
        text=storable(text),
        finish_reason=name_of(choice.get("finish_reason"), longest=LONGEST_REASON),
        model=name_of(reply.get("model")),
        fingerprint=name_of(reply.get("system_fingerprint")),
        input_tokens=count_of(usage.get("prompt_tokens")),
        output_tokens=count_of(usage.get("completion_tokens")),
        seconds=seconds,
        logprobs=_logprobs(choice.get("logprobs"), endpoint),
        cached_tokens=_cached(usage.get("prompt_tokens_details")),
    )


def _cached(details: Any) -> int:
    return count_of(details.get("cached_tokens")) if isinstance(details, dict) else 0


def _logprobs(offered: Any, endpoint: str) -> tuple[tuple[str, float], ...]:
    try:
        places = _chat_places(offered) if endpoint == CHAT else _completion_places(offered)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        return ()
    return alternatives_to_verdict(places)


def _chat_places(offered: Any) -> Sequence[Place]:
    return [
        (str(place["token"]), [(each["token"], float(each["logprob"])) for each in place["top_logprobs"]])
        for place in offered["content"]
    ]


def _completion_places(offered: Any) -> Sequence[Place]:
    # llama.cpp answers in the chat form here, too.
    if offered.get("content"):
        return _chat_places(offered)
    places = zip(offered["tokens"], offered["top_logprobs"], strict=True)
    return [
        (str(token), [(word, float(value)) for word, value in (top or {}).items()]) for token, top in places
    ]
