"""Ranks and Kendall's tau-b against hand-derived values, SciPy and properties."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binomtest, kendalltau, rankdata
from statsmodels.stats.multitest import multipletests

from analysis import ranking
from analysis.intervals import Interval, Undefined, Why
from analysis.ranking import Table, kendall_tau_b, rank_scores

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
        assert kendall_tau_b([1], [2]) == Undefined(Why.TOO_FEW_SYSTEMS)

    def test_equal_scores_are_said_in_words(self):
        assert kendall_tau_b([1, 1], [1, 2]) == Undefined(Why.ALL_TIED)


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


def ranks(scores, is_verdict=True):
    return ranking.rank_intervals(Table(scores, is_verdict))


class TestRankIntervals:
    def test_far_apart_keep_their_ranks(self):
        assert ranks(scores_of([0.1, 0.9, 0.5])) == [(3, 3), (1, 1), (2, 2)]

    def test_equal_systems_may_have_every_rank(self):
        assert ranks(scores_of([0.5, 0.5])) == [(1, 2), (1, 2)]

    def test_two_that_are_each_right_where_the_other_is_wrong_may_have_both_ranks(self):
        right = np.arange(40) % 2
        assert ranks(np.array([right, 1 - right], dtype=float)) == [(1, 2), (1, 2)]

    @settings(max_examples=25)
    @given(
        arrays(np.float64, st.tuples(st.integers(2, 5), st.just(12)), elements=st.sampled_from([0.0, 1.0])),
        st.booleans(),
    )
    def test_the_order_of_systems_does_not_matter(self, scores, is_verdict):
        forth, back = ranks(scores, is_verdict), ranks(scores[::-1], is_verdict)
        assert forth == back[::-1]
        assert all(1 <= best <= worst <= len(scores) for best, worst in forth)

    def test_equals_counting_tests_of_every_pair(self):
        generator = np.random.default_rng(6)
        scores = (generator.random((5, 60)) < np.linspace(0.2, 0.9, 5)[:, np.newaxis]).astype(float)
        pairs = list(combinations(range(5), 2))
        counts = [(int((scores[i] > scores[j]).sum()), int((scores[i] < scores[j]).sum())) for i, j in pairs]
        tests = [binomtest(up, up + down).pvalue if up + down else 1.0 for up, down in counts]
        sure = multipletests(tests, method="holm")[0]
        beaten = [(i, j) if up > down else (j, i) for (i, j), (up, down) in zip(pairs, counts, strict=True)]
        beaten = [pair for pair, is_sure in zip(beaten, sure, strict=True) if is_sure]
        expected = [
            (1 + sum(loser == each for _, loser in beaten), 5 - sum(winner == each for winner, _ in beaten))
            for each in range(5)
        ]
        assert ranks(scores) == expected

    def test_a_system_that_answered_nothing_is_said_in_words(self):
        first, second = ranks(np.array([[1.0, 0.0], [np.nan, np.nan]]))
        assert (first, second) == ((1, 1), Undefined(Why.NOT_ANSWERED))

    def test_one_question_is_too_few(self):
        assert ranks(np.ones((2, 1))) == [Undefined(Why.TOO_FEW_QUESTIONS)] * 2


def orders(people, other):
    return ranking.compare_orders(people=Table(people, True), other=Table(other, True))


class TestCompareOrders:
    def test_the_same_order_of_systems_far_apart_is_certain(self):
        scores = scores_of([0.1, 0.5, 0.9])
        assert orders(scores, scores) == (3, 3, 3, Interval(1.0, 1.0))
        assert orders(scores, 1 - scores) == (3, 0, 0, Interval(0.0, 0.0))

    def test_pairs_that_people_cannot_tell_apart_do_not_count(self):
        found = orders(scores_of([0.1, 0.5, 0.5]), scores_of([0.1, 0.9, 0.5]))
        assert found == (2, 2, 2, Interval(1.0, 1.0))

    def test_what_the_other_way_cannot_tell_apart_is_between_none_and_all(self):
        # By the other way the two are level but for one question.
        other = scores_of([0.1, 0.105])
        assert orders(scores_of([0.1, 0.9]), other) == (1, 1, 0, Interval(0.0, 1.0))
        assert orders(scores_of([0.1, 0.9]), other[::-1]) == (1, 0, 0, Interval(0.0, 1.0))

    def test_every_way_is_measured_on_the_pairs_of_peoples_scores_alone(self):
        # Six questions to none are p = .031, as one of two tests .0625.
        right = np.zeros((2, 40))
        right[1, :6] = 1.0
        assert orders(right, right) == (1, 1, 0, Interval(0.0, 1.0))
        assert orders(right, right[::-1]) == (1, 0, 0, Interval(0.0, 1.0))

    def test_too_little_is_said_in_words(self):
        assert orders(np.ones((1, 5)), np.ones((1, 5))) == Undefined(Why.TOO_FEW_SYSTEMS)
        level = orders(np.ones((2, 5)), np.ones((2, 5)))
        assert level == (0, 0, 0, Undefined(Why.NONE_APART))
        assert level.share == Undefined(Why.NONE_APART)
