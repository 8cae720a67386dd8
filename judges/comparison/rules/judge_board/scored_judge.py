"""A judge that gives scores: what other lines through them would do, and whether they are probabilities."""

from typing import NamedTuple

import numpy as np

from analysis.calibration import (
    BINS,
    ReliabilityBin,
    area_under_roc,
    average_precision,
    choose_points,
    measure_reliability,
    number_bins,
    sweep_thresholds,
)
from analysis.comparing import PairedDifference, paired_difference
from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    add_by_cluster,
    divide,
    percentile_interval,
    resample_sums,
)
from analysis.shares import bound_shares
from analysis.thresholds import CrossValidated, best_threshold, cross_validate, roc_area_interval
from analysis.undefined import Undefined, Value
from judges.comparison.rules.study.arrays import Flags, Floats, Integers
from judges.comparison.rules.study.resampling import RESAMPLES, SEED

MOST_POINTS = 200
NOT_PROBABILITIES = "This judge's scores are no probabilities."


class Line(NamedTuple):
    """What accepting from a threshold on does; `threshold` is None where none is known."""

    threshold: float | None
    true_positive: int
    false_positive: int


class BoundBin(NamedTuple):
    """A bin of the reliability diagram; interval: of the share people accept."""

    found: ReliabilityBin
    interval: Interval | Undefined


class Calibration(NamedTuple):
    """Stated probabilities beside the share that is right; error: expected calibration error."""

    bins: list[BoundBin]
    error: Value
    interval: Interval | Undefined


class ScoredJudge(NamedTuple):
    """Rows: decided answers with a verdict and a score; positives: of these, those people accept.

    chosen: by the verdicts as they are. best: on these very rows, so it flatters. gain: accuracy by lines
    chosen on other questions minus that of the verdicts; other_thresholds: the least and largest of those.
    """

    rows: int
    positives: int
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
    """A value a row; scores without NaN, accepted: the verdict."""

    scores: Floats
    accepted: Flags
    correct: Flags
    questions: Integers


def measure_scores(rows: ScoredRows, *, threshold: float | None, is_probability: bool) -> ScoredJudge:
    """Sweep a judge's scores; threshold: where its verdicts draw the line, if that is known."""
    scores, accepted, correct, questions = rows
    sweep = sweep_thresholds(scores=scores, correct=correct)
    best = best_threshold(sweep)
    others = cross_validate(scores=scores, correct=correct, clusters=questions, seed=SEED)
    points = choose_points(sweep, most=MOST_POINTS).tolist() if len(scores) else []
    return ScoredJudge(
        rows=len(scores),
        positives=sweep.positives,
        roc_area=area_under_roc(sweep),
        roc_interval=roc_area_interval(scores=scores, correct=correct, clusters=questions),
        average_precision=average_precision(sweep),
        points=[
            Line(float(sweep.thresholds[at]), int(sweep.true_positive[at]), int(sweep.false_positive[at]))
            for at in points
        ],
        chosen=Line(threshold, int((accepted & correct).sum()), int((accepted & ~correct).sum())),
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
        return Undefined("Accepting nothing is best on most questions.")
    return Interval(float(finite.min()), float(finite.max()))


def _gain(rows: ScoredRows, others: CrossValidated | Undefined) -> PairedDifference:
    if isinstance(others, Undefined):
        return PairedDifference(len(rows.scores), others, others, others)
    return paired_difference(
        first=(others.accepted == rows.correct).astype(np.float64),
        second=(rows.accepted == rows.correct).astype(np.float64),
        clusters=rows.questions,
        seed=SEED,
        resamples=RESAMPLES,
    )


def _calibrate(rows: ScoredRows, *, is_probability: bool) -> Calibration:
    if not is_probability:
        return Calibration([], Undefined(NOT_PROBABILITIES), Undefined(NOT_PROBABILITIES))
    found = measure_reliability(probabilities=rows.scores, correct=rows.correct)
    if isinstance(found.calibration_error, Undefined):
        return Calibration([], found.calibration_error, found.calibration_error)
    few: Interval | Undefined = Undefined(TOO_FEW_CLUSTERS)
    if len(np.unique(rows.questions)) < SMALLEST_CLUSTER_COUNT:
        return Calibration([BoundBin(each, few) for each in found.bins], found.calibration_error, few)
    sums = _sum_bins(rows)
    drawn = resample_sums(sums=sums, seed=SEED, resamples=RESAMPLES)
    counts, stated, right = np.split(drawn, 3, axis=1)
    shares, means = divide(right, counts), divide(stated, counts)
    gaps = np.nansum(counts * np.abs(shares - means), axis=1) / counts.sum(axis=1)
    own, _, own_right = np.split(sums, 3, axis=1)
    bounds = bound_shares(
        values=shares, parts=own_right, wholes=own, clusters=np.count_nonzero(own, axis=0).tolist()
    )
    bins = [BoundBin(each, bounds[round(each.low * BINS)]) for each in found.bins]
    return Calibration(bins, found.calibration_error, percentile_interval(values=gaps))


def _sum_bins(rows: ScoredRows) -> Floats:
    """Return questions × (3 · bins): rows, sums of probabilities, right rows of each bin."""
    which = number_bins(rows.scores)[:, np.newaxis] == np.arange(BINS)
    sums = np.hstack([which, which * rows.scores[:, np.newaxis], which & rows.correct[:, np.newaxis]])
    return add_by_cluster(sums=sums.astype(np.float64), clusters=rows.questions)
