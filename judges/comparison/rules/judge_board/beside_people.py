"""A judge's counts beside people, every figure that follows from them, and how sure each is."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.classification import (
    CODES,
    COEFFICIENTS,
    FALSE_NEGATIVE,
    FALSE_POSITIVE,
    FIGURES,
    SHARES,
    TRUE_NEGATIVE,
    TRUE_POSITIVE,
    UNSCORED,
    Cells,
    Confusion,
    code_rows,
    count_confusion,
    figure_of,
    measure_quality,
)
from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    Interval,
    Scale,
    Undefined,
    Value,
    Why,
    divide,
    linearize,
    students_interval,
    students_intervals,
)
from analysis.sampling import bound_ratios, worth_of
from judges.comparison.rules.study import Codes

Intervals = dict[str, Interval | Undefined]
CELLS = ("tp", "fn", "fp", "tn", "unscored")


class Beside(NamedTuple):
    """Judge and people. confusion: answers. weighed: what they stand for, of which all figures are."""

    confusion: Confusion
    weighed: Confusion

    @property
    def figures(self) -> dict[str, Value]:
        """Return every figure, by the name it has in `common.figures`."""
        return measure_quality(self.weighed)

    @property
    def error(self) -> Value:
        """The share of answers on which it does not say what people say, unscored ones among them."""
        rows = self.weighed.scored + self.weighed.unscored
        return 1.0 - self.weighed.right / rows if rows else Undefined(Why.NOT_BOTH)


def human_errs(confusion: Confusion) -> Value:
    """Return the share of votes that differ from the other raters', of those that have others."""
    scored = confusion.scored
    return 1.0 - confusion.right / scored if scored else Undefined(Why.NO_SCORED)


def multiple_of(error: Value, human: Value | None) -> Value:
    """Return an error as a multiple of another human's. Source: after Wang et al. 2023 (EVOUNA), table 7."""
    if human is None or isinstance(human, Undefined):
        return Undefined(Why.NO_HUMAN)
    if isinstance(error, Undefined):
        return error
    return error / human if human > 0 else Undefined(Why.HUMAN_NEVER_ERRS)


def stand_beside(confusion: Confusion, weighed: Confusion | None = None) -> Beside:
    """Return a judge's counts with what they stand for; itself where nothing is told."""
    return Beside(confusion, confusion if weighed is None else weighed)


def compare(*, truth: Flags, verdict: Codes, counted: Flags, weights: Floats) -> Beside:
    """Compare a judge with people over what counts; weights: how many answers each one stands for."""
    return stand_beside(
        _confusion(truth=truth, verdict=verdict, counted=counted),
        _confusion(truth=truth, verdict=verdict, counted=counted, weights=weights),
    )


def _confusion(*, truth: Flags, verdict: Codes, counted: Flags, weights: Floats | None = None) -> Confusion:
    """Count rows of a judge beside people, or what they stand for; a row without a verdict is unscored.

    truth: people accept.
    """
    return count_confusion(
        correct=truth[counted],
        accepted=verdict[counted] == 1,
        scored=verdict[counted] >= 0,
        weights=None if weights is None else weights[counted],
    )


def counts_of(confusion: Confusion) -> dict[str, float]:
    """Return counts by their short names."""
    return dict(zip(CELLS, confusion, strict=True))


def answers_of(confusion: Confusion) -> dict[str, int]:
    """Return counts of answers, which are whole."""
    return {name: int(count) for name, count in counts_of(confusion).items()}


def count_cells(
    *, codes: Integers, questions: Integers, question_count: int, weights: Floats | None = None
) -> Floats:
    """Count questions × 5 cells, or add up weights; questions: the number of each row's question."""
    flat = np.bincount(questions * CODES + codes, weights=weights, minlength=question_count * CODES)
    return flat.reshape(question_count, CODES).astype(np.float64)


def count_verdicts(
    *, truth: Flags, verdict: Codes, questions: Integers, question_count: int, weights: Floats
) -> Floats:
    """Count what a judge says of rows beside what people do, as `count_cells` does."""
    codes = code_rows(correct=truth, accepted=verdict == 1, scored=verdict >= 0)
    return count_cells(codes=codes, questions=questions, question_count=question_count, weights=weights)


def _cells(counts: Floats) -> Cells:
    order = (TRUE_POSITIVE, FALSE_NEGATIVE, FALSE_POSITIVE, TRUE_NEGATIVE, UNSCORED)
    return Cells(*(counts[..., place] for place in order))


def error_multiple(error: Floats, *, human: Cells) -> Floats:
    """Return an error as a multiple of another human's over the votes that could be compared."""
    return divide(error, divide(human.fn + human.fp, human.scored))


def judge_error(cells: Cells) -> Floats:
    """Return the share of rows on which a judge does not say what people say; unscored ones count."""
    return divide(cells.fn + cells.fp + cells.unscored, cells.rows)


def human_error(cells: Cells) -> Floats:
    """Return the share of a rater's votes that differ from the others', of those that have others."""
    return divide(cells.fn + cells.fp, cells.scored)


