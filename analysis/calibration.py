"""What a judge's scores say: how well they separate, if they are probabilities, where to draw the line."""

from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    Draws,
    Interval,
    Scale,
    Undefined,
    Value,
    Why,
    divide,
    draw_clusters,
    students_interval,
)

FEWEST_QUESTIONS = 20
BINS = 10
EDGES = np.linspace(0.0, 1.0, BINS + 1)
FLIPS = 1_000


class ThresholdSweep(NamedTuple):
    """Counts at every threshold "accept where score ≥ threshold", the highest threshold first.

    thresholds: the distinct scores, falling. true_positive, false_positive: accepted right and wrong rows.
    positives, negatives: all right and wrong rows, so recall is true_positive / positives, the false positive
    rate false_positive / negatives and precision true_positive / (both). Sums of weights where rows have
    some. Empty without rows.
    """

    thresholds: Floats
    true_positive: Floats
    false_positive: Floats
    positives: float
    negatives: float


class ReliabilityBin(NamedTuple):
    """Rows whose probability lies above `low` and up to `high` (the first bin holds 0, too)."""

    low: float
    high: float
    rows: int
    mean_probability: float
    correct_share: float


class Reliability(NamedTuple):
    """The bins that hold rows, and the expected calibration error, 0 to 1."""

    bins: list[ReliabilityBin]
    calibration_error: Value


class CalibrationTest(NamedTuple):
    """by_chance: the mean error of a judge whose probabilities are right. p_value: of being such a judge."""

    by_chance: Value
    p_value: Value


def sweep_thresholds(*, scores: Floats, correct: Flags, weights: Floats | None = None) -> ThresholdSweep:
    """Count what every threshold would accept, or add up weights; rows without a score (NaN) are left out."""
    known = ~np.isnan(scores)
    weights = np.ones(len(scores)) if weights is None else weights
    scores, correct, weights = scores[known], correct[known], weights[known]
    order = np.argsort(-scores, kind="stable")
    scores, correct, weights = scores[order], correct[order], weights[order]
    # The last row of each run of equal scores: up to there the threshold accepts.
    ends = np.flatnonzero(np.append(np.diff(scores) != 0, np.ones(min(len(scores), 1), dtype=bool)))
    return ThresholdSweep(
        thresholds=scores[ends],
        true_positive=np.cumsum(weights * correct)[ends],
        false_positive=np.cumsum(weights * ~correct)[ends],
        positives=float(weights[correct].sum()),
        negatives=float(weights[~correct].sum()),
    )


def area_under_roc(sweep: ThresholdSweep) -> Value:
    """Area under recall over false positive rate: how often a right row outscores a wrong one, ties half.

    0 to 1, .5 = no separation. Source: Hanley and McNeil 1982.
    """
    if sweep.positives + sweep.negatives == 0:
        return Undefined(Why.NO_SCORES)
    if sweep.positives == 0 or sweep.negatives == 0:
        return Undefined(Why.ONE_CLASS)
    recall = np.concatenate([[0.0], sweep.true_positive / sweep.positives])
    false_rate = np.concatenate([[0.0], sweep.false_positive / sweep.negatives])
    return float((np.diff(false_rate) * (recall[1:] + recall[:-1]) / 2.0).sum())


def average_precision(sweep: ThresholdSweep) -> Value:
    """Sum of precision weighted by the recall that each threshold adds; 0 to 1.

    No interpolation between thresholds. Source: Davis and Goadrich 2006; as scikit-learn computes it.
    """
    if sweep.positives + sweep.negatives == 0:
        return Undefined(Why.NO_SCORES)
    if sweep.positives == 0:
        return Undefined(Why.NONE_CORRECT)
    precision = sweep.true_positive / (sweep.true_positive + sweep.false_positive)
    gained = np.diff(sweep.true_positive, prepend=0) / sweep.positives
    return float((precision * gained).sum())


def choose_points(sweep: ThresholdSweep, *, most: int) -> Integers:
    """Choose at most `most` thresholds to draw, spread evenly over the rows, both ends among them."""
    count = len(sweep.thresholds)
    if count <= most:
        return np.arange(count, dtype=np.int64)
    accepted = sweep.true_positive + sweep.false_positive
    wanted = np.linspace(accepted[0], accepted[-1], most)
    return np.unique(np.searchsorted(accepted, wanted)).astype(np.int64)


def number_bins(probabilities: Floats) -> Integers:
    """Return the number of each probability's bin, from 0; one on a bound belongs to the lower bin."""
    return np.searchsorted(EDGES[1:-1], probabilities).astype(np.int64)


