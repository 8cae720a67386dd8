"""Comparisons of two against hand-derived values, statsmodels, SciPy and properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from analysis import comparing
from analysis.comparing import (
    bootstrap_p_value,
    enough_resamples,
    holm_adjust,
    is_distinguishable,
    mcnemar_exact,
    paired_difference,
    paired_differences,
)
from analysis.intervals import NEVER_VARIES, TOO_FEW_CLUSTERS, TOO_OFTEN_UNDEFINED
from analysis.undefined import Undefined

PAIRS_OF_BOOLEANS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def compare(rows):
    first, second = np.array(rows, dtype=bool).reshape(-1, 2).T
    return mcnemar_exact(first_right=first, second_right=second)


class TestMcNemar:
    def test_one_against_five_by_hand(self):
        # Of six coins at most one falls on one side: 2 · (1 + 6) / 2⁶.
        result = compare([(1, 0)] + [(0, 1)] * 5 + [(1, 1)] * 9)
        assert (result.rows, result.first_only, result.second_only) == (15, 1, 5)
        assert result.p_value == pytest.approx(14 / 64)

    @given(PAIRS_OF_BOOLEANS)
    def test_equals_statsmodels(self, rows):
        first, second = np.array(rows).T
        table = [[np.sum(first & second), np.sum(first & ~second)],
                 [np.sum(~first & second), np.sum(~first & ~second)]]  # fmt: skip
        expected = min(1.0, mcnemar(table, exact=True).pvalue)
        assert compare(rows).p_value == pytest.approx(expected)

    @given(PAIRS_OF_BOOLEANS)
    def test_turning_the_two_around_changes_only_the_counts(self, rows):
        one, other = compare(rows), compare([(second, first) for first, second in rows])
        assert (one.first_only, one.p_value) == (other.second_only, other.p_value)

    def test_nothing_that_tells_them_apart_gives_one(self):
        assert compare([(1, 1), (0, 0)]).p_value == 1.0

    def test_without_rows_it_is_said_in_words(self):
        assert compare([]).p_value == Undefined(comparing.NO_SHARED_ROWS)


def difference(first, second, clusters=None, **options):
    clusters = np.arange(len(first)) if clusters is None else np.asarray(clusters)
    return paired_difference(
        first=np.asarray(first, dtype=float),
        second=np.asarray(second, dtype=float),
        clusters=clusters,
        **{"seed": 1, **options},
    )


class TestPairedDifference:
    def test_the_same_gap_everywhere_is_no_interval(self):
        result = difference([1.0] * 9, [0.25] * 9)
        assert (result.rows, result.difference, result.interval) == (9, 0.75, Undefined(NEVER_VARIES))
        assert result.p_value == pytest.approx(2 / 2001)

    def test_a_row_that_lacks_one_score_is_in_neither_mean(self):
        result = difference([1.0, 1.0, np.nan, 0.0], [0.0, np.nan, 1.0, 0.0])
        assert (result.rows, result.difference) == (2, 0.5)

    def test_scipy_finds_the_same_interval(self):
        generator = np.random.default_rng(4)
        first, second = generator.random(80), generator.random(80)
        expected = bootstrap((first - second,), np.mean, method="percentile", rng=3, n_resamples=9_999)
        ours = difference(first, second, resamples=9_999)
        assert ours.interval == pytest.approx(tuple(expected.confidence_interval), abs=0.006)

    def test_rows_of_one_question_widen_the_interval(self):
        first, second = np.repeat([1.0, 0.0], 50), np.repeat([0.0, 1.0], 50)
        wide = difference(first, second, np.repeat(np.arange(20), 5)).interval
        narrow = difference(first, second).interval
        assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)

    @settings(max_examples=30)
    @given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30))
    def test_turning_the_two_around_turns_the_sign(self, rows):
        first, second = np.array(rows).T
        one, other = difference(first, second), difference(second, first)
        assert one.difference == pytest.approx(-other.difference)
        if isinstance(one.interval, Undefined):
            assert one.interval == other.interval
        else:
            assert one.interval == pytest.approx((-other.interval.high, -other.interval.low))
        assert one.p_value == pytest.approx(other.p_value)

    def test_one_question_has_a_difference_and_no_interval(self):
        result = difference([1.0, 0.0], [0.0, 0.0], [7, 7])
        assert result.difference == 0.5
        assert result.interval == result.p_value == Undefined(TOO_FEW_CLUSTERS)

    def test_no_shared_row_is_said_in_words(self):
        result = difference([np.nan, 1.0], [1.0, np.nan])
        assert (result.rows, result.difference) == (0, Undefined(comparing.NO_SHARED_ROWS))


class TestPairedDifferences:
    SCORES = np.array([[1, 1, 0, 1, np.nan], [0, 1, 0, 0, 1], [1, np.nan, 0, 0, 1]])

    def test_each_pair_comes_out_as_if_compared_alone(self):
        pairs = [(0, 1), (2, 0)]
        together = paired_differences(scores=self.SCORES, pairs=pairs, seed=1)
        alone = [difference(self.SCORES[first], self.SCORES[second]) for first, second in pairs]
        assert [each[:2] for each in together] == [each[:2] for each in alone]

    def test_a_complete_table_gives_each_pair_the_same_interval_as_alone(self):
        scores = np.random.default_rng(2).random((3, 40))
        (together,) = paired_differences(scores=scores, pairs=[(0, 2)], seed=1)
        alone = difference(scores[0], scores[2])
        assert together.interval == pytest.approx(alone.interval)
        assert together.p_value == alone.p_value

    def test_no_pairs_are_no_comparisons(self):
        assert paired_differences(scores=self.SCORES, pairs=[], seed=1) == []

    def test_one_question_is_too_few(self):
        (result,) = paired_differences(scores=self.SCORES[:, :1], pairs=[(0, 1)], seed=1)
        assert (result.difference, result.interval) == (1.0, Undefined(TOO_FEW_CLUSTERS))


class TestBootstrapPValue:
    def test_by_hand(self):
        # One of nine lies below zero: 2 · (1 + 1) / (9 + 1).
        assert bootstrap_p_value(values=np.array([-1.0] + [1.0] * 8)) == pytest.approx(0.4)

    def test_differences_of_zero_are_on_both_sides(self):
        assert bootstrap_p_value(values=np.zeros(10)) == 1.0

    def test_equals_counting_the_resamples_one_by_one(self):
        values = np.random.default_rng(6).normal(0.3, 1.0, 999).tolist()
        below = 1 + sum(1 for value in values if value <= 0)
        above = 1 + sum(1 for value in values if value >= 0)
        expected = min(1.0, 2 * min(below, above) / (len(values) + 1))
        assert bootstrap_p_value(values=np.array(values)) == pytest.approx(expected)

    def test_mostly_undefined_has_none(self):
        assert bootstrap_p_value(values=np.full(5, np.nan)) == Undefined(TOO_OFTEN_UNDEFINED)

    def test_under_no_difference_it_is_below_a_twentieth_once_in_twenty(self):
        generator = np.random.default_rng(8)
        low = [
            is_distinguishable(difference(*generator.random((2, 60)), resamples=400, seed=trial).p_value)
            for trial in range(600)
        ]
        assert 0.03 < np.mean(low) < 0.07


class TestHolm:
    def test_by_hand(self):
        # .01 · 3, then .03 · 2, then .04 · 1 raised to the one before.
        assert holm_adjust([0.03, 0.01, 0.04]) == pytest.approx([0.06, 0.03, 0.06])

    @given(P_VALUES)
    def test_equals_statsmodels_and_never_lowers(self, values):
        adjusted = holm_adjust(values)
        assert adjusted == pytest.approx(multipletests(values, method="holm")[1])
        assert all(after >= before for after, before in zip(adjusted, values, strict=True))

    def test_what_is_undefined_is_no_member_of_the_family(self):
        nothing = Undefined("why")
        assert holm_adjust([0.02, nothing, 0.5]) == [0.04, nothing, 0.5]

    def test_no_comparisons(self):
        assert holm_adjust([]) == []


class TestEnoughResamples:
    def test_few_comparisons_keep_the_usual_number(self):
        assert enough_resamples(comparisons=1, least=1_000) == 1_000

    @pytest.mark.parametrize("comparisons", [28, 66, 499])
    def test_the_smallest_p_value_there_can_be_survives_the_correction(self, comparisons):
        smallest = 2 / (enough_resamples(comparisons=comparisons, least=1_000) + 1)
        first, *_ = holm_adjust([smallest] + [1.0] * (comparisons - 1))
        assert is_distinguishable(first)

    def test_there_is_an_end_to_it(self):
        assert enough_resamples(comparisons=5_000, least=1_000) == comparing.MOST_RESAMPLES


class TestIsDistinguishable:
    def test_only_below_a_twentieth(self):
        assert [is_distinguishable(p) for p in (0.049, 0.05, 1.0)] == [True, False, False]

    def test_what_is_undefined_is_not(self):
        assert not is_distinguishable(Undefined("why"))
