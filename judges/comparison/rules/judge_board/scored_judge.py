"""A judge that gives scores: what other lines through them would do, and whether they are probabilities."""

from typing import NamedTuple

import numpy as np

from analysis.calibration import (
    BINS,
    CrossValidated,
    ReliabilityBin,
    area_under_roc,
    average_precision,
    best_threshold,
    choose_points,
    compare_calibration,
    cross_validate,
    measure_reliability,
    number_bins,
    roc_area_interval,
    sweep_thresholds,
)
from analysis.figures import Interval, Undefined, Value, Why
from analysis.intervals import add_by_cluster
from analysis.ranking import PairedDifference, paired_difference
from analysis.sampling import bound_ratios
from judges.comparison.rules.boards import SEED
from judges.comparison.rules.study import Flags, Floats, Integers

MOST_POINTS = 200


class Line(NamedTuple):
    """What accepting from a threshold on does; `threshold` is None where none is known."""

    threshold: float | None
    true_positive: float
    false_positive: float


class BoundBin(NamedTuple):
    """A bin of the reliability diagram; interval: of the share people accept."""

    found: ReliabilityBin
    interval: Interval | Undefined


class Calibration(NamedTuple):
    """Stated probabilities beside the share that is right; error: expected calibration error.

    by_chance: the error that a judge has on average here whose probabilities are right. p_value: how often
    such a judge has at least this one. The error itself is never negative, so it has no interval.
    """

    bins: list[BoundBin]
    error: Value
    by_chance: Value
    p_value: Value


class ScoredJudge(NamedTuple):
    """Answers: decided ones with a verdict and a score; rows: what they stand for; positives: people accept.

    chosen: by the verdicts as they are. best: on these very rows, so it flatters. gain: accuracy by lines
    chosen on other questions minus that of the verdicts; other_thresholds: the least and largest of those.
    """

    answers: int
    rows: float
    positives: float
    roc_area: Value
    roc_interval: Interval | Undefined
    average_precision: Value
    points: list[Line]
    chosen: Line
    best: Line
    other_thresholds: Interval | Undefined
    gain: PairedDifference
    calibration: Calibration


class ScoredRows(NamedTuple):
    """A value a row; scores without NaN, accepted: the verdict, weights: how many rows it stands for."""

    scores: Floats
    accepted: Flags
    correct: Flags
    questions: Integers
    weights: Floats


def measure_scores(rows: ScoredRows, *, threshold: float | None, is_probability: bool) -> ScoredJudge:
    """Sweep a judge's scores; threshold: where its verdicts draw the line, if that is known."""
    scores, accepted, correct, questions, weights = rows
    sweep = sweep_thresholds(scores=scores, correct=correct, weights=weights)
    best = best_threshold(sweep)
    others = cross_validate(scores=scores, correct=correct, clusters=questions, seed=SEED, weights=weights)
    points = choose_points(sweep, most=MOST_POINTS).tolist() if len(scores) else []
    return ScoredJudge(
        answers=len(scores),
        rows=float(weights.sum()),
        positives=sweep.positives,
        roc_area=area_under_roc(sweep),
        roc_interval=roc_area_interval(scores=scores, correct=correct, clusters=questions, weights=weights),
        average_precision=average_precision(sweep),
        points=[
            Line(
                *(
                    float(column[at])
                    for column in (sweep.thresholds, sweep.true_positive, sweep.false_positive)
                )
            )
            for at in points
        ],
        chosen=Line(
            threshold,
            float(weights[accepted & correct].sum()),
            float(weights[accepted & ~correct].sum()),
        ),
        best=Line(_finite(best.threshold), best.true_positive, best.false_positive),
        other_thresholds=_range(others),
        gain=_gain(rows, others),
        calibration=_calibrate(rows, is_probability=is_probability),
    )


def _finite(threshold: float) -> float | None:
    return threshold if np.isfinite(threshold) else None


def _range(others: CrossValidated | Undefined) -> Interval | Undefined:
    if isinstance(others, Undefined):
        return others
    finite = others.thresholds[np.isfinite(others.thresholds)]
    if not len(finite):
        return Undefined(Why.ACCEPTS_NOTHING)
    return Interval(float(finite.min()), float(finite.max()))


def _gain(rows: ScoredRows, others: CrossValidated | Undefined) -> PairedDifference:
    if isinstance(others, Undefined):
        return PairedDifference(len(rows.scores), others, others, others)
    # So that the mean is that of the rows they stand for.
    weights = rows.weights / rows.weights.mean()
    return paired_difference(
        first=(others.accepted == rows.correct) * weights,
        second=(rows.accepted == rows.correct) * weights,
        clusters=rows.questions,
    )


def _calibrate(rows: ScoredRows, *, is_probability: bool) -> Calibration:
    if not is_probability:
        none = Undefined(Why.NOT_PROBABILITIES)
        return Calibration([], none, none, none)
    found = measure_reliability(probabilities=rows.scores, correct=rows.correct, weights=rows.weights)
    if isinstance(found.calibration_error, Undefined):
        none = found.calibration_error
        return Calibration([], none, none, none)
    counts, stated, right = np.split(_sum_bins(rows), 3, axis=1)
    bounds = bound_ratios(parts=right, wholes=counts)
    bins = [BoundBin(each, bounds[round(each.low * BINS)]) for each in found.bins]
    test = compare_calibration(gaps=right - stated, rows=float(rows.weights.sum()), seed=SEED)
    return Calibration(bins, found.calibration_error, test.by_chance, test.p_value)


def _sum_bins(rows: ScoredRows) -> Floats:
    """Return questions × (3 · bins): rows, sums of probabilities, right rows of each bin."""
    which = (number_bins(rows.scores)[:, np.newaxis] == np.arange(BINS)) * rows.weights[:, np.newaxis]
    sums = np.hstack([which, which * rows.scores[:, np.newaxis], which * rows.correct[:, np.newaxis]])
    return add_by_cluster(sums=sums, clusters=rows.questions)
