"""How far first-round raters agree, under one rule for missing votes, and how sure that is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from analysis.arrays import Floats, Integers
from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    Figure,
    Interval,
    Scale,
    Undefined,
    Value,
    Why,
    linearize,
    students_intervals,
)
from analysis.raters import agreement
from analysis.raters.agreement import Coefficient, MissingVotes, PairTables, Ratings
from analysis.sampling import bound_ratios
from annotation.agreement.rules.votes import (
    NO_RULE_TEXT,
    RULE_TEXTS,
    FirstRound,
    LabelView,
    fill_votes,
    offered_views,
    read_labels,
)
from common.figures import WHY

MISSING = "missing"
OBSERVED = "observed_agreement"
FLEISS = "fleiss_kappa"
AC1 = "gwet_ac1"
ORDINAL = "krippendorff_alpha_ordinal"
COHEN = "cohen_kappa"
COEFFICIENTS: Mapping[str, Coefficient] = {
    OBSERVED: agreement.observed_agreement,
    FLEISS: agreement.fleiss_kappa,
    "krippendorff_alpha": agreement.krippendorff_alpha,
    AC1: agreement.gwet_ac1,
}
# In the order in which people read them.
OF_RATERS = (OBSERVED, COHEN, FLEISS, "krippendorff_alpha", ORDINAL, AC1)

# As many cells of tables at most as there is room for at a time.
MOST_PAIR_CELLS = 20_000_000

Bounds: TypeAlias = list[Interval | Undefined]
Intervals: TypeAlias = dict[str, Interval | Undefined]


@dataclass(frozen=True)
class PairAgreement:
    """How closely two annotators agree on the items that both were asked about.

    `a`, `b`: their pseudonyms. `figures`: `observed_agreement` and `cohen_kappa`.
    """

    a: str
    b: str
    items: int
    disagreements: int
    is_paradox: bool
    figures: dict[str, Figure]


@dataclass(frozen=True)
class AgreementFigures:
    """Every figure of some items, by its name.

    questions: those that the items belong to. is_paradox: κ is low because nearly all votes are one label.
    distribution: votes by label, one that was not given as "missing" where it counts as a label.
    label_shares: of the votes, by label.
    """

    items: int
    questions: int
    disagreements: int
    figures: dict[str, Figure]
    is_paradox: bool
    distribution: dict[str, int]
    label_shares: dict[str, Figure]

    @property
    def ac1_labels(self) -> int:
        """How many labels Gwet's AC1 counts: those offered, and a missing vote only where one is missing."""
        return len(self.distribution) - (self.distribution.get(MISSING) == 0)


@dataclass(frozen=True)
class AgreementReport(AgreementFigures):
    """How far raters agree over all, under one rule for missing votes.

    missing_votes: none where a vote that was not given stands for nothing, as in a pilot; rule_text: the rule
    in words. label_views: the ways of reading labels that differ here. band: of Fleiss' kappa, or those its
    interval reaches; empty where kappa is undefined.
    """

    missing_votes: MissingVotes | None
    rule_text: str
    labels: LabelView
    label_views: tuple[LabelView, ...]
    raters: int
    band: str
    pairs: list[PairAgreement]

    @property
    def is_ordered(self) -> bool:
        """Whether a label stands between right and wrong; two labels have no more order than none."""
        return self.labels is LabelView.AS_LABELLED and LabelView.POSSIBLY in self.label_views


class PairBounds(NamedTuple):
    """Of the mean of the pairs' kappas, and of every pair in its order: share of equal votes, and kappa."""

    mean_kappa: Interval | Undefined
    observed: Bounds
    kappas: Bounds


