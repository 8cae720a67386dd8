"""Read a provider's replies and failures, with secrets masked."""

import json
import math
import re
import unicodedata
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any, TypeVar

from judges.methods.llm.client import CHAT, Completion
from judges.protocol import JudgeFailed


def storable(text: str, *, longest: int | None = None) -> str:
    """Return the text without NUL and halves of surrogate pairs, which PostgreSQL refuses, and cut."""
    whole = text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()
    return whole[:longest]


MASK = "[key]"
# So many characters of a key in a row give it away.
PART = 8
# Shorter ones are words that a local server takes for a key, and stand in any reply.
SHORTEST_KEY = 4

_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
# A sign as it is escaped in JSON, addresses and HTML; a line end escaped; letters and digits.
_SIGNS = re.compile(
    r"(?:\\{1,4}(?:u00|x)|%(?:25){0,3}|&#x0{0,4})(?P<hex>[0-9a-f]{2});?|&#0{0,4}(?P<decimal>[0-9]{2,3});?"
    r"|\\{1,4}[nrt]|(?P<plain>[^\W_]+)",
    re.IGNORECASE,
)
Said = TypeVar("Said")


def hide_key(said: Said, *, key: str) -> Said:
    """Return what a server said, with `[key]` wherever its key stands; texts inside tuples, too.

    Any eight characters of the key in a row are hidden, in upper or lower case, and so are those of its
    base64 and hexadecimal forms: also escaped for JSON, addresses or HTML, and with anything but letters
    and digits between them. What a server hides in other ways cannot be told from text.
    """
    if isinstance(said, str):
        return _hidden(said, key)  # type: ignore[return-value]
    if isinstance(said, tuple):
        parts = [hide_key(part, key=key) for part in said]
        return said._make(parts) if hasattr(said, "_make") else type(said)(parts)
    return said


def _hidden(text: str, key: str) -> str:
    if len(key) < SHORTEST_KEY:
        return text
    kept: list[str] = []
    end = 0
    for first, last in sorted(_places(text, key)):
        if first > end or not kept:
            kept += [text[end:first], MASK]
        end = max(end, last)
    return "".join([*kept, text[end:]])


def _places(text: str, key: str) -> Iterator[tuple[int, int]]:
    """Yield where something that gives the key away begins and ends."""
    parts, spelled = _parts(key)
    yield from _found(parts, text.translate(_LOWER))
    words = [(_read(found), *found.span()) for found in _SIGNS.finditer(text)]
    hits = list(_found(spelled, "".join(word for word, _, _ in words)))
    if hits:
        signs = [place for word, start, end in words for place in _signs(len(word), start, end)]
        yield from ((signs[first][0], signs[last - 1][1]) for first, last in hits)


def _found(parts: Iterable[str], text: str) -> Iterator[tuple[int, int]]:
    for part in parts:
        at = text.find(part)
        while at >= 0:
            yield at, at + len(part)
            at = text.find(part, at + 1)


def _read(found: re.Match[str]) -> str:
    """Return letters and digits, each of one sign, in lower case; nothing of what is neither."""
    plain: str = found["plain"] or chr(int(found["hex"] or "0", 16) or int(found["decimal"] or 0))
    if not plain.isascii():
        plain = "".join(unicodedata.normalize("NFKC", sign)[:1] or sign for sign in plain)
    return plain.translate(_LOWER) if plain.isalnum() else ""


def _signs(count: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each sign of a word stands; one that is escaped takes all of its place."""
    width = (end - start) // count if count else 0
    return ((at, at + width) for at in range(start, start + count * width, width or 1))


@lru_cache(maxsize=64)
def _parts(key: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return all that gives a key away, in lower case; and of its letters and digits alone."""
    forms = [key]
    if len(key) >= PART:
        forms += [key.encode().hex(), *_base64_forms(key.encode())]
    lower = [form.translate(_LOWER) for form in forms]
    letters = ["".join(filter(str.isalnum, form)) for form in lower]
    return _runs(lower, size=min(PART, len(key))), _runs(letters, size=PART)


def _runs(texts: Iterable[str], *, size: int) -> frozenset[str]:
    return frozenset(text[at : at + size] for text in texts for at in range(len(text) - size + 1))


def _base64_forms(raw: bytes) -> Iterator[str]:
    """Yield what the key looks like in base64 with nought, one or two bytes before it in its group."""
    for encode in (b64encode, urlsafe_b64encode):
        for before in range(3):
            whole = encode(b"\0" * before + raw).decode()
            settled = (before + len(raw)) // 3 * 4
            yield whole[(0, 2, 3)[before] : settled]


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
            "The server sent a redirect, which is not followed.", retryable=False, pauses_run=True
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
    return f"The provider answered {status}: {message}" if message else f"The provider answered {status}."


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
