"""The sign-in provider that the administrator chose, and where its addresses may lead."""

import re
from typing import NamedTuple

from common.outgoing.addresses import AddressPolicy, Destination, UnusableAddress, parse_destination

LOOPBACK = {"localhost", "127.0.0.1", "::1"}
DISCOVERY = "/.well-known/openid-configuration"
_QUERY = re.compile(r"[A-Za-z0-9._~=&%+-]{0,500}")
LONGEST_URL = 2_000
LONGEST_ISSUER = 500


class Provider(NamedTuple):
    """Whom to believe, by which name it is shown, and who Assay is there.

    creates_accounts: whether somebody whom nobody knows here gets an account.
    """

    issuer: str
    client_id: str
    client_secret: str
    name: str
    creates_accounts: bool = False

    def __repr__(self) -> str:
        """Name it without its secret: settings are printed by commands and on pages for developers."""
        return f"Provider({self.issuer!r}, {self.client_id!r}, name={self.name!r})"

    @property
    def discovery_url(self) -> str:
        """Where the provider says how it is spoken to."""
        return self.issuer.removesuffix("/") + DISCOVERY

    @property
    def home(self) -> Destination:
        """The issuer's own server, which the administrator named."""
        return parse_destination(self.issuer)

    def policy(self) -> AddressPolicy:
        """Return where its addresses may lead: to its own server, wherever that is, and to public ones."""
        home = self.home
        return AddressPolicy(True, networks=(), hosts=frozenset({(home.host, home.port)}))


class Endpoint(NamedTuple):
    """An address of the provider that this server calls, and the one spelling of it."""

    destination: Destination
    url: str


def read_issuer(text: str) -> Destination:
    """Read an issuer; raises `UnusableAddress`. Plain HTTP is for tries on one machine."""
    home = parse_destination(text)
    if len(text) > LONGEST_ISSUER:
        raise UnusableAddress("The address is too long.")
    if home.scheme != "https" and home.host not in LOOPBACK:
        raise UnusableAddress("Begin the address with https://.")
    return home


def read_endpoint(text: object, *, provider: Provider) -> Endpoint:
    """Read an address that the provider tells; raises `UnusableAddress` for what is not in plain form.

    Without TLS only the issuer's own server is called, where the administrator said so.
    """
    if not isinstance(text, str) or len(text) > LONGEST_URL:
        raise UnusableAddress("This is not a web address. Correct it.")
    base, mark, query = text.partition("?")
    destination, home = parse_destination(base), provider.home
    if not _QUERY.fullmatch(query):
        raise UnusableAddress("The address contains characters that are not allowed. Correct it.")
    if destination.scheme != "https" and destination[:3] != home[:3]:
        raise UnusableAddress("Begin the address with https://.")
    slash = "/" if base.endswith("/") else ""
    return Endpoint(destination, f"{destination.url}{slash}{mark}{query}")
