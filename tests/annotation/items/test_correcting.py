"""Correcting a question: its text moves, its history and everything that hangs on it stays."""

import pytest

from annotation.accounts.models import User
from annotation.items.models import Question, QuestionCorrection
from annotation.items.selectors import QuestionNotFound
from annotation.items.services.corrections import UnusableCorrection, correct_question
from annotation.projects.models import Project
from tests.annotation.assignments.factories import make_question
from tests.conftest import ClientOf
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(project: Project) -> Question:
    return make_question(project=project, answers=1)


def correct(question: Question, *, by: User, text: str = "who wrote it", reason: str = "typo") -> None:
    correct_question(project=question.project, public_id=question.public_id, text=text, reason=reason, by=by)


class TestCorrectQuestion:
    def test_keeps_what_it_said_and_how_files_find_it(self, question: Question, lead: User) -> None:
        said, key = question.text, question.key_hash
        correct(question, by=lead)
        correct(question, by=lead, text="who wrote it first")
        question.refresh_from_db()
        assert (question.text, question.key_hash) == ("who wrote it first", key)
        former = QuestionCorrection.objects.order_by("number").values_list("former_text", flat=True)
        assert list(former) == [said, "who wrote it"]

    @pytest.mark.parametrize(("text", "reason"), [(" ", "because"), ("something new", " ")])
    def test_wants_a_text_and_a_reason(self, question: Question, lead: User, text: str, reason: str) -> None:
        with pytest.raises(UnusableCorrection):
            correct(question, by=lead, text=text, reason=reason)
        assert not QuestionCorrection.objects.exists()

    def test_does_not_know_questions_of_other_projects(self, question: Question, lead: User) -> None:
        other = make_project(lead=lead)
        with pytest.raises(QuestionNotFound):
            correct_question(project=other, public_id=question.public_id, text="x", reason="y", by=lead)

    def test_stands_in_the_answers_history(self, question: Question, lead: User) -> None:
        address = f"/api/projects/{question.project.slug}"
        body = {"text": "who wrote it", "reason": "typing error"}
        client = ClientOf(lead)
        reply = client.post(f"{address}/questions/{question.public_id}/correct", body, format="json")
        assert reply.json()["text"] == "who wrote it"
        answer = question.candidates.get().public_id
        shown = client.get(f"{address}/answers/{answer}").json()["question"]
        assert shown["text"] == "who wrote it"
        assert [line["reason"] for line in shown["corrections"]] == ["typing error"]
