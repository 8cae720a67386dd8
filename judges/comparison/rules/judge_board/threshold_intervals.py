"""How sure the figures of other lines through a judge's scores are."""

from typing import NamedTuple

import numpy as np

from analysis.calibration import choose_points, sweep_thresholds
from analysis.intervals import SMALLEST_CLUSTER_COUNT, Interval, resample_sums
from analysis.thresholds import average_precision_interval, best_threshold
from analysis.undefined import Undefined
from judges.comparison.rules.judge_board.intervals import Cells, Intervals, bound_drawn
from judges.comparison.rules.judge_board.scored_judge import MOST_POINTS, ScoredRows
from judges.comparison.rules.study.arrays import Flags, Floats
from judges.comparison.rules.study.resampling import RESAMPLES, SEED

FIGURES = ("accuracy_scored", "precision", "recall", "f1", "accepts_wrong")


class ThresholdIntervals(NamedTuple):
    """Of every line of a `ScoredJudge`, in its order; average_precision: of the whole sweep."""

    points: list[Intervals]
    chosen: Intervals
    best: Intervals
    average_precision: Interval | Undefined


def bound_thresholds(rows: ScoredRows) -> ThresholdIntervals:
    """Bound what `measure_scores` counts at every line, 95 %, resampling the questions of all together."""
    sweep = sweep_thresholds(scores=rows.scores, correct=rows.correct)
    points = sweep.thresholds[choose_points(sweep, most=MOST_POINTS)] if len(rows.scores) else rows.scores
    own = _count_lines(rows, points, best=best_threshold(sweep).threshold)
    *of_points, chosen, best = bound_drawn(own=own, drawn=_draw(own), names=FIGURES)
    return ThresholdIntervals(
        points=of_points,
        chosen=chosen,
        best=best,
        average_precision=average_precision_interval(
            scores=rows.scores, correct=rows.correct, clusters=rows.questions, seed=SEED, resamples=RESAMPLES
        ),
    )


def _count_lines(rows: ScoredRows, points: Floats, *, best: float) -> Cells:
    """Count questions × lines: every point, then the verdicts as they are, then the best line."""
    names, numbers = np.unique(rows.questions, return_inverse=True)
    questions, count = numbers.reshape(-1), len(names)
    # The first line that accepts a row; behind the last for those that none accepts.
    places, width = np.searchsorted(-points, -rows.scores), len(points) + 1

    def count_rows(which: Flags) -> Floats:
        return np.bincount(questions[which], minlength=count).astype(np.float64)

    def count_accepted(which: Flags) -> Floats:
        flat = np.bincount(questions[which] * width + places[which], minlength=count * width)
        swept = np.cumsum(flat.reshape(count, width), axis=1)[:, :-1]
        return np.column_stack(
            [swept, count_rows(which & rows.accepted), count_rows(which & (rows.scores >= best))]
        )

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


def _draw(own: Cells) -> Cells:
    """Return resamples × lines; NaN throughout where there are too few questions to draw from."""
    lines = own.tp.shape[1]
    if len(own.tp) < SMALLEST_CLUSTER_COUNT:
        return Cells(*(np.full((1, lines), np.nan) for _ in own))
    shared = np.column_stack([own.tp[:, 0] + own.fn[:, 0], own.fp[:, 0] + own.tn[:, 0]])
    sums = resample_sums(sums=np.hstack([own.tp, own.fp, shared]), seed=SEED, resamples=RESAMPLES)
    return _complete(
        tp=sums[:, :lines], fp=sums[:, lines : 2 * lines], positives=sums[:, -2], negatives=sums[:, -1]
    )
