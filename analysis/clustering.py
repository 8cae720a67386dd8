"""Groups of near points, and the members that stand for them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

MOST_STEPS = 100


class Clustering(NamedTuple):
    """centers: groups × dimensions. labels: the group of each point. inertia: sum of squared distances."""

    centers: Points
    labels: NDArray[np.int64]
    inertia: float


def find_clusters(*, points: Points, count: int, seed: int, restarts: int = 10) -> Clustering:
    """Part points (items × dimensions) into at most `count` groups by k-means; the best of several starts.

    With fewer distinct points than groups there are as many groups as distinct points. Raises `ValueError`
    without points. Source: Lloyd 1982; starts as in Arthur & Vassilvitskii 2007 (k-means++).
    """
    if len(points) == 0 or count < 1:
        raise ValueError("clusters need at least one point and one group")
    points = np.asarray(points, dtype=np.float64)
    count = min(count, len(np.unique(points, axis=0)))
    random = np.random.default_rng(seed)
    found = [_improve(points, _spread_out(points, count, random)) for _ in range(restarts)]
    return min(found, key=lambda clustering: clustering.inertia)


def nearest_members(*, points: Points, centers: Points) -> list[int]:
    """Return for each center the index of its nearest point, no point twice; ties go to the earlier point."""
    taken: list[int] = []
    for distances in _squared_distances(np.asarray(centers), np.asarray(points)):
        order = np.argsort(distances, kind="stable")
        taken.extend([int(index) for index in order if int(index) not in taken][:1])
    return taken


def _squared_distances(ones: Points, others: Points) -> Points:
    products = ones @ others.T
    squares: Points = (ones**2).sum(axis=1)[:, None] - 2 * products + (others**2).sum(axis=1)[None, :]
    return np.maximum(squares, 0.0)


def _spread_out(points: Points, count: int, random: np.random.Generator) -> Points:
    chosen = [int(random.integers(len(points)))]
    nearest = _squared_distances(points[chosen], points)[0]
    while len(chosen) < count:
        # A point already chosen may have a distance of rounding error only.
        nearest[chosen] = 0.0
        chosen.append(int(random.choice(len(points), p=nearest / nearest.sum())))
        nearest = np.minimum(nearest, _squared_distances(points[chosen[-1:]], points)[0])
    return points[chosen]


def _improve(points: Points, centers: Points) -> Clustering:
    labels = np.full(len(points), -1)
    for _ in range(MOST_STEPS):
        distances = _squared_distances(points, centers)
        moved = distances.argmin(axis=1)
        if np.array_equal(moved, labels):
            break
        labels = moved
        # A group that lost its last member keeps its center.
        centers = np.array(
            [
                points[labels == group].mean(axis=0) if (labels == group).any() else center
                for group, center in enumerate(centers)
            ]
        )
    distances = _squared_distances(points, centers)
    labels = distances.argmin(axis=1)
    return Clustering(centers, labels, float(distances[np.arange(len(points)), labels].sum()))
