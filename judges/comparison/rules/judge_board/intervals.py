"""How sure a judge's figures are: its counts by question, resampled and turned into figures again."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from analysis.agreement import cohen_kappa, gwet_ac1, sums_of_table
from analysis.classification import (
    CODES,
    FALSE_NEGATIVE,
    FALSE_POSITIVE,
    TRUE_NEGATIVE,
    TRUE_POSITIVE,
    UNSCORED,
)
from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    divide,
    percentile_interval,
    resample_sums,
)
from analysis.undefined import Undefined
from judges.comparison.rules.judge_board.beside_people import NO_HUMAN
from judges.comparison.rules.study.arrays import Floats, Integers
from judges.comparison.rules.study.resampling import RESAMPLES, SEED

Intervals = dict[str, Interval | Undefined]


class Cells(NamedTuple):
    """Rows by what people and a judge said; every field has the same shape, one value a resample."""

    tp: Floats
    fn: Floats
    fp: Floats
    tn: Floats
    unscored: Floats

    @property
    def scored(self) -> Floats:
        """Rows with a verdict."""
        return self.tp + self.fn + self.fp + self.tn

    @property
    def table(self) -> Floats:
        """… × people × judge, accepted first."""
        rows = [np.stack([self.tp, self.fn], axis=-1), np.stack([self.fp, self.tn], axis=-1)]
        return np.stack(rows, axis=-2)


def count_cells(*, codes: Integers, questions: Integers, question_count: int) -> Floats:
    """Count questions × 5 cells; questions: the number of each row's question."""
    flat = np.bincount(questions * CODES + codes, minlength=question_count * CODES)
    return flat.reshape(question_count, CODES).astype(np.float64)


def _cells(counts: Floats) -> Cells:
    order = (TRUE_POSITIVE, FALSE_NEGATIVE, FALSE_POSITIVE, TRUE_NEGATIVE, UNSCORED)
    return Cells(*(counts[..., place] for place in order))


def _f1(cells: Cells, hits: Floats) -> Floats:
    return divide(2 * hits, 2 * hits + cells.fn + cells.fp)


FIGURES: Mapping[str, Callable[[Cells], Floats]] = {
    "accuracy_all": lambda cells: divide(cells.tp + cells.tn, cells.scored + cells.unscored),
    "accuracy_scored": lambda cells: divide(cells.tp + cells.tn, cells.scored),
    "precision": lambda cells: divide(cells.tp, cells.tp + cells.fp),
    "recall": lambda cells: divide(cells.tp, cells.tp + cells.fn),
    "f1": lambda cells: _f1(cells, cells.tp),
    "macro_f1": lambda cells: (_f1(cells, cells.tp) + _f1(cells, cells.tn)) / 2,
    "cohen_kappa": lambda cells: cohen_kappa(cells.table),
    "gwet_ac1": lambda cells: gwet_ac1(sums_of_table(cells.table)),
    "bias": lambda cells: divide(cells.fp - cells.fn, cells.scored),
}


def error_multiple(error: Floats, *, human: Cells) -> Floats:
    """Return an error as a multiple of another human's over the votes that could be compared."""
    return divide(error, divide(human.fn + human.fp, human.scored))


def judge_error(cells: Cells) -> Floats:
    """Return the share of rows on which a judge does not say what people say; unscored ones count."""
    return divide(cells.fn + cells.fp + cells.unscored, cells.scored + cells.unscored)


def human_error(cells: Cells) -> Floats:
    """Return the share of a rater's votes that differ from the others', of those that have others."""
    return divide(cells.fn + cells.fp, cells.scored)


def bound_figures(
    counts: Mapping[str, Floats], *, people: frozenset[str], pooled: str
) -> dict[str, Intervals]:
    """Bound every figure of every judge, 95 %, resampling the questions of all together once.

    counts: questions × 5 cells of each row of the board. people: which rows are raters; pooled: of these,
    the one that stands for another human.
    """
    if not counts:
        return {}
    used = np.sum([cells.sum(axis=1) for cells in counts.values()], axis=0) > 0
    sums = np.hstack([cells[used] for cells in counts.values()])
    if len(sums) < SMALLEST_CLUSTER_COUNT:
        names = (*FIGURES, "error_multiple")
        return {key: dict.fromkeys(names, Undefined(TOO_FEW_CLUSTERS)) for key in counts}
    resampled = resample_sums(sums=sums, seed=SEED, resamples=RESAMPLES).reshape(
        RESAMPLES, len(counts), CODES
    )
    drawn = {key: _cells(resampled[:, place]) for place, key in enumerate(counts)}
    return {
        key: {name: _bound(counts[key], figure(cells)) for name, figure in FIGURES.items()}
        | {"error_multiple": _bound_multiple(cells, drawn.get(pooled), is_human=key in people)}
        for key, cells in drawn.items()
    }


def _bound(counts: Floats, values: Floats) -> Interval | Undefined:
    return percentile_interval(values=values, clusters=int(counts.any(axis=1).sum()))


def _bound_multiple(cells: Cells, human: Cells | None, *, is_human: bool) -> Interval | Undefined:
    if human is None:
        return Undefined(NO_HUMAN)
    error = human_error(cells) if is_human else judge_error(cells)
    return percentile_interval(values=error_multiple(error, human=human))
