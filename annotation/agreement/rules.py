"""How far the first-round raters of a project agree, under one rule for missing votes."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis import agreement
from analysis.agreement import Coefficient, MissingVotes, PairTables, Ratings
from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    add_by_cluster,
    percentile_interval,
    resample_sums,
)
from analysis.undefined import Undefined, Value

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

MISSING = "missing"
SEED = 20_231
RESAMPLES = 1_000
# The work of an interval for Cohen's kappa grows with questions × pairs.
MOST_PAIRS = 200
TOO_MANY_PAIRS = "There are too many pairs of raters for an interval."

RULE_TEXTS = {
    MissingVotes.OWN_CATEGORY: "A vote that a first-round rater did not give counts as a label of its own.",
    MissingVotes.DROP: "Answers on which a first-round rater gave no vote are left out.",
    MissingVotes.AS_INCORRECT: "A vote that a first-round rater did not give counts as “incorrect”.",
    MissingVotes.AS_CORRECT: "A vote that a first-round rater did not give counts as “correct”.",
}

COEFFICIENTS: Mapping[str, Coefficient] = {
    "observed_agreement": agreement.observed_agreement,
    "fleiss_kappa": agreement.fleiss_kappa,
    "krippendorff_alpha": agreement.krippendorff_alpha,
    "gwet_ac1": agreement.gwet_ac1,
}
COHEN = "cohen_kappa"


class FirstRound(NamedTuple):
    """The first-round votes of a project.

    votes: items × raters per answer, numbers of `labels`, -1 = asked and not given. raters: who filled the
    place, a number of `names`. questions: each item's question. correct, incorrect: numbers of `labels`.
    """

    votes: Integers
    raters: Integers
    items: Integers
    questions: Integers
    labels: tuple[str, ...]
    names: tuple[str, ...]
    correct: int
    incorrect: int


class PairAgreement(NamedTuple):
    """How far two raters agree on the items both were asked about."""

    a: str
    b: str
    items: int
    observed: Value
    cohen: Value


class AgreementReport(NamedTuple):
    """Every figure of one missing-vote rule; values and intervals by the coefficient's name."""

    rule: MissingVotes
    raters: int
    items: int
    disagreements: int
    values: dict[str, Value]
    intervals: dict[str, Interval | Undefined]
    pairs: list[PairAgreement]
    distribution: dict[str, int]

    @property
    def rule_text(self) -> str:
        """The rule in words."""
        return RULE_TEXTS[self.rule]

    @property
    def band(self) -> str:
        """The band of Fleiss' kappa, empty where it is undefined."""
        kappa = self.values["fleiss_kappa"]
        return "" if isinstance(kappa, Undefined) else agreement.name_band(kappa)


def complete_rounds(*, turns: Sequence[Sequence[int]], raters_per_answer: int) -> list[int]:
    """Return the positions of the items on which every first-round rater has had a turn.

    `turns`: for each item its first-round raters that voted or passed. An item still waiting for a
    rater says nothing about agreement yet.
    """
    return [position for position, turn in enumerate(turns) if len(turn) >= raters_per_answer]


def disagreeing_items(first_round: FirstRound) -> list[int]:
    """Return the items whose first-round raters gave different labels; missing votes do not differ."""
    given = first_round.votes != agreement.NOT_RATED
    highest = first_round.votes.max(axis=1, initial=-1)
    lowest = np.where(given, first_round.votes, np.iinfo(np.int64).max).min(
        axis=1, initial=np.iinfo(np.int64).max
    )
    return [int(item) for item in first_round.items[given.any(axis=1) & (highest > lowest)]]


def measure_agreement(first_round: FirstRound, *, rule: MissingVotes, seed: int = SEED) -> AgreementReport:
    """Compute every coefficient with its interval over questions, for one rule for missing votes."""
    ratings = agreement.fill_missing_votes(
        votes=first_round.votes,
        label_count=len(first_round.labels),
        rule=rule,
        incorrect=first_round.incorrect,
        correct=first_round.correct,
    )
    pairs = agreement.tabulate_pairs(
        votes=ratings.votes, raters=first_round.raters[ratings.rows], label_count=ratings.label_count
    )
    packed = agreement.sum_items(votes=ratings.votes, label_count=ratings.label_count)
    sums = agreement.unpack_sums(packed.sum(axis=0), label_count=ratings.label_count)
    values = {name: agreement.compute(statistic, sums) for name, statistic in COEFFICIENTS.items()}
    return AgreementReport(
        rule=rule,
        raters=first_round.votes.shape[1],
        items=len(ratings.votes),
        disagreements=int(sums.disagreeing),
        values={**values, COHEN: _mean_cohen(pairs, ratings)},
        intervals=_intervals(
            packed=packed,
            pairs=pairs,
            ratings=ratings,
            questions=first_round.questions[ratings.rows],
            seed=seed,
        ),
        pairs=_pair_agreements(pairs=pairs, label_count=ratings.label_count, names=first_round.names),
        distribution=_distribution(ratings, first_round.labels),
    )


