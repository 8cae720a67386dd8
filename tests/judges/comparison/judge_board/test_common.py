"""Judges on the same answers, where one has judged only a part of them."""

from typing import Any
from unittest.mock import Mock

import pytest

from analysis.intervals import Why
from annotation.projects.models import Membership, Project
from judges.comparison.rules.judge_board.parts import bound_parts
from judges.comparison.selectors.judge_board import parts as parts_module
from judges.comparison.selectors.judge_board.judges import read_judge_board
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_answers, vote
from tests.judges.comparison.conftest import make_run
from tests.judges.conftest import read_page

CELLS = ("tp", "fn", "fp", "tn", "unscored")


def counts(rows: list[dict[str, Any]], by: str = "key") -> dict[str, tuple[int, ...]]:
    return {row[by]: tuple(row["counts"][cell] for cell in CELLS) for row in rows}


@pytest.fixture
def partial(study: Project) -> JudgeRun:
    """A judge that has judged two answers of five, both of which people accept."""
    return make_run(study, "bem", {"Paris": 1.0, "William S.": 0.9})


class TestCommonAnswers:
    def test_what_one_judge_has_not_judged_counts_for_none(
        self, study: Project, all_decided: None, exact_match: JudgeRun, partial: JudgeRun
    ) -> None:
        assert counts(read_page(study, "judge-board")) == {
            "exact_match": (2, 2, 0, 1, 0),
            "bem": (2, 0, 0, 0, 3),
        }
        rows = read_page(study, "judge-board", common="true")
        assert counts(rows) == {"exact_match": (1, 1, 0, 0, 0), "bem": (2, 0, 0, 0, 0)}
        assert {row["figures"]["kendall_tau_b"]["value"] for row in rows} == {None}
        assert rows[0]["figures"]["kendall_tau_b"]["why"] == Why.NOT_ON_COMMON

    def test_an_answer_a_judge_could_not_judge_is_one_it_has_judged(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        make_run(study, "bem", {"Paris": 1.0, "William S.": None})
        rows = read_page(study, "judge-board", common="true")
        assert counts(rows) == {"exact_match": (1, 1, 0, 0, 0), "bem": (1, 0, 0, 0, 1)}

    def test_a_run_that_has_not_begun_leaves_all_answers(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        make_run(study, "bem", {})
        assert counts(read_page(study, "judge-board", common="true")) == {"exact_match": (2, 2, 0, 1, 0)}

    def test_parts_are_over_the_same_answers(
        self, study: Project, all_decided: None, exact_match: JudgeRun, partial: JudgeRun
    ) -> None:
        address = f"judge-board/{exact_match.public_id}/parts"
        parts = read_page(study, address, by="system", common="true")["parts"]
        assert counts(parts, "name") == {"Alpha": (0, 1, 0, 0, 0), "Beta": (1, 0, 0, 0, 0)}
        bounded = read_page(study, address, by="system", common="true", intervals="true")["parts"]
        assert counts(bounded, "name") == counts(parts, "name")

    def test_both_ways_of_looking_at_parts_stay_in_memory(
        self,
        study: Project,
        all_decided: None,
        exact_match: JudgeRun,
        partial: JudgeRun,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        bound = Mock(wraps=bound_parts)
        monkeypatch.setattr(parts_module, "bound_parts", bound)
        address = f"judge-board/{exact_match.public_id}/parts"

        def read(common: str) -> Any:
            return read_page(study, address, common=common, intervals="true")

        everywhere, common = read("false"), read("true")
        assert everywhere != common
        assert read("false") == everywhere
        assert read("true") == common
        assert bound.call_count == 2

    def test_people_are_compared_on_them_too(self, project: Project, annotators: list[Membership]) -> None:
        make_answers(project=project, question="q", gold=["a"], texts=["a", "b"])
        vote(rater=annotators[0], labels={"a": "correct", "b": "incorrect"})
        vote(rater=annotators[1], labels={"a": "correct", "b": "incorrect"})
        make_run(project, "exact_match", {"a": 1.0})
        rows = {row.key: row for row in read_judge_board(project=project, on_common=True)}
        assert sum(rows["another_human"].counts.values()) == 2
        everywhere = {row.key: row for row in read_judge_board(project=project)}
        assert sum(everywhere["another_human"].counts.values()) == 4

    def test_intervals_have_the_rows_of_the_board(
        self, study: Project, all_decided: None, exact_match: JudgeRun, partial: JudgeRun
    ) -> None:
        rows = read_page(study, "judge-board", common="true", intervals="true")
        assert [row["key"] for row in rows] == ["exact_match", "bem"]
        assert all(row["figures"]["kendall_tau_b"]["why"] == Why.NOT_ON_COMMON for row in rows)
