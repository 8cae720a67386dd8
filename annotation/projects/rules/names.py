"""Names that projects may not have, and the ones that raters go by."""

from collections.abc import Sequence

# What programs ask any server for; there is no page at these.
PROGRAMS_WORDS = frozenset(
    {"admin", "graphql", "health", "healthz", "livez", "metrics", "readyz", "redoc", "swagger", "wp-admin"}
)
# Addresses of the browser application that would hide a project of the same name.
RESERVED_SLUGS = PROGRAMS_WORDS | {
    *("account", "api", "compare", "join", "new", "password", "sign-in", "static")
}


def pseudonym_for(*, chance: str, taken: Sequence[str]) -> str:
    """Return a rater's pseudonym made from chance characters that say nothing about the person.

    `chance` is longer than needed; more of it is used until the pseudonym is free.
    """
    for length in range(4, len(chance) + 1):
        pseudonym = f"R-{chance[:length].upper()}"
        if pseudonym not in taken:
            return pseudonym
    raise ValueError("no free pseudonym in the given chance characters")
