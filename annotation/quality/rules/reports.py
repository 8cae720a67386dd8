"""What there is to say about one rater."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from annotation.quality.rules.figures import Figure
from annotation.quality.rules.signs import Drift, FirstLabel, Pace, Run
from annotation.quality.rules.votes import KnownVote

Sign: TypeAlias = Literal["fast", "run", "first_label", "drift"]


@dataclass(frozen=True)
class Period:
    """A period of an annotator’s work, from its first vote to its last.

    `agreement`: the share of its votes that agree with the label from other annotators.
    """

    begins_at: datetime
    ends_at: datetime
    agreement: Figure


class Differing(NamedTuple):
    """An answer on which a rater differs from what it came to without them."""

    candidate: int
    label: str
    without: str
    at: datetime


@dataclass(frozen=True)
class RaterRow:
    """One annotator’s statistics.

    `with_decisions`: agreement with the decisions, to which the annotator’s own votes contributed.
    `without_own`: agreement with the label from other annotators.
    """

    id: str
    pseudonym: str
    name: str
    state: str
    judged: int
    skipped: int
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
    signs: list[Sign]


@dataclass(frozen=True)
class RaterFigures(RaterRow):
    """One rater with what the figures are made of.

    confusion: how many votes by what the answers came to without the rater and what was given, in the order
    of the labels.
    """

    run: Run | None
    first_label: FirstLabel
    drift: Drift
    labels: tuple[str, ...]
    confusion: list[list[int]]
    periods: list[Period]
    difference_count: int


@dataclass(frozen=True)
class RaterReport(RaterFigures):
    """Every figure about one rater, and the latest answers on which they differ; member: its key."""

    member: int
    differences: list[Differing]
    known_misses: list[KnownVote]
