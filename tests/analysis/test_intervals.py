"""Intervals against hand-derived values, independent implementations and properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, bootstrap
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from analysis import intervals
from analysis.undefined import Undefined


def bound_mean(*, sums, seed, resamples=2_000):
    """Draw clusters of sums and counts, and bound the mean of what was drawn."""
    drawn = intervals.resample_sums(sums=sums, seed=seed, resamples=resamples)
    return intervals.percentile_interval(values=drawn[:, 0] / drawn[:, 1], clusters=len(sums))


class _Always:
    """A generator that draws one cluster only."""

    def __init__(self, cluster):
        self.cluster = cluster

    def integers(self, _low, _high, *, size):
        return np.full(size, self.cluster)


class TestResampling:
    def test_clusters_that_all_agree_are_not_certain(self):
        sums = np.tile([3.0, 4.0], (5, 1))
        found = bound_mean(sums=sums, seed=1)
        assert found == Undefined(intervals.NEVER_VARIES)

    def test_two_clusters_reach_from_one_to_the_other(self):
        # With two clusters a quarter of the draws takes each one twice: 2.5 % lies inside that quarter.
        sums = np.array([[0.0, 1.0], [1.0, 1.0]])
        assert bound_mean(sums=sums, seed=1) == (0.0, 1.0)

    def test_the_same_seed_gives_the_same_interval(self):
        sums = np.column_stack([np.arange(20.0), np.full(20, 20.0)])
        first, again, other = (bound_mean(sums=sums, seed=seed) for seed in (1, 1, 2))
        assert first == again
        assert first != other

    def test_blocks_do_not_change_the_number_of_resamples(self, monkeypatch):
        monkeypatch.setattr(intervals, "BLOCK_CELLS", 30)
        resampled = intervals.resample_sums(sums=np.ones((10, 1)), seed=1, resamples=11)
        assert resampled.tolist() == [[10.0]] * 11

    def test_draws_that_are_kept_are_those_that_are_not(self, monkeypatch):
        sums = np.random.default_rng(2).random((10, 2))
        kept = [intervals.resample_sums(sums=sums, seed=1, resamples=11) for _ in range(2)]
        monkeypatch.setattr(intervals, "MOST_KEPT_CELLS", 0)
        anew = intervals.resample_sums(sums=sums, seed=1, resamples=11)
        assert kept[0].tolist() == kept[1].tolist() == anew.tolist()
        other = intervals.resample_sums(sums=sums, seed=2, resamples=11)
        assert other.tolist() != anew.tolist()

    def test_a_cluster_drawn_more_often_than_a_byte_counts(self):
        drawn = intervals._draw(_Always(0), 300, 2)
        assert drawn[:, 0].tolist() == [300, 300]

    def test_scipy_finds_the_same_interval_for_a_mean(self):
        values = np.random.default_rng(5).random(60)
        expected = bootstrap((values,), np.mean, method="percentile", rng=3, n_resamples=9_999)
        sums = np.column_stack([values, np.ones(60)])
        ours = bound_mean(sums=sums, seed=3, resamples=9_999)
        assert ours == pytest.approx(tuple(expected.confidence_interval), abs=0.005)

    def test_votes_that_move_together_widen_the_interval(self):
        items = np.repeat([[1.0, 1.0], [0.0, 1.0]], 50, axis=0)
        questions = np.repeat(np.arange(20), 5)
        by_question = intervals.add_by_cluster(sums=items, clusters=questions)
        wide = bound_mean(sums=by_question, seed=1)
        narrow = bound_mean(sums=items, seed=1)
        assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)

    def test_one_question_has_no_interval(self):
        result = bound_mean(sums=np.ones((1, 2)), seed=1)
        assert result == Undefined(intervals.TOO_FEW_CLUSTERS)

    def test_a_statistic_that_is_often_undefined_has_no_interval(self):
        result = intervals.percentile_interval(values=np.full(9, np.nan), clusters=3)
        assert result == Undefined(intervals.TOO_OFTEN_UNDEFINED)


class TestPercentileInterval:
    @pytest.mark.parametrize("clusters", [0, 1])
    def test_one_cluster_says_nothing_of_others(self, clusters: int) -> None:
        found = intervals.percentile_interval(values=np.array([0.1, 0.2]), clusters=clusters)
        assert found == Undefined(intervals.TOO_FEW_CLUSTERS)

    def test_two_are_enough(self) -> None:
        found = intervals.percentile_interval(values=np.array([0.0, 1.0]), clusters=2)
        assert found == pytest.approx((0.025, 0.975))


class TestPercentileIntervals:
    def test_each_column_is_as_by_itself(self) -> None:
        values = np.random.default_rng(1).random((400, 4))
        values[:8, 1] = values[:40, 2] = np.nan
        clusters = [9, 9, 9, 1]
        found = intervals.percentile_intervals(values=values, clusters=clusters)
        alone = [
            intervals.percentile_interval(values=column, clusters=count)
            for column, count in zip(values.T, clusters, strict=True)
        ]
        assert found[:2] == [pytest.approx(tuple(each)) for each in alone[:2]]
        assert found[2:] == alone[2:]
        assert found[2:] == [
            Undefined(intervals.TOO_OFTEN_UNDEFINED), Undefined(intervals.TOO_FEW_CLUSTERS)
        ]  # fmt: skip

    def test_no_columns_have_none(self) -> None:
        assert intervals.percentile_intervals(values=np.zeros((10, 0)), clusters=[]) == []


class TestAddByCluster:
    def test_items_of_one_question_are_added(self):
        sums = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        added = intervals.add_by_cluster(sums=sums, clusters=np.array([9, 4, 9]))
        assert added.tolist() == [[3.0, 4.0], [6.0, 8.0]]


class TestWilson:
    def test_half_of_ten(self):
        # z = 1.96: center .5, reach 1.96 / (1 + .384) · sqrt(.025 + .0096).
        assert intervals.wilson_interval(successes=5, total=10) == pytest.approx((0.2366, 0.7634), abs=1e-4)

    @given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
    def test_equals_statsmodels_and_holds_the_share(self, counts):
        successes, total = counts
        low, high = intervals.wilson_interval(successes=successes, total=total)
        expected = proportion_confint(successes, total, method="wilson")
        assert (low, high) == pytest.approx(expected, abs=1e-9)
        assert 0.0 <= low <= successes / total <= high <= 1.0

    def test_nothing_to_count_is_said_in_words(self):
        assert intervals.wilson_interval(successes=0, total=0) == Undefined(intervals.NO_ROWS)


def mean_interval(values):
    values = np.asarray(values)
    return intervals.mean_interval(count=len(values), total=values.sum(), squares=np.square(values).sum())


class TestMeanInterval:
    def test_half_zeros_half_ones(self):
        # Standard deviation sqrt(100 · .25 / 99), divided by 10, times 1.96.
        low, high = mean_interval([0.0, 1.0] * 50)
        assert (low, high) == pytest.approx((0.5 - 0.09849, 0.5 + 0.09849), abs=1e-4)

    def test_equals_statsmodels(self):
        values = np.random.default_rng(2).random(40)
        expected = DescrStatsW(values).zconfint_mean()
        assert mean_interval(values) == pytest.approx(expected)

    def test_is_cut_off_at_the_ends_of_the_scale(self):
        assert mean_interval([1.0, 1.0, 0.9]).high == 1.0

    def test_one_value_has_no_interval(self):
        assert isinstance(mean_interval([1.0]), Undefined)


class TestClopperPearsonInterval:
    def test_by_hand_at_the_ends(self):
        # With no success in n rows the upper bound is 1 - 0.025^(1/n).
        low, high = intervals.clopper_pearson_interval(successes=0, total=10)
        assert (low, high) == (0.0, pytest.approx(1 - 0.025 ** (1 / 10)))
        all_of_ten = intervals.clopper_pearson_interval(successes=10, total=10)
        assert tuple(all_of_ten) == pytest.approx((1 - high, 1.0))

    @given(st.integers(0, 200), st.integers(1, 200), st.sampled_from([0.8, 0.95, 0.99]))
    def test_equals_statsmodels_and_holds_the_share(self, successes, total, level):
        successes = min(successes, total)
        low, high = intervals.clopper_pearson_interval(successes=successes, total=total, level=level)
        expected = proportion_confint(successes, total, alpha=1 - level, method="beta")
        assert (low, high) == pytest.approx(expected, abs=1e-12)
        assert low <= successes / total <= high

    def test_covers_the_share_at_least_as_often_as_it_says(self):
        # Exact: the probability of every count whose interval holds the share.
        for share in (0.01, 0.05, 0.3):
            bounds = [intervals.clopper_pearson_interval(successes=k, total=60) for k in range(61)]
            covered = sum(
                binom.pmf(k, 60, share) for k, (low, high) in enumerate(bounds) if low <= share <= high
            )
            assert covered >= 0.95

    def test_nothing_has_no_interval(self):
        nothing = intervals.clopper_pearson_interval(successes=0, total=0)
        assert nothing == Undefined(intervals.NO_ROWS)