def measure_agreement(
    first_round: FirstRound,
    *,
    rule: MissingVotes,
    view: LabelView = LabelView.AS_LABELLED,
    with_intervals: bool = True,
) -> AgreementReport:
    """Compute every coefficient for one rule for missing votes, and its interval over questions if wanted."""
    read = read_labels(first_round, view)
    ratings = fill_votes(read, rule)
    pairs = agreement.tabulate_pairs(
        votes=ratings.votes, raters=read.raters[ratings.rows], label_count=ratings.label_count
    )
    sums = agreement.sum_votes(votes=ratings.votes, label_count=ratings.label_count)
    _, groups = np.unique(read.questions[ratings.rows], return_inverse=True)
    groups = groups.reshape(-1)
    values = _values(read, ratings, pairs)
    distribution = _distribution(ratings, read.labels, has_missing=_has_missing(read, rule))
    intervals: Intervals = {}
    label_bounds: Sequence[Interval | Undefined | None] = [None] * len(distribution)
    of_pairs = None
    if with_intervals:
        of_pairs = bound_pairs(pairs, groups=groups, label_count=ratings.label_count)
        intervals = bound_coefficients(
            ratings,
            ordered=_ordered(read, ratings),
            ordered_count=len(read.labels),
            groups=groups,
            nominal=COEFFICIENTS,
        )
        intervals[COHEN] = of_pairs.mean_kappa
        label_bounds = bound_labels(ratings._replace(label_count=len(distribution)), groups=groups)
    figures = {name: Figure.of(values[name], intervals.get(name)) for name in OF_RATERS}
    return AgreementReport(
        missing_votes=rule if first_round.has_turns else None,
        rule_text=RULE_TEXTS[rule] if first_round.has_turns else NO_RULE_TEXT,
        labels=view,
        label_views=offered_views(first_round),
        raters=read.votes.shape[1],
        items=len(ratings.votes),
        questions=int(groups.max(initial=-1)) + 1,
        disagreements=int(sums.disagreeing),
        figures=figures,
        is_paradox=agreement.is_paradox(observed=values[OBSERVED], kappa=values[FLEISS], ac1=values[AC1]),
        band=agreement.name_bands(figures[FLEISS]),
        pairs=_pair_agreements(pairs, of_pairs, label_count=ratings.label_count, names=read.names),
        distribution=distribution,
        label_shares=_label_shares(distribution, label_bounds),
    )


def measure_pilot(votes: FirstRound) -> AgreementReport:
    """Compute the same of a pilot, in which every rater has a column and nobody owes a vote."""
    return measure_agreement(votes, rule=MissingVotes.DROP)


def _label_shares(
    distribution: Mapping[str, int], bounds: Iterable[Interval | Undefined | None]
) -> dict[str, Figure]:
    total = sum(distribution.values())
    return {
        label: Figure.of(count / total if total else Undefined(Why.NOTHING_COUNTED), interval)
        for (label, count), interval in zip(distribution.items(), bounds, strict=True)
    }


def _values(read: FirstRound, ratings: Ratings, pairs: PairTables) -> dict[str, Value]:
    sums = agreement.sum_votes(votes=ratings.votes, label_count=ratings.label_count)
    ordered = agreement.sum_votes(votes=_ordered(read, ratings), label_count=len(read.labels))
    return {
        **{name: agreement.compute(coefficient, sums) for name, coefficient in COEFFICIENTS.items()},
        ORDINAL: agreement.compute(agreement.krippendorff_alpha_ordinal, ordered),
        COHEN: _mean_cohen(pairs, ratings),
    }


def _ordered(read: FirstRound, ratings: Ratings) -> Integers:
    """Return the votes that have a place in the labels' order: "missing" as a label of its own has none."""
    is_label = ratings.votes < len(read.labels)
    return np.asarray(np.where(is_label, ratings.votes, agreement.NOT_RATED), dtype=np.int64)


def _sum_all_pairs(pairs: PairTables, *, label_count: int) -> Floats:
    everything = np.zeros(int(pairs.items.max(initial=-1)) + 1, dtype=np.int64)
    summed = agreement.sum_pairs(tables=pairs, groups=everything, group_count=1, label_count=label_count)
    return summed.reshape(-1)


def _mean_cohen(pairs: PairTables, ratings: Ratings) -> Value:
    if not len(pairs.pairs):
        return Undefined(Why.NO_TWO_VOTES)
    total = _sum_all_pairs(pairs, label_count=ratings.label_count)
    value = float(agreement.mean_cohen_kappa(total, label_count=ratings.label_count))
    return Undefined(Why.ONE_LABEL) if np.isnan(value) else value


