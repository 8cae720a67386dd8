"""Threshold sweeps and reliability against hand-derived values, scikit-learn and properties."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score, roc_curve

from analysis.calibration import (
    area_under_roc,
    average_precision,
    choose_points,
    measure_reliability,
    sweep_thresholds,
)
from analysis.intervals import Undefined, Why

# Few distinct scores, so that ties are common.
ROWS = st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=2, max_size=60)


def sweep(scores, correct):
    return sweep_thresholds(scores=np.asarray(scores, dtype=float), correct=np.asarray(correct, dtype=bool))


def arrays(rows):
    scores, correct = zip(*rows, strict=True)
    return np.array(scores) / 8, np.array(correct)


class TestSweepThresholds:
    def test_by_hand(self):
        result = sweep([0.9, 0.4, 0.9, 0.1, np.nan], [1, 1, 0, 0, 1])
        assert result.thresholds.tolist() == [0.9, 0.4, 0.1]
        assert result.true_positive.tolist() == [1, 2, 2]
        assert result.false_positive.tolist() == [1, 1, 2]
        assert (result.positives, result.negatives) == (2, 2)

    @given(ROWS)
    def test_equals_scikit_learn(self, rows):
        scores, correct = arrays(rows)
        assume(correct.any() and not correct.all())
        result = sweep(scores, correct)
        false_rate, recall, thresholds = roc_curve(correct, scores, drop_intermediate=False)
        assert result.thresholds.tolist() == thresholds[1:].tolist()
        assert (result.false_positive / result.negatives).tolist() == pytest.approx(false_rate[1:].tolist())
        assert (result.true_positive / result.positives).tolist() == pytest.approx(recall[1:].tolist())
        precision, _, _ = precision_recall_curve(correct, scores)
        ours = result.true_positive / (result.true_positive + result.false_positive)
        assert ours[::-1].tolist() == pytest.approx(precision[:-1].tolist())

    def test_no_rows_have_no_thresholds(self):
        result = sweep([], [])
        assert (len(result.thresholds), result.positives, result.negatives) == (0, 0, 0)


class TestAreas:
    def test_by_hand(self):
        # Of four pairs of a right and a wrong row: .9 ties .9 and beats .1;
        # .4 loses to .9, beats .1: (½ + 1 + 0 + 1) / 4.
        assert area_under_roc(sweep([0.9, 0.4, 0.9, 0.1], [1, 1, 0, 0])) == pytest.approx(0.625)

    def test_average_precision_by_hand(self):
        # Recall ½ at precision ½, then recall 1 at precision ⅔.
        assert average_precision(sweep([0.9, 0.4, 0.9, 0.1], [1, 1, 0, 0])) == pytest.approx(
            0.5 * 0.5 + 0.5 * 2 / 3
        )

    @given(ROWS)
    def test_equal_scikit_learn(self, rows):
        scores, correct = arrays(rows)
        assume(correct.any() and not correct.all())
        result = sweep(scores, correct)
        assert area_under_roc(result) == pytest.approx(roc_auc_score(correct, scores))
        assert average_precision(result) == pytest.approx(average_precision_score(correct, scores))

    @given(ROWS)
    def test_turning_the_scores_around_turns_the_area(self, rows):
        scores, correct = arrays(rows)
        assume(correct.any() and not correct.all())
        area, turned = (area_under_roc(sweep(each, correct)) for each in (scores, -scores))
        assert not isinstance(turned, Undefined)
        assert area == pytest.approx(1 - turned)

    @given(ROWS)
    def test_only_the_order_of_scores_counts(self, rows):
        scores, correct = arrays(rows)
        assume(correct.any() and not correct.all())
        one, other = sweep(scores, correct), sweep(np.exp(3 * scores) - 7, correct)
        assert area_under_roc(one) == pytest.approx(area_under_roc(other))
        assert average_precision(one) == pytest.approx(average_precision(other))
        precision = average_precision(one)
        assert not isinstance(precision, Undefined)
        assert 0 < precision <= 1

    def test_one_class_is_said_in_words(self):
        assert area_under_roc(sweep([0.1, 0.2], [1, 1])) == Undefined(Why.ONE_CLASS)
        assert average_precision(sweep([0.1, 0.2], [0, 0])) == Undefined(Why.NONE_CORRECT)

    def test_no_scores_are_said_in_words(self):
        nothing = sweep([np.nan], [1])
        assert area_under_roc(nothing) == average_precision(nothing) == Undefined(Why.NO_SCORES)


class TestChoosePoints:
    def test_all_of_a_few(self):
        assert choose_points(sweep([0.3, 0.2], [1, 0]), most=5).tolist() == [0, 1]

    def test_some_of_many_with_both_ends(self):
        many = sweep(np.linspace(0, 1, 1_000), np.arange(1_000) % 2)
        chosen = choose_points(many, most=50)
        assert len(chosen) <= 50
        assert (chosen[0], chosen[-1]) == (0, 999)


class TestReliability:
    def test_by_hand(self):
        # Bin (.4, .5]: two rows at .5, one right: no gap. Bin (.9, 1]: 1.0 and 1.0, one right: gap ½.
        result = measure_reliability(
            probabilities=np.array([0.5, 0.5, 1.0, 1.0]), correct=np.array([True, False, True, False])
        )
        assert result.bins == [(0.4, 0.5, 2, 0.5, 0.5), (0.9, 1.0, 2, 1.0, 0.5)]
        assert result.calibration_error == pytest.approx(0.25)

    @given(ROWS)
    def test_bins_equal_scikit_learn(self, rows):
        probabilities, correct = arrays(rows)
        result = measure_reliability(probabilities=probabilities, correct=correct)
        shares, means = calibration_curve(correct, probabilities, n_bins=10)
        assert [each.correct_share for each in result.bins] == pytest.approx(shares.tolist())
        assert [each.mean_probability for each in result.bins] == pytest.approx(means.tolist())
        assert not isinstance(result.calibration_error, Undefined)
        assert 0.0 <= result.calibration_error <= 1.0

    @given(ROWS)
    def test_the_error_is_that_of_scikit_learns_bins(self, rows):
        probabilities, correct = arrays(rows)
        shares, means = calibration_curve(correct, probabilities, n_bins=10)
        sizes = np.bincount(np.searchsorted(np.linspace(0, 1, 11)[1:-1], probabilities), minlength=10)
        expected = np.average(np.abs(shares - means), weights=sizes[sizes > 0])
        found = measure_reliability(probabilities=probabilities, correct=correct)
        assert found.calibration_error == pytest.approx(expected)

    def test_a_calibrated_judge_has_no_error(self):
        probabilities = np.repeat([0.05, 0.55], 20)
        correct = np.array([True] + [False] * 19 + [True] * 11 + [False] * 9)
        result = measure_reliability(probabilities=probabilities, correct=correct)
        assert result.calibration_error == pytest.approx(0.0)

    def test_scores_of_another_scale_are_said_in_words(self):
        result = measure_reliability(probabilities=np.array([63.0]), correct=np.array([True]))
        assert result == ([], Undefined(Why.OUTSIDE_ZERO_TO_ONE))

    def test_no_scores_are_said_in_words(self):
        result = measure_reliability(probabilities=np.array([np.nan]), correct=np.array([True]))
        assert result == ([], Undefined(Why.NO_SCORES))
