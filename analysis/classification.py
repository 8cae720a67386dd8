"""How well yes-or-no verdicts agree with the truth, in counts; an unscored row is never a zero of its own."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.figures import Undefined, Value, Why


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


class Quality(NamedTuple):
    """Shares between 0 and 1, each a number or the reason why there is none."""

    accuracy_all: Value
    accuracy_scored: Value
    coverage: Value
    precision: Value
    recall: Value
    f1: Value
    macro_f1: Value


TRUE_NEGATIVE, FALSE_POSITIVE, FALSE_NEGATIVE, TRUE_POSITIVE, UNSCORED = range(5)
CODES = 5


def code_rows(
    *, correct: NDArray[np.bool_], accepted: NDArray[np.bool_], scored: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return which cell each row falls in, 0 to 4; where `scored` is false, `accepted` says nothing."""
    return np.where(scored, correct * 2 + accepted, UNSCORED).astype(np.int64)


def count_codes(codes: NDArray[np.int64], *, weights: NDArray[np.float64] | None = None) -> Confusion:
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
    *,
    correct: NDArray[np.bool_],
    accepted: NDArray[np.bool_],
    scored: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
) -> Confusion:
    """Count rows; where `scored` is false, `accepted` says nothing and the row is only unscored."""
    return count_codes(code_rows(correct=correct, accepted=accepted, scored=scored), weights=weights)


def _share(part: float, whole: float, why: Why) -> Value:
    return part / whole if whole else Undefined(why)


def _f1(hits: float, misses: float) -> Value:
    return _share(2 * hits, 2 * hits + misses, Why.NONE_EITHER)


def measure_quality(confusion: Confusion) -> Quality:
    """Compute every share of a confusion; all but `accuracy_all` and `coverage` are over scored rows.

    `accuracy_all` counts an unscored row as an error, as Kamalloo et al. 2023 do. Macro-F1 is the mean of
    the F1 of both classes (not the F1 of mean precision and mean recall).
    """
    tp, fn, fp, tn, unscored = confusion
    rows = confusion.scored + unscored
    positive, negative = _f1(tp, fn + fp), _f1(tn, fn + fp)
    undefined = [value for value in (positive, negative) if isinstance(value, Undefined)]
    return Quality(
        accuracy_all=_share(confusion.right, rows, Why.NOT_BOTH),
        accuracy_scored=_share(confusion.right, confusion.scored, Why.NO_SCORED),
        coverage=_share(confusion.scored, rows, Why.NOT_BOTH),
        precision=_share(tp, tp + fp, Why.NONE_ACCEPTED),
        recall=_share(tp, tp + fn, Why.NONE_CORRECT),
        f1=positive,
        macro_f1=undefined[0] if undefined else _mean(positive, negative),
    )


def _mean(*values: Value) -> float:
    numbers = [value for value in values if not isinstance(value, Undefined)]
    return sum(numbers) / len(numbers)
