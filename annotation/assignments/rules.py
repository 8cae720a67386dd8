"""Who may be handed work, in which order answers stand on a sheet, and which slot an answer gets."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple


class Refusal(StrEnum):
    """Why a member is handed no work."""

    NOT_ANNOTATOR = "not_annotator"
    UNBLINDED = "unblinded"
    PAUSED = "paused"
    ARCHIVED = "project_archived"
    NO_PROTOCOL = "no_protocol"
    UNTRAINED = "training_due"


REFUSAL_WORDS = {
    Refusal.NOT_ANNOTATOR: "Only annotators can judge answers, and you have another role in this project.",
    Refusal.UNBLINDED: (
        "You have seen which system gave an answer or how others judged it, so you can no longer judge blind."
    ),
    # {lead}: whom to ask.
    Refusal.PAUSED: (
        "A lead has paused your work in this project. Everything you submitted is kept. To continue, ask "
        "{lead}."
    ),
    Refusal.ARCHIVED: "This project is archived, so its answers can no longer be judged.",
    Refusal.NO_PROTOCOL: "This project has no protocol yet. Ask the lead to choose one.",
    Refusal.UNTRAINED: "Complete the training first. Then you can start judging.",
}


def why_refused(
    *,
    is_annotator: bool,
    is_unblinded: bool,
    is_active: bool,
    is_archived: bool,
    has_protocol: bool,
    is_trained: bool = True,
) -> Refusal | None:
    """Return why somebody may not be handed work, the reason that cannot be helped first."""
    reasons = (
        (not is_annotator, Refusal.NOT_ANNOTATOR),
        (is_unblinded, Refusal.UNBLINDED),
        (not is_active, Refusal.PAUSED),
        (is_archived, Refusal.ARCHIVED),
        (not has_protocol, Refusal.NO_PROTOCOL),
        (not is_trained, Refusal.UNTRAINED),
    )
    return next((reason for applies, reason in reasons if applies), None)


# What was in somebody's hands before is taken in: the lead who does not want that takes it back.
MAY_HAND_IN = frozenset({Refusal.PAUSED, Refusal.ARCHIVED, Refusal.UNTRAINED})
# Their labels are kept, but nobody can say any more that they were given blindly.
NOT_BLIND = frozenset({Refusal.UNBLINDED})


def own_order(*, seed: int, rater: str, names: Iterable[str]) -> list[str]:
    """Return `names` in an order of the rater's own that looks random and is always the same.

    `names` say what the answers are, not where they came from, so the order does not depend on systems.
    """

    def chance(name: str) -> bytes:
        return hashlib.sha256(f"{seed}\x00{rater}\x00{name}".encode()).digest()

    return sorted(names, key=chance)


def lowest_free_slot(*, held: Collection[int]) -> int:
    """Return the lowest slot, from 1, that nobody holds."""
    return next(slot for slot in range(1, len(held) + 2) if slot not in held)


def slots_in_order(*, held: Iterable[tuple[int, bool]]) -> dict[int, int]:
    """Return slots numbered anew without gaps: those judged first, then those somebody is at.

    `held`: each slot and whether it is judged. A protocol with fewer raters looks at the lowest slots, which
    may be the ones where judgments still lack.
    """
    order = sorted(held, key=lambda each: (not each[1], each[0]))
    return {slot: place for place, (slot, _) in enumerate(order, start=1)}


def is_tie_break(*, slot: int, raters_per_answer: int) -> bool:
    """Whether a slot exists only because the protocol's raters did not agree."""
    return slot > raters_per_answer


def round_of(*, slot: int, raters_per_answer: int, turns_before: int) -> str:
    """Return why a slot is filled: "first", "replacement" or "tie_break".

    `turns_before`: other raters who have or had the answer, those who skipped it included; leases that
    ended do not count. So the first round holds the first raters, however many of them skip.
    """
    if is_tie_break(slot=slot, raters_per_answer=raters_per_answer):
        return "tie_break"
    return "first" if turns_before < raters_per_answer else "replacement"


def filler_count(
    *, shown: int, sheet_size: int, slots: Sequence[int], is_filling: bool, raters_at_first: int
) -> int:
    """Return with how many settled answers a tie-break sheet is filled up, so that it looks like any other.

    `slots`: those the sheet's answers hold; `is_filling`: whether the protocol wants it; `raters_at_first`:
    who comes after them does so because of what they said.
    """
    comes_after = any(is_tie_break(slot=slot, raters_per_answer=raters_at_first) for slot in slots)
    return max(0, sheet_size - shown) if is_filling and comes_after else 0


