"""Comparisons of two against hand-derived values, statsmodels, SciPy and properties."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t, ttest_rel
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from analysis.intervals import Undefined, Why
from analysis.ranking import (
    Table,
    holm_adjust,
    is_distinguishable,
    mcnemar_by_cluster,
    mcnemar_exact,
    paired_difference,
    paired_differences,
    tell_apart,
)

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
        assert compare([]).p_value == Undefined(Why.NOTHING_SHARED)


ROWS_IN_CLUSTERS = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.integers(0, 8)), min_size=1, max_size=40
)


def swap_clusters(rows):
    first, second, clusters = np.array(rows, dtype=int).reshape(-1, 3).T
    return mcnemar_by_cluster(first_right=first == 1, second_right=second == 1, clusters=clusters)


class TestMcNemarByCluster:
    def test_two_questions_by_hand(self):
        # Leads of 2 and 1: of ±2 ±1 the two outermost of four sums reach 3, and all four reach 1.
        assert swap_clusters([(1, 0, 7), (1, 0, 7), (1, 0, 3)]) == pytest.approx(2 / 4)
        assert swap_clusters([(1, 0, 7), (1, 0, 7), (0, 1, 3)]) == pytest.approx(1.0)

    @given(ROWS_IN_CLUSTERS)
    def test_equals_every_way_of_swapping(self, rows):
        leads: dict[int, int] = {}
        for first, second, cluster in rows:
            leads[cluster] = leads.get(cluster, 0) + first - second
        sums = [
            abs(sum(sign * lead for sign, lead in zip(signs, leads.values(), strict=True)))
            for signs in product((1, -1), repeat=len(leads))
        ]
        expected = np.mean([each >= abs(sum(leads.values())) for each in sums])
        assert swap_clusters(rows) == pytest.approx(expected)

    @given(PAIRS_OF_BOOLEANS)
    def test_is_mcnemars_where_each_cluster_has_one_row(self, rows):
        found = swap_clusters([(first, second, place) for place, (first, second) in enumerate(rows)])
        assert found == pytest.approx(compare(rows).p_value)

    def test_without_rows_it_is_said_in_words(self):
        assert swap_clusters([]) == Undefined(Why.NOTHING_SHARED)

    def test_equals_are_told_apart_in_a_twentieth_of_studies_though_answers_go_together(self):
        generator = np.random.default_rng(8)
        clusters, by_rows, by_clusters = np.repeat(np.arange(60), 6), [], []
        for _ in range(400):
            # A judge's answers to one question are mostly alike, as theirs are who copy from each other.
            first, second = (
                np.where(
                    generator.random(360) < 0.8,
                    np.repeat(generator.random(60) < 0.7, 6),
                    generator.random(360) < 0.7,
                )
                for _ in range(2)
            )
            by_rows.append(mcnemar_exact(first_right=first, second_right=second).p_value)
            by_clusters.append(mcnemar_by_cluster(first_right=first, second_right=second, clusters=clusters))
        assert np.mean(np.array(by_clusters) < 0.05) <= 0.08
        # The test of rows finds a difference where there is none.
        assert np.mean(np.array(by_rows) < 0.05) > 0.2


def difference(first, second, clusters=None, **options):
    clusters = np.arange(len(first)) if clusters is None else np.asarray(clusters)
    return paired_difference(
        first=np.asarray(first, dtype=float),
        second=np.asarray(second, dtype=float),
        clusters=clusters,
        **options,
    )


class TestPairedDifference:
    def test_the_same_gap_everywhere_is_no_interval(self):
        result = difference([1.0] * 9, [0.25] * 9)
        assert (result.rows, result.difference, result.interval) == (9, 0.75, Undefined(Why.NEVER_VARIES))
        # Nine coins that all fall on one side.
        assert result.p_value == pytest.approx(2 / 2**9)

    def test_a_row_that_lacks_one_score_is_in_neither_mean(self):
        result = difference([1.0, 1.0, np.nan, 0.0], [0.0, np.nan, 1.0, 0.0])
        assert (result.rows, result.difference) == (2, 0.5)

    def test_scipy_finds_the_same_interval_and_p(self):
        generator = np.random.default_rng(4)
        first, second = generator.random(80), generator.random(80)
        expected = ttest_rel(first, second)
        ours = difference(first, second)
        assert ours.interval == pytest.approx(tuple(expected.confidence_interval()))
        assert ours.p_value == pytest.approx(expected.pvalue)

    def test_statsmodels_finds_the_same_of_rows_that_go_together(self):
        generator = np.random.default_rng(4)
        clusters = np.repeat(np.arange(25), [1, 2, 3, 4, 5] * 5)
        gap = generator.random(75) - 0.5 + np.repeat(generator.normal(0, 0.3, 25), [1, 2, 3, 4, 5] * 5)
        fitted = OLS(gap, np.ones(75)).fit(cov_type="cluster", cov_kwds={"groups": clusters})
        low, high = difference(gap, np.zeros(75), clusters).interval
        assert (high - low) / 2 == pytest.approx(t.ppf(0.975, 24) * fitted.bse[0])

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
        assert result.interval == result.p_value == Undefined(Why.TOO_FEW_QUESTIONS)

    def test_no_shared_row_is_said_in_words(self):
        result = difference([np.nan, 1.0], [1.0, np.nan])
        assert (result.rows, result.difference) == (0, Undefined(Why.NOTHING_SHARED))


class TestPairedDifferences:
    SCORES = np.array([[1, 1, 0, 1, np.nan], [0, 1, 0, 0, 1], [1, np.nan, 0, 0, 1]])

    def test_each_pair_comes_out_as_if_compared_alone(self):
        pairs = [(0, 1), (2, 0)]
        together = paired_differences(table=Table(self.SCORES), pairs=pairs)
        alone = [difference(self.SCORES[first], self.SCORES[second]) for first, second in pairs]
        assert [each[:2] for each in together] == [each[:2] for each in alone]

    def test_a_complete_table_gives_each_pair_the_same_interval_as_alone(self):
        scores = np.random.default_rng(2).random((3, 40))
        (together,) = paired_differences(table=Table(scores), pairs=[(0, 2)])
        alone = difference(scores[0], scores[2])
        assert together.interval == pytest.approx(alone.interval)
        assert together.p_value == alone.p_value

    def test_no_pairs_are_no_comparisons(self):
        assert paired_differences(table=Table(self.SCORES), pairs=[]) == []

    def test_one_question_is_too_few(self):
        (result,) = paired_differences(table=Table(self.SCORES[:, :1]), pairs=[(0, 1)])
        assert (result.difference, result.interval) == (1.0, Undefined(Why.TOO_FEW_QUESTIONS))


class TestStudentsPValue:
    def test_under_no_difference_it_is_below_a_twentieth_once_in_twenty(self):
        generator = np.random.default_rng(8)
        low = [is_distinguishable(difference(*generator.random((2, 60))).p_value) for _ in range(600)]
        assert 0.03 < np.mean(low) < 0.07


@pytest.mark.usefixtures("little_garbage")
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
        nothing = Undefined(Why.NO_VALUE)
        assert holm_adjust([0.02, nothing, 0.5]) == [0.04, nothing, 0.5]

    def test_no_comparisons(self):
        assert holm_adjust([]) == []


class TestTellApart:
    def test_every_pair_of_forty_systems_can_be_told_apart(self):
        # 780 pairs: no number of resamples that a page can afford gives p-values so small.
        scores = np.arange(800) < np.linspace(0, 800, 40)[:, np.newaxis]
        (beats,) = tell_apart(tables=[Table(scores.astype(float), True)])
        assert np.triu(beats.T, k=2).sum() == 39 * 38 // 2

    def test_verdicts_follow_mcnemar_and_means_student(self):
        # Five of five questions that tell them apart: p = 1/16 by the coin, by t far less.
        scores = np.array([[1.0] * 5 + [0.0] * 15, [0.0] * 20])
        assert [tell_apart(tables=[Table(scores, each)])[0][0, 1] for each in (True, False)] == [False, True]

    @pytest.mark.parametrize("is_verdict", [True, False])
    def test_ten_equal_systems_are_told_apart_in_a_twentieth_of_studies(self, is_verdict):
        # Of twenty questions: a bootstrap's p told some two apart in 19% of studies.
        generator = np.random.default_rng(5)
        found = [
            tell_apart(tables=[Table((generator.random((10, 20)) < 0.5).astype(float), is_verdict)])[0].any()
            for _ in range(300)
        ]
        assert np.mean(found) <= 0.08


class TestIsDistinguishable:
    def test_only_below_a_twentieth(self):
        assert [is_distinguishable(p) for p in (0.049, 0.05, 1.0)] == [True, False, False]

    def test_what_is_undefined_is_not(self):
        assert not is_distinguishable(Undefined(Why.NO_VALUE))
