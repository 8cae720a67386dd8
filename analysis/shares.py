"""Shares of rows with intervals over clusters: resampled, or exact where no resample could vary."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import (
    ROUNDING,
    SMALLEST_CLUSTER_COUNT,
    TOO_FEW_CLUSTERS,
    Interval,
    clopper_pearson_interval,
    divide,
    percentile_intervals,
    resample_sums,
)
from analysis.undefined import Undefined

Floats = NDArray[np.float64]

# Bounds the memory of resamples × columns; the draws are kept from one block to the next.
_BLOCK = 512


def can_vary(*, part: float, whole: float) -> bool:
    """Say whether a share is neither of none nor of all, so that resamples of its rows may differ."""
    return ROUNDING < part < whole - ROUNDING


def none_or_all_interval(*, part: float, clusters: int) -> Interval | Undefined:
    """Bound a share of none or all of its rows, 95 %: exactly, with each cluster as one row.

    Rows of one cluster may be alike, so that more rows of it say no more than one. clusters: those that
    have rows in the whole; one alone has no interval, as it has none of any other share.
    Source: Clopper and Pearson 1934.
    """
    if clusters < SMALLEST_CLUSTER_COUNT:
        return Undefined(TOO_FEW_CLUSTERS)
    return clopper_pearson_interval(successes=clusters if part > ROUNDING else 0, total=clusters)


def bound_shares(
    *, values: Floats, parts: Floats, wholes: Floats, clusters: Sequence[int]
) -> list[Interval | Undefined]:
    """Bound shares, 95 %: by percentiles of their resampled values, exactly where a share is 0 or 1.

    values: resamples × shares, NaN = undefined. parts, wholes: clusters × shares. clusters: from how many
    each was drawn. Undefined with fewer than two, and where resamples never vary though the share could.
    """
    bounds = percentile_intervals(values=values, clusters=clusters)
    for place, (part, whole) in enumerate(zip(parts.sum(axis=0), wholes.sum(axis=0), strict=True)):
        if not can_vary(part=part, whole=whole):
            own = int(np.count_nonzero(wholes[:, place]))
            if own:
                bounds[place] = none_or_all_interval(part=part, clusters=own)
    return bounds


def bound_ratios(*, parts: Floats, wholes: Floats, seed: int, resamples: int) -> list[Interval | Undefined]:
    """Bound sums of parts divided by sums of wholes, as `bound_shares` does; both are clusters × figures."""
    if len(parts) < SMALLEST_CLUSTER_COUNT:
        return [Undefined(TOO_FEW_CLUSTERS)] * parts.shape[1]
    found: list[Interval | Undefined] = []
    for first in range(0, parts.shape[1], _BLOCK):
        own = slice(first, first + _BLOCK)
        drawn = resample_sums(sums=np.hstack([parts[:, own], wholes[:, own]]), seed=seed, resamples=resamples)
        found += bound_shares(
            values=divide(*np.split(drawn, 2, axis=1)),
            parts=parts[:, own],
            wholes=wholes[:, own],
            clusters=(wholes[:, own] > 0).sum(axis=0).tolist(),
        )
    return found