def measure_reliability(
    *, probabilities: Floats, correct: Flags, weights: Floats | None = None
) -> Reliability:
    """Compare stated probabilities with the share that is right, in bins of equal width.

    probabilities: NaN = none, such rows are left out. Bins without rows are not returned. weights: how many
    rows each one stands for.
    Source: expected calibration error after Naeini et al. 2015; Guo et al. 2017, eq. 3.
    """
    known = ~np.isnan(probabilities)
    weights = np.ones(len(known)) if weights is None else weights
    probabilities, correct, weights = probabilities[known], correct[known], weights[known]
    if len(probabilities) == 0:
        return Reliability([], Undefined(Why.NO_SCORES))
    if probabilities.min() < 0.0 or probabilities.max() > 1.0:
        return Reliability([], Undefined(Why.OUTSIDE_ZERO_TO_ONE))
    numbers = number_bins(probabilities)
    counts = np.bincount(numbers, minlength=BINS)
    sizes, stated, right = (
        np.bincount(numbers, weights=each, minlength=BINS)
        for each in (weights, weights * probabilities, weights * correct)
    )
    bins = [
        ReliabilityBin(
            low=float(EDGES[number]),
            high=float(EDGES[number + 1]),
            rows=int(counts[number]),
            mean_probability=float(stated[number] / sizes[number]),
            correct_share=float(right[number] / sizes[number]),
        )
        for number in np.flatnonzero(counts)
    ]
    gaps = (
        size * abs(one.correct_share - one.mean_probability)
        for size, one in zip(sizes[counts > 0], bins, strict=True)
    )
    return Reliability(bins, float(sum(gaps) / weights.sum()))


def compare_calibration(*, gaps: Floats, rows: float, seed: int) -> CalibrationTest:
    """Compare the expected calibration error with that of a judge whose probabilities are right.

    gaps: questions × bins, right rows minus the probabilities stated of them. If the probabilities are right,
    a question's gaps are as likely above as below zero: their signs are turned at random, question by
    question, 1,000 times. One is added to each count, so that p is never 0.
    Source: wild bootstrap with Rademacher weights (Liu 1988; Davidson and Flachaire 2008), by clusters.
    """
    if np.count_nonzero(gaps.any(axis=1)) < FEWEST_QUESTIONS:
        few = Undefined(Why.TOO_FEW_TO_TEST)
        return CalibrationTest(few, few)
    signs = np.random.default_rng(seed).integers(0, 2, size=(FLIPS, len(gaps))) * 2.0 - 1.0
    errors = np.abs(signs @ gaps).sum(axis=1) / rows
    found = np.abs(gaps.sum(axis=0)).sum() / rows
    at_least = int((errors >= found - 1e-12).sum())
    return CalibrationTest(float(errors.mean()), (at_least + 1) / (FLIPS + 1))


FOLDS = 10
# Bounds the memory of one block of resamples × rows.
BLOCK_CELLS = 800_000


class BestThreshold(NamedTuple):
    """The line with the most right rows; `threshold` is infinite where accepting nothing is best."""

    threshold: float
    true_positive: float
    false_positive: float


class CrossValidated(NamedTuple):
    """What lines chosen on other questions accept; thresholds: one a fold, accepted: one value a row."""

    thresholds: Floats
    accepted: Flags


def best_threshold(sweep: ThresholdSweep) -> BestThreshold:
    """Return the line that is right on most rows of the sweep, the highest of equal ones.

    Chosen on the rows it is counted on, it looks better than it will be; see `cross_validate`.
    """
    right = sweep.true_positive + sweep.negatives - sweep.false_positive
    if len(right) == 0 or right.max() <= sweep.negatives:
        return BestThreshold(float("inf"), 0, 0)
    place = int(right.argmax())
    return BestThreshold(
        float(sweep.thresholds[place]), float(sweep.true_positive[place]), float(sweep.false_positive[place])
    )


def cross_validate(
    *, scores: Floats, correct: Flags, clusters: Integers, seed: int, weights: Floats | None = None
) -> CrossValidated | Undefined:
    """Judge each row by the best line of the other folds; a cluster, such as a question, is in one fold.

    scores: no NaN. With fewer clusters than folds each is a fold of its own. Source: Stone 1974.
    """
    names, numbers = np.unique(clusters, return_inverse=True)
    if len(names) < SMALLEST_CLUSTER_COUNT:
        return Undefined(Why.TOO_FEW_QUESTIONS)
    folds = min(FOLDS, len(names))
    places = np.random.default_rng(seed).permutation(len(names)) % folds
    fold_of = places[numbers.reshape(-1)]
    weights = np.ones(len(scores)) if weights is None else weights
    others = [fold_of != fold for fold in range(folds)]
    thresholds = np.array(
        [
            best_threshold(
                sweep_thresholds(scores=scores[rest], correct=correct[rest], weights=weights[rest])
            ).threshold
            for rest in others
        ]
    )
    return CrossValidated(thresholds, scores >= thresholds[fold_of])


