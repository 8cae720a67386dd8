"""Systems by ways of judging, data set by data set: Si et al.'s table 1."""

from collections.abc import Callable
from dataclasses import astuple
from typing import Any

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.items.models import Prediction, Question
from annotation.projects.models import Project
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.leaderboard.datasets import ByDataset, read_by_dataset
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import make_run

Client = Callable[[User], Any]
ADDRESS = "/api/projects/small/leaderboard/datasets"


def cut(study: Project) -> None:
    """Put the first question into "nq", the other two into "tqa"."""
    Question.objects.filter(project=study, position=0).update(dataset="nq")
    Question.objects.filter(project=study, position__gt=0).update(dataset="tqa")


def counts(found: ByDataset) -> dict[tuple[str, str], list[tuple[int | None, int] | None]]:
    return {
        (row.dataset, row.column): [score and (score.correct, score.n) for score in row.scores.values()]
        for row in found.rows
    }


class TestReadByDataset:
    def test_each_data_set_has_a_row_for_each_way_of_judging(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        cut(study)
        found = read_by_dataset(project=study, wanted=Filter())
        assert [astuple(each) for each in found.datasets] == [("nq", 1, 0), ("tqa", 2, 0)]
        assert [system.label for system in found.systems] == ["Alpha", "Beta"]
        # Alpha: "the city of Paris", "Pacific", "William S."; Beta: "Paris", "Pacific", "Marlowe".
        assert counts(found) == {
            ("nq", "exact_match"): [(0, 1), (1, 1)],
            ("nq", "human"): [(1, 1), (1, 1)],
            ("nq", "human_decided"): [(1, 1), (1, 1)],
            ("tqa", "exact_match"): [(1, 2), (1, 2)],
            ("tqa", "human"): [(2, 2), (1, 2)],
            ("tqa", "human_decided"): [(2, 2), (1, 2)],
        }

    def test_peoples_score_is_theirs_alone_once_all_is_decided(
        self, study: Project, all_decided: None
    ) -> None:
        cut(study)
        found = read_by_dataset(project=study, wanted=Filter())
        assert {row.name for row in found.rows if row.column == "human"} == {"People"}

    def test_what_programs_settled_repeats_no_column(self, study: Project, all_decided: None) -> None:
        cut(study)
        Decision.objects.update(source="prejudged")
        found = read_by_dataset(project=study, wanted=Filter())
        shown = {column.key for column in read_leaderboard(project=study).columns}
        assert {row.column for row in found.rows} == shown - {"corrected"} == {"settled"}

    def test_exact_match_speaks_for_the_rest_until_then(self, study: Project, exact_match: JudgeRun) -> None:
        cut(study)
        found = read_by_dataset(project=study, wanted=Filter())
        assert {row.name for row in found.rows if row.column == "human"} <= {"People, otherwise exact match"}

    def test_parts_add_up_to_the_leaderboard(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        cut(study)
        found = read_by_dataset(project=study, wanted=Filter())
        for row in read_leaderboard(project=study).rows:
            for key, score in row.scores.items():
                own = [each.scores[row.system] for each in found.rows if each.column == key]
                assert score is not None
                assert sum(each.correct or 0 for each in own if each) == score.correct
                assert sum(each.n for each in own if each) == score.n

    def test_questions_without_a_data_set_stand_together(self, study: Project) -> None:
        Question.objects.filter(project=study, position=0).update(dataset="nq")
        found = read_by_dataset(project=study, wanted=Filter())
        assert [astuple(each) for each in found.datasets] == [("", 2, 4), ("nq", 1, 2)]

    def test_a_judge_that_says_nothing_of_a_data_set_has_no_row_there(self, study: Project) -> None:
        cut(study)
        make_run(study, "bem", {"Paris": 1.0})
        found = read_by_dataset(project=study, wanted=Filter())
        assert counts(found) == {("nq", "bem"): [None, (1, 1)]}

    def test_a_system_without_answers_to_one_has_no_score_there(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        cut(study)
        Prediction.objects.filter(system__name="beta", question__dataset="nq").delete()
        found = read_by_dataset(project=study, wanted=Filter())
        assert counts(found)["nq", "exact_match"] == [(0, 1), None]

    def test_a_filter_holds_here_too(self, study: Project, exact_match: JudgeRun) -> None:
        cut(study)
        found = read_by_dataset(project=study, wanted=Filter(dataset="nq"))
        assert [each.name for each in found.datasets] == ["nq"]

    def test_nothing_is_no_error(self, project: Project) -> None:
        found = read_by_dataset(project=project, wanted=Filter())
        assert (found.datasets, found.systems, found.rows, found.programs_share) == ([], [], [], 0.0)


class TestView:
    def test_it_names_data_sets_columns_and_systems(
        self, client_of: Client, lead: User, study: Project, exact_match: JudgeRun
    ) -> None:
        cut(study)
        body = client_of(lead).get(ADDRESS).json()
        assert body["datasets"][0] == {"name": "nq", "questions": 1, "pending": 2}
        assert body["systems"][1] == {"system": "beta", "label": "Beta"}
        row = body["rows"][0]
        assert (row["dataset"], row["column"], row["kind"]) == ("nq", "exact_match", "judge")
        assert (row["scores"]["beta"]["correct"], row["scores"]["beta"]["rank"]["value"]) == (1, None)
