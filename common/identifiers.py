"""Random public identifiers: short, unguessable, and telling nothing about order."""

import secrets

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
LENGTH = 14


def new_public_id() -> str:
    """Return 14 characters with 69 bits of chance, safe to read aloud and to put into an address."""
    # One draw for all characters: imports make tens of thousands of these.
    chance = secrets.randbelow(len(ALPHABET) ** LENGTH)
    characters = []
    for _ in range(LENGTH):
        chance, place = divmod(chance, len(ALPHABET))
        characters.append(ALPHABET[place])
    return "".join(characters)
