"""A ratio of sums over clusters, resampled by SciPy."""

import numpy as np
from scipy.stats import bootstrap


def ratio_resampled_by_scipy():
    """Return the parts and wholes of sixty clusters, and the 95 % interval of the ratio of their sums."""
    generator = np.random.default_rng(5)
    parts, wholes = generator.integers(0, 4, 60).astype(float), np.full(60, 4.0)
    found = bootstrap(
        (parts, wholes),
        lambda part, whole, axis: part.sum(axis) / whole.sum(axis),
        method="percentile",
        paired=True,
        rng=3,
        n_resamples=5_000,
    ).confidence_interval
    return parts, wholes, (found.low, found.high)
