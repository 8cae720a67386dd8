"""A figure is a number with its interval, or the reason why there is none; and intervals of many kinds.

Around shares, means and any statistic of sums over questions. A statistic is linearized: by how much each
question moves it is its influence, the influences’ spread its standard error, and Student’s t with one degree
of freedom less than questions its reach, on a scale on which the statistic is nearly normal.
`tests/analysis/test_coverage.py` measures how often that holds.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import lru_cache
from statistics import NormalDist
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import Floats, Integers


class Why(StrEnum):
    """Why there is no number, or no interval of one; `common.figures` says each in words."""

    TOO_FEW_QUESTIONS = "too_few_questions"
    TOO_FEW_VALUES = "too_few_values"
    SAYS_NOTHING = "says_nothing"
    NEVER_VARIES = "never_varies"
    NO_VALUE = "no_value"
    NOTHING_COUNTED = "nothing_counted"
    NOTHING_SAMPLED = "nothing_sampled"
    NOT_BOTH = "not_both"
    NO_SCORED = "no_scored"
    NONE_ACCEPTED = "none_accepted"
    NONE_CORRECT = "none_correct"
    NONE_EITHER = "none_either"
    NONE_RIGHT = "none_right"
    NONE_WRONG = "none_wrong"
    NO_SCORES = "no_scores"
    ONE_CLASS = "one_class"
    OUTSIDE_ZERO_TO_ONE = "outside_zero_to_one"
    TOO_FEW_TO_TEST = "too_few_to_test"
    NO_TWO_VOTES = "no_two_votes"
    ONE_LABEL = "one_label"
    NOTHING_SHARED = "nothing_shared"
    TOO_FEW_SYSTEMS = "too_few_systems"
    ALL_TIED = "all_tied"
    NOT_ANSWERED = "not_answered"
    NONE_APART = "none_apart"
    TOO_MANY_PAIRS = "too_many_pairs"
    NO_SHARED_VOTES = "no_shared_votes"
    ONE_LABEL_SHARED = "one_label_shared"
    MODEL_BASED = "model_based"
    FEW_RATERS = "few_raters"
    NO_REPEATS = "no_repeats"
    FEW_REPEATS = "few_repeats"
    FEW_SHARED = "few_shared"
    ITSELF = "itself"
    NO_HUMAN = "no_human"
    HUMAN_NEVER_ERRS = "human_never_errs"
    CHOSEN_HERE = "chosen_here"
    NOT_PROBABILITIES = "not_probabilities"
    NOTHING_BESIDE_PEOPLE = "nothing_beside_people"
    NOTHING_DECIDED = "nothing_decided"
    NOTHING_DECIDED_HERE = "nothing_decided_here"
    NOT_ALL_DECIDED = "not_all_decided"
    NOT_AUDITED = "not_audited"
    NOT_RANKED = "not_ranked"
    STARTS_FROM_ZERO = "starts_from_zero"
    THE_FIRST = "the_first"
    FROM_A_FILE = "from_a_file"
    NOT_PAID = "not_paid"
    NOT_FINISHED = "not_finished"
    NO_RANKING = "no_ranking"
    NOT_ON_COMMON = "not_on_common"
    NO_COST_OF_PEOPLE = "no_cost_of_people"
    TAU_HAS_NONE = "tau_has_none"
    PEOPLE_THEMSELVES = "people_themselves"
    NO_BETTER_THAN_CHANCE = "no_better_than_chance"
    FEW_TO_REPLACE = "few_to_replace"
    THESE_RATERS = "these_raters"
    SAMPLE_CHOSEN = "sample_chosen"
    SAMPLE_OPEN = "sample_open"
    NOT_DRAWN = "not_drawn"
    FEW_LABELS = "few_labels"
    FEW_AUDITED = "few_audited"
    READS_PEOPLE = "reads_people"
    NOT_ALL_JUDGED = "not_all_judged"
    TOO_FEW_TO_PLAN = "too_few_to_plan"
    NO_JUDGE_OF_ALL = "no_judge_of_all"


@dataclass(frozen=True)
class Undefined:
    """Say why there is no number, where others return NaN."""

    why: Why


Value: TypeAlias = float | Undefined


class Interval(NamedTuple):
    """Both ends, in the unit of the statistic."""

    low: float
    high: float


@dataclass(frozen=True)
class Figure:
    """A value with its 95% interval from `low` to `high`.

    `why`: why there is no value, or no interval; null if both are there, or if no interval was requested.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    why: Why | None = None

    @classmethod
    def of(cls, value: Value, interval: Interval | Undefined | None = None) -> "Figure":
        """Return the figure of a statistic; no interval: it was not asked for."""
        if isinstance(value, Undefined):
            return cls(None, why=value.why)
        if isinstance(interval, Undefined):
            return cls(value, why=interval.why)
        return cls(value) if interval is None else cls(value, *interval)

    def within(self, interval: Interval | Undefined | None) -> "Figure":
        """Return the same number with its interval."""
        return self if self.value is None else Figure.of(self.value, interval)

    @property
    def number(self) -> Value:
        """The value, or why there is none."""
        if self.value is not None:
            return self.value
        assert self.why is not None
        return Undefined(self.why)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends, where there are any."""
        return None if self.low is None or self.high is None else (self.low, self.high)


def number_or_none(value: Value) -> float | None:
    """Return the number itself, or None where it is undefined (for JSON, which has no NaN)."""
    return None if isinstance(value, Undefined) else value


Draws: TypeAlias = NDArray[np.unsignedinteger[Any]]

LEVEL = 0.95
SMALLEST_CLUSTER_COUNT = 2
# Fewer values that are no verdicts lie too near each other too often.
SMALLEST_MEAN_COUNT = 10
# Sums of weights are not exact.
ROUNDING = 1e-9
# Bounds the memory of one block of resamples × clusters.
BLOCK_CELLS = 4_000_000
# Of clusters × counts that are moved at once: with its copies it fits a processor's cache.
_MOVED_CELLS = 200_000
# Draws of at most as many cells are kept, a byte each.
MOST_KEPT_CELLS = 16_000_000


# Twenty times less to twenty times more.
_WIDEST_MULTIPLE = math.log(20.0)
# By how much a question's weight is changed to see how it moves a statistic.
_STEP = 1e-3


class Scale(Enum):
    """On which scale a statistic is nearly normal, and between which bounds it lies.

    SHARE: 0 to 1, by Wilson's score equation. COEFFICIENT: at most 1, by the root of what it lacks.
    DIFFERENCE: as it is, cut off at -1 and 1. MULTIPLE: above 0, by its logarithm. FREE: as it is.
    """

    SHARE = auto()
    COEFFICIENT = auto()
    DIFFERENCE = auto()
    MULTIPLE = auto()
    FREE = auto()


class Linearized(NamedTuple):
    """values: a statistic each. errors: their standard errors. Both are NaN where undefined."""

    values: Floats
    errors: Floats


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, NaN where the denominator is zero (rounding errors of sums count as zero)."""
    defined = np.abs(denominator) > 1e-12
    return np.where(defined, numerator / np.where(defined, denominator, 1.0), np.nan)


