"""Systems beside each other."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from annotation.accounts.models import User
from annotation.projects.models import Project
from judges.comparison.rules import Filter
from judges.comparison.rules.leaderboard.systems import compare_systems, questions_right_by
from judges.comparison.selectors import (
    read_systems,
)

Client = Callable[[User], Any]
NONE = np.nan


class TestCompareSystems:
    # Three systems on four questions: the third did not answer the last.
    strings = np.array([[0, 1, 2, 3], [0, 4, 2, 5], [6, 1, 2, NONE]])
    right = np.array([[1, 0, 1, 0], [1, 1, 1, 0], [0, 0, 1, NONE]])

    def test_pairs_are_compared_on_what_both_answered(self) -> None:
        pairs = compare_systems(strings=self.strings, right=self.right).pairs
        assert [(pair.first, pair.second, pair.questions) for pair in pairs] == [
            (0, 1, 4),
            (0, 2, 3),
            (1, 2, 3),
        ]
        assert [pair.agreement for pair in pairs] == pytest.approx([0.5, 2 / 3, 1 / 3])
        assert [pair.oracle for pair in pairs] == pytest.approx([0.75, 2 / 3, 1.0])

    def test_easy_and_hard_are_counted_where_all_answered(self) -> None:
        board = compare_systems(strings=self.strings, right=self.right)
        assert (board.questions, board.answered_by_all) == (4, 3)
        assert board.right_by == [0, 1, 1, 1]
        assert board.oracle == 1.0

    def test_a_question_that_nobody_has_right_is_hard(self) -> None:
        board = compare_systems(strings=self.strings[:2], right=self.right[:2])
        assert board.right_by == [1, 1, 2]
        assert board.oracle == 0.75

    def test_coverage_counts_answers_and_right_ones(self) -> None:
        coverage = compare_systems(strings=self.strings, right=self.right).coverage
        assert [tuple(each) for each in coverage] == [(4, 2), (4, 3), (3, 1)]

    def test_systems_that_share_nothing_have_no_figures(self) -> None:
        strings = np.array([[0, NONE], [NONE, 0]])
        (pair,) = compare_systems(strings=strings, right=strings).pairs
        assert tuple(pair) == (0, 1, 0, None, None)

    @pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
    def test_nothing_is_no_error(self, shape: tuple[int, int]) -> None:
        board = compare_systems(strings=np.zeros(shape), right=np.zeros(shape))
        assert (board.right_by, board.oracle) == ([], None)


class TestQuestionsRightBy:
    right = TestCompareSystems.right

    @pytest.mark.parametrize(("systems", "questions"), [(0, []), (1, [1]), (2, [0]), (3, [2]), (4, [])])
    def test_are_those_that_the_board_counts(self, systems: int, questions: list[int]) -> None:
        # The third system did not answer the last question, which so is neither easy nor hard.
        found = questions_right_by(right=self.right, systems=systems)
        assert np.flatnonzero(found).tolist() == questions

    def test_without_systems_no_question_is_hard(self) -> None:
        assert not questions_right_by(right=np.zeros((0, 3)), systems=0).any()


class TestListQuestionsRightBy:
    def test_names_easy_and_hard_ones(
        self, study: Project, lead: User, all_decided: None, client_of: Client
    ) -> None:
        def told(query: str) -> list[tuple[str, list[str]]]:
            body = client_of(lead).get(f"/api/projects/small/systems-board/questions?{query}").json()
            return [(each["question"], each["gold"]) for each in body["questions"]]

        assert told("right_by=2") == [("capital of france", ["Paris"]), ("largest ocean", ["Pacific"])]
        assert told("right_by=1&page=9") == [("who wrote hamlet", ["Shakespeare"])]
        assert told("right_by=0") == told("right_by=2&dataset=other") == []

    def test_a_number_is_needed(self, study: Project, lead: User, client_of: Client) -> None:
        reply = client_of(lead).get("/api/projects/small/systems-board/questions")
        assert reply.status_code == 400


class TestReadSystems:
    def test_people_say_what_is_right(self, study: Project, all_decided: None) -> None:
        found = read_systems(project=study, wanted=Filter())
        assert [tuple(each) for each in found.board.coverage] == [(3, 3), (3, 2)]
        assert [pair.agreement for pair in found.board.pairs] == [pytest.approx(1 / 3)]
        assert found.pending == 0

    def test_before_decisions_exact_match_does(self, study: Project) -> None:
        found = read_systems(project=study, wanted=Filter())
        assert [each.right for each in found.board.coverage] == [1, 2]
        assert found.pending == 6


class TestViews:
    def test_the_systems_board_names_systems(self, client_of: Client, lead: User, study: Project) -> None:
        body = client_of(lead).get("/api/projects/small/systems-board").json()
        assert [system["label"] for system in body["systems"]] == ["Alpha", "Beta"]
        assert body["pairs"][0]["first"] == "alpha"
        assert body["pending"] == 6
