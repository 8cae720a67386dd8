"""What raters' votes say of each other: pairwise kappa, and accuracy where nobody knows the truth."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis import agreement
from analysis.dawid_skene import DAWID_SKENE, ONE_COIN, Model, Votes, fit, sample_accuracies
from analysis.intervals import (
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    percentile_interval,
    resample_sums,
)
from analysis.undefined import Undefined
from annotation.quality.rules.figures import FEWEST, Figure, estimate
from annotation.quality.rules.votes import Ballots, Repeat, Work, pick_work

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

SEED = 20_237
RESAMPLES = 500
# The work of intervals for kappa grows with questions × pairs.
MOST_PAIRS = 200

NOBODY_ELSE = "Nobody else has judged the same answers, tie-breaks aside."
ONE_LABEL = "All votes on shared answers are the same label, so κ is undefined."
TOO_MANY_PAIRS = "There are too many pairs of raters for an interval."
FEW_RATERS = "With fewer than three raters on shared answers nobody can say who of them errs."
NO_REPEATS = "No answer was shown twice."
FEW_REPEATS = f"Fewer than {FEWEST} answers came a second time."
FEW_SHARED = f"Fewer than {FEWEST} answers that somebody else judged, too."


class Shared(NamedTuple):
    """The votes on answers with two votes or more, as items × slots, -1 = no vote; who filled each slot."""

    votes: Integers
    raters: Integers
    questions: Integers
    label_count: int
    rater_count: int


class Estimates(NamedTuple):
    """What the others' votes say of one rater."""

    kappa: Figure
    dawid_skene: Figure
    one_coin: Figure


def estimate_raters(ballots: Ballots, work: Work, *, seed: int = SEED) -> list[Estimates]:
    """Return the estimates of each rater, in the order of `ballots.raters`."""
    shared = _share(ballots, work)
    # Tie-breaks meet others only where these disagree, which would pull any kappa down.
    first = _share(ballots, pick_work(work, ~work.votes.breaks_tie))
    kappas = _kappas(first, seed=seed)
    confused = _accuracies(shared, model=DAWID_SKENE, seed=seed)
    coins = _accuracies(shared, model=ONE_COIN, seed=seed)
    return [Estimates(*figures) for figures in zip(kappas, confused, coins, strict=True)]


def estimate_self_kappa(repeats: Sequence[Repeat], *, labels: Sequence[str], seed: int = SEED) -> Figure:
    """Return Cohen's kappa of what a rater said the first and the second time."""
    if len(repeats) < FEWEST:
        return _undefined(FEW_REPEATS if repeats else NO_REPEATS)
    number_of = {label: number for number, label in enumerate(labels)}
    votes = np.array([[number_of[again.first], number_of[again.second]] for again in repeats], dtype=np.int64)
    times = np.tile(np.array([0, 1], dtype=np.int64), (len(repeats), 1))
    questions = np.array([again.question for again in repeats], dtype=np.int64)
    return _kappas(Shared(votes, times, questions, len(labels), rater_count=2), seed=seed)[0]


def _share(ballots: Ballots, work: Work) -> Shared:
    """Put the votes on one answer side by side: by slot, those that hold none last, earlier ones first."""
    sizes = np.bincount(work.items)
    shared = pick_work(work, sizes[work.items] >= 2)
    slots = shared.votes.slots
    shared = pick_work(shared, np.lexsort((slots, slots == 0, shared.items)))
    sizes = sizes[sizes >= 2]
    is_given = np.arange(sizes.max(initial=2)) < sizes[:, np.newaxis]
    labels = np.full(is_given.shape, agreement.NOT_RATED, dtype=np.int64)
    raters = np.zeros(is_given.shape, dtype=np.int64)
    labels[is_given], raters[is_given] = shared.votes.labels, shared.votes.raters
    questions = shared.votes.questions[np.cumsum(sizes) - sizes]
    return Shared(labels, raters, questions, len(ballots.labels), len(ballots.raters))


def _kappas(shared: Shared, *, seed: int) -> list[Figure]:
    """Return each rater's mean Cohen's kappa with the others, weighted by the answers a pair shares."""
    pairs = agreement.tabulate_pairs(votes=shared.votes, raters=shared.raters, label_count=shared.label_count)
    if not len(pairs.pairs):
        return [_undefined(NOBODY_ELSE)] * shared.rater_count
    names, clusters = np.unique(shared.questions, return_inverse=True)
    sums = agreement.sum_pairs(
        tables=pairs, groups=clusters, group_count=len(names), label_count=shared.label_count
    )
    resampled = None
    if len(names) >= SMALLEST_CLUSTER_COUNT and len(pairs.pairs) <= MOST_PAIRS:
        resampled = resample_sums(sums=sums, seed=seed, resamples=RESAMPLES)
    why_not = TOO_FEW_CLUSTERS if len(names) < SMALLEST_CLUSTER_COUNT else TOO_MANY_PAIRS
    return [
        _kappa(
            totals=_of_rater(sums.sum(axis=0), pairs.pairs, rater),
            resampled=None if resampled is None else _of_rater(resampled, pairs.pairs, rater),
            label_count=shared.label_count,
            why_not=why_not,
        )
        for rater in range(shared.rater_count)
    ]


def _of_rater(sums: Floats, pairs: Integers, rater: int) -> Floats:
    """Keep the tables of the pairs in which a rater has part; leading axes are free."""
    mine = (pairs == rater).any(axis=1)
    tables = sums.reshape(*sums.shape[:-1], len(pairs), -1)[..., mine, :]
    return tables.reshape(*sums.shape[:-1], -1)


def _kappa(*, totals: Floats, resampled: Floats | None, label_count: int, why_not: str) -> Figure:
    if not totals.sum():
        return _undefined(NOBODY_ELSE)
    if totals.sum() < FEWEST:
        return _undefined(FEW_SHARED)
    value = float(agreement.mean_cohen_kappa(totals, label_count=label_count))
    if np.isnan(value):
        return _undefined(ONE_LABEL)
    if resampled is None:
        return estimate(value, Undefined(why_not))
    values = agreement.mean_cohen_kappa(resampled, label_count=label_count)
    return estimate(value, percentile_interval(values=values))


def _accuracies(shared: Shared, *, model: Model, seed: int) -> list[Figure]:
    """Estimate how often each rater is right, from the votes of people alone."""
    items, slots = np.nonzero(shared.votes != agreement.NOT_RATED)
    raters = shared.raters[items, slots]
    counts = np.bincount(raters, minlength=shared.rater_count)
    if (counts > 0).sum() < 3:
        return [_undefined(FEW_RATERS)] * shared.rater_count
    votes = Votes(
        items, raters, shared.votes[items, slots], len(shared.votes), shared.rater_count, shared.label_count
    )
    start = fit(votes=votes, model=model)
    draws = sample_accuracies(votes=votes, start=start, model=model, seed=seed)
    return [
        _accuracy(count, value, draws[:, place])
        for place, (count, value) in enumerate(zip(counts, start.accuracies, strict=True))
    ]


def _accuracy(count: int, value: float, draws: Floats) -> Figure:
    if count == 0:
        return _undefined(NOBODY_ELSE)
    if count < FEWEST:
        return _undefined(FEW_SHARED)
    low, high = np.quantile(draws, [0.025, 0.975])
    return estimate(float(value), Interval(float(low), float(high)))


def _undefined(reason: str) -> Figure:
    return estimate(Undefined(reason), Undefined(reason))
