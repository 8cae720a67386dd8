"""The gold list question by question: which are found, and what stands on each."""

from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import count_gold, judged_gold, list_conflicts
from annotation.gold.selectors.questions import Asked, Show, describe_questions, find_questions
from annotation.gold.services.ledger import correct_gold, undo_change
from annotation.items.models import Candidate, Question
from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers
from tests.conftest import ClientOf

pytestmark = pytest.mark.django_db


@pytest.fixture
def france(project: Project) -> Candidate:
    return make_answers(project=project, question="capital of france", gold=["Paris"], texts=["lutetia"])[0]


@pytest.fixture
def spain(project: Project) -> Candidate:
    answer = make_answers(project=project, question="capital of spain", gold=["Madrid"], texts=["madrid"])[0]
    Question.objects.filter(pk=answer.question_id).update(dataset="Iberia")
    return answer


@pytest.fixture
def nowhere(project: Project) -> Candidate:
    return make_answers(project=project, question="capital of nowhere", texts=["none"])[0]


def correct(answer: Candidate, *, by: User, action: str, text: str) -> GoldChange:
    return correct_gold(
        project=answer.project,
        question_id=answer.question.public_id,
        action=action,
        text=text,
        reason="known",
        by=by,
    )


def found(project: Project, **asked: Any) -> list[str]:
    ids = [pk for _, pk in find_questions(project=project, asked=Asked(**asked))]
    return [
        each.question.removeprefix("capital of ") for each in describe_questions(project=project, ids=ids)
    ]


class TestFindQuestions:
    def test_finds_words_of_the_question_and_of_answers_now_and_before(
        self, project: Project, france: Candidate, spain: Candidate, lead: User
    ) -> None:
        assert found(project) == ["france", "spain"]
        assert found(project, search="OF SPA") == ["spain"]
        assert found(project, search="pari") == ["france"]
        assert found(project, search="toledo") == []
        change = correct(spain, by=lead, action="added", text="Toledo")
        undo_change(project=project, public_id=change.public_id, by=lead, reason="was wrong")
        assert found(project, search="toledo") == ["spain"]

    def test_narrows_to_a_data_set_and_to_a_question(
        self, project: Project, france: Candidate, spain: Candidate
    ) -> None:
        assert found(project, dataset="Iberia") == ["spain"]
        assert found(project, question=france.question.public_id) == ["france"]
        assert found(project, question=france.question.public_id, dataset="Iberia") == []

    def test_knows_which_lists_changed_since_the_import(
        self, project: Project, france: Candidate, spain: Candidate, lead: User
    ) -> None:
        change = correct(spain, by=lead, action="removed", text="Madrid")
        assert found(project, show=Show.CHANGED) == ["spain"]
        undo_change(project=project, public_id=change.public_id, by=lead, reason="was wrong")
        assert found(project, show=Show.CHANGED) == []

    def test_knows_which_lists_hold_nothing(
        self, project: Project, france: Candidate, nowhere: Candidate, lead: User
    ) -> None:
        assert found(project, show=Show.EMPTY) == ["nowhere"]
        correct(france, by=lead, action="removed", text="Paris")
        correct(nowhere, by=lead, action="added", text="none")
        assert found(project, show=Show.EMPTY) == ["france"]

    def test_knows_where_something_is_proposed_and_where_decisions_conflict(
        self, project: Project, france: Candidate, lead: User
    ) -> None:
        yes, no = make_answers(project=project, question="capital of spain", texts=["abraham", "Abraham"])
        for answer, label in ((yes, "correct"), (no, "incorrect")):
            decide_answer(project=project, candidate_id=answer.public_id, by=lead, label=label, reason="so")
        assert found(project, show=Show.CONFLICTING) == ["spain"]
        assert found(project, show=Show.CONFLICTING, search="france") == []
        date = make_answers(project=project, question="capital of may", gold=["May 12, 1999"], texts=["x"])[0]
        decide_answer(project=project, candidate_id=date.public_id, by=lead, label="correct", reason="so")
        assert found(project, show=Show.PROPOSED) == ["spain", "may"]
        assert found(project, show=Show.PROPOSED, search="1999") == ["may"]


