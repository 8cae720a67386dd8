"""EfficientQA's aggregate rules on a study small enough to count by hand, as the pages show them.

Source: Min et al. 2021 (EfficientQA), sections 4 to 6.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from annotation.assignments.models import Assignment
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, Prediction, Question, System
from annotation.judgments.models import CheckAnswer
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.submitting import submit_sheet
from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers, make_import
from tests.conftest import made_once
from tests.factories import make_member, make_project
from tests.judges.conftest import read_page

# question, gold -> answers of Alpha and Beta
ANSWERS = {
    ("capital of france", "Paris"): ("the city of Paris", "Paris"),
    ("largest ocean", "Pacific"): ("Atlantic", "Indian Ocean"),
    ("when was it built", "1900"): ("1901", "about 1900"),
}
# answer -> what three raters say: definitely, possibly, or not
VOTES = {
    "the city of Paris": "DDN",
    "Paris": "DDD",
    "Atlantic": "NND",
    "Indian Ocean": "PPN",
    "1901": "DPN",
    "about 1900": "PDD",
}
LABELS = {"D": "definitely_correct", "P": "possibly_correct", "N": "definitely_incorrect"}
AMBIGUOUS = "when was it built"


def judge(rater: Membership, number: int) -> None:
    """Hand in the next sheet of a rater, the second of whom alone calls one question ambiguous."""
    (sheet,) = hand_out(rater=rater)
    shown = Assignment.objects.filter(sheet=sheet).select_related("candidate")
    submit_sheet(
        rater=rater,
        sheet_id=sheet.public_id,
        submission_key=f"{rater.pk}-{sheet.pk}",
        answers=[
            AnswerGiven(id=item.candidate.public_id, label=LABELS[VOTES[item.candidate.text][number]])
            for item in shown
        ],
        checks={"ambiguous": number == 1 and sheet.question.text == AMBIGUOUS},
    )


def make_system(project: Project, name: str, place: int) -> None:
    data_import = make_import(project=project)
    system = System.objects.create(project=project, data_import=data_import, name=name.lower(), label=name)
    for question in Question.objects.filter(project=project).order_by("position"):
        text = list(ANSWERS.values())[question.position][place]
        candidate = Candidate.objects.get(question=question, text=text)
        Prediction.objects.create(
            system=system, question=question, candidate=candidate, data_import=data_import, text=text
        )


def make_study() -> Project:
    project = make_project(slug="efficient", preset="efficientqa")
    for number in range(3):
        make_member(project=project, username=f"rater{number}")
    for (question, gold), texts in ANSWERS.items():
        make_answers(project=project, question=question, gold=[gold], texts=texts)
    for place, name in enumerate(("Alpha", "Beta")):
        make_system(project, name, place)
    raters = Membership.objects.filter(project=project, role="annotator").order_by("pk")
    for number, rater in enumerate(raters.select_related("project__protocol")):
        for _ in ANSWERS:
            judge(rater, number)
    return project


@pytest.fixture(scope="module")
def made_study(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Project]:
    with made_once(django_db_blocker, make_study) as made:
        yield made


@pytest.fixture
def study(made_study: Project, db: None) -> Project:
    return made_study


def shares(row: dict[str, Any]) -> list[float | None]:
    return [row["figures"][name]["value"] for name in ("definitely", "possibly", "either")]


def counts(row: dict[str, Any], *names: str) -> list[int]:
    return [row["counts"][name] for name in names]


class TestDecisions:
    def test_two_of_three_settle_each_answer(self, study: Project) -> None:
        found = read_page(study, "agreement/decisions")["labels"]
        assert [(row["label"], row["count"], row["sources"]) for row in found] == [
            ("definitely_correct", 3, {"unanimous": 1, "majority": 2}),
            ("possibly_correct", 2, {"majority": 2}),
            ("definitely_incorrect", 1, {"majority": 1}),
        ]

    @pytest.mark.parametrize(
        ("labels", "observed"), [("as-labelled", 7 / 18), ("definitely", 10 / 18), ("possibly", 10 / 18)]
    )
    def test_raters_agree_in_three_ways(self, study: Project, labels: str, observed: float) -> None:
        # Of three pairs of raters one agrees on four answers of six, all on "Paris", none on "1901"; read as
        # definitely or not all agree on "Indian Ocean" too and one pair on "1901", as possibly or better on
        # "about 1900" and "1901".
        page = read_page(study, "agreement", labels=labels, intervals="false")
        found = page["figures"]["observed_agreement"]["value"]
        assert (page["items"], found) == (6, pytest.approx(observed))


class TestBeyondExactMatch:
    def test_what_people_accept_of_answers_exact_match_rejects(self, study: Project) -> None:
        page = read_page(study, "leaderboard/beyond")
        alpha, beta = page["systems"]
        assert [(row["name"], *counts(row, "rejected", "decided")) for row in (alpha, beta)] == [
            ("Alpha", 3, 3),
            ("Beta", 2, 2),
        ]
        assert shares(alpha) == [pytest.approx(1 / 3), pytest.approx(1 / 3), pytest.approx(2 / 3)]
        assert shares(beta) == [0.5, 0.5, 1.0]
        # Nobody repeats an answer, so both counts are of the same five.
        for row in (page["predictions"], page["answers"]):
            assert counts(row, "rejected", "definite", "possible") == [5, 2, 2]
            assert shares(row) == [0.4, 0.4, 0.8]

    def test_only_questions_that_nobody_calls_ambiguous(self, study: Project) -> None:
        page = read_page(study, "leaderboard/beyond", part="unambiguous")
        assert [counts(row, "rejected", "definite", "possible") for row in page["systems"]] == [
            [2, 1, 0],
            [1, 0, 1],
        ]
        assert (counts(page["answers"], "rejected"), page["has_possible"]) == ([3], True)


class TestSystems:
    def test_scores_definitely_and_possibly(self, study: Project) -> None:
        rows = read_page(study, "leaderboard")["rows"]
        keys = ("human", "human_decided", "human_possibly")
        found = {row["system"]: [row["scores"][key]["correct"] for key in keys] for row in rows}
        assert found == {"alpha": [1, 1, 2], "beta": [2, 2, 3]}

    def test_one_rater_makes_a_question_ambiguous(self, study: Project) -> None:
        page = read_page(study, "leaderboard", part="unambiguous")
        assert (page["n_questions"], {row["n"] for row in page["rows"]}) == (2, {2})

    def test_a_question_that_nobody_was_asked_about_is_not_unambiguous(self, study: Project) -> None:
        CheckAnswer.objects.filter(question__text="largest ocean").delete()
        assert read_page(study, "leaderboard", part="unambiguous")["n_questions"] == 1

    def test_where_nobody_was_asked_at_all_none_is_ambiguous(self, study: Project) -> None:
        CheckAnswer.objects.all().delete()
        assert read_page(study, "leaderboard", part="unambiguous")["n_questions"] == 3

    def test_easy_and_hard_questions_agreement_and_oracle(self, study: Project) -> None:
        page = read_page(study, "systems-board")
        assert [(each["systems"], each["questions"]) for each in page["right_by"]] == [(0, 1), (1, 1), (2, 1)]
        (pair,) = page["pairs"]
        assert page["oracle"]["value"] == pair["oracle"]["value"] == pytest.approx(2 / 3)
        assert pair["agreement"]["value"] == 0.0
