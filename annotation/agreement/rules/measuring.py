"""How far the first-round raters of a project agree, under one rule for missing votes."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from analysis import agreement
from analysis.agreement import Coefficient, MissingVotes, PairTables, Ratings
from analysis.agreement.votes import Floats, Integers
from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    percentile_interval,
    resample_sums,
)
from analysis.undefined import Undefined, Value
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
SEED = 20_231
RESAMPLES = 1_000
# The work of an interval for Cohen's kappa grows with questions × pairs.
MOST_PAIRS = 200
MOST_PAIR_CELLS = 20_000_000
TOO_MANY_PAIRS = "There are too many pairs of raters for an interval."

COEFFICIENTS: Mapping[str, Coefficient] = {
    "observed_agreement": agreement.observed_agreement,
    "fleiss_kappa": agreement.fleiss_kappa,
    "krippendorff_alpha": agreement.krippendorff_alpha,
    "gwet_ac1": agreement.gwet_ac1,
}
ORDINAL = "krippendorff_alpha_ordinal"
COHEN = "cohen_kappa"
NAMES = (*COEFFICIENTS, ORDINAL, COHEN)

Intervals: TypeAlias = dict[str, Interval | Undefined]


class PairAgreement(NamedTuple):
    """How far two raters agree on the items both were asked about."""

    a: str
    b: str
    items: int
    disagreements: int
    observed: Value
    cohen: Value
    is_paradox: bool


class AgreementReport(NamedTuple):
    """Every figure of one missing-vote rule; values and intervals by the coefficient's name.

    rule: None where a vote that was not given stands for nothing, as in a pilot. questions: those that the
    items belong to. views: the ways of reading labels that differ here.
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
    seed: int = SEED,
) -> AgreementReport:
    """Compute every coefficient for one rule for missing votes, and its interval over questions if wanted."""
    read = read_labels(first_round, view)
    ratings = fill_votes(read, rule)
    pairs = agreement.tabulate_pairs(
        votes=ratings.votes, raters=read.raters[ratings.rows], label_count=ratings.label_count
    )
    questions = read.questions[ratings.rows]
    sums = agreement.sum_votes(votes=ratings.votes, label_count=ratings.label_count)
    return AgreementReport(
        rule=rule if first_round.has_turns else None,
        view=view,
        views=offered_views(first_round),
        raters=read.votes.shape[1],
        items=len(ratings.votes),
        questions=len(np.unique(questions)),
        disagreements=int(sums.disagreeing),
        values=_values(read, ratings, pairs),
        intervals=_intervals(read, ratings, pairs, questions=questions, seed=seed) if with_intervals else {},
        pairs=_pair_agreements(pairs, label_count=ratings.label_count, names=read.names),
        distribution=_distribution(ratings, read.labels),
    )


def measure_pilot(votes: FirstRound, *, seed: int = SEED) -> AgreementReport:
    """Compute the same of a pilot, in which every rater has a column and nobody owes a vote."""
    return measure_agreement(votes, rule=MissingVotes.DROP, seed=seed)


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
        return Undefined(agreement.NO_ITEMS)
    total = _sum_all_pairs(pairs, label_count=ratings.label_count)
    value = float(agreement.mean_cohen_kappa(total, label_count=ratings.label_count))
    return Undefined(agreement.ONE_LABEL) if np.isnan(value) else value


def _intervals(
    read: FirstRound, ratings: Ratings, pairs: PairTables, *, questions: Integers, seed: int
) -> Intervals:
    names, numbers = np.unique(questions, return_inverse=True)
    if len(names) < SMALLEST_CLUSTER_COUNT:
        return dict.fromkeys(NAMES, Undefined(TOO_FEW_CLUSTERS))
    groups, count = numbers.reshape(-1), len(names)
    nominal = agreement.sum_groups(
        votes=ratings.votes, groups=groups, group_count=count, label_count=ratings.label_count
    )
    ordered = agreement.sum_groups(
        votes=_ordered(read, ratings), groups=groups, group_count=count, label_count=len(read.labels)
    )
    resampled = resample_sums(sums=np.hstack([nominal, ordered]), seed=seed, resamples=RESAMPLES)
    width = nominal.shape[1]
    sums = agreement.unpack_sums(resampled[:, :width], label_count=ratings.label_count)
    in_order = agreement.unpack_sums(resampled[:, width:], label_count=len(read.labels))
    values = {name: coefficient(sums) for name, coefficient in COEFFICIENTS.items()}
    values[ORDINAL] = agreement.krippendorff_alpha_ordinal(in_order)
    return {
        **{name: percentile_interval(values=drawn) for name, drawn in values.items()},
        COHEN: _cohen_interval(pairs, groups, group_count=count, label_count=ratings.label_count, seed=seed),
    }


def _cohen_interval(
    pairs: PairTables, groups: Integers, *, group_count: int, label_count: int, seed: int
) -> Interval | Undefined:
    cells = len(pairs.pairs) * label_count**2
    if len(pairs.pairs) > MOST_PAIRS or cells * group_count > MOST_PAIR_CELLS:
        return Undefined(TOO_MANY_PAIRS)
    sums = agreement.sum_pairs(tables=pairs, groups=groups, group_count=group_count, label_count=label_count)
    resampled = resample_sums(sums=sums, seed=seed, resamples=RESAMPLES)
    return percentile_interval(values=agreement.mean_cohen_kappa(resampled, label_count=label_count))


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
    cohen: Value = Undefined(agreement.ONE_LABEL) if np.isnan(kappa) else kappa
    ac1 = agreement.compute(agreement.gwet_ac1, agreement.sums_of_table(table))
    is_paradox = agreement.is_paradox(observed=observed, kappa=cohen, ac1=ac1)
    return PairAgreement(a, b, items, items - equal, observed, cohen, is_paradox)


def _distribution(ratings: Ratings, labels: tuple[str, ...]) -> dict[str, int]:
    given = ratings.votes[ratings.votes != agreement.NOT_RATED]
    counts = np.bincount(given, minlength=ratings.label_count)
    return {name: int(count) for name, count in zip((*labels, MISSING), counts, strict=False)}
