"""A judge's scores: lines through them and what its probabilities mean."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from analysis.intervals import Figure, Why
from analysis.ranking import is_distinguishable
from annotation.accounts.models import User
from annotation.projects.models import Project
from judges.comparison.rules.judge_board.scored_judge import Calibration, ScoredRows, measure_scores
from judges.comparison.selectors.judge_board.judges import read_scored_judge
from tests.factories import make_figure
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


def number_of(figure: Figure) -> float:
    assert figure.value is not None
    return figure.value


class TestMeasureScores:
    def test_the_chosen_line_is_that_of_the_verdicts(self) -> None:
        rows = draw()
        found = measure_scores(rows, threshold=0.7, is_probability=True)
        assert found.chosen.threshold == 0.7
        figures = {name: figure.value for name, figure in found.chosen.figures.items()}
        assert figures["recall"] == pytest.approx(rows.accepted[rows.correct].mean())
        assert figures["accepts_wrong"] == pytest.approx(rows.accepted[~rows.correct].mean())
        assert figures["precision"] == pytest.approx(rows.correct[rows.accepted].mean())
        assert figures["accuracy_scored"] == pytest.approx((rows.correct == rows.accepted).mean())

    def test_the_best_line_on_these_rows_is_never_below_any_other(self) -> None:
        found = measure_scores(draw(), threshold=None, is_probability=True)
        best, *others = (
            number_of(line.figures["accuracy_scored"]) for line in (found.best, found.chosen, *found.points)
        )
        assert best == max(best, *others)

    def test_area_equals_scikit_learn_and_lies_in_its_interval(self) -> None:
        rows = draw()
        found = measure_scores(rows, threshold=None, is_probability=True)
        assert found.roc_area.value == pytest.approx(roc_auc_score(rows.correct, rows.scores))
        assert found.roc_area.interval is not None
        low, high = found.roc_area.interval
        assert low < roc_auc_score(rows.correct, rows.scores) < high

    def test_a_bad_line_is_gained_upon_by_lines_chosen_on_other_questions(self) -> None:
        generator = np.random.default_rng(3)
        correct = generator.random(300) < 0.5
        scores = np.where(correct, 0.6, 0.4) + generator.normal(scale=0.02, size=300)
        rows = ScoredRows(scores, scores >= 0.65, correct, np.repeat(np.arange(100), 3), np.ones(300))
        found = measure_scores(rows, threshold=0.65, is_probability=False)
        assert found.gain.low is not None
        assert found.gain.low > 0.3
        assert found.other_thresholds is not None
        assert 0.4 < found.other_thresholds[0] <= found.other_thresholds[1] < 0.6

    def test_a_bin_of_weighed_answers_is_as_sure_as_they_are_worth(self) -> None:
        right = np.arange(40) < 20
        weights = np.where(np.arange(40) % 20 == 0, 20.0, 1.0)
        rows = ScoredRows(np.where(right, 0.95, 0.05), right, right, np.arange(40), weights)
        found = measure_scores(rows, threshold=None, is_probability=True).calibration
        # 39² / (20² + 19) = 3.6 of 20 answers: of three, all of them right.
        assert found.bins[-1].correct_share.low == pytest.approx(0.025 ** (1 / 3))

    def test_each_bin_lies_in_its_interval(self) -> None:
        found = measure_scores(draw(), threshold=None, is_probability=True).calibration
        assert sum(each.rows for each in found.bins) == 240
        for each in found.bins:
            low, value, high = each.correct_share.low, each.correct_share.value, each.correct_share.high
            assert low is not None and value is not None and high is not None  # noqa: PT018
            assert low <= value <= high

    def test_scores_that_are_no_probabilities_have_no_calibration(self) -> None:
        found = measure_scores(draw(), threshold=None, is_probability=False).calibration
        assert found == Calibration([], *[Figure(None, why=Why.NOT_PROBABILITIES)] * 3)

    def test_one_question_has_points_and_no_interval(self) -> None:
        found = measure_scores(draw(questions=1), threshold=None, is_probability=True)
        assert len(found.points) == 3
        assert found.gain == Figure(None, why=Why.TOO_FEW_QUESTIONS)
        assert found.calibration.p_value == Figure(None, why=Why.TOO_FEW_TO_TEST)

    def test_probabilities_that_are_right_pass_for_right(self) -> None:
        # Their error is not 0: its 95% interval never held the true one.
        found = [
            measure_scores(draw(seed=seed), threshold=None, is_probability=True).calibration
            for seed in range(100)
        ]
        assert sum(is_distinguishable(each.p_value.value or 0.0) for each in found) <= 12
        errors, by_chance = (
            [one.value for one in each]
            for each in zip(*((one.error, one.by_chance) for one in found), strict=True)
        )
        assert np.mean(np.array(errors, float)) == pytest.approx(np.mean(np.array(by_chance, float)), rel=0.1)

    def test_probabilities_that_claim_too_much_do_not(self) -> None:
        rows = draw()
        found = measure_scores(
            rows._replace(correct=rows.scores > 0.5), threshold=None, is_probability=True
        ).calibration
        assert found.p_value.value == pytest.approx(1 / 1_001)

    def test_no_rows_are_said_in_words(self) -> None:
        nothing = np.zeros(0)
        rows = ScoredRows(
            nothing, nothing.astype(bool), nothing.astype(bool), nothing.astype(np.int64), nothing
        )
        found = measure_scores(rows, threshold=0.5, is_probability=True)
        assert (found.rows, found.points) == (0, [])
        assert found.roc_area == found.calibration.error == Figure(None, why=Why.NO_SCORES)


class TestReadScoredJudge:
    def test_unscored_and_undecided_answers_stay_out(self, study: Project, decide: Any) -> None:
        decide("Paris", "correct")
        decide("Marlowe", "incorrect")
        run = make_run(study, "bem", {"Paris": 0.8, "Marlowe": 0.3, "Pacific": 0.9})
        found = read_scored_judge(project=study, run=run.public_id)
        assert (found.rows, found.positives) == (2, 1)
        lines = [
            (line.threshold, line.figures["recall"].value, line.figures["accepts_wrong"].value)
            for line in found.points
        ]
        assert lines == [(0.8, 1, 0), (0.3, 1, 1)]
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
        assert body["roc_area"]["value"] == 1.0
        assert body["signature"].startswith(f"{run.signature}|beside:people|")
        assert "|interval:questions t|seed:20231|" in body["signature"]
        assert body["chosen"]["threshold"] is None
        assert body["chosen"]["figures"]["precision"] == make_figure(1.0)
        assert body["best"]["threshold"] == 0.6
        assert body["calibration"]["bins"] == []
        assert body["calibration"]["error"]["why"] == Why.NOT_PROBABILITIES

    def test_an_unknown_run_is_not_found(self, client_of: Client, lead: User, study: Project) -> None:
        assert client_of(lead).get("/api/projects/small/judge-board/nothing/thresholds").status_code == 404

    def test_intervals_of_the_same_lines_come_where_asked_for(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        run = make_run(study, "token_f1", {"Paris": 0.8, "Marlowe": 0.3, "William S.": 0.6})
        address = f"/api/projects/small/judge-board/{run.public_id}/thresholds"
        points = client_of(lead).get(address).json()["points"]
        body = client_of(lead).get(f"{address}?intervals=true").json()
        assert len(body["points"]) == len(points) == 3
        assert set(body["best"]["figures"]) == {
            "accuracy_scored", "precision", "recall", "f1", "accepts_wrong"
        }  # fmt: skip
        # "Paris" is one question, the other two another: all right of two questions.
        accuracy = body["points"][1]["figures"]["accuracy_scored"]
        assert (accuracy["low"], accuracy["high"]) == pytest.approx((0.025**0.5, 1.0))
        assert accuracy["value"] == points[1]["figures"]["accuracy_scored"]["value"]
        assert body["best"]["figures"]["accuracy_scored"]["why"] == Why.CHOSEN_HERE
        assert body["average_precision"]["low"] is None
        assert body["average_precision"]["why"] == Why.NEVER_VARIES
