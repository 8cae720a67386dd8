"""Which network addresses may be called: public ones, and what the operator names."""

import ipaddress
from collections.abc import Iterable
from typing import NamedTuple

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


class AddressPolicy(NamedTuple):
    """What the operator allows: public addresses or not, and networks and names beyond them.

    A host may stand with a port; then only that port is allowed.
    """

    is_public_allowed: bool
    networks: tuple[tuple[IPNetwork, int | None], ...]
    hosts: frozenset[tuple[str, int | None]]

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
