"""How long texts may be: the one place that says from where on comparing them would take too long."""

from collections.abc import Sequence

# Letters of an answer times letters of all its gold answers.
MOST_PAIRS = 4_000_000
# A short text counts as this many, so that neither side is longer than 40,000 letters.
LEAST_LETTERS = 100
TOO_LONG = "too_long"
IN_WORDS = (
    f"Unscored ({TOO_LONG}) where letters of the answer times letters of the gold answers exceed "
    f"{MOST_PAIRS // 10**6} million."
)


def is_too_long(*, answer: str, golds: Sequence[str]) -> bool:
    """Say whether comparing an answer with its gold answers, each with each, would take too long."""
    letters = max(LEAST_LETTERS, sum(map(len, golds)))
    return letters * max(LEAST_LETTERS, len(answer)) > MOST_PAIRS
