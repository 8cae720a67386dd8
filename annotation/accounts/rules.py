"""Where a request comes from, as far as it can be believed, and what an API token may do."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

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


# Each scope allows what those before it allow.
SCOPES = ("read", "run", "write", "manage")
TOKEN = re.compile(r"assay_([a-z0-9]{14})_([0-9a-f]{48})")


class PresentedToken(NamedTuple):
    """The two parts of an API token: one that finds it, and one that nobody but its holder knows."""

    public_id: str
    secret: str

    @property
    def text(self) -> str:
        """The token as programs send it."""
        return f"assay_{self.public_id}_{self.secret}"


def parse_token(text: str) -> PresentedToken | None:
    """Return the parts of an API token, or None where the text is none."""
    found = TOKEN.fullmatch(text)
    return PresentedToken(*found.groups()) if found else None


def is_allowed(*, scope: str, needed: str) -> bool:
    """Return whether a token of one scope may do what needs another."""
    return SCOPES.index(scope) >= SCOPES.index(needed)


def why_refused(
    *,
    scope: str,
    project: str | None,
    needed: str | None,
    named: str | None,
    serves_project_tokens: bool,
) -> str | None:
    """Say why a token does not allow a request; None where it does.

    scope: the token's. project: the short name of the only one that it is for, None for all. needed: the
    scope that the request needs; None where no token is let in. named: the project that the address names, if
    any. serves_project_tokens: whether a token for one project is enough.
    """
    if needed is None:
        return "API tokens do not work here. Sign in instead."
    if not is_allowed(scope=scope, needed=needed):
        return f"The scope of this API token is “{scope}”. This request needs “{needed}”."
    if project is None:
        return None
    if named not in {None, project}:
        return "This API token is for another project."
    if not serves_project_tokens:
        return "This API token is for one project only. This request needs a token for all projects."
    return None