def add_by_cluster(*, sums: Floats, clusters: Integers) -> Floats:
    """Add items × sums to clusters × sums; clusters are numbered as their sorted names are."""
    names, numbers = np.unique(clusters, return_inverse=True)
    flat = numbers.reshape(-1)
    columns = [np.bincount(flat, weights=column, minlength=len(names)) for column in sums.T]
    return np.column_stack(columns) if columns else np.zeros((len(names), 0))


def linearize(
    *,
    sums: Floats,
    figures: Callable[[Floats], Floats],
    clusters: Sequence[int] | None = None,
    doubts: Floats | None = None,
) -> Linearized:
    """Return statistics of clusters × counts, and their standard errors from what each cluster moves.

    figures: from … × counts to … × statistics, NaN = undefined. clusters: of each statistic, how many have a
    part in it; all unless told. An error is NaN where fewer than two have. doubts: further rows of counts
    that nobody saw, which move the errors and not the statistics.
    Source: infinitesimal jackknife (Jaeckel 1972; Efron and Tibshirani 1993, section 21.4), with the
    derivative taken numerically and n / (n - 1) as in the variance of a mean.
    """
    total = sums.sum(axis=0)
    values = np.atleast_1d(figures(total))
    squares = np.zeros(len(values))
    block = max(1, _MOVED_CELLS // max(sums.shape[1], 1))
    rows = sums if doubts is None else np.vstack([sums, doubts])
    for start in range(0, len(rows), block):
        moved = rows[start : start + block] * _STEP
        influences = (figures(total + moved) - figures(total - moved)) / (2 * _STEP)
        squares += np.square(influences.reshape(len(moved), -1)).sum(axis=0)
    counts = np.full(len(values), len(sums)) if clusters is None else np.array(clusters)
    return Linearized(values, standard_errors(squares=squares, counts=counts))


def standard_errors(*, squares: Floats, counts: Integers) -> Floats:
    """Return the roots of sums of squared influences by how many clusters they are of; NaN below two."""
    enough = counts >= SMALLEST_CLUSTER_COUNT
    factor = np.where(enough, counts / np.maximum(counts - 1.0, 1.0), np.nan)
    return np.asarray(np.sqrt(squares * factor))


def students_interval(*, value: float, error: float, clusters: int, scale: Scale) -> Interval | Undefined:
    """Bound a statistic by its standard error over so many clusters.

    Undefined with fewer than two, where the statistic is, and where it never varies. A share of 0 or 1 never
    does: see `analysis.sampling`.
    Source of SHARE: Wilson 1927 with the effective number of rows, value · (1 - value) / error² (Korn and
    Graubard 1998 say why), and Student's t for the normal quantile.
    """
    if clusters < SMALLEST_CLUSTER_COUNT:
        return Undefined(Why.TOO_FEW_QUESTIONS)
    if math.isnan(value) or math.isnan(error):
        return Undefined(Why.NO_VALUE)
    if error <= ROUNDING:
        return Undefined(Why.NEVER_VARIES)
    reach = students_quantile(clusters - 1, 0.5 + LEVEL / 2.0)
    return _BOUNDS[scale](value, error, reach)


@lru_cache(maxsize=4096)
def students_quantile(freedom: int, probability: float) -> float:
    """Return a quantile of Student's t."""
    # Loaded where it is first used: processes that need no interval start without SciPy.
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))


