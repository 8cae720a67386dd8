"""Signs of change and of clicking through: numbers beside what is usual, never a verdict on a person."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotation.quality.rules.figures import FEWEST, Figure, Tally, share, tally_of
from annotation.quality.rules.votes import ByVote, Vote

SEED = 20_241
SHUFFLES = 200
# Of the time that is usual in the project.
FAST_SHARE = 1 / 3
# One vote in five.
MANY = 0.2
UNUSUAL = 0.05

NOT_TIMED = "No time was measured."
NOTHING_TO_COMPARE = "None of these answers is decided without this rater."
NOBODY_ELSE = "Nobody else has judged these answers."
ORDER_UNKNOWN = "The file these votes came from does not say in which order they were given."


class Pace(NamedTuple):
    """How long an answer takes a rater, and how many took less than a third of what is usual here."""

    median_seconds: float | None
    usual_seconds: float | None
    fast: Figure


class Run(NamedTuple):
    """The longest run of one label, and what the same votes have when shuffled: usually, and at most."""

    label: str
    longest: int
    usual: float
    high: int
    stands_out: bool


class FirstLabel(NamedTuple):
    """How often the first label was given, beside how often the others gave it to the same answers."""

    own: Figure
    others: Figure
    stands_out: bool


class Drift(NamedTuple):
    """Agreement in the first and the last half of a rater's work, and how probably chance does as much."""

    first: Figure
    last: Figure
    p_value: float | None
    stands_out: bool


UNORDERED = Figure(None, None, None, ORDER_UNKNOWN)
NO_ORDER = Drift(UNORDERED, UNORDERED, None, stands_out=False)


def usual_seconds(votes_by_rater: Mapping[int, Sequence[Vote]]) -> float | None:
    """Return the median of raters' median times, so that one diligent rater does not set the pace."""
    medians = [each for votes in votes_by_rater.values() if (each := _median_seconds(votes)) is not None]
    return median(medians) if medians else None


def _median_seconds(votes: Sequence[Vote]) -> float | None:
    times = [vote.seconds for vote in votes if vote.seconds is not None]
    return median(times) if times else None


def measure_pace(votes: Sequence[Vote], *, usual: float | None) -> Pace:
    """Return how fast a rater works; the time of a sheet is shared equally among its answers."""
    times = [vote.seconds for vote in votes if vote.seconds is not None]
    fast = tally_of(usual is not None and time < FAST_SHARE * usual for time in times)
    return Pace(_median_seconds(votes), usual, share(fast, nothing=NOT_TIMED))


def longest_run(labels: Sequence[str]) -> tuple[str, int]:
    """Return the label of the longest run and its length; of equally long ones the first."""
    runs = [(label, len(list(run))) for label, run in groupby(labels)]
    return max(runs, key=lambda run: run[1], default=("", 0))


def measure_run(labels: Sequence[str], *, seed: int = SEED) -> Run | None:
    """Compare the longest run with those of the same votes in random orders; None with too few votes."""
    if len(labels) < FEWEST:
        return None
    label, longest = longest_run(labels)
    generator = np.random.default_rng(seed)
    kinds, numbers = np.unique(labels, return_inverse=True)
    # In the smallest type that holds them the same shuffles take half the time.
    numbers = numbers.astype(np.min_scalar_type(len(kinds)))
    shuffled = np.sort([_longest(generator.permutation(numbers)) for _ in range(SHUFFLES)])
    high = int(shuffled[int((1 - UNUSUAL / 2) * SHUFFLES)])
    return Run(label, longest, float(np.median(shuffled)), high, longest > high)


def _longest(numbers: NDArray[np.unsignedinteger[Any]]) -> int:
    ends = np.flatnonzero(np.diff(numbers)) + 1
    return int(np.diff(np.concatenate([[0], ends, [len(numbers)]])).max())


def measure_first_label(
    votes: Sequence[Vote], *, first: str, others_on: Mapping[int, Sequence[Vote]]
) -> FirstLabel:
    """Compare how often a rater gives the first label with the others on the same answers."""
    own = share(tally_of(vote.label == first for vote in votes), nothing=NOTHING_TO_COMPARE)
    others = share(
        tally_of(
            other.label == first
            for vote in votes
            for other in others_on.get(vote.candidate, ())
            if other.rater != vote.rater
        ),
        nothing=NOBODY_ELSE,
    )
    stands_out = own.low is not None and others.high is not None and own.low > others.high
    return FirstLabel(own, others, stands_out)


def is_fast(pace: Pace) -> bool:
    """Whether many answers took less than a third of the usual time."""
    return pace.fast.value is not None and pace.fast.value >= MANY


def agreements(votes: Sequence[Vote], *, without: ByVote) -> list[tuple[Vote, bool]]:
    """Return the votes that can be compared, in order, each with whether the answer came to the same."""
    keys = [(vote, without.get((vote.candidate, vote.rater))) for vote in votes]
    return [(vote, vote.label == label) for vote, label in keys if label is not None]


def measure_drift(agreed: Sequence[bool]) -> Drift:
    """Compare a rater's first half with the last, by Fisher's exact test (Fisher 1935, two-sided).

    `agreed`: in the order of work. The test takes votes as independent, though those on one question are
    not quite: read its p as a lower bound.
    """
    middle = len(agreed) // 2
    halves = [tally_of(agreed[:middle]), tally_of(agreed[middle:])]
    first, last = (share(half, nothing=NOTHING_TO_COMPARE) for half in halves)
    if first.value is None or last.value is None:
        return Drift(first, last, None, stands_out=False)
    p_value = _how_probable([_hits_and_misses(half) for half in halves])
    return Drift(first, last, p_value, stands_out=p_value < UNUSUAL)


def _how_probable(halves: list[list[int]]) -> float:
    # Loaded when first asked for: it doubles the start of every process.
    from scipy.stats import fisher_exact

    return float(fisher_exact(np.array(halves)).pvalue)


def _hits_and_misses(tally: Tally) -> list[int]:
    return [tally.hits, tally.total - tally.hits]
