"""How far a system's score by one way of judging lies above its score by another, and how sure that is."""

from typing import NamedTuple

import numpy as np

from analysis.intervals import (
    NO_ROWS,
    Interval,
    divide,
    percentile_intervals,
    resample_sums,
)
from analysis.undefined import Undefined, Value
from judges.comparison.rules.study.arrays import Floats
from judges.comparison.rules.study.resampling import RESAMPLES, SEED

STARTS_FROM_ZERO = "The score it starts from is zero."


class Means(NamedTuple):
    """Each system's score over the questions where it has one, and in every resample of all questions.

    questions: how many these are. values: a system each, NaN without questions. drawn: resamples × systems.
    """

    questions: list[int]
    values: Floats
    drawn: Floats


class Gain(NamedTuple):
    """The later score minus the earlier, and the same as a share of the earlier; intervals are of 95 %."""

    difference: Value
    interval: Interval | Undefined
    relative: Value
    relative_interval: Interval | Undefined


def draw_means(scores: Floats) -> Means:
    """Average systems × questions, NaN = no score, over all questions and over 1,000 resamples of them.

    The draws depend on the number of questions alone, so that the means of several tables go together.
    """
    has_score = ~np.isnan(scores)
    sums = np.vstack([np.nan_to_num(scores), has_score]).T
    if not len(sums):
        nothing = np.full((RESAMPLES, len(scores)), np.nan)
        return Means([0] * len(scores), nothing[0], nothing)
    drawn = resample_sums(sums=sums, seed=SEED, resamples=RESAMPLES)
    return Means(
        questions=has_score.sum(axis=1).tolist(),
        values=divide(*np.split(sums.sum(axis=0), 2)),
        drawn=divide(*np.split(drawn, 2, axis=1)),
    )


def bound_gains(before: Means, after: Means) -> list[Gain]:
    """Bound what each system gains from one way of judging to another, over questions.

    Each score is of the questions that its way of judging has; where these are the same the difference is
    that of `analysis.comparing.paired_differences`.
    Source: Efron and Tibshirani 1993, section 13.3 (percentile interval).
    """
    clusters = [min(each) for each in zip(before.questions, after.questions, strict=True)]
    differences = after.drawn - before.drawn
    intervals = percentile_intervals(values=differences, clusters=clusters)
    shares = percentile_intervals(values=divide(differences, before.drawn), clusters=clusters)
    return [_gain(*each) for each in zip(before.values, after.values, intervals, shares, strict=True)]


def _gain(before: float, after: float, interval: Interval | Undefined, share: Interval | Undefined) -> Gain:
    difference = float(after - before)
    if np.isnan(difference):
        nothing = Undefined(NO_ROWS)
        return Gain(nothing, nothing, nothing, nothing)
    if before == 0:
        nothing = Undefined(STARTS_FROM_ZERO)
        return Gain(difference, interval, nothing, nothing)
    return Gain(difference, interval, float(difference / before), share)
