"""How long answers are, as exact match compares them."""

import numpy as np
import pytest

from annotation.items.models import Prediction
from annotation.projects.models import Project
from judges.comparison.rules.study import Predictions, are_mostly_long, count_words, median_words
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.comparison.selectors.overview import read_overview
from judges.runs.models import JudgeRun


def predictions(*texts: str) -> Predictions:
    strings = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    nobody = np.zeros(len(texts), dtype=np.int64)
    return Predictions(
        nobody, nobody, nobody, np.array([strings[text] for text in texts], dtype=np.int64), strings, {}
    )


class TestCountWords:
    def test_equal_answers_have_equal_lengths(self) -> None:
        assert count_words(predictions("paris", "it is rome", "", "paris")).tolist() == [1, 3, 0, 1]

    def test_nothing_has_no_lengths(self) -> None:
        assert count_words(predictions()).tolist() == []


class TestMedianWords:
    def test_is_of_each_systems_counted_answers(self) -> None:
        words = np.array([1, 30, 2, 40, 900])
        counted = np.array([True, True, True, True, False])
        found = median_words(words, systems=np.array([0, 1, 0, 1, 1]), counted=counted, ids=[7, 8, 9])
        assert found == {7: 1.5, 8: 35.0}

    def test_is_long_above_the_longest_gold_answers(self) -> None:
        assert [are_mostly_long(median) for median in (1.0, 5.0, 5.5)] == [False, False, True]


class TestOnTheBoard:
    def lengthen(self, study: Project, system: str) -> None:
        for prediction in Prediction.objects.filter(system__project=study, system__name=system):
            text = f"it is, as far as anybody can say, {prediction.text}"
            Prediction.objects.filter(pk=prediction.pk).update(text=text)
        # What was read stands for as long as no row comes or goes.
        Prediction.objects.filter(system__name=system, question__position=2).delete()

    def test_is_said_of_each_system(self, study: Project, exact_match: JudgeRun) -> None:
        assert [row.has_long_answers for row in read_leaderboard(project=study).rows] == [False, False]
        self.lengthen(study, "alpha")
        alpha, beta = read_leaderboard(project=study).rows
        assert (alpha.has_long_answers, beta.has_long_answers) == (True, False)
        assert (alpha.median_words, beta.median_words) == (10.0, 1.0)

    @pytest.mark.parametrize("is_long", [False, True])
    def test_is_said_of_the_system_that_moved_most(
        self, is_long: bool, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        if is_long:
            self.lengthen(study, "alpha")
            self.lengthen(study, "beta")
        movement = read_overview(project=Project.objects.get(pk=study.pk)).movement
        assert movement is not None
        assert movement.has_long_answers == is_long
