"""Where a request comes from, as far as it can be believed."""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network


def parse_networks(entries: Sequence[str]) -> tuple[Network, ...]:
    """Return addresses and networks; raises ValueError naming the entry that is neither."""
    return tuple(_network(entry.strip()) for entry in entries)


def _network(entry: str) -> Network:
    try:
        return ip_network(entry)
    except ValueError:
        raise ValueError(
            f"“{entry}” is not an address or network, such as 10.0.0.1 or 172.18.0.0/16"
        ) from None


def find_client(*, peer: str, forwarded: str, trusted: Sequence[Network]) -> str:
    """Return the network of whoever asks: an IPv4 address, or the /64 that one IPv6 line has.

    `peer` is the other end of the connection and `forwarded` the header X-Forwarded-For. Only what trusted
    proxies wrote there is believed: from the right, up to the first address that is none of theirs.
    """
    client = _clean(peer)
    for hop in reversed([_clean(part) for part in forwarded.split(",")]):
        if not hop or not is_trusted(client, trusted):
            break
        client = hop
    return _line_of(client)


def is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    """Return whether an address is one of the proxies'."""
    try:
        found = ip_address(_clean(address))
    except ValueError:
        return False
    return any(found in network for network in trusted)


def _clean(text: str) -> str:
    """Return an address without port, brackets and zone, IPv4 never inside IPv6; nothing for no address."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return str(mapped or found)


def _line_of(address: str) -> str:
    return str(ip_network(f"{address}/64", strict=False)) if ":" in address else address
