"""How far a system's score by one way of judging lies above its score by another, and how sure that is."""

import math
from typing import NamedTuple

import numpy as np

from analysis.figures import Interval, Undefined, Value, Why
from analysis.intervals import (
    ROUNDING,
    Scale,
    divide,
    linearize,
    students_interval,
)
from analysis.ranking import Table
from judges.comparison.rules.study.arrays import Floats


class Gain(NamedTuple):
    """The later score minus the earlier, and the same as a share of the earlier; intervals are of 95 %."""

    difference: Value
    interval: Interval | Undefined
    relative: Value
    relative_interval: Interval | Undefined


# Two more questions, on which the scores differ either way, of the weight with which 20 to 300 cover 95 %.
EITHER_WAY = 0.6 * np.array([[0.0, 1.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0]])


def bound_gains(before: Table, after: Table) -> list[Gain]:
    """Bound what each system gains from one way of judging to another, over questions.

    Each is over the questions that both ways have judged: scores of different questions are no step from one
    to the other. It is the difference of `analysis.ranking.paired_differences`. Intervals between verdicts
    are those of the study with parts of two more questions, on which the two differ either way (after Bonett
    and Price 2012): without these they cover 93 % at 50 to 100 questions.
    """
    are_verdicts = before.is_verdict and after.is_verdict
    return [
        _bound(before.of(place), after.of(place), are_verdicts=are_verdicts)
        for place in range(len(before.scores))
    ]


def _bound(before: tuple[Floats, float], after: tuple[Floats, float], *, are_verdicts: bool) -> Gain:
    (first, before_variance), (second, after_variance) = before, after
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = np.where(both, first, np.nan), np.where(both, second, np.nan)
    columns = [part for scores in (first, second) for part in (np.nan_to_num(scores), ~np.isnan(scores))]
    sums = np.column_stack(columns).astype(np.float64)
    sums = sums[sums.any(axis=1)]
    earlier, later = _means(sums.sum(axis=0)).tolist()
    clusters = min(int(sums[:, 1].sum()), int(sums[:, 3].sum()))

    def figures(counts: Floats) -> Floats:
        means = _means(counts)
        return np.stack([means[..., 1] - means[..., 0], divide(means[..., 1], means[..., 0])], axis=-1)

    found = linearize(sums=sums, figures=figures, clusters=[clusters] * 2)
    if are_verdicts and found.errors[0] > ROUNDING:
        sums = np.vstack([sums, EITHER_WAY])
        found = linearize(sums=sums, figures=figures, clusters=[clusters] * 2)
    start, end = _means(sums.sum(axis=0)).tolist()
    error, share_error = found.errors.tolist()
    error = math.sqrt(error**2 + before_variance + after_variance)
    if start:
        # By the delta method, for their ratio.
        of_ratio = after_variance / start**2 + before_variance * end**2 / start**4
        share_error = math.sqrt(share_error**2 + of_ratio)
    interval = students_interval(value=end - start, error=error, clusters=clusters, scale=Scale.DIFFERENCE)
    share = students_interval(
        value=end / start if start else math.nan, error=share_error, clusters=clusters, scale=Scale.MULTIPLE
    )
    if isinstance(share, Interval):
        share = Interval(share.low - 1.0, share.high - 1.0)
    return _gain(earlier, later, interval, share)


def _means(counts: Floats) -> Floats:
    means: Floats = divide(counts[..., 0::2], counts[..., 1::2])
    return means


def _gain(before: float, after: float, interval: Interval | Undefined, share: Interval | Undefined) -> Gain:
    difference = float(after - before)
    if np.isnan(difference):
        nothing = Undefined(Why.NOTHING_COUNTED)
        return Gain(nothing, nothing, nothing, nothing)
    if before == 0:
        nothing = Undefined(Why.STARTS_FROM_ZERO)
        return Gain(difference, interval, nothing, nothing)
    return Gain(difference, interval, float(difference / before), share)
