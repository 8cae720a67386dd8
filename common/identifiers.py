"""Random public identifiers: short, unguessable, and telling nothing about order."""

import secrets

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def new_public_id() -> str:
    """Return 14 characters with 69 bits of chance, safe to read aloud and to put into an address."""
    return "".join(secrets.choice(ALPHABET) for _ in range(14))
