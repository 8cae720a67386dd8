"""What the amendment of gold lists changed: by system, and by the answer that joined or left a list."""

from typing import NamedTuple

import numpy as np

from judges.comparison.rules.study.arrays import Flags, Integers, Items


class SystemMove(NamedTuple):
    """One system, numbered by its place: of its n counted predictions, how many match before and after.

    turned_right, turned_wrong: predictions that match only after, and only before.
    """

    system: int
    n: int
    before: int
    after: int
    turned_right: int
    turned_wrong: int


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


def move_systems(items: Items, *, before: Flags, after: Flags, counted: Flags) -> list[SystemMove]:
    """Return what amendment did to each system that has counted predictions."""
    size = len(items.systems)

    def count(which: Flags) -> Integers:
        found: Integers = np.bincount(items.predictions.system[counted & which], minlength=size)
        return found

    everything = np.ones(len(counted), dtype=bool)
    columns = zip(
        *map(count, (everything, before, after, after & ~before, before & ~after)),
        strict=True,
    )
    moves = (SystemMove(place, *map(int, numbers)) for place, numbers in enumerate(columns))
    return [move for move in moves if move.n]


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
    # Texts are numbered as predictions came, system by system: that order would say whose answer is whose.
    return sorted(
        turns,
        key=lambda turn: (
            -len(turn.systems), turn.question, turn.candidate, turn.string, not turn.is_right,
        ),
    )  # fmt: skip
