"""Estimate true labels and raters' errors by the EM algorithm."""

from typing import Any, NamedTuple

import numpy as np

from analysis.dawid_skene.models import (
    DAWID_SKENE,
    WEAK,
    Model,
    Prior,
    accuracies_of,
    log_of,
    shares_of,
    weigh,
)
from analysis.dawid_skene.votes import Floats, Kinds, Votes, group_alike

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
