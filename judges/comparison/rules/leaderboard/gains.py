"""How far a system's score by one way of judging lies above its score by another, and how sure that is."""

import math
from typing import NamedTuple

import numpy as np

from analysis.intervals import (
    NO_ROWS,
    Interval,
    Scale,
    divide,
    linearize,
    students_interval,
)
from analysis.undefined import Undefined, Value
from judges.comparison.rules.study.arrays import Floats

STARTS_FROM_ZERO = "The score it starts from is zero."


class Gain(NamedTuple):
    """The later score minus the earlier, and the same as a share of the earlier; intervals are of 95 %."""

    difference: Value
    interval: Interval | Undefined
    relative: Value
    relative_interval: Interval | Undefined


def bound_gains(
    before: Floats,
    after: Floats,
    *,
    before_variance: Floats | None = None,
    after_variance: Floats | None = None,
) -> list[Gain]:
    """Bound what each system gains from one way of judging to another, over questions.

    before, after: systems × questions, NaN = no score. Each score is of the questions that its way of judging
    has; where these are the same the difference is that of `analysis.comparing.paired_differences`.
    before_variance, after_variance: of each system's score by what an audit leaves unknown of it, 0 unless
    given: questions alone do not tell it.
    """
    nothing = np.zeros(len(before))
    unknown = (
        nothing if before_variance is None else before_variance,
        nothing if after_variance is None else after_variance,
    )
    return [_bound(*each) for each in zip(before, after, *unknown, strict=True)]


def _bound(before: Floats, after: Floats, before_variance: float, after_variance: float) -> Gain:
    columns = [part for scores in (before, after) for part in (np.nan_to_num(scores), ~np.isnan(scores))]
    sums = np.column_stack(columns).astype(np.float64)
    clusters = min(int(sums[:, 1].sum()), int(sums[:, 3].sum()))
    total = sums.sum(axis=0)
    earlier, later = (float(value) for value in divide(total[0::2], total[1::2]))

    def figures(counts: Floats) -> Floats:
        means = divide(counts[..., 0::2], counts[..., 1::2])
        return np.stack([means[..., 1] - means[..., 0], divide(means[..., 1], means[..., 0])], axis=-1)

    found = linearize(sums=sums[sums.any(axis=1)], figures=figures, clusters=[clusters] * 2)
    error, share_error = found.errors.tolist()
    error = math.sqrt(error**2 + before_variance + after_variance)
    if earlier:
        # By the delta method, for their ratio.
        of_ratio = after_variance / earlier**2 + before_variance * later**2 / earlier**4
        share_error = math.sqrt(share_error**2 + of_ratio)
    interval = students_interval(
        value=later - earlier, error=error, clusters=clusters, scale=Scale.DIFFERENCE
    )
    share = students_interval(
        value=later / earlier if earlier else math.nan,
        error=share_error,
        clusters=clusters,
        scale=Scale.MULTIPLE,
    )
    if isinstance(share, Interval):
        share = Interval(share.low - 1.0, share.high - 1.0)
    return _gain(earlier, later, interval, share)


def _gain(before: float, after: float, interval: Interval | Undefined, share: Interval | Undefined) -> Gain:
    difference = float(after - before)
    if np.isnan(difference):
        nothing = Undefined(NO_ROWS)
        return Gain(nothing, nothing, nothing, nothing)
    if before == 0:
        nothing = Undefined(STARTS_FROM_ZERO)
        return Gain(difference, interval, nothing, nothing)
    return Gain(difference, interval, float(difference / before), share)
