"""How raters err: the likeliest confusions of what they are believed to have said."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from analysis.dawid_skene.votes import Floats


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
