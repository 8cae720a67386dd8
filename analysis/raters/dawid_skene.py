"""How often raters are right where nobody knows the truth, estimated from how their votes agree."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import Floats, Integers
from analysis.raters.agreement import NOT_RATED


class Votes(NamedTuple):
    """Who gave which item which label: one entry a vote, numbers from 0 up to their count.

    A rater may have voted on an item more than once: each vote counts.
    """

    items: Integers
    raters: Integers
    labels: Integers
    item_count: int
    rater_count: int
    label_count: int


class Kinds(NamedTuple):
    """Items that have the same votes of the same raters, taken as one.

    votes: one item a kind. indicators: of those. sizes: items of each kind. numbers: each item's kind.
    """

    votes: Votes
    indicators: Any
    sizes: Integers
    numbers: Integers


def group_alike(votes: Votes) -> Kinds:
    """Take all items that have the same votes of the same raters as one.

    Their true labels are equally probable, and a hundred thousand answers of three raters hold few kinds.
    """
    columns = votes.raters * votes.label_count + votes.labels
    order = np.lexsort((columns, votes.items))
    counts = np.bincount(votes.items, minlength=votes.item_count)
    places = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = np.full((votes.item_count, max(1, counts.max(initial=0))), NOT_RATED, dtype=np.int64)
    rows[votes.items[order], places] = columns[order]
    rows, numbers = _distinct(rows)
    items, slots = np.nonzero(rows != NOT_RATED)
    raters, labels = np.divmod(rows[items, slots], votes.label_count)
    alike = votes._replace(items=items, raters=raters, labels=labels, item_count=len(rows))
    return Kinds(alike, _indicators(alike), np.bincount(numbers, minlength=len(rows)), numbers)


def _distinct(rows: Integers) -> tuple[Integers, Integers]:
    """Return the different rows, sorted, and the number of each row's; far faster than `np.unique`."""
    order = np.lexsort(rows.T[::-1])
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    numbers = np.empty(len(rows), dtype=np.int64)
    numbers[order] = np.cumsum(is_new) - 1
    return rows[order[is_new]], numbers


def _indicators(votes: Votes) -> Any:
    """Return items × (raters · labels), sparse: how often the rater gave the item the label."""
    # SciPy is loaded where it is first used: processes that estimate nothing start without it.
    from scipy.sparse import csr_array

    columns = votes.raters * votes.label_count + votes.labels
    shape = (votes.item_count, votes.rater_count * votes.label_count)
    return csr_array((np.ones(len(columns)), (votes.items, columns)), shape=shape)


class Prior(NamedTuple):
    """What is believed before the first vote, in votes; all 0 gives the estimates of maximum likelihood.

    prevalence: of each label. right, wrong: of a rater on items of one true label; the wrong ones are
    spread over the other labels equally.
    """

    prevalence: float = 1.0
    right: float = 3.0
    wrong: float = 1.0


# Three votes right to one wrong: enough to say which way round labels are, little beside ten votes.
WEAK = Prior()


class Model(NamedTuple):
    """How raters err: from counts (raters × true × given) the likeliest confusions.

    weigh: what the prior adds to the log likelihood for these confusions, but for a constant.
    """

    estimate: Callable[[Floats, Prior], Floats]
    weigh: Callable[[Floats, Prior], float]


def accuracies_of(*, prevalence: Floats, confusions: Floats) -> Floats:
    """Weigh each label's share of right votes by how common the label is; leading axes are free."""
    right = np.diagonal(confusions, axis1=-2, axis2=-1)
    return np.asarray((right * prevalence[..., np.newaxis, :]).sum(axis=-1), dtype=np.float64)


def _split(prior: Prior, label_count: int) -> Floats:
    """Return the prior's votes as true × given labels."""
    wrong = prior.wrong / max(label_count - 1, 1)
    return np.where(np.eye(label_count, dtype=bool), prior.right, wrong)


def shares_of(counts: Floats) -> Floats:
    """Divide rows by their sums; a row of zeros says nothing, so its labels are equally likely."""
    sums = np.asarray(counts.sum(axis=-1, keepdims=True))
    return np.where(sums > 0, counts / np.where(sums > 0, sums, 1.0), 1.0 / counts.shape[-1])


def log_of(shares: Floats) -> Floats:
    """Return logarithms; of 0 that is minus infinity."""
    with np.errstate(divide="ignore"):
        return np.log(shares)


def weigh(votes: Floats, shares: Floats) -> float:
    """Return the log of what votes weigh under these shares, but for a constant."""
    # A share of 0 that no vote of the prior speaks for weighs nothing.
    return float(np.where(votes > 0, votes * log_of(np.where(votes > 0, shares, 1.0)), 0.0).sum())


def _estimate_rows(counts: Floats, prior: Prior) -> Floats:
    return shares_of(counts + _split(prior, counts.shape[-1]))


def _weigh_rows(confusions: Floats, prior: Prior) -> float:
    return weigh(_split(prior, confusions.shape[-1]), confusions)


