"""Intervals beside what resampling finds."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import bootstrap

from analysis.intervals import Interval, Scale, students_interval


def ratio_resampled_by_scipy():
    """Return the parts and wholes of sixty clusters, and the 95% interval of the ratio of their sums."""
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


def lies_as_redone(
    found: object, *, value: float, values: Sequence[float], clusters: int, scale: Scale
) -> bool:
    """Say whether an interval is as wide, to a seventh, as what resamples that were counted anew vary by.

    values: of the resamples of so many clusters, which vary by (n - 1) / n of what the rows do.
    """
    error = float(np.nanstd(np.array(values, dtype=float))) * (clusters / (clusters - 1)) ** 0.5
    expected = students_interval(value=value, error=error, clusters=clusters, scale=scale)
    assert isinstance(found, Interval)
    assert isinstance(expected, Interval)
    apart = max(abs(found.low - expected.low), abs(found.high - expected.high))
    return apart < 0.15 * (expected.high - expected.low)