def _bound_share(value: float, error: float, reach: float) -> Interval | Undefined:
    if not 0.0 < value < 1.0:
        return Undefined(Why.NEVER_VARIES)
    rows = value * (1.0 - value) / error**2
    shrink = 1.0 + reach**2 / rows
    center = (value + reach**2 / (2.0 * rows)) / shrink
    half = reach / shrink * math.sqrt(value * (1.0 - value) / rows + reach**2 / (4.0 * rows * rows))
    return Interval(max(0.0, center - half), min(1.0, center + half))


def _bound_coefficient(value: float, error: float, reach: float) -> Interval | Undefined:
    if value >= 1.0:
        return Undefined(Why.NEVER_VARIES)
    lacks = math.sqrt(1.0 - value)
    half = reach * error / (2.0 * lacks)
    # No coefficient in use lies below -1.
    return Interval(max(-1.0, 1.0 - (lacks + half) ** 2), 1.0 - max(0.0, lacks - half) ** 2)


def _bound_difference(value: float, error: float, reach: float) -> Interval:
    return Interval(max(-1.0, value - reach * error), min(1.0, value + reach * error))


def _bound_multiple(value: float, error: float, reach: float) -> Interval | Undefined:
    if value <= 0.0:
        return Undefined(Why.NEVER_VARIES)
    half = reach * error / value
    if half > _WIDEST_MULTIPLE:
        return Undefined(Why.SAYS_NOTHING)
    return Interval(value * math.exp(-half), value * math.exp(half))


