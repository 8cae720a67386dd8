"""Whether an answer before the lead can go back to raters for one more vote."""

from enum import StrEnum
from typing import NamedTuple

from annotation.adjudication.rules.voting import takes_further_votes
from annotation.projects.rules import Protocol, TieBreak


class SendBackRefusal(StrEnum):
    """Why an answer cannot be sent back."""

    NOT_BY_VOTES = "not_by_votes"
    FIXED_VOTES = "fixed_votes"
    MOST_RATERS = "most_raters_reached"
    NO_RATER_LEFT = "no_rater_left"
    NOT_WAITING = "not_waiting"

    @property
    def words(self) -> str:
        """What a lead reads."""
        return REFUSAL_WORDS[self]


REFUSAL_WORDS = {
    SendBackRefusal.NOT_BY_VOTES: (
        "This answer was not decided by raters’ votes. Withdraw the decision first, on the answer’s page."
    ),
    SendBackRefusal.FIXED_VOTES: (
        "The decision rule of this project reads a fixed number of votes, so one more would say nothing. "
        "Decide the answer yourself."
    ),
    SendBackRefusal.MOST_RATERS: (
        "As many raters have judged this answer as the protocol asks at most. Decide it yourself, or raise "
        "the most raters in the protocol."
    ),
    SendBackRefusal.NO_RATER_LEFT: (
        "No rater is left who could judge this answer: everybody who takes part has had it. "
        "Decide it yourself, or invite another annotator."
    ),
    SendBackRefusal.NOT_WAITING: "This answer waits for no decision, so there is nothing to send back.",
}


class Situation(NamedTuple):
    """What sending an answer back depends on; `votes`: those that count, tie-breaks among them."""

    is_disputed: bool
    is_decided_by_votes: bool
    is_decided: bool
    votes: int
    has_rater_left: bool


def why_not_sent_back(*, situation: Situation, protocol: Protocol) -> SendBackRefusal | None:
    """Return why an answer cannot be given one more rater, or None where it can."""
    most = protocol.most_raters if protocol.tie_break is TieBreak.MORE_RATERS else None
    reasons = (
        (situation.is_decided and not situation.is_decided_by_votes, SendBackRefusal.NOT_BY_VOTES),
        (not takes_further_votes(protocol), SendBackRefusal.FIXED_VOTES),
        (most is not None and situation.votes >= most, SendBackRefusal.MOST_RATERS),
        (not situation.has_rater_left, SendBackRefusal.NO_RATER_LEFT),
        (not situation.is_decided and not situation.is_disputed, SendBackRefusal.NOT_WAITING),
    )
    return next((reason for applies, reason in reasons if applies), None)
