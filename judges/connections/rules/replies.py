"""Read a server's reply strictly: what is not a whole completion is a failure, never a verdict."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from judges.connections.rules.texts import storable
from judges.methods.llm.client import CHAT, Completion
from judges.protocol import JudgeFailed

# More than any server's own names need; what the ledger of calls has room for.
_LONGEST_NAME = 200
_LONGEST_REASON = 60
_MOST_ALTERNATIVES = 20
_BEFORE_LABEL = re.compile(r"^\s*\{\s*\"verdict\"\s*:\s*\"?$")
BROKEN = "The server's reply was not a whole completion."


def read_completion(body: bytes, *, endpoint: str, seconds: float) -> Completion:
    """Return the completion a reply holds; raises `JudgeFailed`, since trying again may help."""
    try:
        return _completion(json.loads(body), endpoint, seconds)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
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
        text=storable(text),
        finish_reason=_name(choice.get("finish_reason"), longest=_LONGEST_REASON),
        model=_name(reply.get("model")),
        fingerprint=_name(reply.get("system_fingerprint")),
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
        seconds=seconds,
        logprobs=_logprobs(choice.get("logprobs"), endpoint),
    )


def _name(value: Any, *, longest: int = _LONGEST_NAME) -> str:
    return storable(str(value or ""), longest=longest)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else 0


def _logprobs(offered: Any, endpoint: str) -> tuple[tuple[str, float], ...]:
    """Return the alternatives to the token of the verdict; nothing where a server has none.

    That is the first that is a word, and in `{"verdict": "…"}` the first that is one after the colon.
    """
    try:
        places = _chat_places(offered) if endpoint == CHAT else _completion_places(offered)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        return ()
    said = ""
    for token, alternatives in places:
        is_json = (said + token).lstrip().startswith("{")
        before = said + token.partition(next(filter(str.isalnum, token), "\0"))[0]
        is_verdict = not is_json or _BEFORE_LABEL.search(before) is not None
        if is_verdict and any(sign.isalnum() for sign in token):
            return _best(alternatives)
        said += token
    return ()


def _best(alternatives: Sequence[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    # Infinities and what is no number are no JSON; such a token is as good as not offered.
    known = ((_name(token), value) for token, value in alternatives if math.isfinite(value))
    return tuple(sorted(known, key=lambda pair: -pair[1])[:_MOST_ALTERNATIVES])


def _chat_places(offered: Any) -> Sequence[tuple[str, list[tuple[str, float]]]]:
    return [
        (str(place["token"]), [(each["token"], float(each["logprob"])) for each in place["top_logprobs"]])
        for place in offered["content"]
    ]


def _completion_places(offered: Any) -> Sequence[tuple[str, list[tuple[str, float]]]]:
    # llama.cpp answers in the chat form here, too.
    if offered.get("content"):
        return _chat_places(offered)
    places = zip(offered["tokens"], offered["top_logprobs"], strict=True)
    return [
        (str(token), [(word, float(value)) for word, value in (top or {}).items()]) for token, top in places
    ]