class TestDescribeQuestions:
    def test_keeps_what_was_removed_and_says_what_was_added(
        self, project: Project, france: Candidate, lead: User
    ) -> None:
        correct(france, by=lead, action="added", text="Lutetia")
        correct(france, by=lead, action="removed", text="Paris")
        (described,) = describe_questions(project=project, ids=[france.question_id])
        entries = [(each.text, each.is_added, each.is_removed) for each in described.answers]
        assert entries == [("Paris", False, True), ("Lutetia", True, False)]
        assert [(each.action, each.text) for each in described.changes] == [
            ("removed", "Paris"),
            ("added", "Lutetia"),
        ]

    def test_takes_as_many_queries_for_many_as_for_one(
        self, project: Project, lead: User, django_assert_num_queries: Any
    ) -> None:
        answers = [
            make_answers(
                project=project, question=f"number {count}", gold=[f"{count} May 1999"], texts=["x"]
            )[0]
            for count in range(1, 9)
        ]
        for answer in answers:
            decide_answer(
                project=project, candidate_id=answer.public_id, by=lead, label="correct", reason="so"
            )
        # The conflicts of the whole project are kept.
        describe_questions(project=project, ids=[])
        counts = []
        for some in (answers[:1], answers):
            ids = [answer.question_id for answer in some]
            with django_assert_num_queries(20, exact=False) as queries:
                described = describe_questions(project=project, ids=ids)
            assert all(each.proposals for each in described)
            counts.append(len(queries))
        assert counts[0] == counts[1]


class TestFiguresOfTheList:
    def test_read_nothing_of_the_files_again_after_a_decision(
        self, project: Project, france: Candidate, lead: User, django_assert_max_num_queries: Any
    ) -> None:
        def read_figures() -> list[str]:
            with django_assert_max_num_queries(40) as asked:
                assert list_conflicts(project=project) == ()
                assert count_gold(project=project).original == 1
                assert judged_gold(project=project).judged == 0
            return [query["sql"] for query in asked.captured_queries]

        def of_files(queries: list[str]) -> int:
            return sum(
                "annotation_goldanswer" in sql or 'annotation_candidate"."text' in sql for sql in queries
            )

        assert of_files(read_figures()) == 3
        decide_answer(project=project, candidate_id=france.public_id, by=lead, label="correct", reason="so")
        again = read_figures()
        # What people decided is read anew.
        assert any("annotation_decision" in sql for sql in again)
        assert of_files(again) == 0


class TestQuestionsPage:
    def test_is_a_page_of_the_list_with_how_far_it_moved(
        self, project: Project, france: Candidate, spain: Candidate, lead: User, client_of: type[ClientOf]
    ) -> None:
        correct(spain, by=lead, action="added", text="Toledo")
        body = client_of(lead).get("/api/projects/small/gold/questions?show=changed").json()
        assert body["counts"] == {"original": 2, "added": 1, "removed": 0}
        assert (body["count"], body["before"], body["next"]) == (1, 0, None)
        (question,) = body["questions"]
        assert (question["question"], question["dataset"]) == ("capital of spain", "Iberia")
        assert [entry["text"] for entry in question["answers"]] == ["Madrid", "Toledo"]

    def test_has_as_many_rows_as_asked_for(
        self, project: Project, france: Candidate, spain: Candidate, lead: User, client_of: type[ClientOf]
    ) -> None:
        client, address = client_of(lead), "/api/projects/small/gold/questions"
        cursor = client.get(address, {"limit": 1}).json()["next"]
        body = client.get(address, {"limit": 1, "cursor": cursor}).json()
        assert (body["count"], body["before"]) == (2, 1)
        assert [each["question"] for each in body["questions"]] == ["capital of spain"]

    def test_refuses_what_it_does_not_know(
        self, project: Project, lead: User, client_of: type[ClientOf]
    ) -> None:
        assert client_of(lead).get("/api/projects/small/gold/questions?show=odd").status_code == 400

    def test_is_not_for_annotators(
        self, france: Candidate, annotators: list[Membership], client_of: type[ClientOf]
    ) -> None:
        address = "/api/projects/small/gold/questions"
        assert client_of(annotators[0].user).get(address).status_code == 403
