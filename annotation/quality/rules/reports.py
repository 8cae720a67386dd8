"""What there is to say about one rater."""

from datetime import datetime
from typing import NamedTuple

from annotation.quality.rules.figures import Figure
from annotation.quality.rules.signs import Drift, FirstLabel, Pace, Run
from annotation.quality.rules.votes import KnownVote, Rater


class Period(NamedTuple):
    """A stretch of a rater's work, from its first vote to its last, and how much of it agrees."""

    begins_at: datetime
    ends_at: datetime
    agreement: Figure


class Difference(NamedTuple):
    """An answer on which a rater differs from what it came to without them."""

    candidate: int
    label: str
    without: str
    at: datetime


class RaterReport(NamedTuple):
    """Every figure about one rater.

    with_decisions: with the decisions as they are, which the rater's own votes helped to make.
    without_own: with what the answers came to without the rater. confusion: of the latter, how many votes
    by what it came to and what was given, in the order of the labels. differences: the latest of them.
    """

    rater: Rater
    judged: int
    last_at: datetime | None
    pace: Pace
    with_decisions: Figure
    without_own: Figure
    kappa: Figure
    dawid_skene: Figure
    one_coin: Figure
    self_agreement: Figure
    self_kappa: Figure
    known_answers: Figure
    run: Run | None
    first_label: FirstLabel
    drift: Drift
    signs: list[str]
    labels: tuple[str, ...]
    confusion: list[list[int]]
    periods: list[Period]
    difference_count: int
    differences: list[Difference]
    known_misses: list[KnownVote]
