"""The centers of k-means: by hand, against scikit-learn, and as properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from judges.methods.neural.embedding import find_centers, nearest_members

SQUARE = np.array([[0, 0], [0, 1], [10, 0], [10, 1], [0.1, 0.5]])


def inertia(points: np.ndarray, centers: np.ndarray) -> float:
    return float((np.linalg.norm(points[:, None] - centers[None], axis=2).min(axis=1) ** 2).sum())


class TestFindCenters:
    def test_parts_what_lies_apart(self) -> None:
        left, right = sorted(find_centers(SQUARE, count=2, seed=1).tolist())
        assert left == pytest.approx([1 / 30, 0.5])
        assert right == [10.0, 0.5]

    def test_are_the_same_for_a_seed(self) -> None:
        points = np.random.default_rng(3).normal(size=(200, 5))
        one, other = (find_centers(points, count=4, seed=9) for _ in range(2))
        assert np.array_equal(one, other)

    @pytest.mark.parametrize("seed", range(5))
    def test_are_as_tight_as_scikit_learns(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        points = random.normal(size=(300, 8)) + random.integers(0, 4, size=(300, 1)) * 3
        expected = KMeans(n_clusters=4, n_init=10, random_state=seed).fit(points).inertia_
        assert inertia(points, find_centers(points, count=4, seed=seed)) == pytest.approx(expected, rel=0.005)

    def test_are_no_more_than_distinct_points(self) -> None:
        found = find_centers(np.array([[1.0], [1.0], [2.0]]), count=4, seed=0)
        assert sorted(found.ravel()) == [1.0, 2.0]

    @given(
        st.lists(st.lists(st.integers(-50, 50), min_size=2, max_size=2), min_size=1, max_size=30),
        st.integers(1, 5),
    )
    def test_lie_among_the_points(self, points: list[list[int]], count: int) -> None:
        array = np.array(points, dtype=float)
        found = find_centers(array, count=count, seed=0)
        assert 1 <= len(found) <= count
        assert (array.min(axis=0) - 1e-9 <= found).all()
        assert (found <= array.max(axis=0) + 1e-9).all()


class TestNearestMembers:
    def test_takes_the_nearest_of_each_center(self) -> None:
        assert nearest_members(points=SQUARE, centers=np.array([[9.0, 0.9], [0.2, 0.5]])) == [3, 4]

    def test_takes_no_point_twice(self) -> None:
        assert nearest_members(points=SQUARE, centers=np.array([[0.0, 0.0], [0.0, 0.0]])) == [0, 4]

    def test_takes_all_there_are(self) -> None:
        assert nearest_members(points=SQUARE[:1], centers=SQUARE[:3]) == [0]
