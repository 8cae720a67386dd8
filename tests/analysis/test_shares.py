"""Shares with intervals: by hand, beside SciPy and statsmodels, and properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from analysis.intervals import Interval, Undefined, Why
from analysis.sampling import bound_ratios
from tests.analysis.ratios import ratio_resampled_by_scipy


def bound(parts, wholes):
    columns = (np.array(each, dtype=float).reshape(-1, 1) for each in (parts, wholes))
    (found,) = bound_ratios(**dict(zip(("parts", "wholes"), columns, strict=True)))
    return found


class TestBoundRatios:
    def test_all_of_45_by_hand(self):
        # EVOUNA-NQ: exact match accepts 45 answers of ChatGPT, all right. 0.025 ** (1 / 45) = 0.9213.
        assert bound([1] * 45, [1] * 45) == pytest.approx((0.9213, 1.0), abs=5e-5)

    @pytest.mark.parametrize("count", [2, 3, 10, 83])
    def test_scipy_and_statsmodels_find_the_same_for_none_and_all(self, count):
        none, every = bound([0] * count, [1] * count), bound([1] * count, [1] * count)
        assert none == pytest.approx(proportion_confint(0, count, method="beta"))
        assert every == pytest.approx(proportion_confint(count, count, method="beta"))
        exact = binomtest(count, count).proportion_ci(method="exact")
        assert every == pytest.approx((exact.low, exact.high))

    def test_none_and_all_of_unequal_weights_are_of_what_the_questions_are_worth(self):
        # Weights 8 and eight times 1: 16 ** 2 / (64 + 8) = 3.6 equal questions.
        columns = {"parts": np.zeros((9, 1)), "wholes": np.array([[8.0], *[[1.0]] * 8])}
        assert bound_ratios(**columns, are_weighted=True) == [bound([0] * 3, [1] * 3)]
        assert bound_ratios(**columns) == [bound([0] * 9, [1] * 9)]

    def test_more_rows_of_a_question_say_no_more(self):
        assert bound([9, 9, 9], [9, 9, 9]) == bound([1, 1, 1], [1, 1, 1])

    def test_only_questions_with_rows_in_the_whole_count(self):
        assert bound([0] * 50, [1] * 4 + [0] * 46) == bound([0] * 4, [1] * 4)

    def test_what_lies_between_is_near_what_scipy_resamples(self):
        parts, wholes, expected = ratio_resampled_by_scipy()
        assert bound(parts, wholes) == pytest.approx(expected, abs=0.02)

    def test_a_share_of_questions_of_one_row_is_wilsons_with_students_t(self):
        # 3 of 12: the effective number of rows is 11, and t of 11 degrees of freedom reaches 2.201.
        # Center (.25 + .2202) / 1.4404, half 2.201 / 1.4404 · (.25 · .75 / 11 + 4.8444 / 484) ** .5.
        low, high = bound([1] * 3 + [0] * 9, [1] * 12)
        assert (low, high) == pytest.approx((0.0751, 0.5778), abs=1e-4)

    def test_the_same_share_in_every_question_says_that_nothing_varies(self):
        assert bound([1, 2, 1], [2, 4, 2]) == Undefined(Why.NEVER_VARIES)

    @pytest.mark.parametrize(("parts", "wholes"), [([], []), ([3], [3]), ([3, 0], [3, 0]), ([0, 0], [0, 0])])
    def test_fewer_than_two_questions_are_too_few(self, parts, wholes):
        assert bound(parts, wholes) == Undefined(Why.TOO_FEW_QUESTIONS)

    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
    def test_an_interval_holds_the_share_and_has_width(self, rows):
        parts, wholes = [min(row) for row in rows], [max(row) for row in rows]
        found = bound(parts, wholes)
        if isinstance(found, Interval):
            assert found.low <= sum(parts) / sum(wholes) <= found.high
            assert found.high - found.low > 1e-9
        elif sum(wholes) and sum(parts) in {0, sum(wholes)}:
            assert np.count_nonzero(wholes) < 2
