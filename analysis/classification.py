"""How well yes-or-no verdicts agree with the truth, in counts; an unscored row is never a zero of its own."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Scale, Undefined, Value, Why, divide
from analysis.raters.agreement import cohen_kappa, gwet_ac1, sums_of_table


class Confusion(NamedTuple):
    """Rows by what people decided and what the judge said; of a sample, sums of what its rows stand for."""

    true_positive: float
    false_negative: float
    false_positive: float
    true_negative: float
    unscored: float

    @property
    def scored(self) -> float:
        """Rows on which the judge gave a verdict."""
        return self.true_positive + self.false_negative + self.false_positive + self.true_negative

    @property
    def right(self) -> float:
        """Rows on which judge and people say the same."""
        return self.true_positive + self.true_negative


TRUE_NEGATIVE, FALSE_POSITIVE, FALSE_NEGATIVE, TRUE_POSITIVE, UNSCORED = range(5)
CODES = 5


def code_rows(*, correct: Flags, accepted: Flags, scored: Flags) -> Integers:
    """Return which cell each row falls in, 0 to 4; where `scored` is false, `accepted` says nothing."""
    return np.where(scored, correct * 2 + accepted, UNSCORED).astype(np.int64)


def count_codes(codes: Integers, *, weights: Floats | None = None) -> Confusion:
    """Count rows by their cell, or add up their weights."""
    counts = np.bincount(codes, weights=weights, minlength=CODES).tolist()
    return Confusion(
        true_positive=counts[TRUE_POSITIVE],
        false_negative=counts[FALSE_NEGATIVE],
        false_positive=counts[FALSE_POSITIVE],
        true_negative=counts[TRUE_NEGATIVE],
        unscored=counts[UNSCORED],
    )


def count_confusion(
    *, correct: Flags, accepted: Flags, scored: Flags, weights: Floats | None = None
) -> Confusion:
    """Count rows; where `scored` is false, `accepted` says nothing and the row is only unscored."""
    return count_codes(code_rows(correct=correct, accepted=accepted, scored=scored), weights=weights)


class Cells(NamedTuple):
    """The same counts of many at once; every field has the same shape."""

    tp: Floats
    fn: Floats
    fp: Floats
    tn: Floats
    unscored: Floats

    def of(self, place: int) -> "Cells":
        """Return one of them, of questions × many."""
        return Cells(*(cell[:, place] for cell in self))

    @property
    def scored(self) -> Floats:
        """Rows with a verdict."""
        return self.tp + self.fn + self.fp + self.tn

    @property
    def rows(self) -> Floats:
        """All rows."""
        return self.scored + self.unscored

    @property
    def table(self) -> Floats:
        """… × people × judge, accepted first."""
        rows = [np.stack([self.tp, self.fn], axis=-1), np.stack([self.fp, self.tn], axis=-1)]
        return np.stack(rows, axis=-2)


class Ratio(NamedTuple):
    """A share of rows: the part, the whole it is of, and why there is none where that is empty."""

    part: Callable[[Cells], Floats]
    whole: Callable[[Cells], Floats]
    why: Why


class Coefficient(NamedTuple):
    """A figure that is no share of rows; scale: on which it is bounded."""

    of: Callable[[Cells], Floats]
    scale: Scale
    why: Why


def _f1(cells: Cells, hits: Floats) -> Floats:
    return divide(2 * hits, 2 * hits + cells.fn + cells.fp)


# `accuracy_all` counts an unscored row as an error, as Kamalloo et al. 2023 do.
SHARES: Mapping[str, Ratio] = {
    "accuracy_all": Ratio(lambda cells: cells.tp + cells.tn, lambda cells: cells.rows, Why.NOT_BOTH),
    "accuracy_scored": Ratio(lambda cells: cells.tp + cells.tn, lambda cells: cells.scored, Why.NO_SCORED),
    "coverage": Ratio(lambda cells: cells.scored, lambda cells: cells.rows, Why.NOT_BOTH),
    "precision": Ratio(lambda cells: cells.tp, lambda cells: cells.tp + cells.fp, Why.NONE_ACCEPTED),
    "recall": Ratio(lambda cells: cells.tp, lambda cells: cells.tp + cells.fn, Why.NONE_CORRECT),
    "rejects_right": Ratio(lambda cells: cells.fn, lambda cells: cells.tp + cells.fn, Why.NONE_RIGHT),
    "accepts_wrong": Ratio(lambda cells: cells.fp, lambda cells: cells.fp + cells.tn, Why.NONE_WRONG),
    "accepted_share": Ratio(lambda cells: cells.tp + cells.fp, lambda cells: cells.scored, Why.NO_SCORED),
    "correct_share": Ratio(lambda cells: cells.tp + cells.fn, lambda cells: cells.scored, Why.NO_SCORED),
    "tp_share": Ratio(lambda cells: cells.tp, lambda cells: cells.rows, Why.NOT_BOTH),
    "fn_share": Ratio(lambda cells: cells.fn, lambda cells: cells.rows, Why.NOT_BOTH),
    "fp_share": Ratio(lambda cells: cells.fp, lambda cells: cells.rows, Why.NOT_BOTH),
    "tn_share": Ratio(lambda cells: cells.tn, lambda cells: cells.rows, Why.NOT_BOTH),
    "unscored_share": Ratio(lambda cells: cells.unscored, lambda cells: cells.rows, Why.NOT_BOTH),
}
# Macro-F1 is the mean of the F1 of both classes (not the F1 of mean precision and mean recall).
COEFFICIENTS: Mapping[str, Coefficient] = {
    "f1": Coefficient(lambda cells: _f1(cells, cells.tp), Scale.SHARE, Why.NONE_EITHER),
    "macro_f1": Coefficient(
        lambda cells: (_f1(cells, cells.tp) + _f1(cells, cells.tn)) / 2, Scale.SHARE, Why.NONE_EITHER
    ),
    "cohen_kappa": Coefficient(lambda cells: cohen_kappa(cells.table), Scale.COEFFICIENT, Why.ONE_LABEL),
    "gwet_ac1": Coefficient(
        lambda cells: gwet_ac1(sums_of_table(cells.table)), Scale.COEFFICIENT, Why.ONE_LABEL
    ),
    "bias": Coefficient(
        lambda cells: divide(cells.fp - cells.fn, cells.scored), Scale.DIFFERENCE, Why.NO_SCORED
    ),
}
FIGURES = (*SHARES, *COEFFICIENTS)
_ARE_OF_SCORED = {"cohen_kappa", "gwet_ac1"}


def figure_of(cells: Cells, name: str) -> Floats:
    """Return a figure of counts, NaN where it is undefined."""
    if name in COEFFICIENTS:
        return COEFFICIENTS[name].of(cells)
    part, whole, _ = SHARES[name]
    return divide(part(cells), whole(cells))


def measure_quality(confusion: Confusion) -> dict[str, Value]:
    """Return every figure of a confusion, by name, or why there is none."""
    return measure_all([confusion])[0]


def measure_all(confusions: Sequence[Confusion]) -> list[dict[str, Value]]:
    """Return the figures of each; at once, since a study has many parts."""
    cells = Cells(*np.array(confusions, dtype=np.float64).reshape(-1, CODES).T)
    scored = cells.scored.tolist()
    found: list[dict[str, Value]] = [{} for _ in confusions]
    for name in FIGURES:
        for own, value, count in zip(found, figure_of(cells, name).tolist(), scored, strict=True):
            own[name] = Undefined(_why(name, count)) if math.isnan(value) else value
    return found


def _why(name: str, scored: float) -> Why:
    if name in _ARE_OF_SCORED and not scored:
        return Why.NO_SCORED
    return COEFFICIENTS[name].why if name in COEFFICIENTS else SHARES[name].why
