"""Another human: people as a judge of people, to know what agreement a program can be expected to reach."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judges.protocol import WithOptions


class HumanVote(NamedTuple):
    """A rater's vote on one answer; of a second pass where the answer had been decided without it."""

    rater: int
    slot: int
    accepted: bool
    is_second_pass: bool = False


class Comparison(NamedTuple):
    """What a rater said of an answer, and what the others did; None where no other vote is there."""

    rater: int
    accepted: bool
    reference: bool | None


@dataclass(frozen=True)
class AnotherHumanOptions:
    """Another human has no options."""


class AnotherHuman(WithOptions[AnotherHumanOptions]):
    """Raters against each other. It judges nothing itself: people do."""

    Options = AnotherHumanOptions

    def compare(self, votes: Sequence[HumanVote]) -> list[Comparison]:
        """Compare the votes on one answer with each other.

        With a second pass its raters are compared with what the first pass came to. Without one each rater is
        compared with the majority of the others; where these are level (a single other is never), with the
        next of them by slot, so that no disagreement is left out.
        """
        first = sorted((vote for vote in votes if not vote.is_second_pass), key=lambda vote: vote.slot)
        second = [vote for vote in votes if vote.is_second_pass]
        if second:
            return [Comparison(vote.rater, vote.accepted, decide_without(first)) for vote in second]
        return [
            Comparison(vote.rater, vote.accepted, decide_without([*first[place + 1 :], *first[:place]]))
            for place, vote in enumerate(first)
        ]


def decide_without(others: Sequence[HumanVote]) -> bool | None:
    """Return the majority of other raters' votes, the first of them where they are level, None for none."""
    if not others:
        return None
    accepting = sum(vote.accepted for vote in others)
    if 2 * accepting == len(others):
        return others[0].accepted
    return 2 * accepting > len(others)
