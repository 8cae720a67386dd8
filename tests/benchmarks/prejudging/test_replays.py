"""Small forms of the replays of certificates, scores and audits, on a study that is made up."""

from pathlib import Path

import numpy as np
import pytest

from analysis.arrays import Floats
from analysis.prejudging.risk_control import Refusal
from analysis.text import question_key
from benchmarks.prejudging.audit import INTERVALS, watch
from benchmarks.prejudging.certificates import DELTA, replay
from benchmarks.prejudging.corrected.scores import (
    draw_lowest,
    plain_labels,
    replay_plan,
    replay_policy,
    replay_single_answers,
    replay_whole,
)
from benchmarks.prejudging.corrected.widths import Design
from benchmarks.prejudging.corrected.widths import replay as replay_widths
from benchmarks.prejudging.released import scored
from benchmarks.prejudging.released.nq301 import FOLDER
from benchmarks.prejudging.released.scored import Scored
from benchmarks.prejudging.routing import read_votes


def make_scored(*, noise: float = 0.0, size: int = 2_000) -> Scored:
    """Return two systems' answers with a calibrated judge; noise: the share of labels that are dice."""
    generator = np.random.default_rng(1)
    probability = generator.beta(0.25, 0.15, size)
    accepted = generator.random(size) < probability
    accepted = np.where(generator.random(size) < noise, generator.random(size) < 0.5, accepted)
    return Scored(accepted, probability, np.arange(size) // 2, np.arange(size) % 2, ("one", "other"))


class TestCertificates:
    def test_settle_much_and_seldom_break_their_promise(self) -> None:
        found = replay(make_scored(), alpha=0.05, labels=400, draws=150)
        assert found.settled_share > 0.5
        assert found.violations <= DELTA
        assert found.error_share < 0.05

    def test_refuse_where_raters_throw_dice(self) -> None:
        found = replay(make_scored(noise=0.3), alpha=0.05, labels=400, draws=50)
        assert found.settled_share == 0.0
        assert found.refused[Refusal.WRONG_TOO_OFTEN] >= 45


class TestScores:
    def test_plans_save_labels_and_hold(self) -> None:
        (_, own), _ = make_scored().of_each()
        found = replay_plan(own.accepted.astype(np.float64), own.probability, draws=40)
        assert found.of_plain < 0.8
        assert found.half_width <= 0.02
        assert found.held >= 0.85

    def test_a_random_judge_costs_next_to_nothing(self) -> None:
        (_, own), _ = make_scored().of_each()
        generator = np.random.default_rng(3)
        found = replay_plan(own.accepted.astype(np.float64), generator.random(1_000), draws=15)
        assert found.of_plain <= 1.05
        assert found.promises == 0.0

    def test_plans_of_whole_questions_are_kept(self) -> None:
        found = replay_whole(make_scored(), points=4, draws=25)
        assert found.of_plain < 0.75
        assert found.promises > 0.9
        # Nothing is promised that is not kept, neither labels nor width.
        assert found.promised == pytest.approx(1 - found.of_plain, abs=0.06)
        assert found.reached == pytest.approx(found.expected, abs=0.003)
        assert found.held.min() >= 0.8

    def test_whole_questions_by_a_random_judge_cost_next_to_nothing(self) -> None:
        scored = make_scored()
        dice = np.random.default_rng(3).random(len(scored.probability))
        found = replay_whole(scored._replace(probability=dice), points=4, draws=15)
        assert found.of_plain <= 1.05
        assert found.promises == 0.0

    def test_plain_sampling_knows_how_many_there_are(self) -> None:
        assert round(plain_labels(0.5, rows=10**9)) == 2_401
        assert round(plain_labels(0.5, rows=3_000)) == 1_334

    def test_scores_after_a_policy_hold(self) -> None:
        scored = make_scored()
        said = np.where(scored.probability > 0.6, 1.0, np.where(scored.probability < 0.4, 0.0, np.nan))
        found = replay_policy(scored, said, questions=300, share=0.2, draws=150, by_rules=False)
        assert found.systems.min() >= 0.88
        assert found.widths.max() < 0.3
        assert found.pairs.min() >= 0.88
        assert found.wrong <= 0.05


class TestSingleAnswers:
    def test_each_system_takes_as_many_labels_as_it_needs_by_itself(self) -> None:
        scored = make_scored()
        dice = np.random.default_rng(3).random(len(scored.probability))
        # Of the first system the judge knows nothing, and the second does not pay for that.
        half_known = scored._replace(probability=np.where(scored.systems == 0, dice, scored.probability))
        found = replay_single_answers(half_known, points=4, draws=10, beyond=True)
        assert found.of_plain[0] == pytest.approx(1.0, abs=0.08)
        assert found.of_plain[1] < 0.75
        whole = replay_whole(half_known, points=4, draws=10)
        assert found.labels.sum() < 0.9 * 2 * whole.questions
        # What is drawn of one system is, nearly, among what is drawn of the other.
        assert found.questions < 1.1 * found.labels.max()

    def test_intervals_hold(self) -> None:
        found = replay_single_answers(make_scored(), points=4, draws=30, beyond=False)
        assert found.held.min() >= 0.85
        assert found.all_of_plain < 0.75

    def test_the_lowest_of_a_stratum_are_drawn_and_stay(self) -> None:
        strata, numbers = np.array([0, 0, 0, 1, 1]), np.array([0.9, 0.1, 0.5, 0.3, 0.2])
        drawn = np.zeros(5, dtype=bool)
        draw_lowest(drawn, numbers, strata, np.array([1, 0]))
        assert drawn.tolist() == [False, True, False, False, False]
        draw_lowest(drawn, numbers, strata, np.array([2, 9]))
        assert drawn.tolist() == [False, True, True, True, True]


class TestAudit:
    def test_a_confidence_sequence_holds_at_all_looks_and_one_interval_does_not(self) -> None:
        wrong = np.arange(4_000) % 10 == 0
        sequence, once = (watch(wrong, bounds, draws=200, looks=150) for bounds in INTERVALS.values())
        assert sequence.at_some_look <= 0.05
        assert once.at_some_look > 0.1


class TestKept:
    def test_is_computed_once_and_anew_where_the_code_changed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setattr(scored, "_digest", lambda: "one")
        computed = []

        def compute() -> Floats:
            computed.append(1)
            return np.array([0.25, 0.75])

        for _ in range(2):
            assert scored._kept("study", compute).tolist() == [0.25, 0.75]
        assert len(computed) == 1
        monkeypatch.setattr(scored, "_digest", lambda: "other")
        scored._kept("study", compute)
        assert len(computed) == 2
        assert "never saw its questions" in capsys.readouterr().out


class TestReleased:
    def test_nq301_stands_in_the_order_of_the_raters_votes(self, data_folder: Path) -> None:
        inputs, accepted = scored.read_judged_nq301()
        votes = read_votes(data_folder / FOLDER)
        assert accepted.tolist() == (votes.final == 1).tolist()
        assert (len(inputs), int(accepted.sum())) == (1490, 816)
        assert all(each.golds for each in inputs)

    def test_nothing_cold_is_of_nq301(self, data_folder: Path) -> None:
        left_out = {question_key(each.question) for each in scored.read_judged_nq301()[0]}
        assert len(left_out) == 301
        assert left_out.isdisjoint(question_key(row.question) for row in scored.read_cold())


class TestWidths:
    def test_a_preview_foresees_what_the_leaderboard_says_in_the_end(self) -> None:
        scored = make_scored()
        said = np.where(scored.probability > 0.8, 1.0, np.where(scored.probability < 0.2, 0.0, np.nan))
        for by_rules in (False, True):
            design = Design(questions=600, decided=100, audited=(0.15, 0.3, 0.5))
            by_share = replay_widths(scored, said, design, by_rules=by_rules, draws=25)
            for found in by_share:
                assert not np.isnan(found.ratios).any()
                means = found.ratios.mean(axis=0)
                assert means.min() >= 0.95
                assert means.max() <= 1.25
            # Of each study a larger share makes every system's score surer, as foreseen.
            widths = np.array([found.foreseen for found in by_share])
            assert (np.diff(widths, axis=0) < 0).all()
