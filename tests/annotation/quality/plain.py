"""Raters' figures made vote by vote, as one would by hand: slow, and plain enough to be believed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby, pairwise
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from annotation.quality.rules.figures import Tally
from annotation.quality.rules.signs import FAST_SHARE
from annotation.quality.rules.votes import Ballots, Decisions, Rater, Votes

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Vote(NamedTuple):
    """A label that stands; `seconds` is None where nobody measured."""

    candidate: int
    question: int
    rater: int
    label: str
    slot: int
    at: datetime
    position: int
    seconds: float | None = None
    breaks_tie: bool = False


class Decided(NamedTuple):
    """What an answer was decided to be, and whether a rule made that of the raters' votes."""

    label: str
    by_votes: bool


def ballots_of(
    raters: Sequence[Rater],
    votes: Sequence[Vote],
    decisions: Mapping[int, Decided],
    labels: tuple[str, ...],
) -> Ballots:
    """Put rows into the arrays that the rules are given."""
    place_of = {rater.id: place for place, rater in enumerate(raters)}
    number_of = {label: number for number, label in enumerate(labels)}
    decided = sorted(decisions.items())
    for _, (label, _) in decided:
        number_of.setdefault(label, len(number_of))
    return Ballots(
        raters,
        Votes(
            candidates=integers(vote.candidate for vote in votes),
            questions=integers(vote.question for vote in votes),
            raters=integers(place_of[vote.rater] for vote in votes),
            labels=integers(number_of[vote.label] for vote in votes),
            slots=integers(vote.slot for vote in votes),
            moments=integers((vote.at - EPOCH) // MICROSECOND for vote in votes),
            positions=integers(vote.position for vote in votes),
            seconds=np.array([np.nan if vote.seconds is None else vote.seconds for vote in votes]),
            breaks_tie=np.array([vote.breaks_tie for vote in votes], dtype=bool),
        ),
        Decisions(
            candidates=integers(candidate for candidate, _ in decided),
            labels=integers(number_of[each.label] for _, each in decided),
            by_votes=np.array([each.by_votes for _, each in decided], dtype=bool),
        ),
        labels,
        tuple(number_of)[len(labels) :],
    )


def votes_in(ballots: Ballots) -> list[Vote]:
    """Return the rows that these arrays hold."""
    columns = (column.tolist() for column in ballots.votes)
    return [
        Vote(
            candidate,
            question,
            ballots.raters[rater].id,
            ballots.labels[label],
            slot,
            EPOCH + moment * MICROSECOND,
            position,
            None if np.isnan(seconds) else seconds,
            breaks_tie,
        )
        for candidate, question, rater, label, slot, moment, position, seconds, breaks_tie in zip(
            *columns, strict=True
        )
    ]


def decisions_in(ballots: Ballots) -> dict[int, Decided]:
    """Return the decisions that these arrays hold, by answer."""
    labels = (*ballots.labels, *ballots.further_labels)
    columns = (column.tolist() for column in ballots.decisions)
    return {
        candidate: Decided(labels[label], by_votes)
        for candidate, label, by_votes in zip(*columns, strict=True)
    }


def integers(values: Iterable[int]) -> Any:
    return np.array(list(values), dtype=np.int64)


class Plain(NamedTuple):
    """What is said of one rater, but for estimates and shuffles."""

    judged: int
    last_at: datetime | None
    median_seconds: float | None
    usual_seconds: float | None
    fast: Tally
    with_decisions: Tally
    without_own: Tally
    longest_run: tuple[str, int]
    own_first: Tally
    others_first: Tally
    halves: tuple[Tally, Tally]
    confusion: list[list[int]]
    periods: list[tuple[datetime, datetime, Tally]]
    differences: list[tuple[int, str, str, datetime]]


def describe(
    raters: Sequence[Rater],
    votes: Sequence[Vote],
    decisions: Mapping[int, Decided],
    labels: tuple[str, ...],
) -> list[Plain]:
    """Say of each rater what can be counted."""
    given = by_rater(votes)
    times = [median(timed) for own in given.values() if (timed := seconds_of(own))]
    usual = median(times) if times else None
    without = labels_without(by_candidate(votes), decisions)
    return [
        describe_one(given.get(rater.id, []), votes, decisions, labels, without, usual) for rater in raters
    ]


def describe_one(own, votes, decisions, labels, without, usual):
    """Say of one rater's votes, in order, what can be counted."""
    keys = [(vote, without.get((vote.candidate, vote.rater))) for vote in own]
    compared = [(vote, label) for vote, label in keys if label is not None]
    agreed = [vote.label == label for vote, label in compared]
    others = [
        other.label
        for vote in own
        for other in votes
        if other.candidate == vote.candidate and other.rater != vote.rater
    ]
    timed = seconds_of(own)
    middle = len(agreed) // 2
    return Plain(
        judged=len(own),
        last_at=own[-1].at if own else None,
        median_seconds=median(timed) if timed else None,
        usual_seconds=usual,
        fast=count([usual is not None and each < FAST_SHARE * usual for each in timed]),
        with_decisions=count(
            [vote.label == decisions[vote.candidate].label for vote in own if vote.candidate in decisions]
        ),
        without_own=count(agreed),
        longest_run=max(runs_of(own), key=lambda run: run[1], default=("", 0)),
        own_first=count([vote.label == labels[0] for vote in own]),
        others_first=count([label == labels[0] for label in others]),
        halves=(count(agreed[:middle]), count(agreed[middle:])),
        confusion=[
            [sum(vote.label == given and label == came for vote, label in compared) for given in labels]
            for came in labels
        ],
        periods=periods_of(compared, agreed),
        differences=[
            (vote.candidate, vote.label, label, vote.at)
            for vote, label in reversed(compared)
            if vote.label != label
        ],
    )


def count(outcomes: Sequence[bool]) -> Tally:
    return Tally(sum(outcomes), len(outcomes))


def seconds_of(votes: Iterable[Vote]) -> list[float]:
    return [vote.seconds for vote in votes if vote.seconds is not None]


def runs_of(votes: Iterable[Vote]) -> list[tuple[str, int]]:
    return [(label, len(list(run))) for label, run in groupby(votes, key=lambda vote: vote.label)]


def periods_of(
    compared: Sequence[tuple[Vote, str]], agreed: Sequence[bool]
) -> list[tuple[datetime, datetime, Tally]]:
    number = min(10, len(compared) // 25)
    ends = [len(compared) * each // number for each in range(number + 1)] if number > 1 else []
    return [
        (compared[start][0].at, compared[end - 1][0].at, count(agreed[start:end]))
        for start, end in pairwise(ends)
    ]


def by_candidate(votes: Sequence[Vote]) -> dict[int, list[Vote]]:
    """Group votes by answer; within one they stand by slot, those that hold none last."""
    groups: dict[int, list[Vote]] = defaultdict(list)
    for vote in sorted(votes, key=lambda vote: (vote.slot == 0, vote.slot, vote.at, vote.position)):
        groups[vote.candidate].append(vote)
    return groups


def by_rater(votes: Sequence[Vote]) -> dict[int, list[Vote]]:
    """Group votes by rater, in the order in which each gave them."""
    groups: dict[int, list[Vote]] = defaultdict(list)
    for vote in sorted(votes, key=lambda vote: (vote.at, vote.question, vote.position)):
        groups[vote.rater].append(vote)
    return groups


def labels_without(
    votes_on: Mapping[int, Sequence[Vote]], decisions: Mapping[int, Decided]
) -> dict[tuple[int, int], str]:
    """Return what each decided vote's answer comes to without that vote, by answer and rater."""
    found: dict[tuple[int, int], str] = {}
    for candidate, votes in votes_on.items():
        decided = decisions.get(candidate)
        for vote in votes if decided else []:
            assert decided is not None
            label: str | None = decided.label
            if decided.by_votes:
                label = sole_leader([other.label for other in votes if other.rater != vote.rater])
            if label is not None:
                found[candidate, vote.rater] = label
    return found


def sole_leader(labels: Sequence[str]) -> str | None:
    """Return the label given more often than any other, or None where there is no such one."""
    (label, most), (_, next_most) = [*Counter(labels).most_common(2), ("", 0), ("", 0)][:2]
    return label if most > next_most else None
