"""Raters' votes, and what each answer comes to without one of them."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

ByVote: TypeAlias = Mapping[tuple[int, int], str]


class Vote(NamedTuple):
    """A label that stands, counted or surplus; `seconds` is None where nobody measured."""

    candidate: int
    question: int
    rater: int
    label: str
    slot: int
    at: datetime
    position: int
    seconds: float | None = None
    # Given to settle a dispute: such answers are hard by selection.
    breaks_tie: bool = False


class Decided(NamedTuple):
    """What an answer was decided to be, and whether a rule made that of the raters' votes."""

    label: str
    by_votes: bool


class Repeat(NamedTuple):
    """What a rater said of an answer the first time, and when it came again unmarked."""

    question: int
    first: str
    second: str

    @property
    def is_same(self) -> bool:
        """Whether it was the same both times."""
        return self.first == self.second


class KnownVote(NamedTuple):
    """What a rater said of a hidden answer whose label was known."""

    candidate: int
    label: str
    known: str
    at: datetime

    @property
    def is_right(self) -> bool:
        """Whether it was what was known."""
        return self.label == self.known


class Rater(NamedTuple):
    """A person who judges, or a file's. Machine judges are none, however many were run."""

    id: int
    public_id: str
    pseudonym: str
    name: str
    state: str
    skipped: int = 0
    # A file says what was voted, not when.
    has_order: bool = True
    repeats: Sequence[Repeat] = ()
    known: Sequence[KnownVote] = ()


class Ballots(NamedTuple):
    """The votes of a project in the order given, its decisions by answer, and the labels that are votes."""

    raters: Sequence[Rater]
    votes: Sequence[Vote]
    decisions: Mapping[int, Decided]
    labels: tuple[str, ...]


def by_candidate(votes: Sequence[Vote]) -> dict[int, list[Vote]]:
    """Group votes by answer; within one they stand by slot, those that hold none last."""
    groups: dict[int, list[Vote]] = defaultdict(list)
    for vote in sorted(votes, key=lambda vote: (vote.slot == 0, vote.slot, vote.at)):
        groups[vote.candidate].append(vote)
    return groups


def by_rater(votes: Sequence[Vote]) -> dict[int, list[Vote]]:
    """Group votes by rater, in the order in which each gave them."""
    groups: dict[int, list[Vote]] = defaultdict(list)
    for vote in sorted(votes, key=lambda vote: (vote.at, vote.question, vote.position)):
        groups[vote.rater].append(vote)
    return groups


def labels_without(ballots: Ballots, votes_on: Mapping[int, Sequence[Vote]]) -> ByVote:
    """Return what each decided vote's answer comes to without that vote, by answer and rater.

    votes_on: the ballots' votes by answer.

    That is the decision where a person, a policy or a file made it; else the label that leads among the
    other raters. Where these are level the vote itself decided, so it has no entry.
    """
    found: dict[tuple[int, int], str] = {}
    for candidate, votes in votes_on.items():
        decided = ballots.decisions.get(candidate)
        if decided is None:
            continue
        for vote in votes:
            label: str | None = decided.label
            if decided.by_votes:
                label = sole_leader([other.label for other in votes if other.rater != vote.rater])
            if label is not None:
                found[candidate, vote.rater] = label
    return found


def sole_leader(labels: Sequence[str]) -> str | None:
    """Return the label given more often than any other, or None where there is no such one."""
    if len(set(labels)) == 1:
        return labels[0]
    (label, count), (_, next_count) = [*Counter(labels).most_common(2), ("", 0), ("", 0)][:2]
    return label if count > next_count else None
