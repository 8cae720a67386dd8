"""How sure the figures of other lines through a judge's scores are."""

from typing import NamedTuple

import numpy as np

from analysis.calibration import average_precision_interval, choose_points, sweep_thresholds
from analysis.figures import Interval, Undefined, Why
from judges.comparison.rules.boards import RESAMPLES, SEED
from judges.comparison.rules.judge_board.intervals import Cells, Intervals, bound_rows
from judges.comparison.rules.judge_board.scored_judge import MOST_POINTS, ScoredRows
from judges.comparison.rules.study import Flags, Floats

FIGURES = ("accuracy_scored", "precision", "recall", "f1", "accepts_wrong")


class ThresholdIntervals(NamedTuple):
    """Of every line of a `ScoredJudge`, in its order; average_precision: of the whole sweep."""

    points: list[Intervals]
    chosen: Intervals
    best: Intervals
    average_precision: Interval | Undefined


def bound_thresholds(rows: ScoredRows) -> ThresholdIntervals:
    """Bound what `measure_scores` counts at every line, 95 %, over questions.

    The best line was chosen on these very answers, which no interval here allows for: it has none.
    """
    sweep = sweep_thresholds(scores=rows.scores, correct=rows.correct, weights=rows.weights)
    points = sweep.thresholds[choose_points(sweep, most=MOST_POINTS)] if len(rows.scores) else rows.scores
    own = _count_lines(rows, points)
    is_weighted = bool((rows.weights != 1.0).any())
    *of_points, chosen = bound_rows(own, names=FIGURES, are_weighted=is_weighted)
    return ThresholdIntervals(
        points=of_points,
        chosen=chosen,
        best=dict.fromkeys(FIGURES, Undefined(Why.CHOSEN_HERE)),
        average_precision=average_precision_interval(
            scores=rows.scores,
            correct=rows.correct,
            clusters=rows.questions,
            seed=SEED,
            resamples=RESAMPLES,
            weights=rows.weights,
        ),
    )


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