def _right_and_wrong(counts: Floats, prior: Prior) -> Floats:
    right = np.trace(counts, axis1=-2, axis2=-1)
    wrong = counts.sum(axis=(-2, -1)) - right
    return np.stack([right + prior.right, wrong + prior.wrong], axis=-1)


def _spread(accuracies: Floats, label_count: int) -> Floats:
    wrong = (1.0 - accuracies) / max(label_count - 1, 1)
    is_right = np.eye(label_count, dtype=bool)
    return np.where(is_right, accuracies[:, np.newaxis, np.newaxis], wrong[:, np.newaxis, np.newaxis])


def _estimate_coin(counts: Floats, prior: Prior) -> Floats:
    return _spread(shares_of(_right_and_wrong(counts, prior))[:, 0], counts.shape[-1])


def _weigh_coin(confusions: Floats, prior: Prior) -> float:
    accuracies = confusions[:, 0, 0]
    coins = np.stack([accuracies, 1.0 - accuracies], axis=-1)
    return weigh(np.array([prior.right, prior.wrong]), coins)


# Each rater has a confusion of their own. Source: Dawid and Skene 1979; priors as in Paun et al. 2018.
DAWID_SKENE = Model(_estimate_rows, _weigh_rows)
# Each rater is right with one probability whatever the true label, and errs towards any other alike.
ONE_COIN = Model(_estimate_coin, _weigh_coin)


MOST_STEPS = 1_000
TOLERANCE = 1e-9


class Fit(NamedTuple):
    """What the votes come to under a model.

    posteriors: items × labels, how probably each label is the true one. prevalence: of each label.
    confusions: raters × true label × label given; rows add up to 1. log_likelihood: of the votes.
    objective: what every step raises, the log likelihood plus the prior's weight.
    """

    posteriors: Floats
    prevalence: Floats
    confusions: Floats
    log_likelihood: float
    objective: float
    steps: int
    has_converged: bool

    @property
    def accuracies(self) -> Floats:
        """How often each rater is right on an item drawn from all items."""
        return accuracies_of(prevalence=self.prevalence, confusions=self.confusions)


def _joint(indicators: Any, prevalence: Floats, confusions: Floats) -> Floats:
    """Return the log probability of each item's votes together with each true label: items × labels."""
    given = log_of(confusions).transpose(0, 2, 1).reshape(-1, len(prevalence))
    return np.asarray(log_of(prevalence) + indicators @ given)


def _soft_counts(indicators: Any, posteriors: Floats) -> Floats:
    label_count = posteriors.shape[1]
    given = np.asarray(indicators.T @ posteriors).reshape(-1, label_count, label_count)
    return given.transpose(0, 2, 1)


def _start(votes: Votes) -> Floats:
    """Return each item's shares of votes, as Dawid and Skene start; without votes all labels alike."""
    counts = np.zeros((votes.item_count, votes.label_count))
    np.add.at(counts, (votes.items, votes.labels), 1.0)
    return shares_of(counts)


def fit(
    *,
    votes: Votes,
    model: Model = DAWID_SKENE,
    prior: Prior = WEAK,
    most_steps: int = MOST_STEPS,
    tolerance: float = TOLERANCE,
) -> Fit:
    """Estimate true labels and how raters err, by the EM algorithm; with no votes the prior alone speaks.

    Source: Dawid and Skene 1979, equations 2.3 to 2.5, with the prior's votes added to the counts, which
    makes the estimates modes of the posterior. Starts from the shares of votes, so equal votes give equal
    estimates. Two raters alone are not enough to tell who of them errs: then the prior decides.
    """
    kinds = group_alike(votes)
    found = _improve(kinds, _start(kinds.votes), model, prior)
    for step in range(2, most_steps + 1):
        before = found.objective
        found = _improve(kinds, found.posteriors, model, prior)
        if found.objective - before <= tolerance * max(1.0, abs(before)):
            found = found._replace(steps=step, has_converged=True)
            break
    else:
        found = found._replace(steps=most_steps)
    return found._replace(posteriors=found.posteriors[kinds.numbers])


def _improve(kinds: Kinds, posteriors: Floats, model: Model, prior: Prior) -> Fit:
    """Make one step: from the truth as believed to raters and prevalence, and back."""
    from scipy.special import logsumexp

    believed = posteriors * kinds.sizes[:, np.newaxis]
    prevalence = shares_of(believed.sum(axis=0) + prior.prevalence)
    confusions = model.estimate(_soft_counts(kinds.indicators, believed), prior)
    joint = _joint(kinds.indicators, prevalence, confusions)
    evidence = np.asarray(logsumexp(joint, axis=1))
    likelihood = float(evidence @ kinds.sizes)
    weight = weigh(np.full_like(prevalence, prior.prevalence), prevalence) + model.weigh(confusions, prior)
    return Fit(
        posteriors=np.exp(joint - evidence[:, np.newaxis]),
        prevalence=prevalence,
        confusions=confusions,
        log_likelihood=likelihood,
        objective=likelihood + weight,
        steps=1,
        has_converged=False,
    )
