"""The questions and systems that a page of comparison is about."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.accounts.models import User
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Question, System
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.comparison.rules.study import Filter, Part
from judges.comparison.selectors.leaderboard.amendments import read_amendments
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.comparison.selectors.study import read_choices
from judges.runs.models import JudgeRun

Client = Callable[[User], Any]


def tell(project: Project, **chosen: Any) -> dict[str, int]:
    board = read_leaderboard(project=Project.objects.get(pk=project.pk), wanted=Filter(**chosen))
    return {row.label: row.n for row in board.rows}


def reads_flags(project: Project, wanted: Filter) -> bool:
    with CaptureQueriesContext(connection) as queries:
        read_leaderboard(project=project, wanted=wanted)
    return any("questionflag" in query["sql"] for query in queries)


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

    def test_of_an_unambiguous_question_three_references_answer_where_that_is_known(
        self, study: Project
    ) -> None:
        for position, count in enumerate((2, 3, None)):
            Question.objects.filter(project=study, position=position).update(reference_count=count)
        board = read_leaderboard(project=study, wanted=Filter(part=Part.UNAMBIGUOUS))
        assert board.n_questions == 2
        assert tell(study) == {"Alpha": 3, "Beta": 3}

    @pytest.mark.parametrize(
        ("count", "told"), [(None, (False, False)), (2, (True, True)), (3, (False, True))]
    )
    def test_whether_references_were_counted_is_told(
        self, study: Project, count: int | None, told: tuple[bool, bool]
    ) -> None:
        Question.objects.filter(project=study, position=0).update(reference_count=count)
        choices = read_choices(project=study)
        assert (choices.has_ambiguous, choices.knows_references) == told

    def test_data_sets_and_tags_choose_questions(self, study: Project) -> None:
        Question.objects.filter(project=study, position=0).update(dataset="nq", tags=["places", "easy"])
        assert tell(study, dataset="nq") == tell(study, tag="places") == {"Alpha": 1, "Beta": 1}
        assert tell(study, dataset="other") == {}
        choices = read_choices(project=study)
        assert (choices.datasets, choices.tags) == (["nq"], ["easy", "places"])

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
        assert [move.label for move in found.moves] == ["Beta"]

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
        assert [score.rank.value for score in scores if score] == [1, 1]


class TestChoices:
    def test_nothing_to_choose_from_is_said(self, client_of: Client, lead: User, study: Project) -> None:
        assert client_of(lead).get("/api/projects/small/filters").json() == {
            "datasets": [],
            "tags": [],
            "has_ambiguous": False,
            "knows_references": False,
            "has_sizes": False,
            "has_rest": False,
        }

    def test_what_questions_and_systems_have_is_offered_once(self, study: Project) -> None:
        Question.objects.filter(project=study).update(dataset="nq", tags=["places", "easy"])
        Question.objects.filter(project=study, position=0).update(dataset="a", tags=["new"], in_sample=False)
        System.objects.filter(project=study, name="beta").update(description={"size_bytes": 0})
        found = read_choices(project=study)
        assert (found.datasets, found.tags) == (["a", "nq"], ["easy", "new", "places"])
        assert (found.has_ambiguous, found.knows_references) == (False, False)
        assert (found.has_sizes, found.has_rest) == (True, True)

    @pytest.mark.parametrize("size", [None, "500", True])
    def test_what_is_no_size_offers_no_tracks(self, study: Project, size: object) -> None:
        System.objects.filter(project=study, name="beta").update(description={"size_bytes": size})
        assert not read_choices(project=study).has_sizes