def _bound_free(value: float, error: float, reach: float) -> Interval:
    return Interval(value - reach * error, value + reach * error)


_BOUNDS: dict[Scale, Callable[[float, float, float], Interval | Undefined]] = {
    Scale.SHARE: _bound_share,
    Scale.COEFFICIENT: _bound_coefficient,
    Scale.DIFFERENCE: _bound_difference,
    Scale.MULTIPLE: _bound_multiple,
    Scale.FREE: _bound_free,
}


def students_intervals(
    *, found: Linearized, clusters: Sequence[int], scale: Scale
) -> list[Interval | Undefined]:
    """Return `students_interval` of each statistic; clusters: of each, over how many."""
    return [
        students_interval(value=value, error=error, clusters=count, scale=scale)
        for value, error, count in zip(found.values.tolist(), found.errors.tolist(), clusters, strict=True)
    ]


def draw_clusters(*, clusters: int, seed: int, resamples: int) -> Iterable[Draws]:
    """Return how often each cluster is drawn, block by block: resamples × clusters, to be read only."""
    is_small = clusters * resamples <= MOST_KEPT_CELLS
    return _kept_draws(clusters, seed, resamples) if is_small else _draws(clusters, seed, resamples)


@lru_cache(maxsize=2)
def _kept_draws(clusters: int, seed: int, resamples: int) -> tuple[Draws, ...]:
    # Drawing takes far longer than adding up, and pages resample the same number of questions many times.
    return tuple(_draws(clusters, seed, resamples))


