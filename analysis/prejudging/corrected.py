"""Scores of what machines judged everywhere and people at random: valid however often the machine errs.

A prediction is taken for every row, and the labels of some tell by how much it is off. How far predictions
are trusted is tuned on the labels (0: people alone), so that a useless judge costs next to nothing.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import (
    LEVEL,
    SMALLEST_MEAN_COUNT,
    Figure,
    Interval,
    Scale,
    Undefined,
    Why,
    add_by_cluster,
    divide,
    estimated_share_interval,
    students_interval,
)
from analysis.ranking import PairedDifference, Table, paired_differences
from analysis.sampling import weigh_audit

# Chosen by replays of EVOUNA-NQ (`benchmarks/prejudging/corrected`): with three rows, 95% intervals of
# samples covered 97%. An audit has a tenth of a sample's labels and takes more. Verdicts, which err in all
# or nothing, take a row more than probabilities.
PRIOR_ROWS = 1.5
PRIOR_ROWS_OF_AUDIT = 3.0
PRIOR_ROWS_OF_VERDICTS = 4.0
# How many labels of all groups weigh as much as a group's own when it is tuned.
PRIOR_LABELS = 20.0
# So little is what rounding leaves of predictions that are all the same.
NO_SPREAD = 1e-12


class Corrected(NamedTuple):
    """Rows with what people would say of each, estimated, by group.

    values: a value a row, whose mean over a group is its share; NaN = unknown. A single value may lie
    outside 0 to 1. variance: of each group's mean, by what is not labelled alone. expected: a value a row
    with the same means, in which no labelled row stands for others. chance: of each group's mean, the
    variance that these lack because rows of a cell differ, and few of them were labelled. tuning: how far a
    group's predictions are trusted, 0 to 1. labels: of each group, how many rows people labelled.
    """

    values: Floats
    variance: Floats
    expected: Floats
    chance: Floats
    tuning: Floats
    labels: Integers


@dataclass(frozen=True)
class CorrectedMean:
    """A share, the number of labels that it rests on, and how far predictions were trusted, 0 to 1."""

    figure: Figure
    labels: int
    tuning: float


class _Cells:
    """Rows that could have been labelled alike: of one group and stratum, by chance or for certain."""

    def __init__(self, *, kinds: Integers, groups: Integers, group_count: int) -> None:
        _, codes = np.unique(kinds, return_inverse=True)
        self.in_group = int(codes.max(initial=0)) + 1
        self.numbers = groups * self.in_group + codes
        self.group_count = group_count

    def add(self, rows: Floats) -> Floats:
        """Add up by cell."""
        size = self.in_group * self.group_count
        found: Floats = np.bincount(self.numbers, weights=rows, minlength=size).astype(np.float64)
        return found

    def of_groups(self, cells: Floats) -> Floats:
        """Add cells up by group."""
        found: Floats = cells.reshape(self.group_count, self.in_group).sum(axis=1)
        return found

    def of_all_groups(self, cells: Floats) -> Floats:
        """Add cells of a stratum up over all groups; a value a cell."""
        summed = cells.reshape(self.group_count, self.in_group).sum(axis=0)
        return np.tile(summed, self.group_count)


def correct(
    *,
    labels: Floats,
    predictions: Floats,
    probability: Floats,
    groups: Integers,
    group_count: int,
    strata: Integers | None = None,
    clusters: Integers | None = None,
    prior_rows: float = PRIOR_ROWS,
) -> Corrected:
    """Correct predictions by labels of rows drawn at random, group by group.

    labels: what people say, 0 to 1, NaN = not drawn, or not judged yet. predictions: what a machine says, 0
    to 1, NaN = it abstained: such rows stand by themselves. probability: with which a row was to be labelled;
    1: all such rows are. groups: 0 to group_count - 1, such as systems. strata: rows of one number and group
    were drawn alike; those drawn and not labelled yet count as not drawn. clusters: where rows were drawn
    together, such as answers of a question, so that labels of one say less than as many of several.

    A group's mean is that of tuned predictions plus, stratum by stratum, what labels differ from them, each
    weighing one over its probability and so scaled that the labels of a cell stand for all of it. What a
    group has no label of is corrected by all groups' difference. Variances of few labels, none at all where
    no error was found, are too small, so these are drawn, as by `PRIOR_ROWS` more rows, towards those of all
    groups in the stratum or of all strata, whichever leave more unknown. A group is unknown where one of its
    rows could not have been drawn, or where nobody labelled any row of a stratum that it has.

    Source: Särndal, Swensson and Wretman 1992, sections 6.3 (difference estimator) and 7.6
    (post-stratification); the tuning is that of PPI++ (Angelopoulos et al. 2023, whose mean over the
    unlabelled is here over all, which is the same estimator) with the strata of Fisch et al. 2024, one for
    all strata of a group and drawn towards that of all groups as by `PRIOR_LABELS` labels.
    """
    strata = np.zeros(len(labels), dtype=np.int64) if strata is None else strata
    kinds = strata * 4 + (probability >= 1.0) * 2 + np.isnan(predictions)
    cells = _Cells(kinds=kinds, groups=groups, group_count=group_count)
    seen = ~np.isnan(labels) & (probability > 0)
    said = np.where(seen, labels, 0.0)
    predicted = np.nan_to_num(predictions)
    weights = np.divide(1.0, probability, out=np.zeros(len(labels)), where=seen)
    rows, total = cells.add(np.ones(len(labels))), cells.add(weights)
    # Rows of different weights say as much as so many equal ones (Kish 1965).
    known = np.nan_to_num(divide(total * total, cells.add(weights * weights)))
    shares = rows / np.maximum(np.repeat(cells.of_groups(rows), cells.in_group), 1.0)
    few = 1.0 / np.maximum(known, 1.0)
    unknown = np.maximum(0.0, few - np.nan_to_num(divide(np.ones(len(rows)), rows)))
    leverage = shares * shares * unknown

    def mean(each: Floats) -> Floats:
        return np.nan_to_num(divide(cells.add(weights * each), total))

    tuning = _tune(cells, known, leverage, said=said, predicted=predicted, mean=mean)
    tuned = tuning[groups] * predicted
    errors = np.where(seen, said - tuned, 0.0)
    off = mean(errors)
    everywhere = divide(cells.of_all_groups(off * total), cells.of_all_groups(total))
    off = np.where(total > 0, off, everywhere)
    stands_for = weigh_audit(
        ruled=np.ones(len(labels), dtype=bool), seen=seen, probability=probability, cells=cells.numbers
    )
    values = tuned + np.where(total > 0, 0.0, everywhere)[cells.numbers] + stands_for * errors
    is_whole = unknown <= 0.0
    expected = np.where(is_whole[cells.numbers] & seen, said, tuned + off[cells.numbers])
    is_lost = np.zeros(group_count, dtype=bool)
    is_lost[groups[np.isnan(values) | (probability <= 0)]] = True
    values[is_lost[groups]] = expected[is_lost[groups]] = np.nan
    spread = _smooth(
        cells, prior_rows, known * ~is_whole, rows, mean(errors), mean(errors * errors), mean(tuned * seen)
    )
    together = _design_effect(
        cells, stands_for * np.where(seen, errors - off[cells.numbers], 0.0), groups, clusters
    )
    return Corrected(
        values=values,
        variance=cells.of_groups(leverage * spread) * together,
        expected=expected,
        chance=cells.of_groups(shares * shares * few * spread * ~is_whole) * together,
        tuning=tuning,
        labels=cells.of_groups(cells.add(seen.astype(np.float64))).astype(np.int64),
    )


def _tune(
    cells: _Cells,
    known: Floats,
    leverage: Floats,
    *,
    said: Floats,
    predicted: Floats,
    mean: Callable[[Floats], Floats],
) -> Floats:
    """Return of each group how far to trust predictions: the slope of labels on them within cells, 0 to 1."""
    several = np.where(known > 1.0, known / np.maximum(known - 1.0, 0.5), 0.0) * leverage
    labels = cells.of_groups(known * (leverage > 0))

    def drawn_in(within: Floats) -> Floats:
        # A variance of the mean falls with the labels; times them it is that of one.
        own = labels * cells.of_groups(several * within)
        found: Floats = labels * own + PRIOR_LABELS * (labels * own).sum() / max(float(labels.sum()), 1.0)
        return found

    together = drawn_in(mean(said * predicted) - mean(said) * mean(predicted))
    alone = drawn_in(mean(predicted * predicted) - mean(predicted) ** 2)
    # Predictions that never vary within a cell change nothing.
    slopes = np.divide(together, alone, out=np.ones(len(alone)), where=alone > NO_SPREAD)
    return np.asarray(np.clip(slopes, 0.0, 1.0))


def _smooth(
    cells: _Cells,
    prior_rows: float,
    known: Floats,
    rows: Floats,
    first: Floats,
    second: Floats,
    predicted: Floats,
) -> Floats:
    """Return the variance of a row's error in each cell, from means of errors and of their squares.

    known: labels, 0 where all rows are labelled. rows: of each cell, labelled or not. Where a judge is unsure
    more is labelled, so cells are added up by the rows that labels stand for; else all strata together would
    look as unsure as the most labelled of them.
    """
    stand_for = np.where(known > 0, rows, 0.0)

    def draw_in(add: Callable[[Floats], Floats]) -> Floats:
        labels, all_rows = add(known), add(stand_for)

        def mean(each: Floats) -> Floats:
            return np.nan_to_num(divide(add(stand_for * each), all_rows))

        # One row more, half right and half wrong, lest nothing vary anywhere.
        typical = mean(predicted)
        prior = (labels * mean(first) + 0.5 - typical) / (labels + 1.0)
        of_one = 0.5 * typical**2 + 0.5 * (1.0 - typical) ** 2
        squares = (labels * mean(second) + of_one) / (labels + 1.0)
        drawn = (first * known + prior_rows * prior) / (known + prior_rows)
        return np.asarray((second * known + prior_rows * squares) / (known + prior_rows) - drawn * drawn)

    in_stratum = draw_in(cells.of_all_groups)
    everywhere = draw_in(lambda each: np.full(len(each), each.sum()))
    return np.maximum(0.0, np.maximum(in_stratum, everywhere))


def _design_effect(
    cells: _Cells, influences: Floats, groups: Integers, clusters: Integers | None
) -> Floats | float:
    """Return by how much labels of one cluster, alike as they may be, raise each group's variance; 1 or more.

    Source: Kish 1965 (design effect).
    """
    if clusters is None:
        return 1.0
    # A cluster may have rows in several groups.
    _, flat = np.unique(clusters * cells.group_count + groups, return_inverse=True)
    sums = np.bincount(flat, weights=influences)
    owner = np.zeros(len(sums), dtype=np.int64)
    owner[flat] = groups
    together, alone = (
        np.bincount(places, weights=each * each, minlength=cells.group_count).astype(np.float64)
        for places, each in ((owner, sums), (groups, influences))
    )
    return np.maximum(1.0, np.nan_to_num(divide(together, alone), nan=1.0))


def corrected_means(
    *,
    labels: Floats,
    labelled: Flags,
    predictions: Floats,
    groups: Integers,
    group_count: int,
    probability: Floats | None = None,
    strata: Integers | None = None,
    clusters: Integers | None = None,
    beyond: bool = True,
    prior_rows: float = PRIOR_ROWS,
) -> list[CorrectedMean]:
    """Return each group's share that people would accept, with a 95% interval; as `correct` takes it.

    labelled: the row was drawn, and people labelled it; other labels are not read. probability: None: in each
    group and stratum rows were drawn with equal probability. beyond: the interval is of the share among all
    questions of the kind, as if these had been drawn from them; else of just these rows, as for "how much do
    we know of this file". clusters: rows that belong together, such as answers of one question.
    """
    strata = np.zeros(len(labels), dtype=np.int64) if strata is None else strata
    if probability is None:
        probability = _equal_shares(labelled, groups=groups, strata=strata)
    found = correct(
        labels=np.where(labelled, labels, np.nan),
        predictions=predictions,
        probability=probability,
        groups=groups,
        group_count=group_count,
        strata=strata,
        clusters=clusters,
        prior_rows=prior_rows,
    )
    return [
        CorrectedMean(
            figure=_bound(
                found, group, groups == group, None if clusters is None else clusters[groups == group], beyond
            ),
            labels=int(found.labels[group]),
            tuning=float(found.tuning[group]),
        )
        for group in range(group_count)
    ]


def corrected_mean(
    *,
    labels: Floats,
    labelled: Flags,
    predictions: Floats,
    probability: Floats | None = None,
    strata: Integers | None = None,
    clusters: Integers | None = None,
    beyond: bool = True,
) -> CorrectedMean:
    """Return `corrected_means` of all rows as one group."""
    (found,) = corrected_means(
        labels=labels,
        labelled=labelled,
        predictions=predictions,
        groups=np.zeros(len(labels), dtype=np.int64),
        group_count=1,
        probability=probability,
        strata=strata,
        clusters=clusters,
        beyond=beyond,
    )
    return found


def corrected_differences(
    *, corrected: Corrected, groups: Integers, questions: Integers, pairs: Sequence[tuple[int, int]]
) -> list[PairedDifference]:
    """Compare groups, such as systems, on the questions that both have, one row each; see `ranking.Table`.

    Correct the p-values with `holm_adjust`. Few labels are spikes among the values that they correct, of
    which no test knows how they vary, so it is the expected values that are compared.
    """
    names, numbers = np.unique(questions, return_inverse=True)
    scores = np.full((len(corrected.chance), len(names)), np.nan)
    scores[groups, numbers.reshape(-1)] = corrected.expected
    return paired_differences(table=Table(scores, variance=corrected.chance), pairs=pairs)


def _equal_shares(labelled: Flags, *, groups: Integers, strata: Integers) -> Floats:
    _, flat = np.unique(strata * (groups.max(initial=0) + 1) + groups, return_inverse=True)
    drawn, rows = np.bincount(flat, weights=labelled), np.bincount(flat)
    # What nobody labelled yet could have been drawn, as far as anybody knows.
    return np.asarray(np.maximum(drawn, 0.5)[flat] / rows[flat])


def _bound(found: Corrected, group: int, own: Flags, clusters: Integers | None, beyond: bool) -> Figure:
    values, labels = found.values[own], int(found.labels[group])
    if not len(values) or np.isnan(values).any():
        return Figure(None, why=Why.NOTHING_SAMPLED)
    value = float(np.clip(values.mean(), 0.0, 1.0))
    if labels < min(SMALLEST_MEAN_COUNT, len(values)):
        return Figure.of(value, Undefined(Why.TOO_FEW_VALUES))
    if not beyond:
        return Figure.of(value, bound_whole(value, float(found.variance[group]), labels))
    if clusters is None:
        variance = float(found.variance[group])
        return Figure.of(value, estimated_share_interval(share=value, total=len(values), variance=variance))
    expected = found.expected[own]
    sums = add_by_cluster(sums=(expected - expected.mean())[:, np.newaxis], clusters=clusters)[:, 0]
    count = len(sums)
    squares = float(np.square(sums / len(values)).sum()) * count / max(count - 1, 1)
    error = math.sqrt(squares + float(found.chance[group]))
    return Figure.of(value, _bound_inside(value, error, count, len(values)))


def bound_whole(value: float, variance: float, labels: int) -> Interval | Undefined:
    """Bound the share of just these rows, of which so many are labelled; variance: what the others leave."""
    # Of what people labelled entirely nothing is unknown.
    return (
        _bound_inside(value, math.sqrt(variance), labels, labels) if variance > 0 else Interval(value, value)
    )


def _bound_inside(value: float, error: float, count: int, rows: int) -> Interval | Undefined:
    """Bound a share that may be 0 or 1 as one half of a row inside."""
    inside = min(max(value, 0.5 / rows), 1.0 - 0.5 / rows)
    bounds = students_interval(value=inside, error=error, clusters=count, scale=Scale.SHARE)
    if isinstance(bounds, Undefined):
        return bounds
    return Interval(min(bounds.low, value), max(bounds.high, value))


def rogan_gladen(
    *, accepted: int, rows: int, right_accepted: int, right: int, wrong_rejected: int, wrong: int
) -> Figure:
    """Return the share of right answers from a judge's verdicts and its errors in another population.

    accepted, rows: its verdicts here, where nobody labelled any. right_accepted of right, wrong_rejected of
    wrong: its verdicts elsewhere, on answers that people accepted and rejected. It holds only if the judge
    errs here as it does there. Undefined without verdicts, without labels of both kinds, and where the judge
    accepts right answers no oftener than wrong ones.
    Source: Rogan and Gladen 1978; the 95% interval is that of Lang and Reiczigel 2014.
    """
    if not rows:
        return Figure(None, why=Why.NOTHING_COUNTED)
    if not (right and wrong):
        return Figure(None, why=Why.NOTHING_SAMPLED)
    finds, rejects = right_accepted / right, wrong_rejected / wrong
    if finds + rejects - 1.0 <= 0.0:
        return Figure(None, why=Why.NO_BETTER_THAN_CHANCE)
    value = (accepted / rows + rejects - 1.0) / (finds + rejects - 1.0)
    return Figure.of(
        min(1.0, max(0.0, value)),
        _lang_reiczigel(accepted / rows, rows, finds=finds, right=right, rejects=rejects, wrong=wrong),
    )


def _lang_reiczigel(
    share: float, rows: int, *, finds: float, right: int, rejects: float, wrong: int
) -> Interval | Undefined:
    reach = NormalDist().inv_cdf(0.5 + LEVEL / 2.0)
    count = rows + reach**2
    share = (rows * share + reach**2 / 2.0) / count
    finds, rejects = (right * finds + 1.0) / (right + 2.0), (wrong * rejects + 1.0) / (wrong + 2.0)
    tells = finds + rejects - 1.0
    if tells <= 0.0:
        return Undefined(Why.NO_BETTER_THAN_CHANCE)
    value = (share + rejects - 1.0) / tells
    of_finds, of_rejects = finds * (1.0 - finds) / (right + 2.0), rejects * (1.0 - rejects) / (wrong + 2.0)
    shift = 2.0 * reach**2 * (value * of_finds - (1.0 - value) * of_rejects)
    variance = share * (1.0 - share) / count + value**2 * of_finds + (1.0 - value) ** 2 * of_rejects
    half = reach * math.sqrt(variance) / tells
    return Interval(max(0.0, value + shift - half), min(1.0, value + shift + half))
