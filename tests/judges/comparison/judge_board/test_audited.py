"""Judges beside people where programs settled answers: each one drawn stands for those it was drawn among."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pytest
from pytest_django import DjangoDbBlocker

from analysis.calibration import (
    area_under_roc,
    average_precision,
    average_precision_interval,
    best_threshold,
    cross_validate,
    measure_reliability,
    roc_area_interval,
    sweep_thresholds,
)
from analysis.classification import FALSE_NEGATIVE, TRUE_NEGATIVE
from analysis.intervals import Why
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate, Prediction, System
from annotation.projects.models import Project
from commands.report_tables import report_lines
from common.figures import WHY
from common.identifiers import hash_signature
from judges.comparison.rules.failures import BoardKind
from judges.comparison.rules.judge_board.parts import PartBy
from judges.comparison.rules.judge_board.scored_judge import ScoredRows, bound_thresholds, measure_scores
from judges.comparison.rules.study import CORRECTED, HUMAN, SETTLED, Column, Filter
from judges.comparison.selectors.failures import Wanted, read_failure_board
from judges.comparison.selectors.judge_board import judged
from judges.comparison.selectors.judge_board.judged import HumanRow, name_raters
from judges.comparison.selectors.judge_board.judges import (
    read_judge_board,
    read_scored_judge,
)
from judges.comparison.selectors.judge_board.pairs import read_judge_differences, read_judge_pairs
from judges.comparison.selectors.judge_board.parts import read_parts
from judges.comparison.selectors.leaderboard.corrected import read_corrected, read_plan
from judges.comparison.selectors.leaderboard.datasets import read_by_dataset
from judges.comparison.selectors.leaderboard.standings import read_beyond, read_leaderboard
from judges.comparison.selectors.leaderboard.systems import read_systems
from judges.comparison.selectors.report import build_report, judge_json, read_system_quality
from judges.prejudging.models import PrejudgedAnswer
from judges.prejudging.services.policies import apply_policy, make_policy, save_policy, work_on_application
from judges.release import selectors as release
from tests.annotation.adjudication.factories import make_answers, make_import
from tests.conftest import made_once
from tests.factories import make_project
from tests.judges.comparison.conftest import make_run

QUESTIONS = 40


def make_prejudged() -> Project:
    """Make forty questions, each answered by one system; containment errs on every tenth that it accepts.

    It accepts the first twenty, which it settles but for five drawn; people judge the others, all wrong but
    five. Of those drawn people find one wrong.
    """
    project = make_project(slug="audited")
    texts = [f"answer {number}" for number in range(QUESTIONS)]
    data_import = make_import(project=project)
    system = System.objects.create(project=project, data_import=data_import, name="alpha", label="Alpha")
    for number, text in enumerate(texts):
        make_answers(project=project, question=f"question {number}", gold=["gold"], texts=[text])
        candidate = Candidate.objects.get(project=project, text=text)
        Prediction.objects.create(
            system=system,
            question=candidate.question,
            candidate=candidate,
            data_import=data_import,
            text=text,
        )
    make_run(project, "containment", {text: float(number < 20) for number, text in enumerate(texts)})
    rules = [{"runs": ["containment"], "condition": "any_accepts"}]
    save_policy(project=project, policy=make_policy(project=project, rules=rules, audit_share=1.0))
    work_on_application(application_id=apply_policy(project=project).pk)
    # As if a quarter of them had been drawn.
    PrejudgedAnswer.objects.update(audit_probability=0.25)
    decide(project, texts[:5], right=4)
    decide(project, texts[20:], right=5)
    for row in PrejudgedAnswer.objects.exclude(candidate__text__in=texts[:5]):
        decide_answer(
            project=project,
            candidate_id=row.candidate.public_id,
            by=project.created_by,
            label="correct",
            reason="rule",
        )
        decision = row.candidate.decisions.get(is_current=True)
        row.candidate.decisions.filter(pk=decision.pk).update(source="prejudged")
        PrejudgedAnswer.objects.filter(pk=row.pk).update(is_audited=False, decision=decision)
    return Project.objects.get(pk=project.pk)


@pytest.fixture(scope="module")
def made_prejudged(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Project]:
    with made_once(django_db_blocker, make_prejudged) as made:
        yield made


@pytest.fixture
def prejudged(made_prejudged: Project, db: None) -> Project:
    return made_prejudged


class CorrectedCell(NamedTuple):
    """The one system's corrected score, its column, and the signature of its board."""

    value: float
    column: Column
    board: str


