"""How sure the figures of other lines through a judge's scores are."""

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, precision_recall_fscore_support
from statsmodels.stats.proportion import proportion_confint

from analysis.arrays import Flags, Integers
from analysis.intervals import Interval, Scale, Undefined, Why
from judges.comparison.rules.judge_board.scored_judge import (
    LINE_FIGURES,
    ScoredRows,
    bound_thresholds,
    measure_scores,
)
from tests.analysis.ratios import lies_as_redone

# Of 25 questions' answers: the places of the lines that are drawn again, and how often.
QUESTIONS, PLACES, DRAWS = 25, (2, 5), 1_000
FIGURES = ("accuracy_scored", "precision", "recall", "f1")


def count_by_scikit(rows: ScoredRows, accepted: Flags, weights: Integers | None = None) -> dict[str, float]:
    """Return all figures of a line, in the order of `FIGURES`."""
    right = accuracy_score(rows.correct, accepted, sample_weight=weights)
    others = precision_recall_fscore_support(rows.correct, accepted, average="binary", sample_weight=weights)
    return dict(zip(FIGURES, (right, *others[:3]), strict=True))


def draw(*, questions: int, seed: int = 1) -> ScoredRows:
    """Three answers to each question, right as often as their score says."""
    generator = np.random.default_rng(seed)
    scores = generator.integers(0, 9, questions * 3) / 8
    return ScoredRows(
        scores=scores,
        accepted=scores > 0.6,
        correct=generator.random(questions * 3) < scores,
        questions=np.repeat(np.arange(questions), 3),
        weights=np.ones(questions * 3),
    )


Counted = tuple[dict[str, float], list[dict[str, float]]]


@pytest.fixture(scope="module")
def drawn_again() -> list[Counted]:
    """What scikit-learn counts of each line, and of the same line in each draw of questions."""
    rows = draw(questions=QUESTIONS)
    drawn = np.random.default_rng(3).integers(0, QUESTIONS, size=(DRAWS, QUESTIONS))
    weights = [np.bincount(one, minlength=QUESTIONS)[rows.questions] for one in drawn]
    points = TestBoundThresholds.points(rows)
    lines = [rows.scores >= points[place].threshold for place in PLACES]
    return [
        (count_by_scikit(rows, accepted), [count_by_scikit(rows, accepted, each) for each in weights])
        for accepted in lines
    ]


class TestBoundThresholds:
    def test_two_questions_say_next_to_nothing(self) -> None:
        # From .9 on: the first question's answers are judged right, of the second's none is.
        rows = ScoredRows(
            scores=np.array([0.9, 0.1, 0.9, 0.1]),
            accepted=np.array([True, False, True, False]),
            correct=np.array([True, False, False, True]),
            questions=np.array([5, 5, 8, 8]),
            weights=np.ones(4),
        )
        found = bound_thresholds(rows)
        for bounds in found.points[0].values():
            assert bounds == pytest.approx((0.0, 1.0), abs=0.01)
        assert found.chosen == found.points[0]

    @pytest.mark.parametrize("figure", FIGURES)
    def test_every_line_is_drawn_again_as_scikit_learn_counts_it(
        self, figure: str, drawn_again: list[Counted]
    ) -> None:
        found = bound_thresholds(draw(questions=QUESTIONS))
        for place, (whole, parts) in zip(PLACES, drawn_again, strict=True):
            assert lies_as_redone(
                found.points[place][figure],
                value=whole[figure],
                values=[part[figure] for part in parts],
                clusters=QUESTIONS,
                scale=Scale.SHARE,
            )

    @staticmethod
    def points(rows: ScoredRows) -> Any:
        return measure_scores(rows, threshold=None, is_probability=False).points

    def test_each_line_lies_in_its_interval(self) -> None:
        rows = draw(questions=60)
        points, found = self.points(rows), bound_thresholds(rows)
        assert len(found.points) == len(points)
        for point, bounds in zip(points, found.points, strict=True):
            accepted = rows.scores >= point.threshold
            values = {
                "accuracy_scored": (accepted == rows.correct).mean(),
                "recall": accepted[rows.correct].mean(),
                "precision": rows.correct[accepted].mean(),
                "accepts_wrong": accepted[~rows.correct].mean(),
            }
            for name, value in values.items():
                interval = bounds[name]
                assert point.figures[name].value == pytest.approx(value)
                assert isinstance(interval, Interval)
                assert interval.low <= value <= interval.high

    def test_accepting_everything_recalls_all_within_the_exact_interval(self) -> None:
        rows = draw(questions=40)
        with_right = len(np.unique(rows.questions[rows.correct]))
        low, high = proportion_confint(with_right, with_right, method="beta")
        assert bound_thresholds(rows).points[-1]["recall"] == pytest.approx((low, high))

    def test_the_verdicts_in_use_have_theirs_and_the_best_line_here_has_none(self) -> None:
        rows = draw(questions=40)
        found = bound_thresholds(rows)
        lines = [point.threshold for point in self.points(rows)]
        assert found.chosen == found.points[lines.index(0.625)]
        # It was chosen on the very answers that it is counted on.
        assert found.best == dict.fromkeys(LINE_FIGURES, Undefined(Why.CHOSEN_HERE))

    def test_where_nothing_should_be_accepted_no_precision_is_bounded(self) -> None:
        rows = ScoredRows(
            scores=np.array([0.9, 0.2]),
            accepted=np.array([True, False]),
            correct=np.array([False, False]),
            questions=np.array([1, 2]),
            weights=np.ones(2),
        )
        assert isinstance(bound_thresholds(rows).best["precision"], Undefined)

    def test_one_question_is_too_few(self) -> None:
        found = bound_thresholds(draw(questions=1))
        words = Undefined(Why.TOO_FEW_QUESTIONS)
        assert found.chosen == dict.fromkeys(LINE_FIGURES, words)
        assert found.average_precision == words

    def test_no_rows_have_no_interval(self) -> None:
        nothing = np.zeros(0)
        rows = ScoredRows(
            nothing, nothing.astype(bool), nothing.astype(bool), nothing.astype(np.int64), nothing
        )
        found = bound_thresholds(rows)
        assert found.points == []
        assert found.chosen == dict.fromkeys(LINE_FIGURES, Undefined(Why.TOO_FEW_QUESTIONS))
