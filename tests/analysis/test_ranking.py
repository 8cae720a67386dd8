"""Ranks and Kendall's tau-b against hand-derived values, SciPy and properties."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import kendalltau, rankdata

from analysis import intervals, ranking
from analysis.ranking import kendall_tau_b, rank_scores
from analysis.undefined import Undefined

SCORES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=15)

HUMAN = [215, 228, 177, 195, 200, 198, 211, 209, 220, 202, 215, 220]


class TestKendallTauB:
    def test_one_swap_and_no_tie(self):
        # Three systems, one of three pairs turned around: (2 - 1) / 3.
        assert kendall_tau_b([1, 2, 3], [1, 3, 2]) == pytest.approx(1 / 3)

    def test_a_tie_shortens_the_scale(self):
        # Two concordant pairs, one tied in the second list: 2 / sqrt(3 · 2).
        assert kendall_tau_b([1, 2, 3], [1, 2, 2]) == pytest.approx(2 / 6**0.5)

    @pytest.mark.parametrize(
        ("counts", "tau"),
        [
            ([38, 102, 138, 144, 140, 145, 150, 153, 153, 156, 159, 160], 0.2326),
            ([191, 179, 158, 175, 183, 179, 188, 190, 198, 187, 192, 194], 0.6977),
            ([232, 204, 166, 185, 190, 190, 199, 202, 212, 195, 206, 206], 0.7500),
            ([207, 207, 170, 186, 194, 188, 202, 203, 209, 199, 199, 206], 0.8125),
        ],
    )
    def test_the_computed_cells_of_nq301(self, counts, tau):
        assert kendall_tau_b(counts, HUMAN) == pytest.approx(tau, abs=5e-5)

    @given(SCORES)
    def test_equals_scipy(self, scores):
        first, second = zip(*scores, strict=True)
        assume(len(set(first)) > 1 and len(set(second)) > 1)
        assert kendall_tau_b(first, second) == pytest.approx(kendalltau(first, second).statistic)

    @given(SCORES)
    def test_turning_one_list_around_turns_the_sign(self, scores):
        first, second = zip(*scores, strict=True)
        tau = kendall_tau_b(first, second)
        turned = kendall_tau_b(first, [-score for score in second])
        if isinstance(tau, Undefined):
            assert turned == tau
        else:
            assert turned == pytest.approx(-tau)

    def test_one_system_is_said_in_words(self):
        assert kendall_tau_b([1], [2]) == Undefined(ranking.TOO_FEW)

    def test_equal_scores_are_said_in_words(self):
        assert kendall_tau_b([1, 1], [1, 2]) == Undefined(ranking.ALL_TIED)


class TestRankScores:
    def test_equal_scores_share_the_best_rank(self):
        assert rank_scores([0.5, 0.9, 0.5, 0.1]) == [2, 1, 2, 4]

    def test_no_scores_have_no_ranks(self):
        assert rank_scores([]) == []

    @given(st.lists(st.integers(0, 9)))
    def test_equals_scipy(self, scores):
        expected = rankdata([-score for score in scores], method="min").astype(int).tolist()
        assert rank_scores(scores) == expected


def scores_of(shares, questions=200):
    """Build systems × questions of zeros and ones, each system right on its share of the questions."""
    return np.array([np.arange(questions) < share * questions for share in shares], dtype=float)


class TestRankIntervals:
    def test_far_apart_keep_their_ranks(self):
        assert ranking.rank_intervals(scores=scores_of([0.1, 0.9, 0.5]), seed=1) == [(3, 3), (1, 1), (2, 2)]

    def test_equal_systems_share_the_first_rank_everywhere(self):
        assert ranking.rank_intervals(scores=scores_of([0.5, 0.5]), seed=1) == [(1, 1), (1, 1)]

    def test_two_that_are_each_right_where_the_other_is_wrong_take_both_ranks(self):
        right = np.arange(40) % 2
        ranges = ranking.rank_intervals(scores=np.array([right, 1 - right], dtype=float), seed=1)
        assert ranges == [(1, 2), (1, 2)]

    @settings(max_examples=25)
    @given(
        arrays(np.float64, st.tuples(st.integers(2, 5), st.just(12)), elements=st.sampled_from([0.0, 1.0]))
    )
    def test_the_order_of_systems_does_not_matter(self, scores):
        forth = ranking.rank_intervals(scores=scores, seed=3, resamples=200)
        back = ranking.rank_intervals(scores=scores[::-1], seed=3, resamples=200)
        assert forth == back[::-1]
        assert all(1 <= best <= worst <= len(scores) for best, worst in forth)

    def test_equals_ranks_by_scipy_in_every_resample(self):
        scores = np.random.default_rng(6).integers(0, 2, size=(4, 25)).astype(float)
        drawn = intervals.resample_sums(sums=scores.T.copy(), seed=2, resamples=300)
        ranks = np.array([rankdata(-np.round(sums, 9), method="min") for sums in drawn])
        expected = [
            tuple(np.quantile(column, [0.025, 0.975], method="inverted_cdf").astype(int))
            for column in ranks.T
        ]
        assert ranking.rank_intervals(scores=scores, seed=2, resamples=300) == expected

    def test_a_system_that_answered_nothing_is_said_in_words(self):
        scores = np.array([[1.0, 0.0], [np.nan, np.nan]])
        first, second = ranking.rank_intervals(scores=scores, seed=1)
        assert (first, second) == ((1, 1), Undefined(ranking.NOT_ANSWERED))

    def test_one_question_is_too_few(self):
        ranges = ranking.rank_intervals(scores=np.ones((2, 1)), seed=1)
        assert ranges == [Undefined(intervals.TOO_FEW_CLUSTERS)] * 2


class TestKendallTauBInterval:
    def interval(self, first, second, **options):
        return ranking.kendall_tau_b_interval(first=first, second=second, **{"seed": 1, **options})

    def test_rankings_that_never_differ_are_not_certain(self):
        scores = scores_of([0.1, 0.5, 0.9])
        assert self.interval(scores, scores) == Undefined(intervals.NEVER_VARIES)
        assert self.interval(scores, 1 - scores) == Undefined(intervals.NEVER_VARIES)

    def test_equals_scipy_in_every_resample(self):
        generator = np.random.default_rng(9)
        first, second = generator.integers(0, 2, size=(2, 6, 30)).astype(float)
        drawn = intervals.resample_sums(sums=np.vstack([first, second]).T.copy(), seed=1, resamples=300)
        taus = [kendalltau(sums[:6], sums[6:]).statistic for sums in drawn]
        expected = np.quantile(taus, [0.025, 0.975])
        assert self.interval(first, second, resamples=300) == pytest.approx(tuple(expected))

    def test_blocks_change_nothing(self, monkeypatch):
        first, second = np.random.default_rng(9).integers(0, 2, size=(2, 4, 30)).astype(float)
        whole = self.interval(first, second, resamples=50)
        monkeypatch.setattr(ranking, "BLOCK_CELLS", 100)
        assert self.interval(first, second, resamples=50) == whole

    def test_questions_that_nobody_judged_in_one_way_are_left_out_there(self):
        scores = scores_of([0.1, 0.5, 0.9])
        partly = np.where(np.arange(200) % 2 == 0, scores, np.nan)
        assert self.interval(scores, partly) == Undefined(intervals.NEVER_VARIES)

    def test_too_little_is_said_in_words(self):
        assert self.interval(np.ones((1, 5)), np.ones((1, 5))) == Undefined(ranking.TOO_FEW)
        assert self.interval(np.ones((2, 1)), np.ones((2, 1))) == Undefined(intervals.TOO_FEW_CLUSTERS)
        assert self.interval(np.ones((2, 5)), np.ones((2, 5))) == Undefined(intervals.TOO_OFTEN_UNDEFINED)
