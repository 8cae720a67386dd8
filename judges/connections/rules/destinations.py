"""What a base URL may be: one plain spelling, so that equal destinations are equal text."""

import ipaddress
import re
from typing import NamedTuple
from urllib.parse import urlsplit

from judges.connections.rules.addresses import AddressPolicy

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
    return Destination(parts.scheme, _parse_host(parts.hostname), port or _PORTS[parts.scheme], path)


def _parse_host(host: str) -> str:
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
