"""How far the first-round raters of a project agree, under one rule for missing votes."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from analysis import agreement
from analysis.agreement import Coefficient, MissingVotes, PairTables, Ratings
from analysis.agreement.votes import Floats, Integers
from analysis.figures import Undefined, Value, Why
from annotation.agreement.rules.intervals import (
    COHEN,
    OBSERVED,
    ORDINAL,
    Intervals,
    bound_coefficients,
    bound_labels,
    bound_pairs,
)
from annotation.agreement.rules.votes import (
    NO_RULE_TEXT,
    RULE_TEXTS,
    FirstRound,
    LabelView,
    fill_votes,
    offered_views,
    read_labels,
)

MISSING = "missing"

COEFFICIENTS: Mapping[str, Coefficient] = {
    OBSERVED: agreement.observed_agreement,
    "fleiss_kappa": agreement.fleiss_kappa,
    "krippendorff_alpha": agreement.krippendorff_alpha,
    "gwet_ac1": agreement.gwet_ac1,
}


class PairAgreement(NamedTuple):
    """How far two raters agree on the items both were asked about.

    intervals: of `observed` and `cohen`; empty where intervals are not wanted.
    """

    a: str
    b: str
    items: int
    disagreements: int
    observed: Value
    cohen: Value
    is_paradox: bool
    intervals: Intervals = {}


class AgreementReport(NamedTuple):
    """Every figure of one missing-vote rule; values and intervals by the coefficient's name.

    rule: None where a vote that was not given stands for nothing, as in a pilot. questions: those that the
    items belong to. views: the ways of reading labels that differ here. label_intervals: of each label's
    share of the votes in `distribution`. All intervals are empty where they are not wanted.
    """

    rule: MissingVotes | None
    view: LabelView
    views: tuple[LabelView, ...]
    raters: int
    items: int
    questions: int
    disagreements: int
    values: dict[str, Value]
    intervals: Intervals
    pairs: list[PairAgreement]
    distribution: dict[str, int]
    label_intervals: Intervals = {}

    @property
    def ac1_labels(self) -> int:
        """How many labels Gwet's AC1 counts: those offered, and a missing vote only where one is missing."""
        return len(self.distribution) - (self.distribution.get(MISSING) == 0)

    @property
    def rule_text(self) -> str:
        """The rule in words."""
        return NO_RULE_TEXT if self.rule is None else RULE_TEXTS[self.rule]

    @property
    def band(self) -> str:
        """The band of Fleiss' kappa, or those its interval reaches; empty where kappa is undefined."""
        kappa = self.values["fleiss_kappa"]
        if isinstance(kappa, Undefined):
            return ""
        bounds = self.intervals.get("fleiss_kappa")
        if bounds is None or isinstance(bounds, Undefined):
            return agreement.name_band(kappa)
        return agreement.name_bands(bounds.low, bounds.high)

    @property
    def is_ordered(self) -> bool:
        """Whether a label stands between right and wrong; two labels have no more order than none."""
        return self.view is LabelView.AS_LABELLED and LabelView.POSSIBLY in self.views

    @property
    def is_paradox(self) -> bool:
        """Whether kappa is low because nearly all votes are one label."""
        return agreement.is_paradox(
            observed=self.values["observed_agreement"],
            kappa=self.values["fleiss_kappa"],
            ac1=self.values["gwet_ac1"],
        )


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
    report = AgreementReport(
        rule=rule if first_round.has_turns else None,
        view=view,
        views=offered_views(first_round),
        raters=read.votes.shape[1],
        items=len(ratings.votes),
        questions=len(np.unique(read.questions[ratings.rows])),
        disagreements=int(sums.disagreeing),
        values=_values(read, ratings, pairs),
        intervals={},
        pairs=_pair_agreements(pairs, label_count=ratings.label_count, names=read.names),
        distribution=_distribution(ratings, read.labels, has_missing=_has_missing(read, rule)),
    )
    return _with_intervals(report, read, ratings, pairs) if with_intervals else report


def measure_pilot(votes: FirstRound) -> AgreementReport:
    """Compute the same of a pilot, in which every rater has a column and nobody owes a vote."""
    return measure_agreement(votes, rule=MissingVotes.DROP)


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


def _with_intervals(
    report: AgreementReport, read: FirstRound, ratings: Ratings, pairs: PairTables
) -> AgreementReport:
    _, numbers = np.unique(read.questions[ratings.rows], return_inverse=True)
    groups = numbers.reshape(-1)
    coefficients = bound_coefficients(
        ratings,
        ordered=_ordered(read, ratings),
        ordered_count=len(read.labels),
        groups=groups,
        nominal=COEFFICIENTS,
    )
    of_pairs = bound_pairs(pairs, groups=groups, label_count=ratings.label_count)
    bounds = zip(report.pairs, of_pairs.observed, of_pairs.kappas, strict=True)
    labels = bound_labels(ratings._replace(label_count=len(report.distribution)), groups=groups)
    return report._replace(
        intervals={**coefficients, COHEN: of_pairs.mean_kappa},
        pairs=[pair._replace(intervals={"observed": one, "cohen": other}) for pair, one, other in bounds],
        label_intervals=dict(zip(report.distribution, labels, strict=True)),
    )


def _pair_agreements(pairs: PairTables, *, label_count: int, names: tuple[str, ...]) -> list[PairAgreement]:
    tables = _sum_all_pairs(pairs, label_count=label_count).reshape(-1, label_count, label_count)
    found = zip(pairs.pairs, tables, agreement.cohen_kappa(tables), strict=True)
    return [
        _pair_agreement(names[first], names[second], table, float(kappa))
        for (first, second), table, kappa in found
    ]


def _pair_agreement(a: str, b: str, table: Floats, kappa: float) -> PairAgreement:
    items, equal = int(table.sum()), int(np.trace(table))
    observed = equal / items
    cohen: Value = Undefined(Why.ONE_LABEL) if np.isnan(kappa) else kappa
    ac1 = agreement.compute(agreement.gwet_ac1, agreement.sums_of_table(table))
    is_paradox = agreement.is_paradox(observed=observed, kappa=cohen, ac1=ac1)
    return PairAgreement(a, b, items, items - equal, observed, cohen, is_paradox)


def _has_missing(read: FirstRound, rule: MissingVotes) -> bool:
    return read.has_turns and rule is MissingVotes.OWN_CATEGORY


def _distribution(ratings: Ratings, labels: tuple[str, ...], *, has_missing: bool) -> dict[str, int]:
    names = (*labels, MISSING) if has_missing else labels
    given = ratings.votes[ratings.votes != agreement.NOT_RATED]
    counts = np.bincount(given, minlength=len(names))
    return {name: int(count) for name, count in zip(names, counts, strict=True)}
