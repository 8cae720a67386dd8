"""A judge that gives scores: what other lines through them would do, and whether they are probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.calibration import (
    BINS,
    CrossValidated,
    area_under_roc,
    average_precision,
    average_precision_interval,
    best_threshold,
    choose_points,
    compare_calibration,
    cross_validate,
    measure_reliability,
    number_bins,
    roc_area_interval,
    sweep_thresholds,
)
from analysis.classification import Cells, Confusion, measure_all
from analysis.intervals import Figure, Interval, Undefined, Why, add_by_cluster
from analysis.ranking import PairedDifference, paired_difference
from analysis.sampling import bound_ratios
from judges.comparison.rules.boards import RESAMPLES, SEED
from judges.comparison.rules.judge_board.beside_people import Intervals, bound_rows

MOST_POINTS = 200
LINE_FIGURES = ("accuracy_scored", "precision", "recall", "f1", "accepts_wrong")


@dataclass(frozen=True)
class ScoreLine:
    """The results of accepting all answers with scores at or above a threshold.

    `threshold`: null if it is unknown or if no answer is accepted.
    """

    threshold: float | None
    figures: dict[str, Figure]


@dataclass(frozen=True)
class ReliabilityBin:
    """Answers whose probability is above `low` and at most `high`, with the share that people accept."""

    low: float
    high: float
    rows: int
    mean_probability: float
    correct_share: Figure


@dataclass(frozen=True)
class Calibration:
    """Stated probabilities compared with the share of correct answers.

    `error`: the expected calibration error; it is never negative, so it has no interval. `by_chance`: the
    average error that a judge with correct probabilities would have here. `p_value`: how often such a judge’s
    error is at least this large.
    """

    bins: list[ReliabilityBin]
    error: Figure
    by_chance: Figure
    p_value: Figure


@dataclass(frozen=True)
class ScoredJudge:
    """How a judge’s scores compare with people’s decisions.

    `answers`: the number of decided answers with a score. `rows`: the number of answers that they represent.
    `positives`: the number of these that people accept. If rules settled answers, both are weighted and need
    not be whole numbers. `points`: the thresholds to plot, highest first. `chosen`: the results of the
    judge’s own verdicts. `best`: the threshold with the highest accuracy on these same answers, an optimistic
    estimate. `gain`: the accuracy with thresholds chosen on other questions, minus the accuracy of the
    verdicts. `other_thresholds`: the lowest and the highest of these thresholds, or null.
    """

    signature: str
    answers: int
    rows: float
    positives: float
    points: list[ScoreLine]
    chosen: ScoreLine
    best: ScoreLine
    roc_area: Figure
    average_precision: Figure
    other_thresholds: list[float] | None
    gain: Figure
    calibration: Calibration


class ScoredRows(NamedTuple):
    """A value a row; scores without NaN, accepted: the verdict, weights: how many rows it stands for."""

    scores: Floats
    accepted: Flags
    correct: Flags
    questions: Integers
    weights: Floats


class _Line(NamedTuple):
    threshold: float | None
    true_positive: float
    false_positive: float


def measure_scores(rows: ScoredRows, *, threshold: float | None, is_probability: bool) -> ScoredJudge:
    """Sweep a judge's scores; threshold: where its verdicts draw the line, if that is known.

    Lines and the average precision are without intervals: `bound_scores` has these.
    """
    scores, accepted, correct, questions, weights = rows
    sweep = sweep_thresholds(scores=scores, correct=correct, weights=weights)
    best = best_threshold(sweep)
    others = cross_validate(scores=scores, correct=correct, clusters=questions, seed=SEED, weights=weights)
    at = choose_points(sweep, most=MOST_POINTS) if len(scores) else np.zeros(0, dtype=np.int64)
    swept = (column[at].tolist() for column in (sweep.thresholds, sweep.true_positive, sweep.false_positive))
    chosen = _Line(
        threshold, float(weights[accepted & correct].sum()), float(weights[accepted & ~correct].sum())
    )
    line = best.threshold if np.isfinite(best.threshold) else None
    lines = [chosen, _Line(line, *best[1:]), *map(_Line._make, zip(*swept, strict=True))]
    of_chosen, of_best, *points = _measure(lines, positives=sweep.positives, negatives=sweep.negatives)
    roc_interval = roc_area_interval(scores=scores, correct=correct, clusters=questions, weights=weights)
    gain = _gain(rows, others)
    return ScoredJudge(
        signature="",
        answers=len(scores),
        rows=float(weights.sum()),
        positives=sweep.positives,
        points=points,
        chosen=of_chosen,
        best=of_best,
        roc_area=Figure.of(area_under_roc(sweep), roc_interval),
        average_precision=Figure.of(average_precision(sweep)),
        other_thresholds=_range(others),
        gain=Figure.of(gain.difference, gain.interval),
        calibration=_calibrate(rows, is_probability=is_probability),
    )


def _measure(lines: Sequence[_Line], *, positives: float, negatives: float) -> list[ScoreLine]:
    found = measure_all(
        [Confusion(right, positives - right, wrong, negatives - wrong, 0.0) for _, right, wrong in lines]
    )
    return [
        ScoreLine(line.threshold, {name: Figure.of(values[name]) for name in LINE_FIGURES})
        for line, values in zip(lines, found, strict=True)
    ]


def _range(others: CrossValidated | Undefined) -> list[float] | None:
    """Return nothing, too, where accepting nothing is best on most questions."""
    if isinstance(others, Undefined):
        return None
    finite = others.thresholds[np.isfinite(others.thresholds)]
    return [float(finite.min()), float(finite.max())] if len(finite) else None


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
        return _no_calibration(Undefined(Why.NOT_PROBABILITIES))
    found = measure_reliability(probabilities=rows.scores, correct=rows.correct, weights=rows.weights)
    if isinstance(found.calibration_error, Undefined):
        return _no_calibration(found.calibration_error)
    counts, stated, right = np.split(_sum_bins(rows), 3, axis=1)
    is_weighted = bool((rows.weights != 1.0).any())
    bounds = bound_ratios(parts=right, wholes=counts, are_weighted=is_weighted)
    bins = [
        ReliabilityBin(*each[:4], Figure.of(each.correct_share, bounds[round(each.low * BINS)]))
        for each in found.bins
    ]
    test = compare_calibration(gaps=right - stated, rows=float(rows.weights.sum()), seed=SEED)
    return Calibration(bins, *map(Figure.of, (found.calibration_error, test.by_chance, test.p_value)))


def _no_calibration(why: Undefined) -> Calibration:
    return Calibration([], *[Figure.of(why)] * 3)


def _sum_bins(rows: ScoredRows) -> Floats:
    """Return questions × (3 · bins): rows, sums of probabilities, right rows of each bin."""
    which = (number_bins(rows.scores)[:, np.newaxis] == np.arange(BINS)) * rows.weights[:, np.newaxis]
    sums = np.hstack([which, which * rows.scores[:, np.newaxis], which * rows.correct[:, np.newaxis]])
    return add_by_cluster(sums=sums, clusters=rows.questions)


class ThresholdIntervals(NamedTuple):
    """Of every line of a `ScoredJudge`, in its order; average_precision: of the whole sweep."""

    points: list[Intervals]
    chosen: Intervals
    best: Intervals
    average_precision: Interval | Undefined


def bound_thresholds(rows: ScoredRows) -> ThresholdIntervals:
    """Bound what `measure_scores` counts at every line, 95%, over questions.

    The best line was chosen on these very answers, which no interval here allows for: it has none.
    """
    sweep = sweep_thresholds(scores=rows.scores, correct=rows.correct, weights=rows.weights)
    points = sweep.thresholds[choose_points(sweep, most=MOST_POINTS)] if len(rows.scores) else rows.scores
    own = _count_lines(rows, points)
    is_weighted = bool((rows.weights != 1.0).any())
    *of_points, chosen = bound_rows(own, names=LINE_FIGURES, are_weighted=is_weighted)
    return ThresholdIntervals(
        points=of_points,
        chosen=chosen,
        best=dict.fromkeys(LINE_FIGURES, Undefined(Why.CHOSEN_HERE)),
        average_precision=average_precision_interval(
            scores=rows.scores,
            correct=rows.correct,
            clusters=rows.questions,
            seed=SEED,
            resamples=RESAMPLES,
            weights=rows.weights,
        ),
    )


def bound_scores(judge: ScoredJudge, bounds: ThresholdIntervals) -> ScoredJudge:
    """Return the same with the intervals of its lines and of its average precision."""
    return replace(
        judge,
        points=[_bound(line, own) for line, own in zip(judge.points, bounds.points, strict=True)],
        chosen=_bound(judge.chosen, bounds.chosen),
        best=_bound(judge.best, bounds.best),
        average_precision=judge.average_precision.within(bounds.average_precision),
    )


def _bound(line: ScoreLine, bounds: Intervals) -> ScoreLine:
    return replace(line, figures={name: each.within(bounds[name]) for name, each in line.figures.items()})


def _count_lines(rows: ScoredRows, points: Floats) -> Cells:
    """Count questions × lines: every point, then the verdicts as they are."""
    names, numbers = np.unique(rows.questions, return_inverse=True)
    questions, count = numbers.reshape(-1), len(names)
    # The first line that accepts a row; behind the last for those that none accepts.
    places, width = np.searchsorted(-points, -rows.scores), len(points) + 1

    def count_rows(which: Flags) -> Floats:
        found = np.bincount(questions[which], weights=rows.weights[which], minlength=count)
        return found.astype(np.float64)

    def count_accepted(which: Flags) -> Floats:
        flat = np.bincount(
            questions[which] * width + places[which], weights=rows.weights[which], minlength=count * width
        )
        swept = np.cumsum(flat.reshape(count, width), axis=1)[:, :-1]
        return np.column_stack([swept, count_rows(which & rows.accepted)])

    return _complete(
        tp=count_accepted(rows.correct),
        fp=count_accepted(~rows.correct),
        positives=count_rows(rows.correct),
        negatives=count_rows(~rows.correct),
    )


def _complete(*, tp: Floats, fp: Floats, positives: Floats, negatives: Floats) -> Cells:
    """Return all cells of … × lines accepted, and how many right and wrong rows all lines share."""
    rejected, spared = positives[:, np.newaxis] - tp, negatives[:, np.newaxis] - fp
    return Cells(tp=tp, fn=rejected, fp=fp, tn=spared, unscored=np.broadcast_to(0.0, tp.shape))
