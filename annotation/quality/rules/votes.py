"""Raters' votes as arrays, and what each answer comes to without one of them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import Flags, Floats

Integers: TypeAlias = NDArray[np.integer]

# No label: not decided, or nothing leads.
NONE = -1
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Votes(NamedTuple):
    """Labels that stand, counted or surplus: one entry a vote; of equal moments the first comes first.

    raters: places in `Ballots.raters`. labels: places in `Ballots.labels`. slots: 0 where none is held.
    moments: microseconds since 1970. positions: on the sheet. seconds: NaN where nobody measured.
    breaks_tie: given to settle a dispute; such answers are hard by selection.
    """

    candidates: Integers
    questions: Integers
    raters: Integers
    labels: Integers
    slots: Integers
    moments: Integers
    positions: Integers
    seconds: Floats
    breaks_tie: Flags


class Decisions(NamedTuple):
    """What answers were decided to be, and whether a rule made that of the raters' votes.

    candidates: rising. labels: places in `Ballots.labels`, or beyond them in `Ballots.further_labels`.
    """

    candidates: Integers
    labels: Integers
    by_votes: Flags


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
    """The votes of a project, its decisions, the labels that are votes, and those of decisions alone."""

    raters: Sequence[Rater]
    votes: Votes
    decisions: Decisions
    labels: tuple[str, ...]
    further_labels: tuple[str, ...] = ()


class Work(NamedTuple):
    """Votes in the order in which they were given, each beside what it is measured against.

    items: each vote's answer, numbered from 0. decided: what it was decided to be. without: what it comes
    to without this rater. others: votes × labels, how often the other raters gave each to the same answer.
    """

    votes: Votes
    items: Integers
    decided: Integers
    without: Integers
    others: Integers


def moment(microseconds: int) -> datetime:
    """Return a moment that was counted from 1970."""
    return EPOCH + timedelta(microseconds=int(microseconds))


def pick(votes: Votes, places: Integers | Flags) -> Votes:
    """Return these votes, in this order."""
    return votes._replace(**{name: column[places] for name, column in votes._asdict().items()})


def pick_work(work: Work, places: Integers | Flags) -> Work:
    """Return the work at these places, in this order."""
    columns = work._asdict()
    votes = pick(columns.pop("votes"), places)
    return Work(votes, **{name: column[places] for name, column in columns.items()})


def lay_out(ballots: Ballots) -> Work:
    """Put votes in the order in which they were given, and say of each what its answer comes to.

    Without a rater that is the decision where a person, a policy or a file made it; else the label that
    leads among the other raters. Where these are level the vote itself decided, so there is none.
    """
    given = ballots.votes
    votes = pick(given, np.lexsort((given.positions, given.questions, given.moments)))
    candidates, items = np.unique(votes.candidates, return_inverse=True)
    decided, by_votes = _decided(ballots.decisions, candidates)
    others = _count_others(votes, items, label_count=len(ballots.labels), rater_count=len(ballots.raters))
    without = np.where(by_votes[items], _leaders(others), decided[items])
    return Work(votes, items, decided[items], without, others)


def _decided(decisions: Decisions, candidates: Integers) -> tuple[Integers, Flags]:
    """Return of these answers what they were decided to be, and whether by votes."""
    labels, by_votes = np.full(len(candidates), NONE), np.zeros(len(candidates), dtype=bool)
    _, here, there = np.intersect1d(candidates, decisions.candidates, assume_unique=True, return_indices=True)
    labels[here], by_votes[here] = decisions.labels[there], decisions.by_votes[there]
    return labels, by_votes


def _count_others(votes: Votes, items: Integers, *, label_count: int, rater_count: int) -> Integers:
    """Count votes × labels: those on each vote's answer without its rater's, of whom several may stand."""
    _, own = np.unique(items * max(rater_count, 1) + votes.raters, return_inverse=True)
    on_answer = _count(items, votes.labels, label_count)
    of_rater = _count(own, votes.labels, label_count)
    return np.asarray(on_answer[items] - of_rater[own])


def _count(rows: Integers, labels: Integers, label_count: int) -> Integers:
    """Count rows × labels."""
    height = int(rows.max(initial=-1)) + 1
    counts = np.bincount(rows * label_count + labels, minlength=height * label_count)
    return counts.reshape(height, label_count).astype(np.int32)


def _leaders(counts: Integers) -> Integers:
    """Return of each row the label that was given more often than any other, NONE where there is none."""
    most = counts.max(axis=1, initial=0)
    is_sole = (counts == most[:, np.newaxis]).sum(axis=1) == 1
    first = counts.argmax(axis=1) if counts.shape[1] else np.zeros(len(counts), dtype=np.int64)
    return np.where(is_sole & (most > 0), first, NONE)
