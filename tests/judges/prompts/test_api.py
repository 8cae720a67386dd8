"""Prompts over HTTP."""

import pytest

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.projects.models import Project
from judges.methods.llm.prompts import BUILT_IN, PLACEHOLDERS
from tests.annotation.assignments.factories import make_question, make_source
from tests.conftest import ClientOf

ADDRESS = "/api/projects/small/prompts"
DRAFT = {"key": "mine", "template": "Q {question} G {golds} A {answer}", "parser": "first-word"}


@pytest.fixture
def client(lead: User, project: Project) -> ClientOf:
    return ClientOf(lead)


@pytest.fixture
def candidate(project: Project) -> Candidate:
    make_question(project=project, answers=1)
    candidate = Candidate.objects.get()
    make_source(candidate=candidate, system="s", gold="the gold")
    return candidate


class TestPrompts:
    def test_those_of_assay_come_with_their_papers_scores(self, client: ClientOf) -> None:
        listed = {row["key"]: row for row in client.get(ADDRESS).json()}
        assert set(listed) == set(BUILT_IN)
        original = listed["evouna-original"]
        assert (original["id"], original["built_in"], original["reference"]) == (
            None,
            True,
            "evouna-original@1",
        )
        assert original["published_scores"][0] == {"system": "FiD", "accuracy": 93.6, "f1": 95.3}
        assert listed["structured"]["published_scores"] == []

    def test_say_how_long_replies_may_get(self, client: ClientOf) -> None:
        thoughts = {**DRAFT, "key": "thoughts", "parser": "last-after-bar"}
        for draft in (DRAFT, thoughts):
            assert client.post(ADDRESS, draft, content_type="application/json").status_code == 201
        listed = {row["key"]: row["reply_tokens"] for row in client.get(ADDRESS).json()}
        assert (listed["evouna-original"], listed["evouna-giving-reasons"]) == (100, 300)
        assert (listed["evouna-chain-of-thought"], listed["mine"], listed["thoughts"]) == (600, 100, 600)

    def test_an_own_one_is_added_and_shown(self, client: ClientOf) -> None:
        added = client.post(ADDRESS, DRAFT, format="json")
        assert added.status_code == 201
        assert client.get(f"{ADDRESS}/{added.json()['id']}").json() == added.json()
        assert client.get(ADDRESS).json()[-1] == added.json()

    def test_none_is_changed_in_place(self, client: ClientOf) -> None:
        address = f"{ADDRESS}/{client.post(ADDRESS, DRAFT, format='json').json()['id']}"
        for change in (client.patch, client.put, client.delete):
            assert change(address, DRAFT, format="json").status_code == 405

    @pytest.mark.parametrize(
        ("field", "value"),
        [("template", "no place"), ("parser", "lenient"), ("key", "a b"), ("system", "{x}")],
    )
    def test_a_wrong_field_is_named(self, client: ClientOf, field: str, value: str) -> None:
        reply = client.post(ADDRESS, {**DRAFT, field: value}, format="json")
        assert reply.status_code == 400
        assert field in reply.json()["error"]["details"]["fields"]

    def test_placeholders_are_explained(self, client: ClientOf) -> None:
        assert {row["name"] for row in client.get(f"{ADDRESS}/placeholders").json()} == set(PLACEHOLDERS)


class TestPreview:
    def test_shows_what_a_model_would_get(self, client: ClientOf, candidate: Candidate) -> None:
        shown = client.post(f"{ADDRESS}/preview", {"prompt": "kamalloo"}, format="json").json()
        assert shown["messages"] == [
            {
                "role": "user",
                "content": f"Question: {shown['question'].removesuffix('?')}?\nAnswer: the gold\n"
                f"Candidate: {candidate.text}\n\nIs candidate correct?",
            }
        ]
        assert shown["hash"] == BUILT_IN["kamalloo"].hash

    def test_of_a_draft_stores_nothing(self, client: ClientOf, candidate: Candidate) -> None:
        sent = {"draft": DRAFT, "answer": candidate.public_id}
        shown = client.post(f"{ADDRESS}/preview", sent, format="json").json()
        assert shown["messages"][0]["content"].endswith(f"G the gold A {candidate.text}")
        assert len(client.get(ADDRESS).json()) == len(BUILT_IN)

    def test_says_why_a_model_would_not_be_asked(self, client: ClientOf, candidate: Candidate) -> None:
        Candidate.objects.update(text=" ")
        assert client.post(f"{ADDRESS}/preview", {}, format="json").json()["settled"] == "empty"

    def test_needs_an_answer_of_the_project(self, client: ClientOf) -> None:
        reply = client.post(f"{ADDRESS}/preview", {}, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "no_example_answer")
