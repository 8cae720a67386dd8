"""A call: what it costs, what may be added to it, and what comes back."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any

from judges.connections.rules.keys import MASK, hide_key
from judges.methods.llm.client import CHAT, Completion
from judges.protocol import JudgeFailed

PICO_A_USD = 10**12
# Prices are told per million tokens, so this is one USD per million tokens, a token.
PICO_A_TOKEN = 10**6
LARGEST_USD = Decimal(1_000_000)


class UnusableAmount(ValueError):
    """An amount below zero, beyond reason, or finer than can be kept."""


def pico_from_usd(usd: Decimal) -> int:
    """Return an amount of USD in pico-USD; raises `UnusableAmount`."""
    return _exactly(usd, PICO_A_USD)


def usd_from_pico(pico: int) -> Decimal:
    """Return an amount in USD, without trailing zeros."""
    return _plain(Decimal(pico) / PICO_A_USD)


def price_from_usd(usd_per_million: Decimal) -> int:
    """Return a price per million tokens as pico-USD a token; raises `UnusableAmount`."""
    return _exactly(usd_per_million, PICO_A_TOKEN)


def price_in_usd(pico_a_token: int) -> Decimal:
    """Return a price in USD per million tokens, without trailing zeros."""
    return _plain(Decimal(pico_a_token) / PICO_A_TOKEN)


def cost_of(*, input_tokens: int, output_tokens: int, input_price: int, output_price: int) -> int:
    """Return what a call costs, in pico-USD."""
    return input_tokens * input_price + output_tokens * output_price


def _exactly(amount: Decimal, units: int) -> int:
    if not amount.is_finite() or not 0 <= amount <= LARGEST_USD:
        raise UnusableAmount(f"Enter an amount from 0 to {LARGEST_USD} USD.")
    counted = amount * units
    if counted != int(counted):
        raise UnusableAmount("This amount has too many decimal places. Shorten it.")
    return int(counted)


def _plain(amount: Decimal) -> Decimal:
    return Decimal(format(amount.normalize(), "f"))


_NUMBERS = {
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "top_k": (0, 1000),
    "presence_penalty": (-2.0, 2.0),
    "frequency_penalty": (-2.0, 2.0),
}
_CHOICES: dict[str, tuple[str | bool, ...]] = {
    "reasoning_effort": ("none", "minimal", "low", "medium", "high"),
    "service_tier": ("auto", "default", "flex", "priority"),
    # What the server calls the limit, and what it refuses or cannot do.
    "max_tokens_field": ("max_tokens", "max_completion_tokens"),
    "structured_output": ("json_schema", "json_object", "none"),
    "sends_temperature": (True, False),
    "enable_thinking": (True, False),
}
KNOWN_PARAMETERS = tuple(sorted({*_NUMBERS, *_CHOICES}))
_AS_THEY_ARE = {*_NUMBERS, "reasoning_effort", "service_tier"}
# Servers take these, OpenAI's library does not know them.
_EXTRA = {"top_k", "min_p"}


class UnusableParameter(ValueError):
    """A parameter that is not on the list, or a value it cannot take; `name` says which."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


