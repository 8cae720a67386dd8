"""The alternative annotator test: values by hand, plain loops over the paper's definitions, its size."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

from analysis.intervals import Why
from analysis.raters.alternative_annotator import (
    AlternativeAnnotator,
    adjust_discoveries,
    compare_with_raters,
)


def compare(votes: Any, judge: Any, **more: Any) -> AlternativeAnnotator:
    """Compare with one answer a question, each for itself."""
    size = len(votes)
    plain = {"clusters": np.arange(size), "weights": np.ones(size), "fewest_shared": 1}
    return compare_with_raters(votes=np.asarray(votes), judge=np.asarray(judge), **{**plain, **more})


def by_definition(votes: Any, judge: Any, epsilon: float) -> list[tuple[int, float, float, float]]:
    """Return rater, n, both advantages and p as section 3 of the paper defines them, one answer at a time."""
    found = []
    for rater in range(votes.shape[1]):
        ahead, behind = [], []
        for row, own in zip(votes, judge, strict=True):
            others = [said for place, said in enumerate(row) if place != rater and said != -1]
            if row[rater] == -1 or not others:
                continue
            of_judge = sum(said == own for said in others) / len(others)
            of_rater = sum(said == row[rater] for said in others) / len(others)
            ahead.append(of_judge >= of_rater)
            behind.append(of_rater >= of_judge)
        difference = np.array(behind, dtype=float) - np.array(ahead, dtype=float)
        p_value = ttest_1samp(difference, epsilon, alternative="less").pvalue
        found.append((len(ahead), float(np.mean(ahead)), float(np.mean(behind)), float(p_value)))
    return found


def draw(generator: np.random.Generator, *, answers: int, raters: int, skill: float, missing: float) -> Any:
    """Draw votes of raters who say what is true so often, and the truth."""
    truth = generator.integers(0, 3, answers)
    noise = generator.integers(0, 3, (answers, raters))
    votes = np.where(generator.random((answers, raters)) < skill, truth[:, np.newaxis], noise)
    return np.where(generator.random((answers, raters)) < missing, -1, votes), truth


class TestCompareWithRaters:
    def test_equals_values_by_hand(self) -> None:
        """Rater 0 differs on the last of four answers, where the judge says what the others say."""
        votes = [[1, 1, 1], [0, 0, 0], [1, 1, 0], [0, 1, 1]]
        found = compare(votes, [1, 0, 0, 1], epsilon=0.1)
        first, second, third = found.tests
        # Third answer: the others said 1 and 0, so half each. Last: all say what the judge does, none 0.
        assert (first.shared, first.judge_ahead, first.rater_ahead) == (4, 1.0, 0.75)
        # Third answer: judge half, rater half (the others said 1 and 0). Last: half each.
        assert (second.judge_ahead, second.rater_ahead) == (1.0, 1.0)
        # Third answer: the others said 1, so neither the judge nor the rater, who said 0. Last: both half.
        assert (third.judge_ahead, third.rater_ahead) == (1.0, 1.0)
        assert found.advantage.value == 1.0

    def test_a_judge_level_with_a_rater_throughout_is_surely_less_than_epsilon_behind(self) -> None:
        votes = [[1, 1, 1]] * 5
        assert [each.p_value for each in compare(votes, [1] * 5, epsilon=0.1).tests] == [0.0] * 3
        # Level is not ahead: without epsilon there is nothing to gain.
        assert [each.p_value for each in compare(votes, [1] * 5, epsilon=0.0).tests] == [1.0] * 3
        assert [each.p_value for each in compare(votes, [0] * 5, epsilon=0.1).tests] == [1.0] * 3

    @pytest.mark.parametrize("missing", [0.0, 0.4])
    def test_equals_the_papers_definitions(self, missing: float) -> None:
        generator = np.random.default_rng(7)
        votes, truth = draw(generator, answers=80, raters=4, skill=0.7, missing=missing)
        judge = np.where(generator.random(80) < 0.6, truth, 2 - truth)
        found = compare(votes, judge, epsilon=0.2)
        expected = by_definition(votes, judge, 0.2)
        assert [(each.shared, each.judge_ahead, each.rater_ahead) for each in found.tests] == [
            pytest.approx(each[:3]) for each in expected
        ]
        assert [each.p_value for each in found.tests] == pytest.approx([each[3] for each in expected])
        assert found.advantage.value == pytest.approx(np.mean([each[1] for each in expected]))

    def test_a_judge_that_could_not_judge_agrees_with_nobody(self) -> None:
        votes = [[1, 1, 1], [0, 0, 0]]
        assert compare(votes, [-1, 0]).tests[0].judge_ahead == 0.5

    def test_raters_with_few_answers_are_not_tested_and_stay_among_the_others(self) -> None:
        votes = np.array([[1, 1, -1]] * 30 + [[1, -1, 0]] * 5)
        found = compare(votes, [1] * 35, fewest_shared=30)
        assert [(each.rater, each.shared) for each in found.tests] == [(0, 35), (1, 30)]
        assert found.compared == 3

    def test_nobody_to_test_has_a_reason(self) -> None:
        found = compare([[1, 1]], [1], fewest_shared=30)
        assert found.tests == ()
        assert found.advantage.why is Why.FEW_TO_REPLACE

    def test_answers_to_one_question_count_as_one_row_of_the_test(self) -> None:
        """Each answer ten times over is no more evidence where the ten are of one question."""
        generator = np.random.default_rng(3)
        votes, truth = draw(generator, answers=40, raters=3, skill=0.8, missing=0.0)
        judge = np.where(generator.random(40) < 0.8, truth, 2 - truth)
        once = compare(votes, judge)
        ten = np.repeat(np.arange(40), 10)
        often = compare(votes[ten], judge[ten], clusters=ten, weights=np.ones(400))
        assert [each.p_value for each in often.tests] == pytest.approx([each.p_value for each in once.tests])
        alone = compare(votes[ten], judge[ten])
        assert all(sure.p_value < each.p_value for sure, each in zip(alone.tests, once.tests, strict=True))

    def test_an_answer_that_stands_for_three_counts_as_three(self) -> None:
        generator = np.random.default_rng(5)
        votes, truth = draw(generator, answers=50, raters=3, skill=0.7, missing=0.0)
        weights = generator.integers(1, 4, 50)
        copies = np.repeat(np.arange(50), weights)
        weighed = compare(votes, truth, weights=weights.astype(float))
        counted = compare(votes[copies], truth[copies], clusters=copies, weights=np.ones(len(copies)))
        for one, other in zip(weighed.tests, counted.tests, strict=True):
            assert one[2:] == pytest.approx(other[2:])
        assert weighed.advantage.low == pytest.approx(counted.advantage.low)

    def test_an_answer_that_stands_for_none_is_left_out(self) -> None:
        votes = [[1, 1, 1], [0, 0, 0]]
        found = compare(votes, [1, 1], weights=np.array([1.0, 0.0]))
        assert [each.shared for each in found.tests] == [1, 1, 1]

    def test_refuses_an_epsilon_that_is_no_share(self) -> None:
        with pytest.raises(ValueError, match="epsilon"):
            compare([[1, 1]], [1], epsilon=1.5)

    def test_a_judge_behind_by_just_epsilon_is_called_level_in_one_of_twenty(self) -> None:
        """Of 100 questions with three like answers each it is behind on 30 and ahead on 10, give or take."""
        generator = np.random.default_rng(11)
        clusters, draws, found = np.repeat(np.arange(100), 3), 1_000, 0
        for _ in range(draws):
            drawn = np.repeat(generator.random(100), 3)
            votes, judge = np.ones((300, 3), dtype=np.int64), np.ones(300, dtype=np.int64)
            judge[drawn < 0.3] = 0
            votes[(drawn >= 0.3) & (drawn < 0.4), 0] = 0
            test = compare(votes, judge, clusters=clusters, weights=np.ones(300), epsilon=0.2)
            found += test.tests[0].p_value <= 0.05
        assert 0.03 <= found / draws <= 0.07


class TestAdjustDiscoveries:
    def test_equals_values_by_hand(self) -> None:
        """Three tests: 1 + 1/2 + 1/3 = 11/6; times 3 and by rank."""
        assert adjust_discoveries([0.03, 0.001, 0.02]) == pytest.approx([0.055, 0.0055, 0.055])

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
    def test_equals_statsmodels(self, p_values: list[float]) -> None:
        expected = multipletests(p_values, method="fdr_by")[1]
        assert adjust_discoveries(p_values) == pytest.approx(list(expected))

    def test_no_test_needs_no_correction(self) -> None:
        assert adjust_discoveries([]) == []
