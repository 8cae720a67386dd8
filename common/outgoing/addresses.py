"""Where a connection may lead: what the operator allows, and addresses in plain form."""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

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
    """Which hosts the administrator allows calls to.

    `public`: whether all public addresses are allowed. `named`: other allowed hosts and networks, with a port
    if only that port is allowed.
    """

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
        raise ValueError(f"{entry!r} is not a host, an address, or a network")
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
        raise UnusableAddress(
            "Enter the address in ASCII characters, without spaces, a username, or a password."
        )
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise UnusableAddress("This is not a web address. Correct it.") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise UnusableAddress(
            "Begin the address with https://, or with http:// if the administrator of this server allows it."
        )
    if parts.query or parts.fragment or "?" in text or "#" in text:
        raise UnusableAddress("Enter the address without a query (after “?”) or a fragment (after “#”).")
    path = parts.path.rstrip("/")
    if not _PATH.fullmatch(path) or {"..", "."} & set(path.split("/")):
        raise UnusableAddress("The path of the address contains characters that are not allowed. Correct it.")
    return Destination(parts.scheme, _parse_name(parts.hostname), port or _PORTS[parts.scheme], path)


def _parse_name(host: str) -> str:
    if ":" in host:
        return _parse_ipv6(host)
    labels = host.split(".")
    if not all(_LABEL.fullmatch(label) for label in labels):
        raise UnusableAddress("This is not a host name. Correct the address.")
    # A last label of digits makes a number of the whole, in one of many spellings (0x7f.1, 017700000001).
    if re.fullmatch(r"\d+|0x[0-9a-f]*", labels[-1]):
        return _parse_ipv4(host)
    return host


def _parse_ipv4(host: str) -> str:
    try:
        return str(ipaddress.IPv4Address(host))
    except ValueError:
        raise UnusableAddress("Enter an IPv4 address as four decimal numbers.") from None


def _parse_ipv6(host: str) -> str:
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        raise UnusableAddress("This is not a web address. Correct it.") from None
    if address.scope_id or address.ipv4_mapped:
        raise UnusableAddress("Enter the IPv6 address without a zone and without an embedded IPv4 address.")
    return str(address)


def require_allowed(destination: Destination, policy: AddressPolicy) -> None:
    """Refuse what can be seen to be forbidden without asking for a name; raises `UnusableAddress`."""
    host, port = destination.host, destination.port
    if destination.scheme == "http" and not policy.allows_plain_http(host=host, port=port):
        raise UnusableAddress(
            "Only https:// addresses can be called, unless the administrator of this server allows others."
        )
    is_numeric = ":" in host or host.replace(".", "").isdecimal()
    if is_numeric and not policy.allows(host=host, port=port, address=host):
        raise UnusableAddress("The administrator of this server does not allow calls to this address.")
    if not is_numeric and not (policy.is_public_allowed or policy.hosts or policy.networks):
        raise UnusableAddress("The administrator of this server does not allow any calls.")
