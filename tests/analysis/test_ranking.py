"""Ranks and Kendall's tau-b against hand-derived values, SciPy and properties."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, rankdata

from analysis import ranking
from analysis.ranking import kendall_tau_b, rank_changes, rank_scores
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

    @settings(deadline=None)
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

    @settings(deadline=None)
    @given(st.lists(st.integers(0, 9)))
    def test_equals_scipy(self, scores):
        expected = rankdata([-score for score in scores], method="min").astype(int).tolist()
        assert rank_scores(scores) == expected


class TestRankChanges:
    def test_climbing_is_positive(self):
        assert rank_changes(before=[3, 2, 1], after=[1, 2, 3]) == [-2, 0, 2]
