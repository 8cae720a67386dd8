"""A call: what it costs, what may be added to it, and what comes back."""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from judges.connections.rules.keys import MASK, hide_key
from judges.methods.llm.client import Completion
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


class UnusableParameter(ValueError):
    """A parameter that is not on the list, or a value it cannot take; `name` says which."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


class Parameters(NamedTuple):
    """What a connection may add to the requests of an API: numbers within limits, and one of some choices."""

    numbers: Mapping[str, tuple[float, float]]
    choices: Mapping[str, tuple[str | bool, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in alphabetical order."""
        return tuple(sorted({*self.numbers, *self.choices}))

    def parse(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters, checked and in alphabetical order; raises `UnusableParameter`."""
        for name, value in given.items():
            self._require_usable(name, value)
        return {name: given[name] for name in sorted(given)}

    def _require_usable(self, name: str, value: Any) -> None:
        if name in self.choices:
            _require_choice(name, value, self.choices[name])
        elif name in self.numbers:
            _require_number(name, value, *self.numbers[name])
        else:
            raise UnusableParameter(
                name, f"This parameter is not recognized. Use one of: {', '.join(self.names)}."
            )


def _require_choice(name: str, value: Any, choices: tuple[str | bool, ...]) -> None:
    if not any(value is choice or (isinstance(choice, str) and value == choice) for choice in choices):
        raise UnusableParameter(name, f"Use one of: {', '.join(str(choice).lower() for choice in choices)}.")


def _require_number(name: str, value: Any, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise UnusableParameter(name, f"Enter a number from {low} to {high}.")


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
_UNBILLED = {409, 425, 429, 503, 529}
_RESTING = {429, 503, 529}
# What adapters say instead of a provider's own code where a person has to act, whatever the status.
NEEDS_A_PERSON = "needs_a_person"
_PAUSING_CODES = {NEEDS_A_PERSON, "insufficient_quota"}


def failure_of_status(
    status: int, *, message: str, code: str, key: str, retry_after: str, at: datetime
) -> JudgeFailed:
    """Return what an answer that is no success means."""
    if 300 <= status < 400:
        return JudgeFailed(
            "The provider sent a redirect, which Assay does not follow. Enter the final address.",
            retryable=False,
            pauses_run=True,
        )
    if status in _PAUSING or code in _PAUSING_CODES:
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
LONGEST_REASON = 60
_MOST_ALTERNATIVES = 20
_BEFORE_LABEL = re.compile(r"^\s*\{\s*\"verdict\"\s*:\s*\"?$")
BROKEN = "The provider’s reply is incomplete."

# A token, and the tokens that could have stood in its place, each with its natural logarithm.
Place = tuple[str, Sequence[tuple[str, float]]]


def read_whole(body: bytes, read: Callable[[Any], Completion]) -> Completion:
    """Return what `read` makes of a reply in JSON; raises `JudgeFailed`, since trying again may help."""
    try:
        return read(json.loads(body))
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise JudgeFailed(BROKEN, retryable=True, may_be_billed=True) from None


def name_of(value: Any, *, longest: int = _LONGEST_NAME) -> str:
    """Return what a server names something, short and in signs that can be kept."""
    return storable(str(value or ""), longest=longest)


def count_of(value: Any) -> int:
    """Return a count of tokens; 0 for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else 0


def alternatives_to_verdict(places: Iterable[Place]) -> tuple[tuple[str, float], ...]:
    """Return the alternatives to the token of the verdict, best first; nothing where a server has none.

    That is the first that is a word, and in `{"verdict": "…"}` the first that is one after the colon.
    """
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
    known = ((name_of(token), value) for token, value in alternatives if math.isfinite(value))
    return tuple(sorted(known, key=lambda pair: -pair[1])[:_MOST_ALTERNATIVES])


@dataclass(frozen=True)
class Trial:
    """The result of one test call.

    `works`: whether it succeeded. `error`: why it failed; empty if it succeeded.
    """

    works: bool
    error: str = ""
    model: str = ""
    reply: str = ""
    seconds: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0
