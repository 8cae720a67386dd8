"""Systems beside each other, and the questions one may choose."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.undefined import Undefined
from annotation.accounts.models import User
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Prediction, Question, System
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.comparison.rules import Filter, Part
from judges.comparison.rules.leaderboard.systems import compare_systems, questions_right_by
from judges.comparison.selectors import (
    read_amendments,
    read_choices,
    read_leaderboard,
    read_pairs,
    read_systems,
    read_uncertainty,
)
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import EXACT, make_run

Client = Callable[[User], Any]
NONE = np.nan


def tell(project: Project, **chosen: Any) -> dict[str, int]:
    board = read_leaderboard(project=Project.objects.get(pk=project.pk), wanted=Filter(**chosen))
    return {row.system.label: row.n for row in board.rows}


def reads_flags(project: Project, wanted: Filter) -> bool:
    with CaptureQueriesContext(connection) as queries:
        read_leaderboard(project=project, wanted=wanted)
    return any("questionflag" in query["sql"] for query in queries)


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


class TestFilter:
    def test_an_ambiguous_question_is_one_that_any_rater_flagged(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        question = Question.objects.get(project=study, position=0)
        QuestionFlag.objects.create(
            question=question, rater=annotators[0], kind="ambiguous", flagged_at=now()
        )
        assert tell(study, part=Part.UNAMBIGUOUS) == {"Alpha": 2, "Beta": 2}
        assert read_choices(project=study).has_ambiguous

    def test_data_sets_and_tags_choose_questions(self, study: Project) -> None:
        Question.objects.filter(project=study, position=0).update(dataset="nq", tags=["places", "easy"])
        assert tell(study, dataset="nq") == tell(study, tag="places") == {"Alpha": 1, "Beta": 1}
        assert tell(study, dataset="other") == {}
        assert read_choices(project=study)[:2] == (["nq"], ["easy", "places"])

    def test_heavy_systems_and_those_of_unknown_size_stay_out(self, study: Project) -> None:
        System.objects.filter(project=study, name="beta").update(description={"size_bytes": 500})
        assert tell(study, largest_bytes=500) == {"Beta": 3}
        assert tell(study, largest_bytes=499) == {}

    def test_the_track_of_the_smallest_asks_for_a_share_right_and_a_size(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        # By exact match Alpha has one of three right, Beta two.
        assert tell(study, least_share=0.25) == {}
        System.objects.filter(project=study).update(description={"size_bytes": 500})
        assert tell(study, least_share=0.25) == tell(study, least_share=1 / 3) == {"Alpha": 3, "Beta": 3}
        assert tell(study, least_share=0.34) == {"Beta": 3}
        found = read_amendments(project=study, wanted=Filter(least_share=0.34))
        assert [found.items.systems[move.system].label for move in found.moves] == ["Beta"]

    def test_people_say_what_is_right_in_the_track_of_the_smallest(
        self, study: Project, all_decided: None
    ) -> None:
        System.objects.filter(project=study).update(description={"size_bytes": 500})
        assert tell(study, least_share=1.0) == {"Alpha": 3}

    def test_a_share_beyond_one_is_refused(self, client_of: Client, lead: User, study: Project) -> None:
        reply = client_of(lead).get("/api/projects/small/leaderboard?least_share=25")
        assert reply.status_code == 400

    def test_a_size_given_later_counts_at_once(self, study: Project) -> None:
        assert tell(study, largest_bytes=500) == {}
        System.objects.filter(project=study, name="beta").update(description={"size_bytes": 500})
        assert tell(study, largest_bytes=500) == {"Beta": 3}

    def test_more_of_questions_is_read_only_where_a_filter_asks_for_it(self, study: Project) -> None:
        assert not reads_flags(study, Filter())
        assert not reads_flags(study, Filter(largest_bytes=500))
        assert reads_flags(study, Filter(part=Part.UNAMBIGUOUS))

    def test_a_filtered_board_ranks_anew(self, study: Project, exact_match: JudgeRun) -> None:
        Question.objects.filter(project=study, position__gt=0).update(dataset="nq")
        board = read_leaderboard(project=study, wanted=Filter(dataset="nq"))
        scores = [row.scores["exact_match"] for row in board.rows]
        assert [score.rank for score in scores if score] == [1, 1]


class TestUncertainty:
    def test_each_way_of_judging_has_ranks_between_which_a_system_lies(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        rows = {row.key: row for row in read_uncertainty(project=study, wanted=Filter())}
        assert set(rows) == {"exact_match", "human", "human_decided"}
        assert rows["human"].ranks == {"alpha": (1, 1), "beta": (1, 2)}

    def test_a_changed_answer_is_seen(self, study: Project, exact_match: JudgeRun) -> None:
        (before,) = read_uncertainty(project=study, wanted=Filter())
        Prediction.objects.filter(system__name="beta").delete()
        (after,) = read_uncertainty(project=study, wanted=Filter())
        assert not isinstance(before.ranks["beta"], Undefined)
        assert isinstance(after.ranks["beta"], Undefined)


class TestChoices:
    def test_nothing_to_choose_from_is_said(self, client_of: Client, lead: User, study: Project) -> None:
        assert client_of(lead).get("/api/projects/small/filters").json() == {
            "datasets": [],
            "tags": [],
            "has_ambiguous": False,
            "has_sizes": False,
            "has_rest": False,
        }

    def test_what_questions_and_systems_have_is_offered_once(self, study: Project) -> None:
        Question.objects.filter(project=study).update(dataset="nq", tags=["places", "easy"])
        Question.objects.filter(project=study, position=0).update(dataset="a", tags=["new"], in_sample=False)
        System.objects.filter(project=study, name="beta").update(description={"size_bytes": 0})
        assert read_choices(project=study) == (["a", "nq"], ["easy", "new", "places"], False, True, True)

    @pytest.mark.parametrize("size", [None, "500", True])
    def test_what_is_no_size_offers_no_tracks(self, study: Project, size: object) -> None:
        System.objects.filter(project=study, name="beta").update(description={"size_bytes": size})
        assert not read_choices(project=study).has_sizes


class TestViews:
    def test_pairs_tell_difference_interval_and_both_tests(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        (pair,) = client_of(lead).get("/api/projects/small/leaderboard/pairs?column=human").json()
        assert (pair["first"], pair["second"], pair["questions"]) == ("alpha", "beta", 3)
        assert pair["difference"] == pytest.approx(1 / 3)
        low, high = pair["interval"]
        assert low == 0.0 < pair["difference"] < high <= 1.0
        assert (pair["first_only"], pair["second_only"], pair["mcnemar_p"]) == (1, 0, 1.0)
        assert not pair["is_distinguishable"]

    def test_mean_scores_that_look_like_verdicts_have_no_test_of_verdicts(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        make_run(study, "token_f1", EXACT)
        (verdicts,) = read_pairs(project=study, wanted=Filter(), column="exact_match")
        (means,) = read_pairs(project=study, wanted=Filter(), column="token_f1")
        assert verdicts.mcnemar is not None
        assert means.mcnemar is None

    def test_an_unknown_way_of_judging_is_named(self, client_of: Client, lead: User, study: Project) -> None:
        reply = client_of(lead).get("/api/projects/small/leaderboard/pairs?column=nobody")
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "column_not_found")

    def test_pairs_need_a_way_of_judging(self, client_of: Client, lead: User, study: Project) -> None:
        assert client_of(lead).get("/api/projects/small/leaderboard/pairs").status_code == 400

    def test_the_systems_board_names_systems(self, client_of: Client, lead: User, study: Project) -> None:
        body = client_of(lead).get("/api/projects/small/systems-board").json()
        assert [system["label"] for system in body["systems"]] == ["Alpha", "Beta"]
        assert body["pairs"][0]["first"] == "alpha"
        assert body["pending"] == 6

    def test_uncertainty_comes_apart_from_the_points(
        self, client_of: Client, lead: User, study: Project, exact_match: JudgeRun
    ) -> None:
        (row,) = client_of(lead).get("/api/projects/small/leaderboard/uncertainty").json()
        assert row["ranks"]["beta"] == {"best": 1, "worst": 1}
        assert row["kendall"] is None
        assert row["words"]
