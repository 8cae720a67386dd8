"""How well a judge's scores separate right from wrong, and whether its probabilities mean what they say."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.undefined import Undefined, Value

NO_SCORES = "No decided answer has a score of this judge."
ONE_CLASS = "People decided all scored answers alike, so scores cannot separate two classes."
NONE_CORRECT = "People accepted none of the scored answers, so recall is undefined."
NO_PROBABILITIES = "These scores are not all between 0 and 1, so they are no probabilities."
TOO_FEW_QUESTIONS = "A test of calibration needs at least twenty questions."
FEWEST_QUESTIONS = 20
BINS = 10
FLIPS = 1_000


class ThresholdSweep(NamedTuple):
    """Counts at every threshold "accept where score ≥ threshold", the highest threshold first.

    thresholds: the distinct scores, falling. true_positive, false_positive: accepted right and wrong rows.
    positives, negatives: all right and wrong rows, so recall is true_positive / positives, the false positive
    rate false_positive / negatives and precision true_positive / (both). Sums of weights where rows have
    some. Empty without rows.
    """

    thresholds: NDArray[np.float64]
    true_positive: NDArray[np.float64]
    false_positive: NDArray[np.float64]
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


def sweep_thresholds(
    *,
    scores: NDArray[np.float64],
    correct: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
) -> ThresholdSweep:
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
    *,
    probabilities: NDArray[np.float64],
    correct: NDArray[np.bool_],
    bin_count: int = BINS,
    weights: NDArray[np.float64] | None = None,
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
        return Reliability([], Undefined(NO_SCORES))
    if probabilities.min() < 0.0 or probabilities.max() > 1.0:
        return Reliability([], Undefined(NO_PROBABILITIES))
    edges = np.linspace(0.0, 1.0, bin_count + 1)
    numbers = number_bins(probabilities, bin_count=bin_count)
    bins = _fill_bins(numbers, probabilities, correct, edges, weights)
    sizes = np.bincount(numbers, weights=weights, minlength=bin_count)
    sizes = sizes[np.bincount(numbers, minlength=bin_count) > 0]
    gaps = (
        size * abs(one.correct_share - one.mean_probability) for size, one in zip(sizes, bins, strict=True)
    )
    return Reliability(bins, float(sum(gaps) / weights.sum()))


def compare_calibration(*, gaps: NDArray[np.float64], rows: float, seed: int) -> CalibrationTest:
    """Compare the expected calibration error with that of a judge whose probabilities are right.

    gaps: questions × bins, right rows minus the probabilities stated of them. If the probabilities are right,
    a question's gaps are as likely above as below zero: their signs are turned at random, question by
    question, 1,000 times. One is added to each count, so that p is never 0.
    Source: wild bootstrap with Rademacher weights (Liu 1988; Davidson and Flachaire 2008), by clusters.
    """
    if np.count_nonzero(gaps.any(axis=1)) < FEWEST_QUESTIONS:
        few = Undefined(TOO_FEW_QUESTIONS)
        return CalibrationTest(few, few)
    signs = np.random.default_rng(seed).integers(0, 2, size=(FLIPS, len(gaps))) * 2.0 - 1.0
    errors = np.abs(signs @ gaps).sum(axis=1) / rows
    found = np.abs(gaps.sum(axis=0)).sum() / rows
    at_least = int((errors >= found - 1e-12).sum())
    return CalibrationTest(float(errors.mean()), (at_least + 1) / (FLIPS + 1))


def _fill_bins(
    numbers: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    correct: NDArray[np.bool_],
    edges: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> list[ReliabilityBin]:
    size = len(edges) - 1
    counts = np.bincount(numbers, minlength=size)
    sizes = np.bincount(numbers, weights=weights, minlength=size)
    stated = np.bincount(numbers, weights=weights * probabilities, minlength=size)
    right = np.bincount(numbers, weights=weights * correct, minlength=size)
    return [
        ReliabilityBin(
            low=float(edges[number]),
            high=float(edges[number + 1]),
            rows=int(counts[number]),
            mean_probability=float(stated[number] / sizes[number]),
            correct_share=float(right[number] / sizes[number]),
        )
        for number in np.flatnonzero(counts)
    ]
