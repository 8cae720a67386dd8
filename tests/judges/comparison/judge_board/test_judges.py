"""Judges beside people, read from rows."""

from collections.abc import Callable

import pytest

from annotation.projects.models import Project
from judges.comparison.selectors.judge_board.judges import read_judge_board
from judges.runs.models import JudgeRun, Verdict
from tests.judges.comparison.conftest import EXACT, make_run

Decider = Callable[[str, str], None]


class TestReadJudgeRows:
    def test_counts_errors_on_decided_answers(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        (row,) = read_judge_board(project=study)
        assert tuple(row.counts.values()) == (2, 2, 0, 1, 0)
        assert (row.figures["accepted_share"].value, row.figures["correct_share"].value) == (0.4, 0.8)

    def test_a_missing_verdict_is_unscored_and_no_rejection(self, study: Project, all_decided: None) -> None:
        run = make_run(study, "recorded:gpt-4", EXACT, gold_version="as-recorded")
        Verdict.objects.filter(run=run, candidate__text="Marlowe").delete()
        Verdict.objects.filter(run=run, candidate__text="Paris").update(
            accepted=None, unscored_reason="abstained"
        )
        (row,) = read_judge_board(project=study)
        assert tuple(row.counts.values()) == (1, 2, 0, 0, 2)
        assert row.figures["coverage"].value == pytest.approx(0.6)

    def test_an_undecided_answer_does_not_count(
        self, study: Project, exact_match: JudgeRun, decide: Decider
    ) -> None:
        decide("Paris", "correct")
        (row,) = read_judge_board(project=study)
        assert tuple(row.counts.values()) == (1, 0, 0, 0, 0)

    def test_without_decisions_there_is_nothing_to_compare(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        assert read_judge_board(project=study) == []
