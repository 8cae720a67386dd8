"""A judge's scores: lines through them and what its probabilities mean."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from analysis.figures import Interval, Undefined, Why, number_or_none
from analysis.ranking import is_distinguishable
from annotation.accounts.models import User
from annotation.projects.models import Project
from common.figures import WHY
from judges.comparison.rules.judge_board.scored_judge import ScoredRows, measure_scores
from judges.comparison.selectors.judge_board.judges import read_scored_judge
from tests.judges.comparison.conftest import make_run

Client = Callable[[User], Any]


def draw(*, questions: int = 80, seed: int = 1) -> ScoredRows:
    generator = np.random.default_rng(seed)
    scores = generator.random(questions * 3)
    return ScoredRows(
        scores=scores,
        accepted=scores >= 0.7,
        correct=generator.random(questions * 3) < scores,
        questions=np.repeat(np.arange(questions), 3),
        weights=np.ones(questions * 3),
    )


class TestMeasureScores:
    def test_the_chosen_line_is_that_of_the_verdicts(self) -> None:
        rows = draw()
        found = measure_scores(rows, threshold=0.7, is_probability=True)
        assert found.chosen.threshold == 0.7
        assert found.chosen.true_positive == int((rows.accepted & rows.correct).sum())
        assert found.chosen.false_positive == int((rows.accepted & ~rows.correct).sum())

    def test_the_best_line_on_these_rows_is_never_below_any_other(self) -> None:
        found = measure_scores(draw(), threshold=None, is_probability=True)
        assert all(
            found.best.true_positive - found.best.false_positive >= line.true_positive - line.false_positive
            for line in [*found.points, found.chosen]
        )

    def test_area_equals_scikit_learn_and_lies_in_its_interval(self) -> None:
        rows = draw()
        found = measure_scores(rows, threshold=None, is_probability=True)
        assert found.roc_area == pytest.approx(roc_auc_score(rows.correct, rows.scores))
        assert isinstance(found.roc_interval, Interval)
        assert found.roc_interval.low < roc_auc_score(rows.correct, rows.scores) < found.roc_interval.high

    def test_a_bad_line_is_gained_upon_by_lines_chosen_on_other_questions(self) -> None:
        generator = np.random.default_rng(3)
        correct = generator.random(300) < 0.5
        scores = np.where(correct, 0.6, 0.4) + generator.normal(scale=0.02, size=300)
        rows = ScoredRows(scores, scores >= 0.65, correct, np.repeat(np.arange(100), 3), np.ones(300))
        found = measure_scores(rows, threshold=0.65, is_probability=False)
        assert isinstance(found.gain.interval, Interval)
        assert found.gain.interval.low > 0.3
        assert isinstance(found.other_thresholds, Interval)
        assert 0.4 < found.other_thresholds.low <= found.other_thresholds.high < 0.6

    def test_each_bin_lies_in_its_interval(self) -> None:
        found = measure_scores(draw(), threshold=None, is_probability=True).calibration
        assert sum(each.found.rows for each in found.bins) == 240
        for each in found.bins:
            assert isinstance(each.interval, Interval)
            assert each.interval.low <= each.found.correct_share <= each.interval.high

    def test_scores_that_are_no_probabilities_have_no_calibration(self) -> None:
        found = measure_scores(draw(), threshold=None, is_probability=False).calibration
        assert tuple(found) == ([], *[Undefined(Why.NOT_PROBABILITIES)] * 3)

    def test_one_question_has_points_and_no_interval(self) -> None:
        found = measure_scores(draw(questions=1), threshold=None, is_probability=True)
        assert len(found.points) == 3
        assert found.gain.difference == Undefined(Why.TOO_FEW_QUESTIONS)
        assert found.calibration.p_value == Undefined(Why.TOO_FEW_TO_TEST)

    def test_probabilities_that_are_right_pass_for_right(self) -> None:
        # Their error is not 0: its 95 % interval never held the true one.
        found = [
            measure_scores(draw(seed=seed), threshold=None, is_probability=True).calibration
            for seed in range(100)
        ]
        assert sum(is_distinguishable(each.p_value) for each in found) <= 12
        errors, by_chance = (
            [number_or_none(one) for one in each]
            for each in zip(*((one.error, one.by_chance) for one in found), strict=True)
        )
        assert np.mean(np.array(errors, float)) == pytest.approx(np.mean(np.array(by_chance, float)), rel=0.1)

    def test_probabilities_that_claim_too_much_do_not(self) -> None:
        rows = draw()
        found = measure_scores(
            rows._replace(correct=rows.scores > 0.5), threshold=None, is_probability=True
        ).calibration
        assert found.p_value == pytest.approx(1 / 1_001)

    def test_no_rows_are_said_in_words(self) -> None:
        nothing = np.zeros(0)
        rows = ScoredRows(
            nothing, nothing.astype(bool), nothing.astype(bool), nothing.astype(np.int64), nothing
        )
        found = measure_scores(rows, threshold=0.5, is_probability=True)
        assert (found.rows, found.points) == (0, [])
        assert found.roc_area == found.calibration.error == Undefined(Why.NO_SCORES)


class TestReadScoredJudge:
    def test_unscored_and_undecided_answers_stay_out(self, study: Project, decide: Any) -> None:
        decide("Paris", "correct")
        decide("Marlowe", "incorrect")
        run = make_run(study, "bem", {"Paris": 0.8, "Marlowe": 0.3, "Pacific": 0.9})
        found = read_scored_judge(project=study, run=run.public_id)
        assert (found.rows, found.positives) == (2, 1)
        assert [tuple(line) for line in found.points] == [(0.8, 1, 0), (0.3, 1, 1)]
        assert len(found.calibration.bins) == 2

    def test_a_judge_whose_score_is_its_verdict_has_nothing_to_sweep(
        self, study: Project, all_decided: None, exact_match: Any
    ) -> None:
        assert read_scored_judge(project=study, run=exact_match.public_id).rows == 0

    def test_a_changed_verdict_changes_it(self, study: Project, all_decided: None) -> None:
        run = make_run(study, "bem", {"Paris": 0.8, "Marlowe": 0.3})
        assert read_scored_judge(project=study, run=run.public_id).rows == 2
        run.verdicts.filter(candidate__text="Paris").delete()
        assert read_scored_judge(project=study, run=run.public_id).rows == 1


class TestView:
    def test_tells_lines_bins_and_why_there_is_none(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        run = make_run(study, "token_f1", {"Paris": 0.8, "Marlowe": 0.3, "William S.": 0.6})
        body = client_of(lead).get(f"/api/projects/small/judge-board/{run.public_id}/thresholds").json()
        assert body["roc_area"] == 1.0
        assert body["signature"].startswith(f"{run.signature}|beside:people|")
        assert "|interval:questions t|seed:20231|" in body["signature"]
        assert body["chosen"] == {"threshold": None, "true_positive": 2, "false_positive": 0}
        assert body["best"]["threshold"] == 0.6
        assert body["bins"] == []
        assert body["words"]["calibration_error"] == WHY[Why.NOT_PROBABILITIES]

    def test_an_unknown_run_is_not_found(self, client_of: Client, lead: User, study: Project) -> None:
        assert client_of(lead).get("/api/projects/small/judge-board/nothing/thresholds").status_code == 404

    def test_intervals_of_the_same_lines_are_asked_for_apart(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        run = make_run(study, "token_f1", {"Paris": 0.8, "Marlowe": 0.3, "William S.": 0.6})
        address = f"/api/projects/small/judge-board/{run.public_id}/thresholds"
        points = client_of(lead).get(address).json()["points"]
        body = client_of(lead).get(f"{address}/intervals").json()
        assert len(body["points"]) == len(points) == 3
        assert set(body["best"]["figures"]) == {
            "accuracy_scored", "precision", "recall", "f1", "accepts_wrong"
        }  # fmt: skip
        # "Paris" is one question, the other two another: all right of two questions.
        assert body["points"][1]["figures"]["accuracy_scored"] == pytest.approx([0.025**0.5, 1.0])
        assert body["best"]["figures"]["accuracy_scored"] is None
        assert body["average_precision"] is None
        assert body["words"]["average_precision"] == WHY[Why.NEVER_VARIES]
