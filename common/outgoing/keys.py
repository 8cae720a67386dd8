"""How a call carries its key."""

from typing import NamedTuple


class KeyHeader(NamedTuple):
    """The header that carries the key, and what stands in it before the key."""

    name: str
    before: str = ""


BEARER = KeyHeader("Authorization", "Bearer ")
