"""When hidden answers come, who has passed a training, and what a plan may say, as pure functions."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

# Beyond this somebody judges for the statistics more than for the study.
LARGEST_HIDDEN_SHARE = 0.5
LONGEST_FORESIGHT = 5_000


class Turn(StrEnum):
    """What the next sheet of a rater is to be."""

    WORK = "work"
    KNOWN = "known"
    REPEAT = "repeat"


def turn_of(*, seed: int, rater: str, number: int, known_share: float, repeat_share: float) -> Turn:
    """Return what a rater's sheet of this number (from 0) is to be, by a chance that is always the same.

    Each sheet has its own draw, so nothing about earlier sheets tells anything about the next one.
    """
    digest = hashlib.sha256(f"{seed}\x00{rater}\x00turn {number}".encode()).digest()
    chance = int.from_bytes(digest[:8]) / 2**64
    if chance < known_share:
        return Turn.KNOWN
    return Turn.REPEAT if chance < known_share + repeat_share else Turn.WORK


def draw_size(*, seed: int, rater: str, number: int, sizes: Sequence[int]) -> int:
    """Return how long a rater's hidden sheet of this number is: as one of the sheets of work, by chance."""
    digest = hashlib.sha256(f"{seed}\x00{rater}\x00size {number}".encode()).digest()
    return sizes[int.from_bytes(digest[:8]) % len(sizes)]


def hidden_ahead(*, turns: Iterable[Turn], work_left: int, known_left: int, repeats_left: int) -> int:
    """Return how many hidden sheets come before a rater's work is done, if each can come at its turn.

    `turns`: in order, to be asked from the rater's first sheet on with all of the work, so that the number
    stays the same whatever is handed out. After the last sheet of work nothing hidden follows.
    """
    hidden = 0
    for turn in turns:
        if work_left <= 0 or known_left + repeats_left == 0:
            break
        if turn is Turn.KNOWN and known_left > 0:
            known_left -= 1
            hidden += 1
        elif turn is Turn.REPEAT and repeats_left > 0:
            repeats_left -= 1
            hidden += 1
        else:
            work_left -= 1
    return hidden


@dataclass(frozen=True)
class TrainingResult:
    """How many training answers were correct, and whether that is enough to pass."""

    right: int
    total: int
    is_passed: bool


def result_of(*, outcomes: Collection[bool], pass_share: float) -> TrainingResult:
    """Return what a finished training comes to; a training without answers is not passed."""
    right, total = sum(outcomes), len(outcomes)
    # Compared as counts: 0.8 of 5 must be 4, whatever the binary fraction says.
    return TrainingResult(right, total, total > 0 and right >= round(pass_share * total, 9))


class PlanProblem(NamedTuple):
    """What is wrong with a plan, and the field where it is mended."""

    field: str
    words: str


def problem_of_plan(
    *, known_share: float, repeat_share: float, is_training: bool, least_answers: int, training_answers: int
) -> PlanProblem | None:
    """Return why a quality plan cannot be used, or None."""
    if known_share + repeat_share > LARGEST_HIDDEN_SHARE:
        return PlanProblem(
            "known_share", "Known answers and repeats together can make up at most half of the sheets."
        )
    if is_training and training_answers < least_answers:
        have = "none yet" if not training_answers else f"{training_answers} so far"
        return PlanProblem(
            "is_training",
            f"The training needs {least_answers} answers but has {have}. Mark more answers for "
            "training, or require fewer.",
        )
    return None
