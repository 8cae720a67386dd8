"""Text from outside in a form that every database stores."""


def storable(text: str, *, longest: int | None = None) -> str:
    """Return the text without NUL and halves of surrogate pairs, which PostgreSQL refuses, and cut."""
    whole = text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()
    return whole[:longest]
