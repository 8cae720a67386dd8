"""Intervals against hand-derived values, independent implementations and properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from analysis import intervals
from analysis.intervals import Undefined, Why


def resample(sums, *, seed, resamples):
    """Add up what is drawn: resamples × sums."""
    drawn = intervals.draw_clusters(clusters=len(sums), seed=seed, resamples=resamples)
    return np.concatenate([block.astype(float) @ sums for block in drawn])


class _Always:
    """A generator that draws one cluster only."""

    def __init__(self, cluster):
        self.cluster = cluster

    def integers(self, _low, _high, *, size):
        return np.full(size, self.cluster)


class TestResampling:
    def test_blocks_do_not_change_the_number_of_resamples(self, monkeypatch):
        monkeypatch.setattr(intervals, "BLOCK_CELLS", 30)
        resampled = resample(np.ones((10, 1)), seed=1, resamples=11)
        assert resampled.tolist() == [[10.0]] * 11

    def test_draws_that_are_kept_are_those_that_are_not(self, monkeypatch):
        sums = np.random.default_rng(2).random((10, 2))
        kept = [resample(sums, seed=1, resamples=11) for _ in range(2)]
        monkeypatch.setattr(intervals, "MOST_KEPT_CELLS", 0)
        anew = resample(sums, seed=1, resamples=11)
        assert kept[0].tolist() == kept[1].tolist() == anew.tolist()
        other = resample(sums, seed=2, resamples=11)
        assert other.tolist() != anew.tolist()

    def test_a_cluster_drawn_more_often_than_a_byte_counts(self):
        drawn = intervals._draw(_Always(0), 300, 2)
        assert drawn[:, 0].tolist() == [300, 300]


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
        assert intervals.wilson_interval(successes=0, total=0) == Undefined(Why.NOTHING_COUNTED)


def mean_interval(values):
    values = np.asarray(values)
    return intervals.mean_interval(count=len(values), total=values.sum(), squares=np.square(values).sum())


class TestMeanInterval:
    def test_half_zeros_half_ones(self):
        # Variance of the mean .25 / 99: 99 rows are worth as much, and t of 99 degrees reaches 1.9842.
        half = 1.98422 * (0.25 / 99 + 1.98422**2 / (4 * 99**2)) ** 0.5 / (1 + 1.98422**2 / 99)
        assert mean_interval([0.0, 1.0] * 50) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-5)

    def test_is_near_statsmodels_where_there_are_many(self):
        values = np.random.default_rng(2).random(4_000)
        expected = DescrStatsW(values).tconfint_mean()
        assert mean_interval(values) == pytest.approx(expected, abs=1e-4)

    def test_is_cut_off_at_the_ends_of_the_scale(self):
        assert mean_interval([1.0, 1.0, 0.9] * 4).high <= 1.0

    @pytest.mark.parametrize("value", [0.0, 1.0])
    def test_all_at_one_end_is_not_certain(self, value):
        # It was [1, 1]: ten answers that are all right say little of the next.
        exact = intervals.clopper_pearson_interval(successes=int(10 * value), total=10)
        assert mean_interval([value] * 10) == exact

    def test_all_equal_between_has_no_interval(self):
        assert mean_interval([0.5] * 10) == Undefined(Why.NEVER_VARIES)

    def test_few_have_none(self):
        assert mean_interval([0.5, 1.0] * 4) == Undefined(Why.TOO_FEW_VALUES)

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
        assert nothing == Undefined(Why.NOTHING_COUNTED)


class TestLinearize:
    def test_a_ratios_error_by_hand(self):
        # 6 of 8: influences (1 - 1.5, 3 - 3, 2 - 1.5) / 8, squared and times 3 / 2.
        sums = np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 2.0]])
        found = intervals.linearize(sums=sums, figures=lambda each: each[..., :1] / each[..., 1:])
        assert found.values == pytest.approx([0.75])
        assert found.errors == pytest.approx([(1.5 * (0.25 + 0.25) / 64) ** 0.5])

    def test_blocks_change_nothing(self, monkeypatch):
        sums = np.random.default_rng(3).random((50, 2))
        whole = intervals.linearize(sums=sums, figures=lambda each: each[..., :1] / each[..., 1:])
        monkeypatch.setattr(intervals, "BLOCK_CELLS", 14)
        parts = intervals.linearize(sums=sums, figures=lambda each: each[..., :1] / each[..., 1:])
        assert parts.errors == pytest.approx(whole.errors)

    def test_resampling_finds_the_same_error(self):
        sums = np.random.default_rng(3).random((200, 2))
        drawn = resample(sums, seed=1, resamples=4_000)
        found = intervals.linearize(sums=sums, figures=lambda each: each[..., :1] / each[..., 1:])
        assert found.errors[0] == pytest.approx(np.std(drawn[:, 0] / drawn[:, 1]), rel=0.05)


class TestStudentsInterval:
    @pytest.mark.parametrize("scale", list(intervals.Scale))
    def test_holds_the_value_and_is_wider_with_fewer_questions(self, scale):
        few, many = (
            intervals.students_interval(value=0.6, error=0.05, clusters=count, scale=scale)
            for count in (4, 400)
        )
        assert few.low < many.low < 0.6 < many.high < few.high

    def test_says_why_there_is_none(self):
        def reason(**changes):
            usual = {"value": 0.5, "error": 0.1, "clusters": 9, "scale": intervals.Scale.SHARE}
            return intervals.students_interval(**{**usual, **changes})

        assert reason(clusters=1) == Undefined(Why.TOO_FEW_QUESTIONS)
        assert reason(error=0.0) == Undefined(Why.NEVER_VARIES)
        assert reason(value=float("nan")) == Undefined(Why.NO_VALUE)
        assert reason(value=1.0) == Undefined(Why.NEVER_VARIES)


class TestConfidenceSequence:
    def bound(self, successes, total, **options):
        return intervals.confidence_sequence(successes=successes, total=total, **options)

    def test_no_error_in_forty_by_hand(self):
        # The mixture is 1 / 41, so the bound is where (1 - share) ** 40 = .05 / 41.
        assert self.bound(0, 40) == pytest.approx((0.0, 1 - (0.05 / 41) ** (1 / 40)))

    def test_is_wider_than_at_one_look_and_wider_for_many_rules(self):
        once = intervals.clopper_pearson_interval(successes=4, total=40)
        watched, of_ten = self.bound(4, 40), self.bound(4, 40, families=10)
        assert of_ten.low < watched.low < once.low < once.high < watched.high < of_ten.high

    def test_turns_with_what_is_counted(self):
        low, high = self.bound(3, 50)
        assert self.bound(47, 50) == pytest.approx((1 - high, 1 - low))

    def test_nothing_drawn_says_so(self):
        assert self.bound(0, 0) == Undefined(Why.NOTHING_COUNTED)

    def test_holds_at_every_look_where_the_interval_of_one_look_does_not(self):
        generator = np.random.default_rng(7)
        bounds = {
            (hits, total): (
                self.bound(hits, total),
                intervals.clopper_pearson_interval(successes=hits, total=total),
            )
            for total in range(1, 121)
            for hits in range(min(total, 40) + 1)
        }
        missed = np.zeros(2)
        for _ in range(400):
            seen = np.cumsum(generator.random(120) < 0.1)
            looks = [bounds[int(hits), total] for total, hits in enumerate(seen, start=1)]
            missed += [
                any(not one.low <= 0.1 <= one.high for one in each) for each in zip(*looks, strict=True)
            ]
        watched, once = missed / 400
        assert watched <= 0.05
        assert once > 0.08

    def test_holds_for_the_rules_that_look_best(self):
        # Ten rules, 40 audited each, 8% wrong: those that look below 5% are kept and pooled, as "undo this
        # rule" does. One rule's bound corrected for ten holds for whichever is chosen.
        generator = np.random.default_rng(8)
        held = 0
        for _ in range(300):
            wrong = generator.binomial(40, 0.08, size=10)
            best = int(wrong.min())
            held += self.bound(best, 40, families=10).high >= 0.08
        assert held / 300 >= 0.95
