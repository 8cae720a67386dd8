"""What a changed protocol does to answers that people judge, as pure functions."""

from enum import StrEnum
from typing import NamedTuple

from annotation.adjudication.rules.voting import Need, Outcome


class Move(StrEnum):
    """What a changed protocol does to an answer that people judge."""

    STAYS = "stays"
    DECIDED = "decided"
    RELABELLED = "relabelled"
    REOPENED = "reopened"
    FOR_LEAD = "for_lead"
    FROM_LEAD = "from_lead"
    MORE_RATERS = "more_raters"
    FEWER_RATERS = "fewer_raters"


class Moved(NamedTuple):
    """A sort of move and the votes that lack after it; of interest where an answer goes back to raters."""

    move: Move
    votes_missing: int = 0


def move_of(
    *,
    label_before: str | None,
    was_disputed: bool,
    wanted_before: int,
    outcome: Outcome,
    wanted_after: int,
) -> Moved:
    """Return what becomes of an answer whose votes come to `outcome` under a changed protocol."""
    if outcome.label is not None:
        if label_before is None:
            return Moved(Move.DECIDED)
        return Moved(Move.STAYS if label_before == outcome.label else Move.RELABELLED)
    if outcome.need is Need.LEAD:
        return Moved(Move.STAYS if was_disputed else Move.FOR_LEAD)
    if label_before is not None:
        return Moved(Move.REOPENED, outcome.votes_missing)
    if was_disputed:
        return Moved(Move.FROM_LEAD, outcome.votes_missing)
    if wanted_after == wanted_before:
        return Moved(Move.STAYS)
    return Moved(Move.MORE_RATERS if wanted_after > wanted_before else Move.FEWER_RATERS)
