"""Choosing thresholds against values by hand, scikit-learn, the bootstrap and properties."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, average_precision_score, roc_auc_score
from sklearn.model_selection import LeaveOneGroupOut

from analysis.calibration import (
    CrossValidated,
    average_precision_interval,
    best_threshold,
    cross_validate,
    roc_area_interval,
    sweep_thresholds,
)
from analysis.intervals import Interval, Scale, Undefined, Why, students_interval

ROWS = st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=2, max_size=50)


def arrays(rows):
    scores, correct = zip(*rows, strict=True)
    return np.array(scores) / 8, np.array(correct, dtype=bool)


def best(scores, correct):
    return best_threshold(
        sweep_thresholds(scores=np.array(scores, dtype=float), correct=np.array(correct, dtype=bool))
    )


class TestBestThreshold:
    def test_by_hand(self):
        # From .4 on: right are .9 and .4, wrong is .6: four of five; no other line has as many.
        assert best([0.9, 0.6, 0.4, 0.3, 0.1], [1, 0, 1, 0, 0]) == (0.9, 1, 0)
        assert best([0.9, 0.6, 0.4, 0.4, 0.1], [1, 0, 1, 1, 0]) == (0.4, 3, 1)

    def test_where_nothing_should_be_accepted(self):
        assert best([0.9, 0.1], [0, 0]) == (float("inf"), 0, 0)
        assert best([], []) == (float("inf"), 0, 0)

    @given(ROWS)
    def test_no_line_is_right_more_often(self, rows):
        scores, correct = arrays(rows)
        found = best(scores, correct)
        lines = [*np.unique(scores), np.inf]
        most = max(accuracy_score(correct, scores >= line, normalize=False) for line in lines)
        assert accuracy_score(correct, scores >= found.threshold, normalize=False) == most


class TestCrossValidate:
    def test_two_questions_by_hand(self):
        # Each question is judged by the best line of the other: .8 of the first, .3 of the second.
        scores, correct = np.array([0.8, 0.5, 0.3, 0.1]), np.array([True, False, True, False])
        found = cross_validate(scores=scores, correct=correct, clusters=np.array([1, 1, 2, 2]), seed=1)
        assert isinstance(found, CrossValidated)
        assert sorted(found.thresholds) == [0.3, 0.8]
        assert found.accepted.tolist() == [True, True, False, False]

    def test_with_few_questions_each_is_left_out_in_turn_as_scikit_learn_does(self):
        generator = np.random.default_rng(8)
        clusters, scores = generator.integers(0, 7, 60), generator.integers(0, 9, 60) / 8
        correct = generator.random(60) < scores
        expected = np.zeros(60, dtype=bool)
        for others, own in LeaveOneGroupOut().split(scores, groups=clusters):
            lines = [np.inf, *sorted(set(scores[others]), reverse=True)]
            right = [accuracy_score(correct[others], scores[others] >= line) for line in lines]
            expected[own] = scores[own] >= lines[int(np.argmax(right))]
        found = cross_validate(scores=scores, correct=correct, clusters=clusters, seed=1)
        assert isinstance(found, CrossValidated)
        assert found.accepted.tolist() == expected.tolist()

    def test_a_question_is_never_in_two_folds(self):
        generator = np.random.default_rng(2)
        clusters = generator.integers(0, 40, 300)
        # Within a question the score gives the answer away; across questions it says nothing.
        correct = generator.random(300) < 0.5
        scores = clusters + np.where(correct, 0.25, 0.0)
        found = cross_validate(scores=scores, correct=correct, clusters=clusters, seed=3)
        assert isinstance(found, CrossValidated)
        assert abs((found.accepted == correct).mean() - 0.5) < 0.1

    def test_one_question_is_too_few(self):
        found = cross_validate(
            scores=np.array([0.1, 0.9]), correct=np.array([False, True]), clusters=np.array([4, 4]), seed=1
        )
        assert found == Undefined(Why.TOO_FEW_QUESTIONS)


def area(scores, correct, clusters=None):
    clusters = np.arange(len(scores)) if clusters is None else clusters
    return roc_area_interval(scores=scores, correct=correct, clusters=clusters)


class TestRocAreaInterval:
    def test_by_hand(self):
        # Two right at .9, .4, two wrong at .6, .1: area ¾; placements 1, ½ and ½, 1, each ¼ off, each side
        # halved: variance 4 / 3 · 4 · (1 / 8)².
        found = area(np.array([0.9, 0.4, 0.6, 0.1]), np.array([True, True, False, False]))
        # So 2.25 rows are worth as much, and t of 3 degrees of freedom reaches 3.182.
        rows, reach = 0.75 * 0.25 / (4 / 3 * 4 / 64), 3.182446
        center = (0.75 + reach**2 / (2 * rows)) / (1 + reach**2 / rows)
        half = reach * (0.1875 / rows + reach**2 / (4 * rows**2)) ** 0.5 / (1 + reach**2 / rows)
        assert found == pytest.approx((center - half, center + half), abs=1e-6)

    def test_resampling_questions_finds_the_same(self):
        generator = np.random.default_rng(5)
        clusters = np.repeat(np.arange(120), 4)
        correct = generator.random(480) < 0.6
        # Answers to one question share a shift, so they are not independent.
        scores = correct * 0.8 + generator.normal(size=480) + np.repeat(generator.normal(size=120), 4)
        values = []
        for _ in range(600):
            drawn = (generator.integers(0, 120, 120)[:, np.newaxis] * 4 + np.arange(4)).reshape(-1)
            values.append(roc_auc_score(correct[drawn], scores[drawn]))
        expected = tuple(np.quantile(values, [0.025, 0.975]))
        assert area(scores, correct, clusters) == pytest.approx(expected, abs=0.015)

    @given(ROWS)
    def test_turning_the_scores_around_turns_the_interval(self, rows):
        scores, correct = arrays(rows)
        assume(correct.any() and not correct.all())
        one, other = area(scores, correct), area(-scores, correct)
        assume(one != Undefined(Why.NEVER_VARIES))
        assert isinstance(one, Interval)
        assert isinstance(other, Interval)
        assert one == pytest.approx((1 - other.high, 1 - other.low))

    def test_one_class_and_one_question_are_said_in_words(self):
        assert area(np.array([0.1, 0.2]), np.array([True, True])) == Undefined(Why.ONE_CLASS)
        found = area(np.array([0.1, 0.2]), np.array([True, False]), np.array([3, 3]))
        assert found == Undefined(Why.TOO_FEW_QUESTIONS)

    def test_scores_that_separate_the_rows_are_not_certain(self):
        assert area(np.array([0.1, 0.2, 0.9]), np.array([False, False, True])) == Undefined(Why.NEVER_VARIES)


def precision(scores, correct, clusters, resamples=1_000):
    return average_precision_interval(
        scores=np.array(scores), correct=np.array(correct), clusters=clusters, seed=7, resamples=resamples
    )


class TestAveragePrecisionInterval:
    def test_two_questions_by_hand(self):
        # The first ranks its right answer first, the second last: so few say next to nothing.
        clusters = np.array([4, 4, 9, 9])
        low, high = precision([0.9, 0.1, 0.8, 0.2], [True, False, False, True], clusters)
        assert low < 0.1
        assert high > 0.97

    @pytest.mark.parametrize("levels", [5, 1_000])
    def test_every_resample_is_what_scikit_learn_says_of_its_rows(self, levels, monkeypatch):
        # Blocks of three resamples.
        monkeypatch.setattr("analysis.calibration.BLOCK_CELLS", 500)
        generator = np.random.default_rng(3)
        clusters = generator.permutation(np.repeat(np.arange(30), 5)) * 3
        correct = generator.random(150) < 0.6
        scores = generator.integers(0, levels, 150) / levels
        drawn = np.random.default_rng(7).integers(0, 30, size=(200, 30))
        weights = np.array([np.bincount(one, minlength=30)[clusters // 3] for one in drawn])
        values = [average_precision_score(correct, scores, sample_weight=each) for each in weights]
        expected = students_interval(
            value=average_precision_score(correct, scores),
            error=np.std(values) * (30 / 29) ** 0.5,
            clusters=30,
            scale=Scale.SHARE,
        )
        assert precision(scores, correct, clusters, resamples=200) == pytest.approx(expected)

    @settings(max_examples=30)
    @given(ROWS)
    def test_only_the_order_of_scores_counts(self, rows):
        scores, correct = arrays(rows)
        clusters = np.arange(len(scores))
        assert precision(scores, correct, clusters, 50) == precision(2 * scores + 1, correct, clusters, 50)

    def test_what_has_no_interval_says_why(self):
        two = np.array([1, 2])
        assert precision([0.1, 0.9], [False, True], np.array([3, 3])) == Undefined(Why.TOO_FEW_QUESTIONS)
        assert precision([0.1, 0.9], [False, False], two) == Undefined(Why.NONE_CORRECT)
        assert precision([0.1, 0.9], [True, True], two) == Undefined(Why.NEVER_VARIES)
