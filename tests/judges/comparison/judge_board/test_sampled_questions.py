"""Judges beside people where a sample of the questions is judged: of which questions figures are."""

import numpy as np
import pytest

from annotation.items.models import Question
from annotation.items.services.samples import Stratum, draw_strata, set_sample
from annotation.projects.models import Project
from judges.comparison.rules.failures import BoardKind
from judges.comparison.rules.judge_board.parts import PartBy
from judges.comparison.rules.weights import Reach
from judges.comparison.selectors.failures import Wanted, read_failure_board
from judges.comparison.selectors.judge_board.judges import JudgeBoardRow, read_judge_board
from judges.comparison.selectors.judge_board.pairs import PEOPLE, read_judge_pairs
from judges.comparison.selectors.judge_board.parts import read_parts
from judges.comparison.selectors.report import build_report
from judges.release.selectors import read_methods
from tests.judges.comparison.leaderboard.test_sampled import SIZE, Made, decide_sample, make_study


@pytest.fixture
def made(project: Project) -> Made:
    return make_study(project, systems=1)


def draw_unequally(made: Made) -> float:
    """Draw the questions of which the judge errs surely, and a fifth of the rest; return the probability."""
    ids = list(
        Question.objects.filter(project=made.project).order_by("position").values_list("pk", flat=True)
    )
    errs = made.right[0] != made.judged[0]
    hard = [pk for pk, err in zip(ids, errs, strict=True) if err]
    easy = [pk for pk, err in zip(ids, errs, strict=True) if not err]
    size = len(easy) // 5
    draw_strata(
        project=made.project, strata=[Stratum(hard, len(hard)), Stratum(easy, size)], seed=3, options={}
    )
    decide_sample(made)
    return size / len(easy)


def row_of(made: Made) -> JudgeBoardRow:
    (row,) = read_judge_board(project=Project.objects.get(pk=made.project.pk), intervals=True)
    return row


class TestReach:
    def test_all_questions_need_no_words(self, made: Made) -> None:
        decide_sample(made)
        assert row_of(made).reach is Reach.ALL

    def test_a_sample_drawn_by_seed_is_random_and_counts_as_it_stands(self, made: Made) -> None:
        set_sample(project=made.project, method="seed", size=80, seed=5)
        decide_sample(made)
        row = row_of(made)
        assert (row.reach, row.weighed, row.is_audited) == (Reach.RANDOM, None, False)
        assert "estimated for all questions from a random sample" in methods_of(made)

    def test_a_sample_that_somebody_chose_speaks_for_itself(self, made: Made) -> None:
        set_sample(project=made.project, method="questions", questions=[f"q{n}" for n in range(60)])
        decide_sample(made)
        row = row_of(made)
        assert (row.reach, row.weighed) == (Reach.CHOSEN, None)
        assert "so these figures apply only to them" in methods_of(made)

    def test_what_somebody_added_to_a_draw_stands_for_itself(self, made: Made) -> None:
        set_sample(project=made.project, method="seed", size=80, seed=5)
        added = Question.objects.filter(project=made.project, in_sample=False).order_by("pk").first()
        assert added is not None
        Question.objects.filter(pk=added.pk).update(in_sample=True, sample_stratum=None)
        decide_sample(made)
        row = row_of(made)
        assert row.reach is Reach.WEIGHED
        assert row.weighed is not None
        assert sum(row.weighed.values()) == pytest.approx(80 * (SIZE - 1) / 80 + 1, abs=1.01)


class TestWeights:
    def test_figures_are_estimates_for_all_questions(self, made: Made) -> None:
        share = draw_unequally(made)
        row = row_of(made)
        errs = int((made.right[0] != made.judged[0]).sum())
        easy = round((SIZE - errs) * share)
        assert row.reach is Reach.WEIGHED
        # Of what was judged far more is wrong than of all.
        assert row.counts["fn"] + row.counts["fp"] == errs
        assert sum(row.counts.values()) == errs + easy
        accuracy = row.figures["accuracy_all"]
        assert accuracy.value == pytest.approx(1 - errs / SIZE)
        assert row.weighed is not None
        assert sum(row.weighed.values()) == pytest.approx(SIZE)
        assert accuracy.interval is not None
        assert accuracy.interval[0] < 1 - errs / SIZE < accuracy.interval[1]
        assert "each weighted by the inverse of its sampling probability" in methods_of(made)

    def test_parts_pairs_and_failures_weigh_alike(self, made: Made) -> None:
        draw_unequally(made)
        row, project = row_of(made), Project.objects.get(pk=made.project.pk)
        parts = read_parts(project=project, run=row.run, by=PartBy.SYSTEM)
        assert (parts.reach, parts.weighed) == (Reach.WEIGHED, False)
        assert parts.parts[0].figures["accuracy_all"].value == row.figures["accuracy_all"].value
        (pair,) = read_judge_pairs(project=project).pairs
        assert pair.first == PEOPLE
        assert pair.figures["agreement"].value == row.figures["accuracy_all"].value
        board = read_failure_board(project=project, wanted=Wanted(BoardKind.MISSES))
        assert (board.reach, board.weighed) == (Reach.WEIGHED, False)
        assert board.columns[0].rate.value == pytest.approx(1 - (row.figures["recall"].value or 0))

    def test_the_report_says_of_which_questions_figures_are(self, made: Made) -> None:
        draw_unequally(made)
        (judge,) = build_report(project=Project.objects.get(pk=made.project.pk), rules=[])["judges"]
        assert judge["reach"] == "weighed"
        assert judge["accuracy_all"] == pytest.approx(1 - np.mean(made.right[0] != made.judged[0]))


def methods_of(made: Made) -> str:
    return read_methods(project=Project.objects.get(pk=made.project.pk)).text
