"""The number of disputed rows that agreement shows, and the list that it opens."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from analysis.raters.agreement import MissingVotes
from annotation.accounts.models import User
from annotation.agreement.rules.votes import LabelView
from annotation.assignments.models import QuestionFlag
from annotation.projects.models import Project
from common.clock import now
from tests.annotation.adjudication.factories import make_answers, vote
from tests.conftest import made_once
from tests.factories import make_member, make_project
from tests.judges.conftest import read_page

pytestmark = pytest.mark.django_db

TEXTS = ("a", "b", "c c", "d d")
BEST, HALF, NONE = "definitely_correct", "possibly_correct", "definitely_incorrect"
# A missing vote, two labels that are worth the same under a view, two that differ in all, full agreement.
VOTES = (
    (BEST, None, BEST),
    (BEST, HALF, BEST),
    (BEST, NONE, BEST),
    (NONE, NONE, NONE),
)
READINGS = [
    {"missing_votes": rule.value, "labels": view.value} for rule, view in product(MissingVotes, LabelView)
]


def make_disputed() -> Project:
    """Make three raters who differ in several ways."""
    project = make_project(slug="disputed", preset="efficientqa")
    members = [make_member(project=project, username=f"rater{number}") for number in range(3)]
    make_answers(project=project, question="who was it", gold=["a"], texts=TEXTS[:2])
    make_answers(project=project, question="when was it", texts=TEXTS[2:])
    for place, rater in enumerate(members):
        said = {text: labels[place] for text, labels in zip(TEXTS, VOTES, strict=True)}
        # The third finds the first question ambiguous; of the other all say no.
        for is_ambiguous in (place == 2, False):
            vote(rater=rater, labels=said, checks={"ambiguous": is_ambiguous})
    question = project.questions.get(text="who was it")
    QuestionFlag.objects.create(question=question, rater=members[0], kind="list", flagged_at=now())
    return project


@pytest.fixture(scope="module")
def disputed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Project]:
    with made_once(django_db_blocker, make_disputed) as made:
        yield made


@pytest.fixture
def project(disputed: Project, db: None) -> Project:
    return disputed


@pytest.fixture
def lead(project: Project) -> User:
    return project.created_by


def counted(project: Project, **wanted: str) -> int:
    """Return how many rows the list has."""
    page: dict[str, Any] = read_page(project, "answers", state="disagreement", **wanted)
    return int(page["count"])


class TestDisputedAnswers:
    @pytest.mark.parametrize("reading", READINGS)
    def test_the_whole_opens_as_many_as_it_counts(self, project: Project, reading: dict[str, str]) -> None:
        report = read_page(project, "agreement", intervals="false", **reading)
        assert counted(project, **reading) == report["disagreements"]

    def test_the_readings_differ_here(self, project: Project) -> None:
        assert {counted(project, **reading) for reading in READINGS} == {1, 2, 3}

    @pytest.mark.parametrize("by", ["question_type", "answer_length", "exact_match", "rater", "week", "flag"])
    def test_each_part_opens_as_many_as_it_counts(self, project: Project, by: str) -> None:
        for reading in READINGS:
            page = read_page(project, "agreement/slices", by=by, intervals="false", **reading)
            assert page["slices"]
            for part in page["slices"]:
                assert counted(project, by=by, part=part["name"], **reading) == part["disagreements"]

    def test_without_a_reading_it_is_the_pages_usual_one(self, project: Project) -> None:
        assert counted(project) == read_page(project, "agreement", intervals="false")["disagreements"]

    @pytest.mark.parametrize("wrong", [{"missing_votes": "guess"}, {"labels": "maybe"}])
    def test_a_reading_there_is_not_is_refused(
        self, project: Project, client_of: Any, lead: User, wrong: dict[str, str]
    ) -> None:
        assert client_of(lead).get("/api/projects/disputed/answers", wrong).status_code == 400


class TestPairsOfRaters:
    @pytest.mark.parametrize("reading", [*READINGS, {"check": "ambiguous"}])
    def test_each_pair_opens_as_many_as_it_counts(self, project: Project, reading: dict[str, str]) -> None:
        pairs = read_page(project, "agreement", intervals="false", **reading)["pairs"]
        assert len(pairs) == 3
        unit = "questions" if "check" in reading else "count"
        for pair in pairs:
            listed = read_page(
                project, "answers", state="disagreement", raters=f"{pair['a']}~{pair['b']}", **reading
            )
            assert listed[unit] == pair["disagreements"]

    def test_pairs_differ_from_the_whole_and_from_each_other(self, project: Project) -> None:
        pairs = read_page(project, "agreement", intervals="false")["pairs"]
        assert sorted(pair["disagreements"] for pair in pairs) == [0, 3, 3]

    @pytest.mark.parametrize(
        ("asked", "status"), [("R-1", 400), ("a~b~c", 400), ("nobody~noone", 404), ("{0}~{0}", 404)]
    )
    def test_what_names_no_two_raters_is_refused(
        self, asked: str, status: int, client_of: Any, lead: User, project: Project
    ) -> None:
        name = project.members.filter(role="annotator").first().pseudonym
        query = {"state": "disagreement", "raters": asked.format(name)}
        assert client_of(lead).get("/api/projects/disputed/answers", query).status_code == status

    def test_who_decides_blind_may_not_ask_for_raters(self, client_of: Any, project: Project) -> None:
        adjudicator = make_member(project=project, role="adjudicator", username="decider")
        one, two, *_ = project.members.filter(role="annotator").values_list("pseudonym", flat=True)
        query = {"state": "disagreement", "raters": f"{one}~{two}"}
        reply = client_of(adjudicator.user).get("/api/projects/disputed/answers", query)
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "wrong_role")


class TestDisputedQuestions:
    CHECK = {"check": "ambiguous"}

    def test_a_check_opens_as_many_questions_as_it_counts(self, project: Project) -> None:
        report = read_page(project, "agreement", intervals="false", **self.CHECK)
        listed = read_page(project, "answers", state="disagreement", **self.CHECK)
        assert listed["questions"] == report["disagreements"] == 1
        assert len({line["question"] for line in listed["answers"]}) == 1
        assert listed["count"] == 2

    @pytest.mark.parametrize("by", ["question_type", "rater", "week", "protocol_version", "dataset", "flag"])
    def test_each_part_opens_as_many_questions_as_it_counts(self, project: Project, by: str) -> None:
        parts = read_page(project, "agreement/slices", by=by, intervals="false", **self.CHECK)["slices"]
        assert parts
        for part in parts:
            query = {"state": "disagreement", "by": by, "part": part["name"], **self.CHECK}
            assert read_page(project, "answers", **query)["questions"] == part["disagreements"]

    def test_parts_of_answers_have_no_questions(self, project: Project) -> None:
        query = {"state": "disagreement", "by": "answer_length", "part": "1 word", **self.CHECK}
        assert read_page(project, "answers", **query)["questions"] == 0

    def test_answers_alone_are_not_counted_in_questions(self, project: Project) -> None:
        assert read_page(project, "answers")["questions"] is None

    def test_a_check_there_is_not_is_not_found(self, client_of: Any, lead: User, project: Project) -> None:
        query = {"state": "disagreement", "check": "none"}
        assert client_of(lead).get("/api/projects/disputed/answers", query).status_code == 404
