"""Where to draw the line through a judge's scores, said honestly, and how sure the area under its ROC is."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.calibration import ThresholdSweep, area_under_roc, average_precision, sweep_thresholds
from analysis.intervals import (
    LEVEL,
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Draws,
    Interval,
    Scale,
    divide,
    draw_clusters,
    students_interval,
)
from analysis.undefined import Undefined

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

    thresholds: NDArray[np.float64]
    accepted: NDArray[np.bool_]


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
    *,
    scores: NDArray[np.float64],
    correct: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    seed: int,
    folds: int = FOLDS,
    weights: NDArray[np.float64] | None = None,
) -> CrossValidated | Undefined:
    """Judge each row by the best line of the other folds; a cluster, such as a question, is in one fold.

    scores: no NaN. With fewer clusters than folds each is a fold of its own. Source: Stone 1974.
    """
    names, numbers = np.unique(clusters, return_inverse=True)
    if len(names) < SMALLEST_CLUSTER_COUNT:
        return Undefined(TOO_FEW_CLUSTERS)
    folds = min(folds, len(names))
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
    *,
    scores: NDArray[np.float64],
    correct: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    level: float = LEVEL,
    weights: NDArray[np.float64] | None = None,
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
        return Undefined(TOO_FEW_CLUSTERS)
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
    return students_interval(
        value=area, error=variance**0.5, clusters=len(names), scale=Scale.SHARE, level=level
    )


def average_precision_interval(
    *,
    scores: NDArray[np.float64],
    correct: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    seed: int,
    resamples: int,
    weights: NDArray[np.float64] | None = None,
) -> Interval | Undefined:
    """Bound the average precision, 95 %, by its standard error in resamples of whole clusters.

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
        return Undefined(TOO_FEW_CLUSTERS)
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

    clusters: NDArray[np.int64]
    weights: NDArray[np.float64]
    right_rows: NDArray[np.int64]
    ends: NDArray[np.int64]
    last_right: NDArray[np.int64]


def _sweep_rows(
    scores: NDArray[np.float64],
    *,
    correct: NDArray[np.bool_],
    clusters: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> _Swept:
    right_rows = np.flatnonzero(correct)
    ends, counts = np.unique(
        np.searchsorted(-scores, -scores[right_rows], side="right") - 1, return_counts=True
    )
    return _Swept(clusters, weights, right_rows, ends, np.cumsum(counts) - 1)


def _weighted_precision(swept: _Swept, drawn: Draws) -> NDArray[np.float64]:
    """Return the average precision of each resample."""
    # Rows × resamples: running down the rows, one resample beside the other, is twice as fast as across.
    weights = np.ascontiguousarray(drawn.T).astype(np.float64)[swept.clusters]
    weights *= swept.weights[:, np.newaxis]
    accepted = np.add.accumulate(weights, axis=0)[swept.ends]
    right = np.add.accumulate(weights[swept.right_rows], axis=0)[swept.last_right]
    precision = np.nan_to_num(divide(right, accepted))
    return divide((np.diff(right, axis=0, prepend=0.0) * precision).sum(axis=0), right[-1])


def _share_below(
    scores: NDArray[np.float64], others: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each score the weighted share of others below it, ties half."""
    order = np.argsort(others, kind="stable")
    ordered, upto = others[order], np.concatenate([[0.0], np.cumsum(weights[order])])
    below, equal = np.searchsorted(ordered, scores, "left"), np.searchsorted(ordered, scores, "right")
    found: NDArray[np.float64] = (upto[below] + upto[equal]) / (2.0 * upto[-1])
    return found
