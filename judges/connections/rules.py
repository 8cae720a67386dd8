"""Decisions about connections: money, what may be added to a request, where one may lead, what came back."""

import ipaddress
import json
import math
import re
import unicodedata
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

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
        raise UnusableAmount(f"An amount from 0 to {LARGEST_USD} USD.")
    counted = amount * units
    if counted != int(counted):
        raise UnusableAmount("This amount has too many places.")
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
        raise UnusableParameter(name, f"there are: {', '.join(KNOWN_PARAMETERS)}")
    if name in _CHOICES:
        choices = _CHOICES[name]
        if not any(value is choice or (isinstance(choice, str) and value == choice) for choice in choices):
            raise UnusableParameter(name, f"one of {', '.join(str(choice).lower() for choice in choices)}")
        return
    low, high = _NUMBERS[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise UnusableParameter(name, f"a number from {low} to {high}")


def sent_fields(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the request that the parameters stand for."""
    fields: dict[str, Any] = {
        name: value for name, value in parameters.items() if name in _AS_THEY_ARE - _EXTRA
    }
    extra: dict[str, Any] = {name: value for name, value in parameters.items() if name in _EXTRA}
    if "enable_thinking" in parameters:
        extra["chat_template_kwargs"] = {"enable_thinking": parameters["enable_thinking"]}
    return {**fields, "extra_body": extra} if extra else fields


IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network

PUBLIC = "public"

# Ways to write or carry an IPv4 address inside an IPv6 one, and what Python calls global but is nobody's
# server: each could lead to a private machine behind a public-looking address.
_NEVER_PUBLIC = tuple(
    ipaddress.ip_network(text)
    for text in (
        "::/96",
        "::ffff:0:0/96",
        "::ffff:0:0:0/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "2001::/23",
        "2002::/16",
        "3fff::/20",
        "5f00::/16",
        "fec0::/10",
        "100.64.0.0/10",
        "192.0.0.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
    )
)


@dataclass(frozen=True)
class AllowedHosts:
    """Where the operator allows calls to: public addresses or not, and what else."""

    public: bool
    named: list[str]


class AddressPolicy(NamedTuple):
    """What the operator allows: public addresses or not, and networks and names beyond them.

    A host may stand with a port; then only that port is allowed.
    """

    is_public_allowed: bool
    networks: tuple[tuple[IPNetwork, int | None], ...]
    hosts: frozenset[tuple[str, int | None]]

    def told(self) -> "AllowedHosts":
        """Return it as the operator names hosts and networks."""
        places = [*((str(network), port) for network, port in self.networks), *self.hosts]
        named = sorted(f"{place}:{port}" if port else place for place, port in places)
        return AllowedHosts(self.is_public_allowed, named)

    def names_host(self, host: str, port: int) -> bool:
        """Say whether the operator named this host, so that any address it has is meant."""
        return bool({(host.lower(), None), (host.lower(), port)} & self.hosts)

    def names_address(self, address: IPAddress, port: int) -> bool:
        """Say whether the operator named this address or a network around it."""
        return any(
            address.version == network.version and address in network and only in {None, port}
            for network, only in self.networks
        )

    def allows(self, *, host: str, port: int, address: str) -> bool:
        """Say whether `host`, found at `address`, may be called."""
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        if self.names_host(host, port) or self.names_address(found, port):
            return True
        return self.is_public_allowed and is_public(found)

    def allows_plain_http(self, *, host: str, port: int) -> bool:
        """Say whether `host` may be called without TLS: only what the operator named."""
        try:
            return self.names_address(ipaddress.ip_address(host.strip("[]")), port)
        except ValueError:
            return self.names_host(host, port)


def is_public(address: IPAddress) -> bool:
    """Say whether an address is one of the open internet and written in its plain form."""
    if any(address.version == network.version and address in network for network in _NEVER_PUBLIC):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved)


def parse_policy(entries: Iterable[str]) -> AddressPolicy:
    """Read the operator's list: `public`, names, addresses and networks, each with a port or without.

    Raises ValueError for an entry that is none of these.
    """
    networks, hosts, is_public_allowed = [], set(), False
    for entry in (text.strip() for text in entries):
        if not entry:
            continue
        if entry == PUBLIC:
            is_public_allowed = True
        elif network := _parse_network(entry):
            networks.append(network)
        else:
            hosts.add(_parse_host(entry))
    return AddressPolicy(is_public_allowed, tuple(networks), frozenset(hosts))


def _parse_network(entry: str) -> tuple[IPNetwork, int | None] | None:
    for text, port in ((entry, None), _split_port(entry)):
        try:
            return ipaddress.ip_network(text.strip("[]")), port
        except ValueError:
            continue
    return None


def _parse_host(entry: str) -> tuple[str, int | None]:
    host, port = _split_port(entry)
    if not host or any(sign in host for sign in "/@:*[] "):
        raise ValueError(f"{entry!r} is no host, address or network")
    return host.lower(), port


def _split_port(entry: str) -> tuple[str, int | None]:
    host, colon, port = entry.rpartition(":")
    return (host, int(port)) if colon and port.isdecimal() else (entry, None)


_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*")
_PORTS = {"http": 80, "https": 443}


class UnusableAddress(ValueError):
    """The text is no base URL that may be called; says why."""


class Destination(NamedTuple):
    """Where calls go."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        """The one spelling of it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"


def parse_destination(text: str) -> Destination:
    """Read a base URL; raises `UnusableAddress` for what is not in plain form."""
    if not text.isascii() or any(sign <= " " or sign in "\\@\x7f" for sign in text):
        raise UnusableAddress("Write the address in plain letters, without spaces, names or passwords.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise UnusableAddress("This is no address.") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise UnusableAddress("The address begins with https:// (or http://, where the operator allows it).")
    if parts.query or parts.fragment or "?" in text or "#" in text:
        raise UnusableAddress("The address has no question mark and no number sign.")
    path = parts.path.rstrip("/")
    if not _PATH.fullmatch(path) or {"..", "."} & set(path.split("/")):
        raise UnusableAddress("The path of the address has signs that none needs.")
    return Destination(parts.scheme, _parse_name(parts.hostname), port or _PORTS[parts.scheme], path)


def _parse_name(host: str) -> str:
    if ":" in host:
        return _parse_ipv6(host)
    labels = host.split(".")
    if not all(_LABEL.fullmatch(label) for label in labels):
        raise UnusableAddress("This is no name of a host.")
    # A last label of digits makes a number of the whole, in one of many spellings (0x7f.1, 017700000001).
    if re.fullmatch(r"\d+|0x[0-9a-f]*", labels[-1]):
        return _parse_ipv4(host)
    return host


def _parse_ipv4(host: str) -> str:
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        raise UnusableAddress("Write a numeric address as four decimal numbers.") from None


def _parse_ipv6(host: str) -> str:
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        raise UnusableAddress("This is no address.") from None
    if address.scope_id or address.ipv4_mapped:
        raise UnusableAddress("Write the address without a zone and without another inside it.")
    return str(address)


def require_allowed(destination: Destination, policy: AddressPolicy) -> None:
    """Refuse what can be seen to be forbidden without asking for a name; raises `UnusableAddress`."""
    host, port = destination.host, destination.port
    if destination.scheme == "http" and not policy.allows_plain_http(host=host, port=port):
        raise UnusableAddress("Only https:// may be called, except what the operator of this server names.")
    is_numeric = ":" in host or host.replace(".", "").isdecimal()
    if is_numeric and not policy.allows(host=host, port=port, address=host):
        raise UnusableAddress("The operator of this server does not allow calls to this address.")
    if not is_numeric and not (policy.is_public_allowed or policy.hosts or policy.networks):
        raise UnusableAddress("The operator of this server allows no calls.")


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
    r"\\{1,4}u(?P<unit>[0-9a-f]{4})|(?:\\{1,4}x|%(?:25){0,3}|&#x0{0,4}|\b0x)(?P<hex>[0-9a-f]{2});?"
    r"|&#0{0,4}(?P<decimal>[0-9]{2,3});?|\\{1,4}[nrt]|(?P<plain>[^\W_]+)",
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
    code = int(found["unit"] or found["hex"] or "0", 16) or int(found["decimal"] or 0)
    plain: str = found["plain"] or chr(code)
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
