"""Read a server's reply strictly: what is not a whole completion is a failure, never a verdict."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from judges.methods.llm.client import CHAT, Completion
from judges.protocol import JudgeFailed

BROKEN = "The server's reply was not a whole completion."


def read_completion(body: bytes, *, endpoint: str, seconds: float) -> Completion:
    """Return the completion a reply holds; raises `JudgeFailed`, since trying again may help."""
    try:
        return _completion(json.loads(body), endpoint, seconds)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise JudgeFailed(BROKEN, retryable=True, may_be_billed=True) from None


def _completion(reply: Mapping[str, Any], endpoint: str, seconds: float) -> Completion:
    choice = reply["choices"][0]
    said = choice["message"].get("content") if endpoint == CHAT else choice["text"]
    # A model that refuses or only thinks says nothing: that is an empty reply, not a broken one.
    text = "" if said is None else said
    usage = reply.get("usage") or {}
    if not isinstance(text, str):
        raise TypeError
    return Completion(
        text=text.replace("\x00", ""),
        finish_reason=str(choice.get("finish_reason") or ""),
        model=str(reply.get("model") or "")[:200],
        fingerprint=str(reply.get("system_fingerprint") or "")[:200],
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
        seconds=seconds,
        logprobs=_logprobs(choice.get("logprobs"), endpoint),
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else 0


def _logprobs(offered: Any, endpoint: str) -> tuple[tuple[str, float], ...]:
    """Return the alternatives to the first token that is a word; nothing where a server has none."""
    try:
        places = _chat_places(offered) if endpoint == CHAT else _completion_places(offered)
    except (LookupError, TypeError, AttributeError):
        return ()
    for token, alternatives in places:
        if any(sign.isalnum() for sign in token):
            return tuple(sorted(alternatives, key=lambda pair: -pair[1]))
    return ()


def _chat_places(offered: Any) -> Sequence[tuple[str, list[tuple[str, float]]]]:
    return [
        (place["token"], [(each["token"], float(each["logprob"])) for each in place["top_logprobs"]])
        for place in offered["content"]
    ]


def _completion_places(offered: Any) -> Sequence[tuple[str, list[tuple[str, float]]]]:
    # llama.cpp answers in the chat form here, too.
    if offered.get("content"):
        return _chat_places(offered)
    places = zip(offered["tokens"], offered["top_logprobs"], strict=True)
    return [(token, [(word, float(value)) for word, value in (top or {}).items()]) for token, top in places]