def corrected(project: Project) -> CorrectedCell:
    board = read_leaderboard(project=project)
    column = next(column for column in board.columns if column.key == CORRECTED)
    score = board.rows[0].scores[CORRECTED]
    assert score is not None
    return CorrectedCell(score.value, column, board.signature)


def probability(number: int) -> float:
    """Return what a judge says of an answer: of the five that people saw it doubts only the wrong one."""
    return 0.3 if number % 7 == 4 else 0.9 - 0.01 * (number % 5)


def expected_score() -> float:
    """Return PPI++ by its formula: what the rule settled by tuned probabilities, plus what people decided."""
    said = np.array([probability(number) for number in range(20)])
    labels = np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    trust = np.clip(np.cov(labels, said[:5])[0, 1] / said[:5].var(ddof=1), 0, 1)
    ruled = trust * said.mean() + (labels - trust * said[:5]).mean()
    return float((20 * ruled + 5) / QUESTIONS)


def decide(project: Project, texts: Iterable[str], *, right: int) -> None:
    for number, text in enumerate(texts):
        candidate = Candidate.objects.get(project=project, text=text)
        label = "correct" if number < right else "incorrect"
        decide_answer(
            project=project,
            candidate_id=candidate.public_id,
            by=project.created_by,
            label=label,
            reason="looked",
        )


