"""Systems beside each other."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from statsmodels.stats.proportion import proportion_confint

from analysis.intervals import Figure, Interval, Scale, Why
from annotation.accounts.models import User
from annotation.items.models import Question
from annotation.projects.models import Membership, Project
from common.memory import forget_everything
from judges.comparison.rules.leaderboard.systems import (
    RightOfTwo,
    SystemPair,
    SystemsBoard,
    compare_systems,
    questions_of_two,
    questions_right_by,
)
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.leaderboard.systems import read_systems
from tests.analysis.ratios import lies_as_redone
from tests.factories import make_figure

Client = Callable[[User], Any]
NONE = np.nan


def compare(strings: Any, right: Any, *, intervals: bool = False) -> SystemsBoard:
    systems = [(str(place), f"S{place}") for place in range(len(strings))]
    return compare_systems(strings=strings, right=right, systems=systems, intervals=intervals)


def counts_of(board: SystemsBoard) -> list[int]:
    return [row.questions for row in board.right_by]


class TestCompareSystems:
    # Three systems on four questions: the third did not answer the last.
    strings = np.array([[0, 1, 2, 3], [0, 4, 2, 5], [6, 1, 2, NONE]])
    right = np.array([[1, 0, 1, 0], [1, 1, 1, 0], [0, 0, 1, NONE]])

    def test_pairs_are_compared_on_what_both_answered(self) -> None:
        pairs = compare(self.strings, self.right).pairs
        assert [(pair.first, pair.second, pair.questions) for pair in pairs] == [
            ("0", "1", 4),
            ("0", "2", 3),
            ("1", "2", 3),
        ]
        assert [pair.agreement.value for pair in pairs] == pytest.approx([0.5, 2 / 3, 1 / 3])
        assert [pair.oracle.value for pair in pairs] == pytest.approx([0.75, 2 / 3, 1.0])

    def test_easy_and_hard_are_counted_where_all_answered(self) -> None:
        board = compare(self.strings, self.right)
        assert (board.questions, board.answered_by_all) == (4, 3)
        assert counts_of(board) == [0, 1, 1, 1]
        assert board.oracle.value == 1.0

    def test_a_question_that_nobody_has_right_is_hard(self) -> None:
        board = compare(self.strings[:2], self.right[:2])
        assert counts_of(board) == [1, 1, 2]
        assert board.oracle.value == 0.75

    def test_coverage_counts_answers_and_right_ones(self) -> None:
        board = compare(self.strings, self.right)
        counts = [(own.counts["answered"], own.counts["right"]) for own in board.systems]
        assert counts == [(4, 2), (4, 3), (3, 1)]
        shares = [own.figures["right_share"].value for own in board.systems]
        assert shares == pytest.approx([0.5, 0.75, 1 / 3])

    def test_every_figure_equals_counting_question_by_question(self) -> None:
        generator = np.random.default_rng(5)
        strings = np.where(generator.random((4, 60)) < 0.1, NONE, generator.integers(0, 3, (4, 60)))
        right = np.where(np.isnan(strings), NONE, generator.integers(0, 2, (4, 60)))
        board = compare(strings, right)
        for pair in board.pairs:
            one, other = int(pair.first), int(pair.second)
            both = [q for q in range(60) if not np.isnan(strings[[one, other], q]).any()]
            equal = sum(strings[one, q] == strings[other, q] for q in both)
            any_right = sum(1 in (right[one, q], right[other, q]) for q in both)
            assert pair.questions == len(both)
            assert pair.agreement.value == pytest.approx(equal / len(both))
            assert pair.oracle.value == pytest.approx(any_right / len(both))
        shared = [q for q in range(60) if not np.isnan(strings[:, q]).any()]
        by = [sum(int(right[:, q].sum()) == count for q in shared) for count in range(5)]
        assert counts_of(board) == by
        assert board.oracle.value == pytest.approx(1 - by[0] / len(shared))

    def test_systems_that_share_nothing_have_no_figures(self) -> None:
        strings = np.array([[0, NONE], [NONE, 0]])
        (pair,) = compare(strings, strings).pairs
        nothing = Figure(None, why=Why.NOTHING_COUNTED)
        assert pair == SystemPair("0", "1", 0, nothing, nothing)

    @pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
    def test_nothing_is_no_error(self, shape: tuple[int, int]) -> None:
        board = compare(np.zeros(shape), np.zeros(shape))
        assert (board.right_by, board.oracle.value) == ([], None)


class TestBoundSystems:
    strings = np.random.default_rng(1).integers(0, 3, (3, 50)).astype(float)
    right = np.random.default_rng(2).integers(0, 2, (3, 50)).astype(float)
    gaps = np.random.default_rng(3).random((3, 50)) < 0.2

    def test_every_share_lies_where_comparing_each_resample_anew_puts_it(self) -> None:
        strings = np.where(self.gaps, NONE, self.strings)
        right = np.where(self.gaps, NONE, self.right)
        found = compare(strings, right, intervals=True)
        drawn = np.random.default_rng(6).integers(0, 50, size=(1_000, 50))
        boards = [compare(strings[:, draw], right[:, draw]) for draw in drawn]

        def check(figure: Figure, read: Callable[[SystemsBoard], Figure]) -> None:
            values = [np.nan if (value := read(board).value) is None else value for board in boards]
            assert figure.value is not None
            bounds = Interval(*figure.interval) if figure.interval else None
            assert lies_as_redone(bounds, value=figure.value, values=values, clusters=50, scale=Scale.SHARE)

        for place, own in enumerate(found.systems):
            for name, figure in own.figures.items():
                check(figure, lambda board, at=place, name=name: board.systems[at].figures[name])
        for place, pair in enumerate(found.pairs):
            check(pair.agreement, lambda board, at=place: board.pairs[at].agreement)
            check(pair.oracle, lambda board, at=place: board.pairs[at].oracle)
        for place, row in enumerate(found.right_by):
            check(row.share, lambda board, at=place: board.right_by[at].share)
        check(found.oracle, lambda board: board.oracle)

    def test_systems_that_share_nothing_have_words(self) -> None:
        strings = np.array([[0, 1, NONE, NONE], [NONE, NONE, 0, 1]])
        found = compare(strings, strings, intervals=True)
        assert found.pairs[0].agreement == found.oracle == Figure(None, why=Why.NOTHING_COUNTED)
        assert found.systems[0].figures["answered_share"].interval
        assert found.right_by == []

    @pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
    def test_nothing_is_no_error(self, shape: tuple[int, int]) -> None:
        found = compare(np.zeros(shape), np.zeros(shape), intervals=True)
        assert [found.oracle, *(pair.oracle for pair in found.pairs)] == [
            Figure(None, why=Why.NOTHING_COUNTED)
        ] * (1 + shape[0] // 2)

    def test_of_one_question_there_is_no_interval(self) -> None:
        found = compare(np.zeros((2, 1)), np.zeros((2, 1)), intervals=True)
        assert found.oracle == found.pairs[0].oracle == Figure(0.0, why=Why.TOO_FEW_QUESTIONS)


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
        assert told("right_by=1&limit=9") == [("who wrote hamlet", ["Shakespeare"])]
        assert told("right_by=0") == told("right_by=2&dataset=other") == []

    def test_a_number_is_needed(self, study: Project, lead: User, client_of: Client) -> None:
        reply = client_of(lead).get("/api/projects/small/systems-board/questions")
        assert reply.status_code == 400


class TestReadSystems:
    def test_people_say_what_is_right(self, study: Project, all_decided: None) -> None:
        found = read_systems(project=study, wanted=Filter())
        assert [row.counts for row in found.systems] == [
            {"answered": 3, "right": 3},
            {"answered": 3, "right": 2},
        ]
        assert [pair.agreement.value for pair in found.pairs] == [pytest.approx(1 / 3)]
        assert found.pending == 0

    def test_before_decisions_exact_match_does(self, study: Project) -> None:
        found = read_systems(project=study, wanted=Filter())
        assert [row.counts["right"] for row in found.systems] == [1, 2]
        assert found.pending == 6


class TestViews:
    def test_the_systems_board_names_systems(self, client_of: Client, lead: User, study: Project) -> None:
        body = client_of(lead).get("/api/projects/small/systems-board").json()
        assert [system["name"] for system in body["systems"]] == ["Alpha", "Beta"]
        assert body["pairs"][0]["first"] == "alpha"
        assert body["pending"] == 6

    def test_intervals_come_when_asked_for(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        points = client_of(lead).get("/api/projects/small/systems-board").json()
        assert points["oracle"] == make_figure(1.0)
        body = client_of(lead).get("/api/projects/small/systems-board?intervals=true").json()
        alpha, beta = body["systems"]
        exact = pytest.approx(proportion_confint(3, 3, method="beta"))
        assert alpha["key"] == "alpha"
        assert ends(alpha["figures"]["right_share"]) == exact
        low, high = ends(beta["figures"]["right_share"])
        assert low < 2 / 3 < high
        (pair,) = body["pairs"]
        low, high = ends(pair["agreement"])
        assert (pair["first"], pair["second"]) == ("alpha", "beta")
        assert low < 1 / 3 < high
        assert [row["questions"] for row in body["right_by"]] == [0, 1, 2]
        assert ends(body["oracle"]) == exact

    def test_one_question_is_too_few_and_says_so(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        Question.objects.filter(project=study, position=0).update(dataset="nq")
        body = client_of(lead).get("/api/projects/small/systems-board?intervals=true&dataset=nq").json()
        assert body["oracle"] == make_figure(1.0, why="too_few_questions")
        assert body["pairs"][0]["oracle"]["why"] == "too_few_questions"


def ends(figure: dict[str, float]) -> tuple[float, float]:
    return figure["low"], figure["high"]


class TestQuestionsOfTwo:
    def test_every_question_that_both_answered_is_of_one_kind(self) -> None:
        first, second = np.array([1, 1, 0, 0, NONE, 1]), np.array([1, 0, 1, 0, 1, NONE])
        found = questions_of_two(first=first, second=second)
        assert {each: np.flatnonzero(flags).tolist() for each, flags in found.items()} == {
            RightOfTwo.BOTH: [0],
            RightOfTwo.FIRST: [1],
            RightOfTwo.SECOND: [2],
            RightOfTwo.NEITHER: [3],
        }


class TestOfTwoView:
    PAGE = "/api/projects/small/systems-board/two"

    @pytest.fixture
    def page(self, client_of: Client, lead: User, study: Project, all_decided: None) -> Callable[..., Any]:
        def read(**asked: Any) -> Any:
            reply = client_of(lead).get(self.PAGE, {"first": "alpha", "second": "beta", **asked})
            assert reply.status_code == 200, reply.content
            return reply.json()

        return read

    def test_says_what_each_answered_where_only_one_is_right(self, page: Callable[..., Any]) -> None:
        found = page()
        counts = [found[kind] for kind in ("both", "only_first", "only_second", "neither")]
        assert (counts, found["count"]) == ([2, 1, 0, 0], 1)
        (row,) = found["questions"]
        assert (row["question"], row["gold"]) == ("who wrote hamlet", ["Shakespeare"])
        assert (row["first"]["text"], row["first"]["label"]) == ("William S.", "correct")
        assert (row["second"]["text"], row["second"]["label"]) == ("Marlowe", "incorrect")

    def test_the_other_way_round_is_the_other_kind(self, page: Callable[..., Any]) -> None:
        found = page(first="beta", second="alpha", right="second")
        assert [row["second"]["text"] for row in found["questions"]] == ["William S."]

    def test_pages_follow_each_other(self, page: Callable[..., Any]) -> None:
        first = page(right="both", limit=1)
        pages = [first, page(right="both", limit=1, cursor=first["next"])]
        assert [found["before"] for found in pages] == [0, 1]
        assert [found["questions"][0]["question"] for found in pages] == [
            "capital of france",
            "largest ocean",
        ]

    def test_a_system_that_is_not_there_answered_nothing(self, page: Callable[..., Any]) -> None:
        assert page(second="gamma", right="neither")["count"] == 0

    def test_costs_the_same_however_many_questions(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        client = client_of(lead)

        def count(rows: int) -> int:
            forget_everything()
            asked = {"first": "alpha", "second": "beta", "right": "both", "limit": rows}
            with CaptureQueriesContext(connection) as queries:
                assert len(client.get(self.PAGE, asked).json()["questions"]) == rows
            return len(queries)

        assert count(1) == count(2)

    def test_too_many_rows_at_once_are_refused(self, client_of: Client, lead: User, study: Project) -> None:
        asked = {"first": "alpha", "second": "beta", "rows": 1_001}
        assert client_of(lead).get(self.PAGE, asked).status_code == 400

    def test_is_closed_to_whoever_may_not_see_systems(
        self, client_of: Client, study: Project, adjudicator: Membership
    ) -> None:
        reply = client_of(adjudicator.user).get(self.PAGE, {"first": "alpha", "second": "beta"})
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "systems_hidden")