def _sum_all_pairs(pairs: PairTables, *, label_count: int) -> Floats:
    item_count = int(pairs.items.max(initial=-1)) + 1
    everything = np.zeros(item_count, dtype=np.int64)
    summed = agreement.sum_pairs(tables=pairs, groups=everything, group_count=1, label_count=label_count)
    return summed.reshape(-1)


def _mean_cohen(pairs: PairTables, ratings: Ratings) -> Value:
    if not len(pairs.pairs):
        return Undefined(agreement.NO_ITEMS)
    total = _sum_all_pairs(pairs, label_count=ratings.label_count)
    value = float(agreement.mean_cohen_kappa(total, label_count=ratings.label_count))
    return Undefined(agreement.ONE_LABEL) if np.isnan(value) else value


def _intervals(
    *,
    packed: Floats,
    pairs: PairTables,
    ratings: Ratings,
    questions: Integers,
    seed: int,
) -> dict[str, Interval | Undefined]:
    names, clusters = np.unique(questions, return_inverse=True)
    if len(names) < SMALLEST_CLUSTER_COUNT:
        return dict.fromkeys([*COEFFICIENTS, COHEN], Undefined(TOO_FEW_CLUSTERS))
    clusters = clusters.reshape(-1)
    columns = [add_by_cluster(sums=packed, clusters=clusters)]
    has_cohen = len(pairs.pairs) <= MOST_PAIRS
    if has_cohen:
        columns.append(
            agreement.sum_pairs(
                tables=pairs, groups=clusters, group_count=len(names), label_count=ratings.label_count
            )
        )
    resampled = resample_sums(sums=np.hstack(columns), seed=seed, resamples=RESAMPLES)
    return _percentiles(resampled, width=packed.shape[1], ratings=ratings, has_cohen=has_cohen)


def _percentiles(
    resampled: Floats, *, width: int, ratings: Ratings, has_cohen: bool
) -> dict[str, Interval | Undefined]:
    sums = agreement.unpack_sums(resampled[:, :width], label_count=ratings.label_count)
    bounds: dict[str, Interval | Undefined] = {
        name: percentile_interval(values=statistic(sums)) for name, statistic in COEFFICIENTS.items()
    }
    if not has_cohen:
        return {**bounds, COHEN: Undefined(TOO_MANY_PAIRS)}
    kappas = agreement.mean_cohen_kappa(resampled[:, width:], label_count=ratings.label_count)
    return {**bounds, COHEN: percentile_interval(values=kappas)}


def _pair_agreements(*, pairs: PairTables, label_count: int, names: tuple[str, ...]) -> list[PairAgreement]:
    total = _sum_all_pairs(pairs, label_count=label_count)
    tables = total.reshape(-1, label_count, label_count)
    kappas = agreement.cohen_kappa(tables)
    return [
        PairAgreement(
            a=names[first],
            b=names[second],
            items=int(table.sum()),
            observed=float(np.trace(table) / table.sum()),
            cohen=Undefined(agreement.ONE_LABEL) if np.isnan(kappa) else float(kappa),
        )
        for (first, second), table, kappa in zip(pairs.pairs, tables, kappas, strict=True)
    ]


def _distribution(ratings: Ratings, labels: tuple[str, ...]) -> dict[str, int]:
    counts = np.bincount(ratings.votes.reshape(-1), minlength=ratings.label_count)
    return {name: int(count) for name, count in zip((*labels, MISSING), counts, strict=False)}


def to_json(report: AgreementReport) -> dict[str, object]:
    """Return the report's JSON form; what is undefined is null, and `words` says why."""
    words = _words(report.values, lambda name: name)
    words |= _words(report.intervals, lambda name: f"interval.{name}")
    return {
        "missing_votes": report.rule.value,
        "rule_text": report.rule_text,
        "raters": report.raters,
        "items": report.items,
        "disagreements": report.disagreements,
        **{name: None if isinstance(value, Undefined) else value for name, value in report.values.items()},
        "interval": {
            name: None if isinstance(bounds, Undefined) else list(bounds)
            for name, bounds in report.intervals.items()
        },
        "words": words,
        "band": report.band,
        "distribution": report.distribution,
        "pairs": [_pair_json(pair) for pair in report.pairs],
    }


def _words(values: Mapping[str, object], name_of: Callable[[str], str]) -> dict[str, str]:
    return {name_of(name): value.reason for name, value in values.items() if isinstance(value, Undefined)}


def _pair_json(pair: PairAgreement) -> dict[str, object]:
    undefined = isinstance(pair.cohen, Undefined)
    return {
        "a": pair.a,
        "b": pair.b,
        "items": pair.items,
        "observed": pair.observed,
        "cohen": None if undefined else pair.cohen,
        "words": pair.cohen.reason if isinstance(pair.cohen, Undefined) else "",
    }
