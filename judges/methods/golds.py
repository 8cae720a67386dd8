"""Share the work on gold answers among the answers to one question."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from judges.protocol import JudgeInput

Prepared = TypeVar("Prepared")


def answers_with_golds(
    batch: Iterable[JudgeInput], prepare: Callable[[tuple[str, ...]], Prepared]
) -> Iterator[tuple[str, Prepared]]:
    """Yield each answer with its prepared gold answers, which neighbors with equal golds share."""
    for golds, inputs in groupby(batch, attrgetter("golds")):
        prepared = prepare(golds)
        for item in inputs:
            yield item.answer, prepared