def bound_figures(
    counts: Mapping[str, Floats], *, people: frozenset[str], pooled: str, are_weighted: bool = False
) -> dict[str, Intervals]:
    """Bound every figure of every judge, 95%, over questions.

    counts: questions × 5 cells of each row of the board. people: which rows are raters; pooled: of these,
    the one that stands for another human, whose multiple is 1 by definition. are_weighted: some answers
    stand for others, so that only as many questions count as they are worth (`worth_of`).
    """
    human = counts.get(pooled)
    return {
        key: found
        | {
            "error_multiple": Undefined(Why.ITSELF)
            if key == pooled
            else bound_multiple(counts[key], human, is_human=key in people, is_weighted=are_weighted)
        }
        for key, found in bound_cells(counts, names=FIGURES, are_weighted=are_weighted).items()
    }


def bound_cells(
    counts: Mapping[str, Floats], *, names: Collection[str], are_weighted: bool = False
) -> dict[str, Intervals]:
    """Bound some of the figures, 95%, over questions; counts: questions × 5 cells, by any name."""
    if not counts:
        return {}
    own = _cells(np.stack(list(counts.values()), axis=1))
    return dict(zip(counts, bound_rows(own, names=names, are_weighted=are_weighted), strict=True))


# How many errors of heavy answers are imagined where none was seen among these: with half an error intervals
# hold in the replays of `benchmarks.prejudging.audited_boards`, without it those of precision hold in 64%.
UNSEEN_ERRORS = 0.5


def imagine_errors(own: Cells) -> Cells:
    """Return what an error would change that nobody saw, among answers that stand for many others.

    own: questions × rows of the board; what comes back is errors × rows: a right answer that was accepted and
    is wrong, and the other way about. Each is as heavy as what was accepted, or rejected, stands for in the
    mean, by weight, and is left out as far as errors as heavy were seen: without it no errors among few heavy
    answers would look like none at all.
    """

    def lack(errors: Floats, said: Floats) -> Floats:
        heavy = np.nan_to_num(divide(np.square(said).sum(axis=0), said.sum(axis=0)))
        seen = np.square(errors).sum(axis=0)
        return np.asarray(np.sqrt(np.maximum(0.0, UNSEEN_ERRORS * np.square(heavy) - seen)))

    accepted, rejected = lack(own.fp, own.tp + own.fp), lack(own.fn, own.fn + own.tn)
    none = np.zeros(len(accepted))
    return Cells(
        tp=np.stack([-accepted, none]),
        fn=np.stack([none, rejected]),
        fp=np.stack([accepted, none]),
        tn=np.stack([none, -rejected]),
        unscored=np.stack([none, none]),
    )


def bound_rows(own: Cells, *, names: Collection[str], are_weighted: bool = False) -> list[Intervals]:
    """Bound figures of rows of the board; own: questions × rows."""
    doubts = imagine_errors(own) if are_weighted else None
    bounds = {name: _bound_figure(name, own, doubts) for name in names}
    return [{name: bounds[name][place] for name in names} for place in range(own.tp.shape[1])]


def _bound_figure(name: str, own: Cells, doubts: Cells | None) -> list[Interval | Undefined]:
    """Bound a figure; doubts: where some answers stand for others, errors that nobody saw."""
    are_weighted = doubts is not None
    if name in SHARES:
        part, whole, _ = SHARES[name]
        return bound_ratios(
            parts=part(own),
            wholes=whole(own),
            are_weighted=are_weighted,
            doubts=None if doubts is None else (part(doubts), whole(doubts)),
        )
    width = own.tp.shape[1]
    rows = np.stack(own, axis=-1).reshape(len(own.tp), width * len(own))
    clusters = (worth_of(own.rows) if are_weighted else np.count_nonzero(own.rows, axis=0)).tolist()

    def figures(counts: Floats) -> Floats:
        cells = counts.reshape(*counts.shape[:-1], width, len(own))
        return figure_of(Cells(*np.moveaxis(cells, -1, 0)), name)

    unseen = None if doubts is None else np.stack(doubts, axis=-1).reshape(2, width * len(own))
    found = linearize(sums=rows, figures=figures, clusters=clusters, doubts=unseen)
    return students_intervals(found=found, clusters=clusters, scale=COEFFICIENTS[name].scale)


def bound_multiple(
    own: Floats, human: Floats | None, *, is_human: bool = False, is_weighted: bool = False
) -> Interval | Undefined:
    """Bound an error as a multiple of another human's; questions × 5 cells of each, or none."""
    used = (own + (0.0 if human is None else human)).sum(axis=1) > 0
    if used.sum() < SMALLEST_CLUSTER_COUNT:
        return Undefined(Why.TOO_FEW_QUESTIONS)
    if human is None:
        return Undefined(Why.NO_HUMAN)

    def figures(counts: Floats) -> Floats:
        cells, others = _cells(counts[..., :CODES]), _cells(counts[..., CODES:])
        error = human_error(cells) if is_human else judge_error(cells)
        return np.asarray(error_multiple(error, human=others))[..., np.newaxis]

    (value,), (error,) = linearize(sums=np.hstack([own[used], human[used]]), figures=figures)
    clusters = int(used.sum())
    if is_weighted:
        clusters = int(worth_of(np.stack([own.sum(axis=1), human.sum(axis=1)], axis=1)).min())
    return students_interval(value=float(value), error=float(error), clusters=clusters, scale=Scale.MULTIPLE)