def parse_parameters(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters, checked and in alphabetical order; raises `UnusableParameter`."""
    for name, value in given.items():
        _require_usable(name, value)
    return {name: given[name] for name in sorted(given)}


def _require_usable(name: str, value: Any) -> None:
    if name not in KNOWN_PARAMETERS:
        raise UnusableParameter(
            name, f"This parameter is not known. Use one of: {', '.join(KNOWN_PARAMETERS)}."
        )
    if name in _CHOICES:
        choices = _CHOICES[name]
        if not any(value is choice or (isinstance(choice, str) and value == choice) for choice in choices):
            raise UnusableParameter(
                name, f"Use one of: {', '.join(str(choice).lower() for choice in choices)}."
            )
        return
    low, high = _NUMBERS[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise UnusableParameter(name, f"Enter a number from {low} to {high}.")


def sent_fields(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the request that the parameters stand for."""
    fields: dict[str, Any] = {
        name: value for name, value in parameters.items() if name in _AS_THEY_ARE - _EXTRA
    }
    extra: dict[str, Any] = {name: value for name, value in parameters.items() if name in _EXTRA}
    if "enable_thinking" in parameters:
        extra["chat_template_kwargs"] = {"enable_thinking": parameters["enable_thinking"]}
    return {**fields, "extra_body": extra} if extra else fields


def storable(text: str, *, longest: int | None = None) -> str:
    """Return the text without NUL and halves of surrogate pairs, which PostgreSQL refuses, and cut."""
    whole = text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()
    return whole[:longest]


LONGEST_REST_SECONDS = 3600.0
# For a provider that is overloaded and does not say for how long.
USUAL_REST_SECONDS = 5.0
_LONGEST_MESSAGE = 200
_KEY_LIKE = re.compile(r"(?i)\b(?:bearer\s+\S+|(?:sk|pk|rk|key|gsk|xai)[-_][\w-]{8,}|[\w-]{32,})")
# A person has to act before anything of the run can go better.
_PAUSING = {401, 402, 403, 404}
_PASSING = {408, 409, 425, 429}
# The server said no before it did anything; of other failures nobody knows what they cost.
_UNBILLED = {409, 425, 429, 503}
_RESTING = {429, 503, 529}
_SPENT = "insufficient_quota"


def failure_of_status(
    status: int, *, message: str, code: str, key: str, retry_after: str, at: datetime
) -> JudgeFailed:
    """Return what an answer that is no success means."""
    if 300 <= status < 400:
        return JudgeFailed(
            "The provider sent a redirect, and redirects are not followed. Enter the final address.",
            retryable=False,
            pauses_run=True,
        )
    if status in _PAUSING or code == _SPENT:
        return JudgeFailed(_told(status, shortened(message, key=key)), retryable=False, pauses_run=True)
    if status in _PASSING or status >= 500:
        # Without the provider's words, which often name the request: failures are counted by reason.
        return JudgeFailed(
            _told(status),
            retryable=True,
            retry_after_seconds=_rest_after(status, retry_after, at),
            may_be_billed=status not in _UNBILLED,
        )
    return JudgeFailed(_told(status, shortened(message, key=key)), retryable=False)


def _rest_after(status: int, retry_after: str, at: datetime) -> float | None:
    asked = parse_retry_after(retry_after, at=at)
    return USUAL_REST_SECONDS if asked is None and status in _RESTING else asked


def _told(status: int, message: str = "") -> str:
    told = f"The provider responded with status {status}"
    return f"{told}: {message}" if message else f"{told}."


def shortened(message: str, *, key: str) -> str:
    """Return a provider's message in one short line, without the key or anything like one."""
    line = hide_key(" ".join(storable(message).split()), key=key)
    return _KEY_LIKE.sub(MASK, line)[:_LONGEST_MESSAGE]


def parse_retry_after(text: str, *, at: datetime) -> float | None:
    """Return how many seconds a provider asks for, from seconds or a date; never more than an hour."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = _seconds_until(text, at)
    if math.isnan(seconds) or seconds < 0:
        return None
    return min(seconds, LONGEST_REST_SECONDS)


def _seconds_until(text: str, at: datetime) -> float:
    try:
        until = parsedate_to_datetime(text)
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        return max(0.0, (until - at).total_seconds())
    except (ValueError, OverflowError):
        return math.nan


# More than any server's own names need; what the ledger of calls has room for.
_LONGEST_NAME = 200
_LONGEST_REASON = 60
_MOST_ALTERNATIVES = 20
_BEFORE_LABEL = re.compile(r"^\s*\{\s*\"verdict\"\s*:\s*\"?$")
BROKEN = "The provider’s reply is incomplete."


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


@dataclass(frozen=True)
class Trial:
    """How one call went; `error` says in words why it did not."""

    works: bool
    error: str = ""
    model: str = ""
    reply: str = ""
    seconds: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0