# Units of the circle on which shares are pieces and questions are points.
CIRCLE = 1_000_000
# The largest prime that a signed 32-bit number holds: multiplying by anything below it mixes places well.
PRIME = 2_147_483_647


class Mixing(NamedTuple):
    """The numbers that turn a question's place into a point: `(place * factor + shift) % PRIME`."""

    factor: int
    shift: int


def mixing_of(*, seed: int, use: str) -> Mixing:
    """Return the numbers by which a seed orders or shares questions; the same seed gives the same ones.

    `use` keeps one use of the seed apart from another. The database can compute points from them, so
    questions that come later need no row of their own.
    """
    chance = hashlib.sha256(f"{seed}\x00{use}".encode()).digest()
    factor = PRIME // 4 + int.from_bytes(chance[:8]) % (PRIME // 2)
    return Mixing(factor=factor, shift=int.from_bytes(chance[8:16]) % PRIME)


class Piece(NamedTuple):
    """A piece of the circle."""

    start: int
    length: int


def pieces_of(*, shares: Sequence[int]) -> list[Piece]:
    """Cut the circle into pieces in proportion to `shares`, one after the other, nothing left over.

    With k raters an answer every piece is taken k times as long: each point then lies in k pieces of
    different raters, unless somebody's share is more than one k-th (systematic sampling with unequal
    probabilities, Madow 1949).
    """
    total = sum(shares)
    if not total:
        return [Piece(0, 0) for _ in shares]
    ends = [CIRCLE * reached // total for reached in accumulate(shares)]
    starts = [0, *ends[:-1]]
    return [Piece(start, end - start) for start, end in zip(starts, ends, strict=True)]


def shortage_words(*, raters_needed: int, raters_present: int, answers: int) -> str:
    """Say that answers will wait for want of raters, or nothing where none will."""
    if not answers:
        return ""
    waiting = "1 answer will wait" if answers == 1 else f"{answers:,} answers will wait"
    if raters_present >= raters_needed:
        had = "it" if answers == 1 else "them"
        return (
            f"{waiting}: every active annotator has already received {had}, has reached a "
            "limit, or is assigned other questions."
        )
    needed = "1 annotator" if raters_needed == 1 else f"{raters_needed} annotators"
    if raters_present == 0:
        # Nobody has joined yet, as in every study that begins: nothing is wrong.
        need = f"1 answer needs {needed}" if answers == 1 else f"{answers:,} answers need {needed} each"
        return f"{need}. Nobody is available yet."
    each = "it" if answers == 1 else "each"
    available = "only 1 is" if raters_present == 1 else f"only {raters_present} are"
    return f"{waiting}: {each} needs {needed}, but {available} available."


class PlannedPart(NamedTuple):
    """What a plan gives to one rater."""

    takes_part: bool
    first_question: int | None
    last_question: int | None
    share: int


class PlanProblem(NamedTuple):
    """What is wrong with a plan, and the field where it is mended."""

    field: str
    words: str


def problem_of_stand_ins(stand_ins: Mapping[str, str]) -> PlanProblem | None:
    """Return why parts cannot be handed on this way, or None; `stand_ins`: who judges whose part instead."""
    if any(rater == stand_in for rater, stand_in in stand_ins.items()):
        return PlanProblem(
            "raters", "Choose another annotator as the replacement. Annotators cannot replace themselves."
        )
    if stand_ins.keys() & set(stand_ins.values()):
        return PlanProblem("raters", "An annotator who replaces somebody cannot have a replacement.")
    return None


def problem_of_plan(*, sharing: str, parts: Sequence[PlannedPart]) -> PlanProblem | None:
    """Return why nobody could work by this plan, or None."""
    if sharing == "named" and not any(part.takes_part for part in parts):
        return PlanProblem("raters", "Choose at least one annotator to judge.")
    if sharing == "shares" and not any(part.share for part in parts):
        return PlanProblem("raters", "Give at least one annotator a share above 0.")
    for part in parts:
        if part.first_question and part.last_question and part.first_question > part.last_question:
            return PlanProblem(
                "raters",
                "One annotator’s first question comes after their last question. Correct one of the two "
                "numbers.",
            )
    return None