def _draws(clusters: int, seed: int, resamples: int) -> Iterator[Draws]:
    """Yield how often each cluster is drawn, block by block: resamples × clusters."""
    generator = np.random.default_rng(seed)
    block = max(1, BLOCK_CELLS // clusters)
    for start in range(0, resamples, block):
        yield _draw(generator, clusters, min(block, resamples - start))


def _draw(generator: np.random.Generator, clusters: int, resamples: int) -> Draws:
    drawn = generator.integers(0, clusters, size=(resamples, clusters))
    drawn += np.arange(resamples)[:, np.newaxis] * clusters
    counts = np.bincount(drawn.reshape(-1), minlength=resamples * clusters)
    # The smallest type that holds them: nearly always a byte.
    return counts.reshape(resamples, clusters).astype(np.min_scalar_type(int(counts.max())))


def wilson_interval(*, successes: int, total: int) -> Interval | Undefined:
    """Bound a share of independent rows. Source: Wilson 1927; without continuity correction."""
    return _wilson(successes / total, total) if total else Undefined(Why.NOTHING_COUNTED)


def estimated_share_interval(*, share: float, total: int, variance: float) -> Interval | Undefined:
    """Bound a share of independent rows of which some are estimated: Wilson's, of so many fewer rows.

    variance: what estimating adds to that of the share itself; with none it is `wilson_interval`. The share
    that decides how many rows are left is drawn a little to one half, lest none or all be certain.
    Source: Korn and Graubard 1998 (effective sample size); Agresti and Coull 1998 (two of each added).
    """
    if total == 0:
        return Undefined(Why.NOTHING_COUNTED)
    drawn_in = (share * total + 2.0) / (total + 4.0)
    own = drawn_in * (1.0 - drawn_in)
    return _wilson(share, own / (own / total + variance))


def _wilson(share: float, total: float) -> Interval:
    z = NormalDist().inv_cdf(0.5 + LEVEL / 2.0)
    shrink = 1.0 + z * z / total
    center = (share + z * z / (2.0 * total)) / shrink
    reach = z / shrink * (share * (1.0 - share) / total + z * z / (4.0 * total * total)) ** 0.5
    # Rounding may push a bound past the share itself where that is 0 or 1.
    return Interval(max(0.0, min(center - reach, share)), min(1.0, max(center + reach, share)))


def clopper_pearson_interval(*, successes: float, total: float, level: float = LEVEL) -> Interval | Undefined:
    """Bound a share exactly: the interval covers it at least as often as `level` says, however few the rows.

    For rows drawn without replacement from a finite number of them it is wider than it need be, never
    narrower. Of weighted rows both counts may be of as many equal rows as say as much (Korn and Graubard
    1998). Source: Clopper and Pearson 1934, by quantiles of the beta distribution.
    """
    if total == 0:
        return Undefined(Why.NOTHING_COUNTED)
    # Loaded where it is first used: processes that need no interval start without SciPy.
    from scipy.special import betaincinv

    tail = (1.0 - level) / 2.0
    misses = total - successes
    low = 0.0 if successes == 0 else float(betaincinv(successes, misses + 1, tail))
    high = 1.0 if misses == 0 else float(betaincinv(successes + 1, misses, 1.0 - tail))
    return Interval(low, high)


def confidence_sequence(
    *, successes: float, total: float, level: float = LEVEL, families: int = 1
) -> Interval | Undefined:
    """Bound a share of independent rows that are looked at again and again while they come.

    The bounds hold at all looks together with probability `level`, however many there are and whatever makes
    one stop. families: how many shares are watched of which some may be chosen for how they look, such as
    rules that may be undone: the bounds of all then hold together (Bonferroni). Of weighted rows both counts
    may be of as many equal rows as say as much.
    Source: mixture of Bernoulli likelihoods over a uniform prior (Robbins 1970; Howard et al. 2021, section
    3): by Ville's inequality the ratio of the mixture to the truth exceeds 1 / (1 - level) at no look.
    """
    if total == 0:
        return Undefined(Why.NOTHING_COUNTED)
    from scipy.optimize import brentq
    from scipy.special import betaln

    misses = total - successes
    mixture = float(betaln(successes + 1, misses + 1))
    # A whole number of any size has a logarithm.
    limit = math.log(families) - math.log1p(-level)

    def excess(share: float) -> float:
        likelihood = (successes * math.log(share) if successes else 0.0) + (
            misses * math.log1p(-share) if misses else 0.0
        )
        return mixture - likelihood - limit

    # A part of a row can leave an end open.
    found, edge = successes / total, 1e-12
    is_low_open, is_high_open = excess(edge) <= 0.0, excess(1.0 - edge) <= 0.0
    low = 0.0 if is_low_open else float(brentq(excess, edge, max(found, 2 * edge)))
    high = 1.0 if is_high_open else float(brentq(excess, min(found, 1.0 - 2 * edge), 1.0 - edge))
    return Interval(low, high)


def mean_interval(*, count: int, total: float, squares: float) -> Interval | Undefined:
    """Bound the mean of independent values between 0 and 1.

    total, squares: sums of the values and of their squares. Values that are all 0 or all 1 have the exact
    interval of a share, since the mean of other values would lie beyond none of its ends.
    """
    if count < SMALLEST_CLUSTER_COUNT:
        return Undefined(Why.TOO_FEW_QUESTIONS)
    mean = total / count
    if count < SMALLEST_MEAN_COUNT:
        return Undefined(Why.TOO_FEW_VALUES)
    if not ROUNDING < mean < 1.0 - ROUNDING:
        return clopper_pearson_interval(successes=round(total), total=count)
    variance = max(0.0, squares - count * mean * mean) / (count - 1)
    error = math.sqrt(variance / count)
    return students_interval(value=mean, error=error, clusters=count, scale=Scale.SHARE)
