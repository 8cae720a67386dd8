"""Clusters: by hand, against scikit-learn, and as properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from analysis.clustering import find_clusters, nearest_members

SQUARE = np.array([[0, 0], [0, 1], [10, 0], [10, 1], [0.1, 0.5]])


class TestFindClusters:
    def test_parts_what_lies_apart(self) -> None:
        found = find_clusters(points=SQUARE, count=2, seed=1)
        left, right = found.labels[0], found.labels[2]
        assert left != right
        assert found.labels.tolist() == [left, left, right, right, left]
        assert found.centers[right].tolist() == [10.0, 0.5]
        # Left: mean (1/30, 1/2), squares 2 · (1/900 + 1/4) + (1/15)²; right: 2 · 1/4.
        assert found.inertia == pytest.approx(2 / 900 + 0.5 + 1 / 225 + 0.5)

    def test_is_the_same_for_a_seed(self) -> None:
        points = np.random.default_rng(3).normal(size=(200, 5))
        one, other = (find_clusters(points=points, count=4, seed=9) for _ in range(2))
        assert np.array_equal(one.labels, other.labels)

    @pytest.mark.parametrize("seed", range(5))
    def test_is_as_tight_as_scikit_learns(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        points = random.normal(size=(300, 8)) + random.integers(0, 4, size=(300, 1)) * 3
        expected = KMeans(n_clusters=4, n_init=10, random_state=seed).fit(points).inertia_
        assert find_clusters(points=points, count=4, seed=seed).inertia == pytest.approx(expected, rel=0.005)

    def test_makes_no_more_groups_than_distinct_points(self) -> None:
        found = find_clusters(points=np.array([[1.0], [1.0], [2.0]]), count=4, seed=0)
        assert sorted(found.centers.ravel()) == [1.0, 2.0]

    @pytest.mark.parametrize(("points", "count"), [(np.zeros((0, 2)), 1), (SQUARE, 0)])
    def test_needs_points_and_groups(self, points: np.ndarray, count: int) -> None:
        with pytest.raises(ValueError, match="at least one"):
            find_clusters(points=points, count=count, seed=0)

    @given(
        st.lists(st.lists(st.integers(-50, 50), min_size=2, max_size=2), min_size=1, max_size=30),
        st.integers(1, 5),
    )
    def test_puts_each_point_with_its_nearest_center(self, points: list[list[int]], count: int) -> None:
        found = find_clusters(points=np.array(points, dtype=float), count=count, seed=0, restarts=2)
        distances = np.linalg.norm(np.array(points)[:, None] - found.centers[None], axis=2)
        assert np.allclose(distances[np.arange(len(points)), found.labels], distances.min(axis=1))


class TestNearestMembers:
    def test_takes_the_nearest_of_each_center(self) -> None:
        assert nearest_members(points=SQUARE, centers=np.array([[9.0, 0.9], [0.2, 0.5]])) == [3, 4]

    def test_takes_no_point_twice(self) -> None:
        assert nearest_members(points=SQUARE, centers=np.array([[0.0, 0.0], [0.0, 0.0]])) == [0, 4]

    def test_takes_all_there_are(self) -> None:
        assert nearest_members(points=SQUARE[:1], centers=SQUARE[:3]) == [0]
