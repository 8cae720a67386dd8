"""Signs of change and of clicking through: numbers beside what is usual, never a verdict on a person."""

from collections.abc import Sequence
from functools import lru_cache
from statistics import median
from typing import NamedTuple

import numpy as np

from annotation.quality.rules.figures import FEWEST, Figure, Tally, share, tally_of
from annotation.quality.rules.votes import NONE, Flags, Floats, Integers, Work

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


def usual_seconds(times: Sequence[Floats]) -> float | None:
    """Return the median of raters' median times, so that one diligent rater does not set the pace.

    times: seconds of each rater's votes, NaN where nobody measured.
    """
    medians = [each for seconds in times if (each := _median(_measured(seconds))) is not None]
    return median(medians) if medians else None


def _measured(seconds: Floats) -> Floats:
    return seconds[~np.isnan(seconds)]


def _median(times: Floats) -> float | None:
    return float(np.median(times)) if len(times) else None


def measure_pace(seconds: Floats, *, usual: float | None) -> Pace:
    """Return how fast a rater works; the time of a sheet is shared equally among its answers."""
    times = _measured(seconds)
    is_quick = times < (0.0 if usual is None else FAST_SHARE * usual)
    return Pace(_median(times), usual, share(tally_of(is_quick), nothing=NOT_TIMED))


def longest_run(labels: Integers) -> tuple[int, int]:
    """Return the label of the longest run, of equally long ones the first, and its length; 0 of nothing."""
    if not len(labels):
        return NONE, 0
    bounds = np.concatenate([[0], np.flatnonzero(labels[1:] != labels[:-1]) + 1, [len(labels)]])
    lengths = np.diff(bounds)
    place = int(lengths.argmax())
    return int(labels[bounds[place]]), int(lengths[place])


def measure_run(given: Integers, *, labels: Sequence[str], seed: int = SEED) -> Run | None:
    """Compare the longest run with those of the same votes in random orders; None with too few votes.

    given: places in `labels`, in the order of work.
    """
    if len(given) < FEWEST:
        return None
    label, longest = longest_run(given)
    # In the smallest type that holds them the same shuffles take half the time.
    numbers = given.astype(np.min_scalar_type(len(labels)))
    shuffled = _shuffle(numbers.tobytes(), numbers.dtype.str, seed)
    high = shuffled[int((1 - UNUSUAL / 2) * SHUFFLES)]
    return Run(labels[label], longest, median(shuffled), high, longest > high)


# Nearly all the work: of a project's raters a new vote changes one.
@lru_cache(maxsize=16)
def _shuffle(numbers: bytes, kind: str, seed: int) -> tuple[int, ...]:
    """Return the longest runs of these numbers in random orders, sorted."""
    generator = np.random.default_rng(seed)
    given = np.frombuffer(numbers, dtype=kind)
    return tuple(sorted(longest_run(generator.permutation(given))[1] for _ in range(SHUFFLES)))


def measure_first_label(work: Work) -> FirstLabel:
    """Compare how often a rater gives the first label with the others on the same answers."""
    own = share(tally_of(work.votes.labels == 0), nothing=NOTHING_TO_COMPARE)
    first = Tally(int(work.others[:, :1].sum()), int(work.others.sum()))
    others = share(first, nothing=NOBODY_ELSE)
    stands_out = own.low is not None and others.high is not None and own.low > others.high
    return FirstLabel(own, others, stands_out)


def is_fast(pace: Pace) -> bool:
    """Whether many answers took less than a third of the usual time."""
    return pace.fast.value is not None and pace.fast.value >= MANY


def measure_drift(agreed: Flags) -> Drift:
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
