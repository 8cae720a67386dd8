"""First-round votes as arrays, and the ways of reading their labels."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.arrays import Integers
from analysis.raters import agreement
from analysis.raters.agreement import MissingVotes, Ratings
from annotation.projects.rules import Credit

RULE_TEXTS = {
    MissingVotes.OWN_CATEGORY: "A missing first-round vote counts as a separate label.",
    MissingVotes.DROP: "Answers with a missing first-round vote are left out.",
    MissingVotes.AS_INCORRECT: "A missing first-round vote counts as “incorrect.”",
    MissingVotes.AS_CORRECT: "A missing first-round vote counts as “correct.”",
}
NO_RULE_TEXT = "Missing votes are ignored: each answer is counted with whatever votes it has."


class LabelView(StrEnum):
    """How labels are read: each for itself, or merged into two by what they are worth."""

    AS_LABELLED = "as-labelled"
    DEFINITELY = "definitely"
    POSSIBLY = "possibly"


VIEW_LABELS = {
    LabelView.DEFINITELY: ("definitely_correct", "not_definitely_correct"),
    LabelView.POSSIBLY: ("possibly_correct_or_better", "incorrect"),
}
WORTH_FIRST = {
    LabelView.DEFINITELY: frozenset({Credit.DEFINITE}),
    LabelView.POSSIBLY: frozenset({Credit.DEFINITE, Credit.POSSIBLE}),
}


class FirstRound(NamedTuple):
    """The first-round votes of a project on its answers; of a check, or of a pilot, all first votes.

    votes: items × raters per item, numbers of `labels`, -1 = not given. raters: who filled the place, a
    number of `names`. questions: each item's question. credits: what each label is worth, best first; empty
    for a check. correct, incorrect: numbers of `labels` that may stand for a missing vote. has_turns: whether
    every place was somebody's turn, so that -1 is a vote asked for and not given.
    """

    votes: Integers
    raters: Integers
    items: Integers
    questions: Integers
    labels: tuple[str, ...]
    names: tuple[str, ...]
    correct: int
    incorrect: int
    credits: tuple[Credit, ...] = ()
    has_turns: bool = True


def offered_views(first_round: FirstRound) -> tuple[LabelView, ...]:
    """Return the ways of reading that differ: all three where a label is worth something between."""
    return tuple(LabelView) if Credit.POSSIBLE in first_round.credits else (LabelView.AS_LABELLED,)


def read_labels(first_round: FirstRound, view: LabelView) -> FirstRound:
    """Merge labels as the view says; a project without a label between is read as labelled."""
    if view not in offered_views(first_round) or view is LabelView.AS_LABELLED:
        return first_round
    numbers = np.array([0 if credit in WORTH_FIRST[view] else 1 for credit in first_round.credits])
    return first_round._replace(
        votes=agreement.merge_labels(votes=first_round.votes, numbers=numbers),
        labels=VIEW_LABELS[view],
        credits=(Credit.DEFINITE, Credit.NONE),
        correct=0,
        incorrect=1,
    )


def select_items(first_round: FirstRound, rows: Integers) -> FirstRound:
    """Return these items only."""
    return first_round._replace(
        votes=first_round.votes[rows],
        raters=first_round.raters[rows],
        items=first_round.items[rows],
        questions=first_round.questions[rows],
    )


def fill_votes(first_round: FirstRound, rule: MissingVotes) -> Ratings:
    """Apply the rule for missing votes; where nobody owed one, items with a single vote have no part."""
    if not first_round.has_turns:
        rows = np.flatnonzero((first_round.votes != agreement.NOT_RATED).sum(axis=1) >= 2)
        return Ratings(first_round.votes[rows], len(first_round.labels), rows)
    return agreement.fill_missing_votes(
        votes=first_round.votes,
        label_count=len(first_round.labels),
        rule=rule,
        incorrect=first_round.incorrect,
        correct=first_round.correct,
    )


def first_turns(*, items: Integers, raters_per_item: int) -> Integers:
    """Return positions of the first turns at every item that has had them all: items × raters.

    items: each turn's item, sorted. An item still waiting for a rater says nothing about agreement yet.
    """
    _, starts, counts = np.unique(items, return_index=True, return_counts=True)
    complete = starts[counts >= max(raters_per_item, 1)]
    return np.asarray(complete[:, np.newaxis] + np.arange(raters_per_item), dtype=np.int64)


def disagreeing_items(
    first_round: FirstRound, *, rule: MissingVotes, view: LabelView, pair: Sequence[str] = ()
) -> list[int]:
    """Return the items on which raters differ: those that a report by the same rule and view counts.

    pair: two raters by name; then only items that both were asked about, and only these two votes.
    """
    read = read_labels(first_round, view)
    ratings = fill_votes(read, rule)
    votes = _votes_of(pair, read, ratings) if pair else ratings.votes
    highest = votes.max(axis=1, initial=agreement.NOT_RATED)
    given = votes != agreement.NOT_RATED
    lowest = np.where(given, votes, highest[:, np.newaxis]).min(axis=1, initial=ratings.label_count)
    return [int(item) for item in read.items[ratings.rows[highest > lowest]]]


def _votes_of(pair: Sequence[str], read: FirstRound, ratings: Ratings) -> Integers:
    numbers = [number for number, name in enumerate(read.names) if name in pair]
    is_theirs = np.isin(read.raters[ratings.rows], numbers)
    return np.where(is_theirs, ratings.votes, agreement.NOT_RATED)