class TestAuditedStudy:
    def test_a_judge_is_held_against_what_those_drawn_stand_for(self, prejudged: Project) -> None:
        (row,) = read_judge_board(project=prejudged)
        assert tuple(row.counts.values()) == (4, 5, 1, 15, 0)
        # Each of the five drawn stands for four: 16 and 4 of the twenty.
        assert tuple((row.weighed or row.counts).values()) == (16, 5, 4, 15, 0)
        assert row.figures["accuracy_all"].value == (16 + 15) / 40
        assert (row.figures["accepted_share"].value, row.figures["correct_share"].value) == (0.5, 21 / 40)
        assert judge_json(row, signature="")["weighed"] == {
            "tp": 16,
            "fn": 5,
            "fp": 4,
            "tn": 15,
            "unscored": 0,
        }
        assert "weights:1/probability" in row.signature
        (bounded,) = read_judge_board(project=prejudged, intervals=True)
        low, high = bounded.figures["accuracy_all"].interval or (1.0, 0.0)
        assert low < (16 + 15) / 40 < high

    def test_raters_are_held_against_each_other_by_the_same_weights(
        self, prejudged: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # The first was drawn and stands for four; no program spoke for the second; the third was settled and
        # never drawn: somebody came across it.
        texts = ("answer 0", "answer 30", "answer 10")
        ids = [Candidate.objects.get(project=prejudged, text=text).pk for text in texts]
        codes = np.array([FALSE_NEGATIVE, TRUE_NEGATIVE, FALSE_NEGATIVE])
        row = HumanRow(name_raters(), np.array(ids), codes, np.ones(3))
        monkeypatch.setattr(judged, "read_human_rows", lambda **_: [row])
        judge, raters = read_judge_board(project=prejudged)
        assert tuple(raters.counts.values()) == (0, 1, 0, 1, 0)
        assert tuple((raters.weighed or raters.counts).values()) == (0, 4, 0, 1, 0)
        assert judge.figures["error_multiple"].value == pytest.approx((9 / 40) / (4 / 5))

    def test_two_judges_are_not_tested_by_counts_of_answers(self, prejudged: Project) -> None:
        texts = Candidate.objects.filter(project=prejudged).values_list("text", flat=True)
        make_run(prejudged, "token_f1", dict.fromkeys(texts, 1.0))
        (pair,) = read_judge_differences(project=prejudged).pairs
        assert pair.mcnemar_p is None
        assert isinstance(pair.p_value, float)

    def test_nothing_is_left_out_once_people_checked_some(self, prejudged: Project) -> None:
        (row,) = read_judge_board(project=prejudged)
        assert row.left_out == 0

    def test_what_nobody_checked_is_counted_as_left_out(self, prejudged: Project) -> None:
        drawn = PrejudgedAnswer.objects.filter(is_audited=True).values("candidate")
        Decision.objects.filter(candidate__in=drawn).update(is_current=False)
        (row,) = read_judge_board(project=prejudged)
        assert tuple((row.weighed or row.counts).values()) == (0, 5, 0, 15, 0)
        # The five that were drawn are not settled: they wait for people.
        assert (row.left_out, row.undecided) == (15, 5)

    def test_what_could_not_be_drawn_is_left_out(self, prejudged: Project) -> None:
        PrejudgedAnswer.objects.filter(is_audited=False).update(audit_probability=0)
        (row,) = read_judge_board(project=prejudged)
        assert row.left_out == 15

    def test_so_it_is_in_parts_pairs_and_by_system(self, prejudged: Project) -> None:
        run = prejudged.judge_runs.get()
        (part,) = read_parts(project=prejudged, run=run.public_id, by=PartBy.SYSTEM).parts
        assert part.figures["accuracy_all"].value == (16 + 15) / 40
        (pair,) = read_judge_pairs(project=prejudged).pairs
        assert pair.figures["agreement"].value == (16 + 15) / 40
        (system,) = read_system_quality(project=prejudged).values()
        assert system.human_accuracy.value == pytest.approx((16 + 5) / 40)
        assert system.judges[0].beside.figures["accuracy_all"] == (16 + 15) / 40

    @pytest.mark.parametrize("is_audited", [True, False])
    def test_so_parts_pairs_and_failures_say_what_waits(self, prejudged: Project, is_audited: bool) -> None:
        run = prejudged.judge_runs.get()
        make_run(prejudged, "bem", {f"answer {number}": float(number < 10) for number in range(QUESTIONS)})

        def read() -> list[int]:
            project = Project.objects.get(pk=prejudged.pk)
            wanted = Wanted(BoardKind.ERRORS)
            boards = (
                read_parts(project=project, run=run.public_id, by=PartBy.SYSTEM),
                read_judge_pairs(project=project),
                read_judge_differences(project=project),
                read_failure_board(project=project, wanted=wanted),
            )
            return [board.undecided for board in boards]

        assert read() == [0, 0, 0, 0]
        text = "answer 1" if is_audited else "answer 25"
        Decision.objects.filter(candidate__project=prejudged, candidate__text=text).update(is_current=False)
        assert read() == [1, 1, 1, 1]

    @pytest.mark.parametrize("is_audited", [True, False])
    def test_a_report_says_what_waits_and_withholds_the_score(
        self, prejudged: Project, is_audited: bool
    ) -> None:
        text = "answer 1" if is_audited else "answer 25"
        Decision.objects.filter(candidate__project=prejudged, candidate__text=text).update(is_current=False)
        report = build_report(project=Project.objects.get(pk=prejudged.pk), rules=[])
        (system,) = report["systems"]
        assert system["human_accuracy"] is None
        assert system["words"]["human_accuracy"] == WHY[Why.SAMPLE_OPEN]
        assert report["judges"][0]["undecided"] == 1

    def test_so_it_is_of_thresholds_and_probabilities(self, prejudged: Project) -> None:
        said = {f"answer {number}": 0.95 if number < 20 else 0.25 for number in range(QUESTIONS)}
        run = make_run(prejudged, "bem", said)
        found = read_scored_judge(project=prejudged, run=run.public_id)
        assert (found.answers, found.rows, found.positives) == (25, 40, 21)
        used = next(point for point in found.points if point.threshold == 0.95)
        assert used.figures["accuracy_scored"].value == pytest.approx((16 + 15) / 40)
        shares = [each.correct_share.value for each in found.calibration.bins]
        assert shares == pytest.approx([5 / 20, 16 / 20])
        assert found.calibration.error.value == pytest.approx((0 + (0.95 - 0.8)) / 2)
        assert "weights:1/probability" in found.signature

    def test_so_it_is_on_failure_boards(self, prejudged: Project) -> None:
        found = read_failure_board(project=prejudged, wanted=Wanted(BoardKind.MISSES))
        (column,) = found.columns
        # Of nine answers that people accept it misses five; the four drawn stand for sixteen.
        assert (column.rated, column.base) == (5, 9)
        assert column.rate.value == pytest.approx(5 / 21)
        assert (found.weighed, found.left_out) == (True, 0)
        assert "weights:1/probability" in found.signature
        lengths = read_failure_board(project=prejudged, wanted=Wanted(BoardKind.LENGTH))
        assert lengths.columns[0].rate.value == pytest.approx((16 + 15) / 40)
        wrong = read_failure_board(project=prejudged, wanted=Wanted(BoardKind.WRONG))
        assert wrong.columns[0].rate.value == pytest.approx((4 + 15) / 40)
        errors = read_failure_board(project=prejudged, wanted=Wanted(BoardKind.ERRORS))
        assert errors.columns[0].rate.value == pytest.approx((5 + 4) / 40)

    def test_a_board_of_questions_is_not_weighed(self, prejudged: Project) -> None:
        assert not read_failure_board(project=prejudged, wanted=Wanted(BoardKind.CREDIT)).weighed

    def test_systems_beside_each_other_say_what_programs_settled(self, prejudged: Project) -> None:
        assert read_systems(project=prejudged, wanted=Filter()).by_programs == 15

    def test_so_do_data_sets_and_parts(self, prejudged: Project) -> None:
        assert read_by_dataset(project=prejudged, wanted=Filter()).programs_share == 15 / 40
        found = read_parts(project=prejudged, run=prejudged.judge_runs.get().public_id, by=PartBy.SYSTEM)
        assert (found.weighed, found.left_out) == (True, 0)

    def test_so_it_is_beyond_exact_match(self, prejudged: Project) -> None:
        board = read_beyond(project=prejudged, wanted=Filter())
        assert board.weighed
        found = board.predictions
        assert (found.counts["rejected"], found.counts["decided"], found.counts["definite"]) == (40, 25, 9)
        assert found.figures["accepted"].value == pytest.approx((16 + 5) / 40)

    def test_the_leaderboard_says_the_same_of_the_system(self, prejudged: Project) -> None:
        (row,) = read_leaderboard(project=prejudged).rows
        score = row.scores["corrected"]
        assert score is not None
        assert score.value == pytest.approx((16 + 5) / 40)
        # What programs alone said may be wrong, all of it or none.
        assert row.range == [9 / 40, (9 + 15) / 40]
        people, settled = row.scores["human_decided"], row.scores["settled"]
        assert people is not None
        assert settled is not None
        assert (people.value, settled.value) == (9 / 25, 24 / 40)

    def test_what_is_corrected_is_a_probability_of_every_answer_where_a_judge_has_one(
        self, prejudged: Project
    ) -> None:
        by_rules = corrected(prejudged)
        assert by_rules.column.signature.split("|")[2] == "predicted:rules"
        run = make_run(prejudged, "learned", {f"answer {n}": probability(n) for n in range(QUESTIONS)})
        found = corrected(prejudged)
        # Of the five that people saw those they accept are likelier: the probabilities are trusted.
        assert found.value == pytest.approx(expected_score(), abs=1e-9)
        assert found.value != pytest.approx(by_rules.value, abs=0.01)
        predicted = f"predicted:{hash_signature(run.signature)[:16]}"
        assert found.column.signature.split("|")[2] == predicted
        assert found.board != by_rules.board
        quality = build_report(project=prejudged, rules=[])["systems"][0]
        assert quality["human_accuracy"] == pytest.approx(found.value)

    def test_both_tables_have_one_corrected_score(
        self, prejudged: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judges.comparison.rules.leaderboard.corrected.FEWEST_LABELS", 25)
        make_run(prejudged, "learned", {f"answer {n}": probability(n) for n in range(QUESTIONS)})
        (row,) = read_leaderboard(project=prejudged).rows
        board = read_corrected(project=prejudged, wanted=Filter())
        assert (board.chosen, board.offered, board.has_prejudged) == ("learned", "learned", True)
        score, found = row.scores[CORRECTED], board.rows[0].scores["learned"].corrected
        assert score is not None
        assert found.value == pytest.approx(score.value, abs=1e-12)
        assert found.interval == pytest.approx(score.interval, abs=1e-12)
        # Five drawn of twenty stand for four each, whatever the rules said of them.
        assert board.rows[0].people.value == pytest.approx((4 * 4 + 5) / 40)

    def test_a_plan_says_that_rules_settled_answers(self, prejudged: Project) -> None:
        (row,) = read_leaderboard(project=prejudged).rows
        score = row.scores[CORRECTED]
        assert score is not None
        assert score.low is not None
        assert score.high is not None
        plan = read_plan(project=prejudged, points=2).plan
        assert plan.has_prejudged
        assert plan.now == pytest.approx(50 * (score.high - score.low))

    def test_amended_gold_is_no_second_column_of_what_is_settled(self, prejudged: Project) -> None:
        board = read_leaderboard(project=prejudged)
        keys = {column.key for column in board.columns}
        assert (board.all_decided, HUMAN in keys, SETTLED in keys) == (True, False, True)
        Decision.objects.filter(candidate__text="answer 39").update(is_current=False)
        undecided = read_leaderboard(project=prejudged)
        assert {HUMAN, SETTLED} <= {column.key for column in undecided.columns}

    @pytest.mark.parametrize(
        "lacks", ["an answer", "a probability", "original gold", "blindness", "a known maker"]
    )
    def test_no_other_judge_is_corrected(self, prejudged: Project, lacks: str) -> None:
        said = {f"answer {n}": probability(n) for n in range(QUESTIONS)}
        if lacks == "an answer":
            said.pop("answer 7")
        gold = "amended-1" if lacks == "original gold" else "original"
        key = {"blindness": "learned_memory", "a known maker": "recorded:sure"}.get(lacks, "learned")
        run = make_run(prejudged, key, said, gold_version=gold)
        if lacks == "a probability":
            run.verdicts.filter(candidate__text="answer 7").update(score=None)
        assert corrected(prejudged).column.signature.split("|")[2] == "predicted:rules"

    def test_which_judge_it_is_depends_on_no_label(self, prejudged: Project) -> None:
        first = make_run(prejudged, "learned", {f"answer {n}": 0.5 for n in range(QUESTIONS)})
        make_run(prejudged, "bem", {f"answer {n}": probability(n) for n in range(QUESTIONS)})
        assert hash_signature(first.signature)[:16] in corrected(prejudged).column.signature

    def test_the_methods_paragraph_names_it(self, prejudged: Project) -> None:
        make_run(prejudged, "learned", {f"answer {n}": probability(n) for n in range(QUESTIONS)})
        text = release.read_methods(project=prejudged).text
        assert "a judge’s probabilities (Learned judge [learned|gold:original]) for" in text
        # Every question is judged: nobody drew any, and the correction is told once.
        assert "The judged questions were" not in text
        assert "over all questions" not in text

    def test_so_does_the_report(self, prejudged: Project) -> None:
        printed = "\n".join(report_lines(build_report(project=prejudged, rules=[])))
        assert "Pre-judging: judges settled 37.50% of the systems’ answers" in printed
        assert "1. Containment accepts: counts as correct: 15 settled, 5 sampled for the audit" in printed
        assert (
            "People disagreed with automatic judges on 1 of 5 audited answers. Disagreement: 20.00%  ["
            in printed
        )
        # Corrected scores are estimates and no counts; those of judges are of what people decided.
        assert "(None)" not in printed
        assert "Counts include only answers that people decided" in printed

    def test_so_does_the_reports_chart(self, prejudged: Project) -> None:
        page = "".join(release.report_lines(project=prejudged))
        assert "filled: corrected by the audit, with 95% interval" in page

    def test_what_somebody_looked_for_stands_for_nothing(self, prejudged: Project) -> None:
        row = PrejudgedAnswer.objects.filter(is_audited=False).first()
        assert row is not None
        candidate = row.candidate
        decide_answer(
            project=prejudged,
            candidate_id=candidate.public_id,
            by=prejudged.created_by,
            label="incorrect",
            reason="Found it.",
        )
        (judge,) = read_judge_board(project=prejudged)
        assert tuple((judge.weighed or judge.counts).values()) == (16, 5, 4, 15, 0)


def make_rows(*, seed: int = 5) -> tuple[ScoredRows, ScoredRows]:
    """Return rows that weigh one or three, and the same with those of three repeated as often."""
    generator = np.random.default_rng(seed)
    scores = generator.random(90).round(2)
    correct = generator.random(90) < scores
    questions = np.repeat(np.arange(30), 3)
    weights = generator.choice([1.0, 3.0], 90)
    weighed = ScoredRows(scores, scores > 0.6, correct, questions, weights)
    times = weights.astype(int)
    repeated = ScoredRows(
        scores.repeat(times),
        (scores > 0.6).repeat(times),
        correct.repeat(times),
        questions.repeat(times),
        np.ones(times.sum()),
    )
    return weighed, repeated


class TestWeights:
    def test_a_row_that_weighs_three_is_as_good_as_three_of_its_question(self) -> None:
        found, expected = (measure_scores(rows, threshold=0.6, is_probability=True) for rows in make_rows())
        assert found.rows == expected.rows > 90
        assert found.answers < expected.answers
        assert found.positives == expected.positives
        assert found.roc_area.value == pytest.approx(expected.roc_area.value)
        assert found.roc_area.interval == pytest.approx(expected.roc_area.interval)
        assert found.average_precision.value == pytest.approx(expected.average_precision.value)
        assert (found.chosen, found.best) == (expected.chosen, expected.best)
        assert found.points == expected.points
        assert found.calibration.error.value == pytest.approx(expected.calibration.error.value)
        assert [each.correct_share.value for each in found.calibration.bins] == pytest.approx(
            [each.correct_share.value for each in expected.calibration.bins]
        )
        assert found.gain.value == pytest.approx(expected.gain.value)

    def test_so_it_is_for_the_intervals_of_thresholds(self) -> None:
        found, expected = map(bound_thresholds, make_rows())
        assert tuple(found.average_precision) == pytest.approx(tuple(expected.average_precision))
        for own, other in zip(found.points, expected.points, strict=True):
            # Questions of unequal weights are worth fewer (Kish), so the interval is a little wider.
            assert tuple(own["accuracy_scored"]) == pytest.approx(tuple(other["accuracy_scored"]), abs=0.02)
            assert own["accuracy_scored"].low <= other["accuracy_scored"].low

    def test_without_weights_each_row_is_one(self) -> None:
        (scores, _, correct, questions, _), _ = make_rows()
        rows = {"scores": scores, "correct": correct}
        ones = np.ones(len(scores))
        plain, weighed = sweep_thresholds(**rows), sweep_thresholds(**rows, weights=ones)
        assert area_under_roc(plain) == area_under_roc(weighed)
        assert average_precision(plain) == average_precision(weighed)
        assert best_threshold(plain) == best_threshold(weighed)
        lines = [cross_validate(**rows, clusters=questions, seed=1, weights=each) for each in (None, ones)]
        assert (lines[0].thresholds == lines[1].thresholds).all()
        areas = [roc_area_interval(**rows, clusters=questions, weights=each) for each in (None, ones)]
        assert areas[0] == areas[1]
        precisions = [
            average_precision_interval(**rows, clusters=questions, seed=1, resamples=50, weights=each)
            for each in (None, ones)
        ]
        assert precisions[0] == precisions[1]
        bins = [
            measure_reliability(probabilities=scores, correct=correct, weights=each) for each in (None, ones)
        ]
        assert bins[0] == bins[1]