def roc_area_interval(
    *, scores: Floats, correct: Flags, clusters: Integers, weights: Floats | None = None
) -> Interval | Undefined:
    """Bound the area under ROC by its standard error, rows of one cluster taken together.

    Undefined where its standard error is zero, as that of scores that separate the rows.
    Source: Obuchowski 1997, eq. 5 to 8 (DeLong et al. 1988 where every cluster has one row).
    """
    weights = np.ones(len(scores)) if weights is None else weights
    area = area_under_roc(sweep_thresholds(scores=scores, correct=correct, weights=weights))
    if isinstance(area, Undefined):
        return area
    names, numbers = np.unique(clusters, return_inverse=True)
    if len(names) < SMALLEST_CLUSTER_COUNT:
        return Undefined(Why.TOO_FEW_QUESTIONS)
    excess = np.empty(len(scores))
    excess[correct] = _share_below(scores[correct], scores[~correct], weights[~correct]) - area
    excess[~correct] = 1.0 - _share_below(scores[~correct], scores[correct], weights[correct]) - area
    excess *= weights
    sides = [
        np.bincount(numbers.reshape(-1)[side], weights=excess[side], minlength=len(names))
        / weights[side].sum()
        for side in (correct, ~correct)
    ]
    variance = len(names) / (len(names) - 1) * float(np.square(sides[0] + sides[1]).sum())
    return students_interval(value=area, error=variance**0.5, clusters=len(names), scale=Scale.SHARE)


def average_precision_interval(
    *,
    scores: Floats,
    correct: Flags,
    clusters: Integers,
    seed: int,
    resamples: int,
    weights: Floats | None = None,
) -> Interval | Undefined:
    """Bound the average precision, 95%, by its standard error in resamples of whole clusters.

    Every row weighs as often as its cluster was drawn, times its own weight. Undefined where the average
    precision is, with fewer than two clusters, and where it never varies, as that of scores that separate the
    rows.
    """
    weights = np.ones(len(scores)) if weights is None else weights
    found = average_precision(sweep_thresholds(scores=scores, correct=correct, weights=weights))
    if isinstance(found, Undefined):
        return found
    order = np.argsort(-scores, kind="stable")
    names, numbers = np.unique(clusters[order], return_inverse=True)
    if len(names) < SMALLEST_CLUSTER_COUNT:
        return Undefined(Why.TOO_FEW_QUESTIONS)
    swept = _sweep_rows(
        scores[order], correct=correct[order], clusters=numbers.reshape(-1), weights=weights[order]
    )
    step = max(1, BLOCK_CELLS // len(scores))
    values = [
        _weighted_precision(swept, drawn[first : first + step])
        for drawn in draw_clusters(clusters=len(names), seed=seed, resamples=resamples)
        for first in range(0, len(drawn), step)
    ]
    # A resample of n varies by (n - 1) / n of what the rows do.
    drawn_error = float(np.nanstd(np.concatenate(values))) * (len(names) / (len(names) - 1)) ** 0.5
    return students_interval(value=found, error=drawn_error, clusters=len(names), scale=Scale.SHARE)


class _Swept(NamedTuple):
    """Rows with falling scores, of which the right ones alone add to recall.

    right_rows: places of the right rows. ends: for each score that a right row has, the last row that has it.
    last_right: for each of these the last right row, as a place of `right_rows`.
    """

    clusters: Integers
    weights: Floats
    right_rows: Integers
    ends: Integers
    last_right: Integers


def _sweep_rows(scores: Floats, *, correct: Flags, clusters: Integers, weights: Floats) -> _Swept:
    right_rows = np.flatnonzero(correct)
    ends, counts = np.unique(
        np.searchsorted(-scores, -scores[right_rows], side="right") - 1, return_counts=True
    )
    return _Swept(clusters, weights, right_rows, ends, np.cumsum(counts) - 1)


def _weighted_precision(swept: _Swept, drawn: Draws) -> Floats:
    """Return the average precision of each resample."""
    # Rows × resamples: running down the rows, one resample beside the other, is twice as fast as across.
    weights = np.ascontiguousarray(drawn.T).astype(np.float64)[swept.clusters]
    weights *= swept.weights[:, np.newaxis]
    accepted = np.add.accumulate(weights, axis=0)[swept.ends]
    right = np.add.accumulate(weights[swept.right_rows], axis=0)[swept.last_right]
    precision = np.nan_to_num(divide(right, accepted))
    return divide((np.diff(right, axis=0, prepend=0.0) * precision).sum(axis=0), right[-1])


def _share_below(scores: Floats, others: Floats, weights: Floats) -> Floats:
    """Return for each score the weighted share of others below it, ties half."""
    order = np.argsort(others, kind="stable")
    ordered, upto = others[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    below, equal = np.searchsorted(ordered, scores, "left"), np.searchsorted(ordered, scores, "right")
    found: Floats = (upto[below] + upto[equal]) / (2.0 * upto[-1])
    return found
