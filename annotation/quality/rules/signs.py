"""Signs of change and of clicking through: numbers beside what is usual, never a verdict on a person."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats
from analysis.intervals import Undefined, Value, Why, add_by_cluster, divide, linearize
from analysis.ranking import holm_adjust, is_distinguishable, paired_difference, students_p_value
from annotation.quality.rules.figures import FEWEST, Figure, share
from annotation.quality.rules.votes import NONE, Integers, Work

SEED = 20_241
SHUFFLES = 200
# Where none of these is as long as what was found: so rare that a whole team of raters may be looked at.
MORE_SHUFFLES = 10_000
# Of the time that is usual in the project.
FAST_SHARE = 1 / 3
# Less than it takes to look at a line of text, whatever is usual.
SHORTEST_SECONDS = 0.2
# One vote in five.
MANY = 0.2
UNUSUAL = 0.05

NOT_TIMED = "No time was measured."
NOTHING_TO_COMPARE = "None of these answers was decided without this annotator’s vote."
NOBODY_ELSE = "Nobody else has judged these answers."
ORDER_UNKNOWN = "The file these votes came from does not say in which order they were given."


@dataclass(frozen=True)
class Pace:
    """An annotator’s time per answer.

    `median_seconds`: null if no time was measured. `usual_seconds`: the median of all annotators’ medians.
    `fast`: the share of answers judged in under a third of the usual time, or in under 0.2 seconds.
    """

    median_seconds: float | None
    usual_seconds: float | None
    fast: Figure


@dataclass(frozen=True)
class Run:
    """The longest run of one label, compared with the same votes in random orders.

    `usual`: the median length of the longest run in random orders. `high`: the 97.5th percentile of that
    length. `p_value`: how often a random order has a run at least this long.
    """

    label: str
    longest: int
    usual: float
    high: int
    p_value: float
    stands_out: bool = False


@dataclass(frozen=True)
class FirstLabel:
    """How often the annotator chose the protocol’s first label, and how often other annotators chose it for
    the same answers."""

    own: Figure
    others: Figure
    p_value: float | None
    stands_out: bool = False


@dataclass(frozen=True)
class Drift:
    """Agreement in the first and second halves of an annotator’s work.

    `p_value`: the probability of a difference at least this large by chance.
    """

    first: Figure
    last: Figure
    p_value: float | None
    stands_out: bool = False


UNORDERED = Figure(None, None, None, ORDER_UNKNOWN)
NO_ORDER = Drift(UNORDERED, UNORDERED, None)


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


def measure_pace(seconds: Floats, *, usual: float | None, questions: Integers) -> Pace:
    """Return how fast a rater works; the time of a sheet is shared equally among its answers."""
    is_measured = ~np.isnan(seconds)
    times = seconds[is_measured]
    is_quick = times < max(SHORTEST_SECONDS, 0.0 if usual is None else FAST_SHARE * usual)
    return Pace(_median(times), usual, share(is_quick, questions=questions[is_measured], nothing=NOT_TIMED))


def longest_run(labels: Integers) -> tuple[int, int]:
    """Return the label of the longest run, of equally long ones the first, and its length; 0 of nothing."""
    if not len(labels):
        return NONE, 0
    bounds = np.concatenate([[0], np.flatnonzero(labels[1:] != labels[:-1]) + 1, [len(labels)]])
    lengths = np.diff(bounds)
    place = int(lengths.argmax())
    return int(labels[bounds[place]]), int(lengths[place])


def measure_run(
    given: Integers, *, questions: Integers, labels: Sequence[str], seed: int = SEED
) -> Run | None:
    """Compare the longest run with those of the same votes with their questions in random orders.

    given: places in `labels`, in the order of work. questions: of each vote; its votes stay together, since
    answers to one question are alike more often than others. None with too few votes.
    """
    if len(given) < FEWEST:
        return None
    label, longest = longest_run(given)
    # In the smallest type that holds them the same shuffles take half the time.
    numbers = given.astype(np.min_scalar_type(len(labels)))
    _, own = np.unique(questions, return_inverse=True)
    shuffled = _shuffle(numbers.tobytes(), numbers.dtype.str, own.tobytes(), seed, SHUFFLES)
    high = shuffled[int((1 - UNUSUAL / 2) * SHUFFLES)]
    if longest > shuffled[-1]:
        shuffled = _shuffle(numbers.tobytes(), numbers.dtype.str, own.tobytes(), seed, MORE_SHUFFLES)
    at_least = sum(length >= longest for length in shuffled)
    return Run(labels[label], longest, median(shuffled), high, (at_least + 1) / (len(shuffled) + 1))


# Nearly all the work: of a project's raters a new vote changes one.
@lru_cache(maxsize=16)
def _shuffle(numbers: bytes, kind: str, questions: bytes, seed: int, count: int) -> tuple[int, ...]:
    """Return the longest runs of these numbers with their questions in random orders, sorted."""
    generator = np.random.default_rng(seed)
    given, own = np.frombuffer(numbers, dtype=kind), np.frombuffer(questions, dtype=np.int64)
    size = int(own.max(initial=-1)) + 1
    orders = (np.argsort(generator.permutation(size)[own], kind="stable") for _ in range(count))
    return tuple(sorted(longest_run(given[order])[1] for order in orders))


def measure_first_label(work: Work) -> FirstLabel:
    """Compare how often a rater gives the first label with the others on the same answers."""
    questions, is_first = work.votes.questions, work.votes.labels == 0
    own = share(is_first, questions=questions, nothing=NOTHING_TO_COMPARE)
    firsts, totals = work.others[:, :1].sum(axis=1), work.others.sum(axis=1)
    others = share(firsts, totals, questions=questions, nothing=NOBODY_ELSE)
    if own.value is None or others.value is None:
        return FirstLabel(own, others, None)
    found = paired_difference(
        first=is_first.astype(np.float64),
        second=divide(firsts.astype(np.float64), totals.astype(np.float64)),
        clusters=questions.astype(np.int64),
    )
    # A rater who gives it less often than others has no sign.
    is_more = not isinstance(found.difference, Undefined) and found.difference > 0
    return FirstLabel(own, others, _known(found.p_value) if is_more else 1.0)


def _known(p_value: Value) -> float | None:
    return None if isinstance(p_value, Undefined) else p_value


def is_fast(pace: Pace) -> bool:
    """Whether many answers took less than a third of the usual time."""
    return pace.fast.value is not None and pace.fast.value >= MANY


def measure_drift(agreed: Flags, *, questions: Integers) -> Drift:
    """Compare a rater's first half of the work with the last, by Student's t over questions."""
    middle = len(agreed) // 2
    is_first = np.arange(len(agreed)) < middle
    first, last = (
        share(agreed[half], questions=questions[half], nothing=NOTHING_TO_COMPARE)
        for half in (is_first, ~is_first)
    )
    if first.value is None or last.value is None:
        return Drift(first, last, None)
    columns = [agreed & is_first, is_first, agreed & ~is_first, ~is_first]
    sums = add_by_cluster(
        sums=np.column_stack(columns).astype(np.float64), clusters=questions.astype(np.int64)
    )
    found = linearize(sums=sums, figures=_drift)
    p_value = students_p_value(value=float(found.values[0]), error=float(found.errors[0]), clusters=len(sums))
    return Drift(first, last, _known(p_value))


def _drift(counts: Floats) -> Floats:
    means = divide(counts[..., 0::2], counts[..., 1::2])
    return np.asarray(means[..., 1:] - means[..., :1])


class Found(NamedTuple):
    """The signs of one rater that a test speaks for."""

    run: Run | None
    first_label: FirstLabel
    drift: Drift


def mark_signs(found: Sequence[Found]) -> list[Found]:
    """Mark what stands out when all signs of all raters are looked at: p corrected by Holm below .05.

    Uncorrected, an honest rater has a sign in one case of ten, and a team of twenty always somebody.
    """
    p_values = [sign.p_value if sign else None for each in found for sign in each]
    adjusted = iter(
        holm_adjust([Undefined(Why.NO_VALUE) if p_value is None else p_value for p_value in p_values])
    )
    marked = []
    for run, first_label, drift in found:
        is_run, is_first, is_drift = (is_distinguishable(next(adjusted)) for _ in Found._fields)
        marked.append(
            Found(
                run and replace(run, stands_out=is_run),
                replace(first_label, stands_out=is_first),
                replace(drift, stands_out=is_drift),
            )
        )
    return marked
