from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers

Client = Callable[[User], Any]


@pytest.fixture
def change(project: Project, lead: User, client_of: Client) -> dict[str, Any]:
    (answer,) = make_answers(project=project, question="capital of france", gold=["Paris"], texts=["paris"])
    decide_answer(
        project=project,
        candidate_id=answer.public_id,
        by=lead,
        label="correct",
        reason="Only the case differs.",
    )
    (row,) = client_of(lead).get("/api/projects/small/gold").json()["changes"]
    found: dict[str, Any] = row
    return found


class TestLedger:
    def test_it_says_what_changed_why_and_by_whom(
        self, change: dict[str, Any], client_of: Client, lead: User
    ) -> None:
        assert (change["action"], change["text"], change["question"]) == (
            "added",
            "paris",
            "capital of france",
        )
        assert (change["reason"], change["by"], change["undone_at"]) == (
            "Only the case differs.",
            lead.name,
            None,
        )
        assert change["answer_id"] == Candidate.objects.get(text="paris").public_id
        body = client_of(lead).get("/api/projects/small/gold").json()
        assert body["summary"]["version"].startswith("amended-")
        assert (body["count"], body["before"], body["next"]) == (1, 0, None)

    def test_it_names_equal_answers_that_people_decided_differently(
        self, project: Project, client_of: Client, lead: User
    ) -> None:
        yes, no = make_answers(project=project, question="who", texts=["abraham", "Abraham"])
        for answer, label in ((yes, "correct"), (no, "incorrect")):
            decide_answer(project=project, candidate_id=answer.public_id, by=lead, label=label, reason="why")
        body = client_of(lead).get("/api/projects/small/gold").json()
        assert body["conflict_count"] == 1
        assert body["conflicts"] == [
            {
                "question": "who",
                "question_id": yes.question.public_id,
                "accepted": "abraham",
                "accepted_id": yes.public_id,
                "rejected": "Abraham",
                "rejected_id": no.public_id,
            }
        ]

    def test_it_can_be_narrowed_to_a_question(
        self, change: dict[str, Any], client_of: Client, lead: User
    ) -> None:
        client = client_of(lead)
        mine = client.get(f"/api/projects/small/gold?question={change['question_id']}").json()
        assert [row["id"] for row in mine["changes"]] == [change["id"]]
        assert client.get("/api/projects/small/gold?question=none").json()["changes"] == []

    def test_undoing_is_for_leads_with_a_reason(
        self, change: dict[str, Any], client_of: Client, lead: User, adjudicator: Membership
    ) -> None:
        address = f"/api/projects/small/gold/{change['id']}/undo"
        assert client_of(adjudicator.user).post(address, {"reason": "why"}, format="json").status_code == 403
        assert client_of(lead).post(address, {}, format="json").status_code == 400
        undone = client_of(lead).post(address, {"reason": "why"}, format="json").json()
        assert (undone["undone_by"], undone["undo_reason"]) == (lead.name, "why")
        assert client_of(lead).post(address, {"reason": "why"}, format="json").status_code == 409

    def test_annotators_do_not_see_it(
        self, change: dict[str, Any], client_of: Client, annotators: list[Membership]
    ) -> None:
        assert client_of(annotators[0].user).get("/api/projects/small/gold").status_code == 403
