"""How amendment moves systems, and which answers it turns right or wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import Flags, Integers
from analysis.intervals import Figure
from judges.comparison.rules.leaderboard.standings import Gain
from judges.comparison.rules.study import Items


@dataclass(frozen=True)
class SystemMove:
    """How many of a system’s answers match the gold answers, before and after amendment.

    `n`: the number of answers. `before`, `after`: how many match the imported and the amended gold answers.
    `turned_right`: how many match only after amendment. `turned_wrong`: how many match only before. `gain`:
    the change in the share that matches.
    """

    system: str
    label: str
    n: int
    before: int
    after: int
    turned_right: int
    turned_wrong: int
    gain: Figure


class Turn(NamedTuple):
    """An answer to a question, by its normalized text, that turned right or wrong for all who gave it.

    question, candidate: numbers of the study's arrays; candidate is one of those pooled from these answers.
    string: the number of the normalized text. systems: places, in order.
    """

    question: int
    string: int
    candidate: int
    is_right: bool
    systems: tuple[int, ...]


def move_systems(
    items: Items, *, before: Flags, after: Flags, counted: Flags, gains: Sequence[Gain] | None = None
) -> list[SystemMove]:
    """Return what amendment did to each system that has counted predictions; gains: with their intervals."""
    size = len(items.systems)

    def count(which: Flags) -> Integers:
        found: Integers = np.bincount(items.predictions.system[counted & which], minlength=size)
        return found

    everything = np.ones(len(counted), dtype=bool)
    columns = zip(
        *map(count, (everything, before, after, after & ~before, before & ~after)),
        strict=True,
    )
    moves = []
    for place, numbers in enumerate(columns):
        n, first, then, right, wrong = map(int, numbers)
        if n:
            found = gains[place].gain if gains else Figure(None)
            # By counts as without intervals, to the last digit.
            gain = replace(found, value=(then - first) / n)
            system = items.systems[place]
            moves.append(SystemMove(system.name, system.label, n, first, then, right, wrong, gain))
    return moves


def find_turns(items: Items, *, before: Flags, after: Flags, counted: Flags) -> list[Turn]:
    """Return the answers that turned, those that moved the most systems first, then by question and answer.

    Predictions whose file has gold answers of its own may turn otherwise than equal ones of other files, so
    one answer may have turned right for some systems and wrong for others: that is two turns.
    """
    predictions = items.predictions
    turned = np.flatnonzero(counted & (before != after))
    keys = np.stack([predictions.question[turned], predictions.string[turned], after[turned]], axis=1)
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    systems: list[list[int]] = [[] for _ in first]
    for place, number in zip(turned.tolist(), group.reshape(-1).tolist(), strict=True):
        systems[number].append(int(predictions.system[place]))
    turns = [
        Turn(
            question=int(predictions.question[place]),
            string=int(predictions.string[place]),
            candidate=int(predictions.candidate[place]),
            is_right=bool(after[place]),
            systems=tuple(sorted(own)),
        )
        for place, own in zip(turned[first].tolist(), systems, strict=True)
    ]
    return sorted(turns, key=order_in(items))


def order_in(items: Items) -> Callable[[Turn], tuple[Any, ...]]:
    """Return what gives the values by which turns stand in order; no two have the same."""
    # Texts are numbered as predictions came, system by system: a number would say whose answer is whose.
    texts = {number: text for text, number in items.predictions.strings.items()}
    return lambda turn: (
        -len(turn.systems), turn.question, turn.candidate, texts[turn.string], not turn.is_right,
    )  # fmt: skip
