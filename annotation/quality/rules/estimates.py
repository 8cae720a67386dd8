"""What raters' votes say of each other: pairwise kappa, and accuracy where nobody knows the truth."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analysis.arrays import Floats, Integers
from analysis.intervals import Scale, Undefined, Why, linearize, students_interval
from analysis.raters import agreement
from analysis.raters.dawid_skene import DAWID_SKENE, ONE_COIN, Model, Votes, fit
from annotation.quality.rules.figures import FEWEST, Figure, estimate
from annotation.quality.rules.votes import Ballots, Repeat, Work, pick_work


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


def estimate_raters(ballots: Ballots, work: Work) -> list[Estimates]:
    """Return the estimates of each rater, in the order of `ballots.raters`."""
    shared = _share(ballots, work)
    # Tie-breaks meet others only where these disagree, which would pull any kappa down.
    first = _share(ballots, pick_work(work, ~work.votes.breaks_tie))
    kappas = _kappas(first)
    confused = _accuracies(shared, model=DAWID_SKENE)
    coins = _accuracies(shared, model=ONE_COIN)
    return [Estimates(*figures) for figures in zip(kappas, confused, coins, strict=True)]


def estimate_self_kappa(repeats: Sequence[Repeat], *, labels: Sequence[str]) -> Figure:
    """Return Cohen's kappa of what a rater said the first and the second time."""
    if len(repeats) < FEWEST:
        return _undefined(Why.FEW_REPEATS if repeats else Why.NO_REPEATS)
    number_of = {label: number for number, label in enumerate(labels)}
    votes = np.array([[number_of[again.first], number_of[again.second]] for again in repeats], dtype=np.int64)
    times = np.tile(np.array([0, 1], dtype=np.int64), (len(repeats), 1))
    questions = np.array([again.question for again in repeats], dtype=np.int64)
    return _kappas(Shared(votes, times, questions, len(labels), rater_count=2))[0]


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


def _kappas(shared: Shared) -> list[Figure]:
    """Return each rater's mean Cohen's kappa with the others, weighted by the answers a pair shares."""
    pairs = agreement.tabulate_pairs(votes=shared.votes, raters=shared.raters, label_count=shared.label_count)
    if not len(pairs.pairs):
        return [_undefined(Why.NO_SHARED_VOTES)] * shared.rater_count
    names, clusters = np.unique(shared.questions, return_inverse=True)
    sums = agreement.sum_pairs(
        tables=pairs, groups=clusters, group_count=len(names), label_count=shared.label_count
    )
    is_bounded = len(pairs.pairs) <= agreement.MOST_PAIRS
    return [
        _kappa(_of_rater(sums, pairs.pairs, rater), label_count=shared.label_count, is_bounded=is_bounded)
        for rater in range(shared.rater_count)
    ]


def _of_rater(sums: Floats, pairs: Integers, rater: int) -> Floats:
    """Keep the tables of the pairs in which a rater has part; leading axes are free."""
    mine = (pairs == rater).any(axis=1)
    tables = sums.reshape(*sums.shape[:-1], len(pairs), -1)[..., mine, :]
    return tables.reshape(*sums.shape[:-1], -1)


def _kappa(sums: Floats, *, label_count: int, is_bounded: bool) -> Figure:
    """Return a rater's mean kappa; sums: questions × (pairs · labels²)."""
    totals = sums.sum(axis=0)
    if not totals.sum():
        return _undefined(Why.NO_SHARED_VOTES)
    if totals.sum() < FEWEST:
        return _undefined(Why.FEW_SHARED)
    value = float(agreement.mean_cohen_kappa(totals, label_count=label_count))
    if np.isnan(value):
        return _undefined(Why.ONE_LABEL_SHARED)
    if not is_bounded:
        return estimate(value, Undefined(Why.TOO_MANY_PAIRS))
    own = sums[sums.any(axis=1)]

    def figures(packed: Floats) -> Floats:
        return np.asarray(agreement.mean_cohen_kappa(packed, label_count=label_count))[..., np.newaxis]

    (error,) = linearize(sums=own, figures=figures).errors
    return estimate(
        value,
        students_interval(value=value, error=float(error), clusters=len(own), scale=Scale.COEFFICIENT),
    )


def _accuracies(shared: Shared, *, model: Model) -> list[Figure]:
    """Estimate how often each rater is right, from the votes of people alone.

    Without an interval: answers that are hard for everybody break what the model takes for granted, and its
    own intervals then cover in 2 to 76% of studies, the less the more answers there are.
    """
    items, slots = np.nonzero(shared.votes != agreement.NOT_RATED)
    raters = shared.raters[items, slots]
    counts = np.bincount(raters, minlength=shared.rater_count)
    if (counts > 0).sum() < 3:
        return [_undefined(Why.FEW_RATERS)] * shared.rater_count
    votes = Votes(
        items, raters, shared.votes[items, slots], len(shared.votes), shared.rater_count, shared.label_count
    )
    found = fit(votes=votes, model=model)
    return [_accuracy(count, value) for count, value in zip(counts, found.accuracies, strict=True)]


def _accuracy(count: int, value: float) -> Figure:
    if count == 0:
        return _undefined(Why.NO_SHARED_VOTES)
    if count < FEWEST:
        return _undefined(Why.FEW_SHARED)
    return estimate(float(value), Undefined(Why.MODEL_BASED))


def _undefined(why: Why) -> Figure:
    return estimate(Undefined(why), Undefined(why))