def _pair_agreements(
    pairs: PairTables, bounds: PairBounds | None, *, label_count: int, names: tuple[str, ...]
) -> list[PairAgreement]:
    tables = _sum_all_pairs(pairs, label_count=label_count).reshape(-1, label_count, label_count)
    nothing: list[None] = [None] * len(tables)
    found = zip(
        pairs.pairs,
        tables,
        agreement.cohen_kappa(tables),
        bounds.observed if bounds else nothing,
        bounds.kappas if bounds else nothing,
        strict=True,
    )
    return [
        _pair_agreement((names[first], names[second]), table, float(kappa), *intervals)
        for (first, second), table, kappa, *intervals in found
    ]


def _pair_agreement(
    raters: tuple[str, str],
    table: Floats,
    kappa: float,
    observed_bounds: Interval | Undefined | None,
    kappa_bounds: Interval | Undefined | None,
) -> PairAgreement:
    items, equal = int(table.sum()), int(np.trace(table))
    observed = equal / items
    cohen: Value = Undefined(Why.ONE_LABEL) if np.isnan(kappa) else kappa
    ac1 = agreement.compute(agreement.gwet_ac1, agreement.sums_of_table(table))
    return PairAgreement(
        *raters,
        items,
        items - equal,
        is_paradox=agreement.is_paradox(observed=observed, kappa=cohen, ac1=ac1),
        figures={OBSERVED: Figure.of(observed, observed_bounds), COHEN: Figure.of(cohen, kappa_bounds)},
    )


def _has_missing(read: FirstRound, rule: MissingVotes) -> bool:
    return read.has_turns and rule is MissingVotes.OWN_CATEGORY


def _distribution(ratings: Ratings, labels: tuple[str, ...], *, has_missing: bool) -> dict[str, int]:
    names = (*labels, MISSING) if has_missing else labels
    given = ratings.votes[ratings.votes != agreement.NOT_RATED]
    counts = np.bincount(given, minlength=len(names))
    return {name: int(count) for name, count in zip(names, counts, strict=True)}


def bound_coefficients(
    ratings: Ratings,
    *,
    ordered: Integers,
    ordered_count: int,
    groups: Integers,
    nominal: Mapping[str, Coefficient],
) -> Intervals:
    """Bound every coefficient of all items together; groups: each item's question, numbered from 0.

    ordered: the votes that have a place in the order of `ordered_count` labels.
    """
    count = int(groups.max(initial=-1)) + 1
    if count < SMALLEST_CLUSTER_COUNT:
        return dict.fromkeys((*nominal, ORDINAL), Undefined(Why.TOO_FEW_QUESTIONS))
    unordered = agreement.sum_groups(
        votes=ratings.votes, groups=groups, group_count=count, label_count=ratings.label_count
    )
    in_order = agreement.sum_groups(
        votes=ordered, groups=groups, group_count=count, label_count=ordered_count
    )
    width = unordered.shape[1]

    def figures(counts: Floats) -> Floats:
        sums = agreement.unpack_sums(counts[..., :width], label_count=ratings.label_count)
        of_order = agreement.unpack_sums(counts[..., width:], label_count=ordered_count)
        values = [coefficient(sums) for coefficient in nominal.values()]
        return np.stack([*values, agreement.krippendorff_alpha_ordinal(of_order)], axis=-1)

    own = agreement.unpack_sums(unordered, label_count=ratings.label_count)
    clusters = [int(np.count_nonzero(own.items))] * (len(nominal) + 1)
    found = linearize(sums=np.hstack([unordered, in_order]), figures=figures, clusters=clusters)
    bounds = students_intervals(found=found, clusters=clusters, scale=Scale.COEFFICIENT)
    (observed,) = bound_ratios(parts=own.agreeing[:, np.newaxis], wholes=own.items[:, np.newaxis])
    return {**dict(zip((*nominal, ORDINAL), bounds, strict=True)), OBSERVED: observed}


