"""Who may be handed work, in which order answers stand on a sheet, and which slot an answer gets."""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum


class Refusal(StrEnum):
    """Why a member is handed no work."""

    NOT_ANNOTATOR = "not_annotator"
    UNBLINDED = "unblinded"
    PAUSED = "paused"
    ARCHIVED = "project_archived"
    NO_PROTOCOL = "no_protocol"


REFUSAL_WORDS = {
    Refusal.NOT_ANNOTATOR: "Only annotators judge answers. Your role in this project is another one.",
    Refusal.UNBLINDED: "You have seen who wrote what, or how others judged, so you cannot judge blindly.",
    Refusal.PAUSED: "The lead has paused your part in this project. Ask the lead to let you go on.",
    Refusal.ARCHIVED: "This project is archived. Its answers are no longer judged.",
    Refusal.NO_PROTOCOL: "This project has no protocol yet. Ask the lead to choose one.",
}


def why_refused(
    *, is_annotator: bool, is_unblinded: bool, is_active: bool, is_archived: bool, has_protocol: bool
) -> Refusal | None:
    """Return why somebody may not be handed work, the reason that cannot be helped first."""
    reasons = (
        (not is_annotator, Refusal.NOT_ANNOTATOR),
        (is_unblinded, Refusal.UNBLINDED),
        (not is_active, Refusal.PAUSED),
        (is_archived, Refusal.ARCHIVED),
        (not has_protocol, Refusal.NO_PROTOCOL),
    )
    return next((reason for applies, reason in reasons if applies), None)


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
    *, shown: int, sheet_size: int, slots: Sequence[int], is_filling: bool, raters_per_answer: int
) -> int:
    """Return with how many settled answers a tie-break sheet is filled up, so that it looks like any other.

    `slots`: those the sheet's answers hold; `is_filling`: whether the protocol wants it.
    """
    breaks_tie = any(is_tie_break(slot=slot, raters_per_answer=raters_per_answer) for slot in slots)
    return max(0, sheet_size - shown) if is_filling and breaks_tie else 0
