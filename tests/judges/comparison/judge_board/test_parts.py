"""A judge beside people, part by part."""

from collections.abc import Callable
from typing import Any

import pytest

from analysis.undefined import Undefined
from annotation.accounts.models import User
from annotation.items.models import Question, System
from annotation.projects.models import Project
from judges.comparison.rules.judge_board.parts import JudgedPart, PartBy
from judges.comparison.selectors import read_parts
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import make_run

Client = Callable[[User], Any]


def parts(project: Project, run: JudgeRun, by: PartBy) -> dict[str, tuple[int, ...]]:
    found = read_parts(project=project, run=run.public_id, by=by)
    return {part.name: tuple(part.beside.confusion) for part in found}


class TestReadParts:
    def test_by_system_an_answer_counts_for_each_that_gave_it(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert parts(study, exact_match, PartBy.SYSTEM) == {"Alpha": (1, 2, 0, 0, 0), "Beta": (2, 0, 0, 1, 0)}

    def test_two_systems_of_one_label_stay_two(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        System.objects.filter(project=study).update(label="Reader")
        assert parts(study, exact_match, PartBy.SYSTEM) == {
            "Reader (alpha)": (1, 2, 0, 0, 0),
            "Reader (beta)": (2, 0, 0, 1, 0),
        }

    def test_by_length_and_by_type_each_answer_counts_once(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert parts(study, exact_match, PartBy.ANSWER_LENGTH) == {
            "1 word": (2, 0, 0, 1, 0),
            "2 to 5 words": (0, 2, 0, 0, 0),
        }
        assert parts(study, exact_match, PartBy.QUESTION_TYPE) == {
            "none of these": (2, 1, 0, 0, 0),
            "who": (0, 1, 0, 1, 0),
        }

    def test_data_sets_and_tags_are_the_questions(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert parts(study, exact_match, PartBy.TAG) == parts(study, exact_match, PartBy.DATASET) == {}
        Question.objects.filter(project=study, position=0).update(dataset="nq", tags=["places", "easy"])
        Question.objects.filter(project=study, position=1).update(tags=["places"])
        assert parts(study, exact_match, PartBy.DATASET) == {"nq": (1, 1, 0, 0, 0)}
        assert parts(study, exact_match, PartBy.TAG) == {"easy": (1, 1, 0, 0, 0), "places": (2, 1, 0, 0, 0)}

    def test_an_answer_without_a_verdict_is_unscored_and_counts_against_the_judge(
        self, study: Project, all_decided: None
    ) -> None:
        run = make_run(study, "containment", {"Paris": 1.0, "Marlowe": None})
        who, other = sorted(
            read_parts(project=study, run=run.public_id, by=PartBy.QUESTION_TYPE),
            key=lambda part: part.name != "who",
        )
        assert tuple(who.beside.confusion) == (0, 0, 0, 0, 2)
        assert other.beside.quality.accuracy_all == pytest.approx(1 / 3)

    def test_an_interval_needs_two_questions(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        found = read_parts(project=study, run=exact_match.public_id, by=PartBy.QUESTION_TYPE)
        who: JudgedPart = next(part for part in found if part.name == "who")
        assert isinstance(who.interval, Undefined)
        other = next(part for part in found if part.name != "who")
        assert not isinstance(other.interval, Undefined)
        assert other.interval.low <= 2 / 3 <= other.interval.high


class TestView:
    def test_tells_counts_shares_and_why_there_is_none(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        url = f"/api/projects/small/judge-board/{exact_match.public_id}/parts"
        alpha, _ = client_of(lead).get(url).json()
        assert (alpha["name"], alpha["tp"], alpha["fn"]) == ("Alpha", 1, 2)
        assert alpha["accuracy_all"] == pytest.approx(1 / 3)
        _, who = client_of(lead).get(f"{url}?by=question_type").json()
        assert who["interval"] is None
        assert who["words"]["interval"]

    def test_an_unknown_run_or_part_is_refused(self, client_of: Client, lead: User, study: Project) -> None:
        assert client_of(lead).get("/api/projects/small/judge-board/nothing/parts").status_code == 404
        assert client_of(lead).get("/api/projects/small/judge-board/x/parts?by=moon").status_code == 400