def bound_pairs(pairs: PairTables, *, groups: Integers, label_count: int) -> PairBounds:
    """Bound how far every two raters agree; groups: each item's question, numbered from 0."""
    width, count = len(pairs.pairs), int(groups.max(initial=-1)) + 1
    if count < SMALLEST_CLUSTER_COUNT:
        return _no_pair(width, Undefined(Why.TOO_FEW_QUESTIONS))
    if width > agreement.MOST_PAIRS or width * label_count**2 * count > MOST_PAIR_CELLS:
        return _no_pair(width, Undefined(Why.TOO_MANY_PAIRS))
    sums = agreement.sum_pairs(tables=pairs, groups=groups, group_count=count, label_count=label_count)
    equal, both = _count_equal(sums, label_count)
    clusters = np.count_nonzero(both, axis=0).tolist()

    def figures(packed: Floats) -> Floats:
        kappas = agreement.cohen_kappa(packed.reshape(*packed.shape[:-1], -1, label_count, label_count))
        mean = agreement.mean_cohen_kappa(packed, label_count=label_count)
        return np.concatenate([np.asarray(mean)[..., np.newaxis], kappas], axis=-1)

    of_each = [count, *clusters]
    found = linearize(sums=sums, figures=figures, clusters=of_each)
    mean, *kappas = students_intervals(found=found, clusters=of_each, scale=Scale.COEFFICIENT)
    return PairBounds(mean, bound_ratios(parts=equal, wholes=both), kappas)


def bound_labels(ratings: Ratings, *, groups: Integers) -> Bounds:
    """Bound each label's share of all votes, in the labels' order; groups: each item's question."""
    items, places = np.nonzero(ratings.votes != agreement.NOT_RATED)
    return bound_kinds(ratings.votes[items, places], groups=groups[items], kind_count=ratings.label_count)


def bound_kinds(
    kinds: Integers, *, groups: Integers, kind_count: int, counts: Integers | None = None
) -> Bounds:
    """Bound each kind's share of all, in the order of their numbers.

    kinds, groups: each row's kind and question, both numbered from 0. counts: for how many a row stands, one
    unless told.
    """
    size = int(groups.max(initial=-1)) + 1
    flat = np.bincount(groups * kind_count + kinds, weights=counts, minlength=size * kind_count)
    parts = flat.reshape(size, kind_count).astype(np.float64)
    wholes = np.repeat(parts.sum(axis=1, keepdims=True), kind_count, axis=1)
    return bound_ratios(parts=parts, wholes=wholes)


def _no_pair(width: int, why: Undefined) -> PairBounds:
    return PairBounds(why, [why] * width, [why] * width)


def _tables(packed: Floats, label_count: int) -> Floats:
    return packed.reshape(len(packed), -1, label_count, label_count)


def _count_equal(packed: Floats, label_count: int) -> tuple[Floats, Floats]:
    """Return rows × pairs: equal votes, and votes that both gave."""
    tables = _tables(packed, label_count)
    return np.trace(tables, axis1=-2, axis2=-1), np.asarray(tables.sum(axis=(-2, -1)))


def to_json(report: AgreementReport) -> dict[str, Any]:
    """Return the report as files have it; what is undefined is null, and `words` says why."""
    return {
        "missing_votes": report.missing_votes and report.missing_votes.value,
        "rule_text": report.rule_text,
        "labels": report.labels.value,
        "label_views": [view.value for view in report.label_views],
        "raters": report.raters,
        "items": report.items,
        "questions": report.questions,
        "disagreements": report.disagreements,
        **_figures_json(report.figures, {f"share_{label}": of for label, of in report.label_shares.items()}),
        "is_paradox": report.is_paradox,
        "distribution": report.distribution,
        "band": report.band,
        "pairs": [_pair_json(pair) for pair in report.pairs],
    }


def _pair_json(pair: PairAgreement) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "items": pair.items,
        "disagreements": pair.disagreements,
        **_figures_json({"observed": pair.figures[OBSERVED], "cohen": pair.figures[COHEN]}),
        "is_paradox": pair.is_paradox,
    }


def _figures_json(figures: Mapping[str, Figure], bounded: Mapping[str, Figure] = {}) -> dict[str, Any]:
    """Return values and both ends by name; bounded: of these the ends alone, as counts say the rest."""
    both = {**figures, **bounded}
    return {
        **{name: figure.value for name, figure in figures.items()},
        "interval": {name: list(of.interval) if of.interval else None for name, of in both.items()},
        "words": {
            **{name: WHY[of.why] for name, of in figures.items() if of.value is None and of.why},
            **{f"interval.{name}": WHY[of.why] for name, of in both.items() if of.why},
        },
    }
