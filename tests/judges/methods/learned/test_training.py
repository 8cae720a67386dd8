"""Training and its replay on made-up data: the same twice, and never by a question's own verdicts."""

import numpy as np
import pytest

from benchmarks.prejudging.learned import calibration_error, error_after_labels
from benchmarks.prejudging.released.scored import calibrate_in_turns
from judges.methods.learned.evidence import evidence_names
from judges.methods.learned.model import Calibration
from tools import train_learned_judge as training
from tools.train_learned_judge import (
    Judged,
    TreeSettings,
    accepted_of,
    count_rarity,
    derive,
    fit_by_folds,
    folds_of,
    lessen,
    measure_rows,
    score_by_folds,
    train,
    weigh_rows,
)

SMALL = TreeSettings(number=10, rate=0.1, leaves=4, fewest_rows=5, penalty=1.0)
NAMES = ("Salk", "Curie", "Darwin", "Tesla", "Bohr", "Noether", "Euler", "Gauss")


def study(count: int = 40) -> list[Judged]:
    """Questions with a short answer and a sentence each; people reject a name that is denied."""
    rows = []
    for number in range(count):
        right, wrong = NAMES[number % 8], NAMES[(number + 3) % 8]
        question, golds = f"who found thing {number}", (right, f"{right} of {number}")
        rows += [
            Judged(question, golds, right if number % 2 else wrong, bool(number % 2), "fid"),
            Judged(question, golds, f"It was {right}, they say.", True, "chat"),
            Judged(question, golds, f"It was not {right} but {wrong}.", False, "chat2"),
        ]
    return rows


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "JUDGE_TREES", SMALL)
    monkeypatch.setattr(training, "MEMORY_TREES", SMALL)


class TestTrain:
    def test_gives_the_same_twice_and_learns_what_containment_cannot(self) -> None:
        rows = study()
        one, other = train(rows), train(rows)
        assert one.stored == other.stored
        accepted = np.array([row.accepted for row in rows])
        is_contained = np.array([row.golds[0] in row.answer for row in rows])
        assert np.mean((one.logits >= 0) == accepted) > np.mean(is_contained == accepted)


class TestDerive:
    def test_changes_places_and_leaves_out(self) -> None:
        question, golds = "who", ("Jonas Salk",)
        rows = [Judged(question, golds, "Salk", True, "fid"), Judged(question, golds, "Curie", False, "chat")]
        found = {(row.golds, row.answer, row.accepted) for row, _ in derive(rows)}
        assert found == {(("Salk",), "Jonas Salk", True), (("Salk",), "Curie", False)}

    def test_leaves_out_the_gold_that_the_short_answer_equals(self) -> None:
        rows = [Judged("who", ("Salk", "Jonas Salk"), "salk", True, "fid")]
        assert [row.golds for row, _ in derive(rows)] == [("Jonas Salk",)]


class TestLessen:
    def rows(self) -> list[Judged]:
        """Questions with two gold answers of which people's short answer is one."""
        return [
            row
            for number in range(20)
            for row in (
                Judged(f"who found thing {number}", ("Salk", "the doctor"), "Salk", True, "fid"),
                Judged(f"who found thing {number}", ("Salk", "the doctor"), "Jonas Salk", True, "chat"),
                Judged(f"who found thing {number}", ("Salk", "the doctor"), "Curie", False, "chat2"),
            )
        ]

    def test_the_text_says_less_of_an_answer_whose_gold_answer_is_gone(self) -> None:
        rows = self.rows()
        rarity, folds = count_rarity(rows), folds_of(rows)
        measured = measure_rows(rows, rarity)
        models = fit_by_folds(rows, rarity, folds, measured=measured)
        plain = weigh_rows(rows, score_by_folds(models, measured, folds), rarity)
        reduced, restated = lessen(rows, rarity, models, Calibration())
        logit, likeness = evidence_names().index("logit"), evidence_names().index("right_nearest")
        assert len(restated.accepted) == 0
        assert (reduced.accepted == accepted_of(rows)).all()
        assert (reduced.folds == folds).all()
        is_right = reduced.accepted
        assert (reduced.evidence[is_right, logit] < plain[is_right, logit]).all()
        assert (reduced.evidence[:, likeness] == plain[:, likeness]).all()

    def test_only_memory_is_fitted_to_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lessened = train(self.rows()).stored
        monkeypatch.setattr(training, "LESSENED_WEIGHTS", {})
        plain = train(self.rows()).stored
        assert lessened["judge"] == plain["judge"]
        assert lessened["memory"] != plain["memory"]


class TestFoldsOf:
    def test_hold_all_rows_of_a_question_together(self) -> None:
        rows = study()
        folds = folds_of(rows)
        assert (folds[0::3] == folds[1::3]).all()
        assert (folds[0::3] == folds[2::3]).all()
        assert len(set(folds.tolist())) == 5


class TestWeighRows:
    def test_never_reads_a_rows_own_verdict(self) -> None:
        rows = study(6)
        turned = [rows[0]._replace(accepted=not rows[0].accepted), *rows[1:]]
        logits, rarity = np.zeros(len(rows)), count_rarity(rows)
        one, other = weigh_rows(rows, logits, rarity), weigh_rows(turned, logits, rarity)
        assert (one[0] == other[0]).all()
        assert (one[1] != other[1]).any()


class TestCalibrationError:
    def test_is_the_mean_gap_of_equal_bins(self) -> None:
        said = np.array([0.1, 0.1, 0.9, 0.9])
        accepted = np.array([False, True, True, True])
        assert calibration_error(said, accepted, bins=2) == pytest.approx((0.4 + 0.1) / 2)

    def test_falls_with_labels_where_people_reject_what_looks_right(self) -> None:
        rng = np.random.default_rng(2)
        logits = rng.normal(scale=4.0, size=4_000)
        accepted = rng.random(4_000) < 1 / (1 + np.exp(-logits))
        accepted = np.where(rng.random(4_000) < 0.2, rng.random(4_000) < 0.5, accepted)
        raw = calibration_error(1 / (1 + np.exp(-logits)), accepted)
        assert error_after_labels(logits, accepted, draws=5) < raw / 2

    def test_falls_where_each_fold_is_calibrated_on_the_others(self) -> None:
        rng = np.random.default_rng(2)
        logits = rng.normal(scale=2.0, size=4_000)
        accepted = rng.random(4_000) < 1 / (1 + np.exp(-logits))
        turns = calibrate_in_turns(3 * logits, accepted, np.arange(4_000) % 5)
        raw = calibration_error(1 / (1 + np.exp(-3 * logits)), accepted)
        assert calibration_error(1 / (1 + np.exp(-turns)), accepted) < raw / 3
