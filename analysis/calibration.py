"""How well a judge's scores separate right from wrong, and whether its probabilities mean what they say."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.undefined import Undefined, Value

NO_SCORES = "No decided answer has a score of this judge."
ONE_CLASS = "People decided all scored answers alike, so scores cannot separate two classes."
NONE_CORRECT = "People accepted none of the scored answers, so recall is undefined."
NO_PROBABILITIES = "These scores are not all between 0 and 1, so they are no probabilities."
BINS = 10


class ThresholdSweep(NamedTuple):
    """Counts at every threshold "accept where score ≥ threshold", the highest threshold first.

    thresholds: the distinct scores, falling. true_positive, false_positive: accepted right and wrong rows.
    positives, negatives: all right and wrong rows, so recall is true_positive / positives, the false
    positive rate false_positive / negatives and precision true_positive / (both). Empty without rows.
    """

    thresholds: NDArray[np.float64]
    true_positive: NDArray[np.int64]
    false_positive: NDArray[np.int64]
    positives: int
    negatives: int


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


def sweep_thresholds(*, scores: NDArray[np.float64], correct: NDArray[np.bool_]) -> ThresholdSweep:
    """Count what every threshold would accept; rows without a score (NaN) are left out."""
    known = ~np.isnan(scores)
    scores, correct = scores[known], correct[known]
    order = np.argsort(-scores, kind="stable")
    scores, correct = scores[order], correct[order]
    # The last row of each run of equal scores: up to there the threshold accepts.
    ends = np.flatnonzero(np.append(np.diff(scores) != 0, np.ones(min(len(scores), 1), dtype=bool)))
    right = np.cumsum(correct)[ends]
    positives = int(correct.sum())
    return ThresholdSweep(
        thresholds=scores[ends],
        true_positive=right.astype(np.int64),
        false_positive=(ends + 1 - right).astype(np.int64),
        positives=positives,
        negatives=len(correct) - positives,
    )


def area_under_roc(sweep: ThresholdSweep) -> Value:
    """Area under recall over false positive rate: how often a right row outscores a wrong one, ties half.

    0 to 1, .5 = no separation. Source: Hanley and McNeil 1982.
    """
    if sweep.positives + sweep.negatives == 0:
        return Undefined(NO_SCORES)
    if sweep.positives == 0 or sweep.negatives == 0:
        return Undefined(ONE_CLASS)
    recall = np.concatenate([[0.0], sweep.true_positive / sweep.positives])
    false_rate = np.concatenate([[0.0], sweep.false_positive / sweep.negatives])
    return float((np.diff(false_rate) * (recall[1:] + recall[:-1]) / 2.0).sum())


def average_precision(sweep: ThresholdSweep) -> Value:
    """Sum of precision weighted by the recall that each threshold adds; 0 to 1.

    No interpolation between thresholds. Source: Davis and Goadrich 2006; as scikit-learn computes it.
    """
    if sweep.positives + sweep.negatives == 0:
        return Undefined(NO_SCORES)
    if sweep.positives == 0:
        return Undefined(NONE_CORRECT)
    precision = sweep.true_positive / (sweep.true_positive + sweep.false_positive)
    gained = np.diff(sweep.true_positive, prepend=0) / sweep.positives
    return float((precision * gained).sum())


def choose_points(sweep: ThresholdSweep, *, most: int) -> NDArray[np.int64]:
    """Choose at most `most` thresholds to draw, spread evenly over the rows, both ends among them."""
    count = len(sweep.thresholds)
    if count <= most:
        return np.arange(count, dtype=np.int64)
    accepted = sweep.true_positive + sweep.false_positive
    wanted = np.linspace(accepted[0], accepted[-1], most)
    return np.unique(np.searchsorted(accepted, wanted)).astype(np.int64)


def number_bins(probabilities: NDArray[np.float64], *, bin_count: int = BINS) -> NDArray[np.int64]:
    """Return the number of each probability's bin, from 0; one on a bound belongs to the lower bin."""
    edges = np.linspace(0.0, 1.0, bin_count + 1)
    return np.searchsorted(edges[1:-1], probabilities).astype(np.int64)


def measure_reliability(
    *, probabilities: NDArray[np.float64], correct: NDArray[np.bool_], bin_count: int = BINS
) -> Reliability:
    """Compare stated probabilities with the share that is right, in bins of equal width.

    probabilities: NaN = none, such rows are left out. Bins without rows are not returned.
    Source: expected calibration error after Naeini et al. 2015; Guo et al. 2017, eq. 3.
    """
    known = ~np.isnan(probabilities)
    probabilities, correct = probabilities[known], correct[known]
    if len(probabilities) == 0:
        return Reliability([], Undefined(NO_SCORES))
    if probabilities.min() < 0.0 or probabilities.max() > 1.0:
        return Reliability([], Undefined(NO_PROBABILITIES))
    edges = np.linspace(0.0, 1.0, bin_count + 1)
    bins = _fill_bins(number_bins(probabilities, bin_count=bin_count), probabilities, correct, edges)
    gaps = (one.rows * abs(one.correct_share - one.mean_probability) for one in bins)
    return Reliability(bins, sum(gaps) / len(probabilities))


def _fill_bins(
    numbers: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    correct: NDArray[np.bool_],
    edges: NDArray[np.float64],
) -> list[ReliabilityBin]:
    size = len(edges) - 1
    counts = np.bincount(numbers, minlength=size)
    stated = np.bincount(numbers, weights=probabilities, minlength=size)
    right = np.bincount(numbers, weights=correct, minlength=size)
    return [
        ReliabilityBin(
            low=float(edges[number]),
            high=float(edges[number + 1]),
            rows=int(counts[number]),
            mean_probability=float(stated[number] / counts[number]),
            correct_share=float(right[number] / counts[number]),
        )
        for number in np.flatnonzero(counts)
    ]
