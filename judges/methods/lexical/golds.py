"""What lexical judges share: gold answers as they take them, and lengths."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from judges.protocol import JudgeInput, Verdict

Prepared = TypeVar("Prepared")

ACCEPTED, REJECTED = Verdict(accepted=True, score=1.0), Verdict(accepted=False, score=0.0)


def answers_with_golds(
    batch: Iterable[JudgeInput], prepare: Callable[[tuple[str, ...]], Prepared]
) -> Iterator[tuple[str, Prepared]]:
    """Yield each answer with its prepared gold answers, which neighbors with equal golds share."""
    for golds, inputs in groupby(batch, attrgetter("golds")):
        prepared = prepare(golds)
        for item in inputs:
            yield item.answer, prepared


# Letters of an answer times letters of all its gold answers.
MOST_PAIRS = 4_000_000
# A short text counts as this many, so that neither side is longer than 40,000 letters.
LEAST_LETTERS = 100
TOO_LONG = "too_long"
IN_WORDS = (
    "An answer is not scored if its length in characters, multiplied by that of the gold answers, exceeds "
    f"{MOST_PAIRS // 10**6} million."
)


def is_too_long(*, answer: str, golds: Sequence[str]) -> bool:
    """Say whether comparing an answer with its gold answers, each with each, would take too long."""
    letters = max(LEAST_LETTERS, sum(map(len, golds)))
    return letters * max(LEAST_LETTERS, len(answer)) > MOST_PAIRS
