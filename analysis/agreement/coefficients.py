"""Coefficients of agreement, each a function of sums."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from analysis.agreement.sums import Sums
from analysis.agreement.votes import Floats
from analysis.figures import Undefined, Value, Why
from analysis.intervals import divide

Coefficient: TypeAlias = Callable[[Sums], Floats]


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """Scale agreement so that chance is 0 and full agreement 1; NaN where chance alone is full agreement."""
    return divide(observed - expected, 1.0 - expected)


def observed_agreement(sums: Sums) -> Floats:
    """Share of rater pairs that agree, each item weighing the same; 0 to 1."""
    return divide(sums.agreeing, sums.items)


def label_shares(sums: Sums) -> Floats:
    """Share of each label among the votes (prevalence), each item weighing the same."""
    return divide(sums.shares, sums.items[..., np.newaxis])


def fleiss_kappa(sums: Sums) -> Floats:
    """Fleiss' kappa; with two raters it is Scott's pi. NaN where only one label was used.

    Source: Fleiss 1971, eq. 3 to 7. With unequal numbers of votes per item the label shares are means of
    the items' shares (as irrCAC does; statsmodels refuses such tables).
    """
    expected = np.square(label_shares(sums)).sum(axis=-1)
    return beyond_chance(observed_agreement(sums), expected)


def gwet_ac1(sums: Sums) -> Floats:
    """Gwet's AC1, which does not fall when one label prevails. Source: Gwet 2008, eq. 6 and 7.

    The number of labels counts those nobody used; NaN where the project has a single label.
    """
    shares = label_shares(sums)
    label_count = shares.shape[-1]
    spread = np.asarray((shares * (1.0 - shares)).sum(axis=-1))
    expected = divide(spread, np.full_like(spread, label_count - 1.0))
    return beyond_chance(observed_agreement(sums), expected)


def _nominal_distances(totals: Floats) -> Floats:
    label_count = totals.shape[-1]
    return np.broadcast_to(1.0 - np.eye(label_count), (*totals.shape, label_count))


def _ordinal_distances(totals: Floats) -> Floats:
    """Squared number of votes from the middle of one label to the middle of another."""
    middles = np.cumsum(totals, axis=-1) - totals / 2.0
    return np.square(middles[..., :, np.newaxis] - middles[..., np.newaxis, :])


def _alpha(sums: Sums, distances_of: Callable[[Floats], Floats]) -> Floats:
    totals = np.asarray(sums.coincidences.sum(axis=-1))
    distances = distances_of(totals)
    observed = np.asarray((sums.coincidences * distances).sum(axis=(-2, -1)))
    products = totals[..., :, np.newaxis] * totals[..., np.newaxis, :]
    expected = np.asarray((products * distances).sum(axis=(-2, -1)))
    return 1.0 - divide(observed * (totals.sum(axis=-1) - 1.0), expected)


def krippendorff_alpha(sums: Sums) -> Floats:
    """Krippendorff's alpha for labels without order; NaN where only one label was used.

    Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C.
    """
    return _alpha(sums, _nominal_distances)


def krippendorff_alpha_ordinal(sums: Sums) -> Floats:
    """Krippendorff's alpha for labels in order; NaN where one label was used. Source: section D there."""
    return _alpha(sums, _ordinal_distances)


def compute(coefficient: Coefficient, sums: Sums) -> Value:
    """Compute one coefficient of sums over all items, as a number or the reason why there is none."""
    if sums.items == 0:
        return Undefined(Why.NO_TWO_VOTES)
    value = float(coefficient(sums))
    return Undefined(Why.ONE_LABEL) if np.isnan(value) else value
