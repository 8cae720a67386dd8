"""The routes of tagging, as its pages use them."""

from typing import Any

import pytest

from annotation.projects.models import Membership, Project
from judges.runs.models import JudgeRun
from tests.conftest import ClientOf

ROOT = "/api/projects/small"
TAGS = [{"key": "vague", "name": "Vague", "meaning": "It commits itself to nothing."}]


class Page:
    """A person's page: says what it gets."""

    def __init__(self, member: Membership) -> None:
        self.client = ClientOf(member.user)

    def get(self, path: str, status: int = 200) -> Any:
        return self.said(self.client.get(ROOT + path), status)

    def send(self, method: str, path: str, body: Any, status: int) -> Any:
        return self.said(getattr(self.client, method)(ROOT + path, body, format="json"), status)

    def said(self, reply: Any, status: int) -> Any:
        assert reply.status_code == status, reply.content
        return reply.json()


@pytest.fixture
def page(member: Membership) -> Page:
    return Page(member)


@pytest.fixture
def drawn(page: Page, exact: JudgeRun) -> Any:
    """A round about the errors of exact match."""
    return page.send(
        "post",
        "/tagging",
        {
            "name": "Errors",
            "set": "evouna-evaluators",
            "filter": {"run": exact.public_id, "said": "errs"},
            "proposals": "shown",
        },
        201,
    )


class TestTagSets:
    def test_are_made_and_changed_by_leads(self, page: Page, adjudicator: Membership) -> None:
        body = {"key": "own", "name": "Own", "subject": "answer", "tags": TAGS}
        assert Page(adjudicator).send("post", "/tag-sets", body, 403)["error"]["code"] == "wrong_role"
        made = page.send("post", "/tag-sets", body, 201)
        assert (made["version"], made["is_own"], made["several"]) == (1, True, True)
        changed = page.send("put", "/tag-sets/own", {**body, "name": "Renamed"}, 200)
        assert (changed["name"], changed["version"]) == ("Renamed", 1)
        assert [each["key"] for each in Page(adjudicator).get("/tag-sets")][-1] == "own"

    def test_refusals_name_the_field(self, page: Page) -> None:
        body = {"key": "own", "name": "Own", "subject": "answer", "tags": [*TAGS, *TAGS]}
        error = page.send("post", "/tag-sets", body, 400)["error"]
        assert "tags" in error["details"]["fields"]
        assert page.send("put", "/tag-sets/none", body, 404)["error"]["code"] == "tag_set_not_found"


class TestRounds:
    def test_are_foreseen_and_drawn(self, page: Page, exact: JudgeRun, drawn: Any) -> None:
        wanted = {"set": "evouna-evaluators", "filter": {"run": exact.public_id, "said": "errs"}}
        assert page.send("post", "/tagging/preview", wanted, 200) == {"population": 2}
        assert (drawn["total"], drawn["done"], drawn["judge"]) == (2, 0, "Exact match")
        listed = page.get("/tagging")
        assert [each["name"] for each in listed["rounds"]] == ["Errors"]
        assert [run["id"] for run in listed["runs"]] == [exact.public_id]
        assert [tagger["name"] for tagger in listed["taggers"]] == ["Lea Lead"]

    def test_nothing_to_tag_is_said_in_words(self, page: Page, study: Project) -> None:
        body = {"set": "kamalloo", "filter": {"people": "possibly"}}
        error = page.send("post", "/tagging", body, 400)["error"]
        assert error["code"] == "nothing_to_tag"

    def test_annotators_reach_none_of_it(self, page: Page, drawn: Any, annotators: list[Membership]) -> None:
        rater = Page(annotators[0])
        for path in ("/tag-sets", "/tagging", f"/tagging/{drawn['id']}"):
            assert rater.get(path, 403)["error"]["code"] == "wrong_role"


class TestItems:
    def test_show_what_a_tag_rests_on(self, page: Page, drawn: Any) -> None:
        (line,) = [item for item in drawn["items"] if item["answer"] == "the city of Paris"]
        item = page.get(f"/tagging/{drawn['id']}/items/{line['id']}")
        assert item["gold"] == ["Paris"]
        assert item["verdict"] == {"accepted": False, "score": 0.0, "raw_reply": ""}
        assert (item["systems"], item["label"], item["current"]) == (["Alpha"], "correct", None)

    def test_are_tagged_and_taken_back(self, page: Page, drawn: Any) -> None:
        address = f"/tagging/{drawn['id']}/items/{drawn['items'][0]['id']}"
        said = page.send("post", f"{address}/tags", {"tags": ["synonym"], "seen_number": 0}, 200)
        assert (said["current"]["tags"], said["current"]["by"]) == (["synonym"], "Lea Lead")
        again = page.send("post", f"{address}/tags", {"tags": ["synonym"], "seen_number": 0}, 409)
        assert again["error"]["code"] == "stale_tagging"
        assert page.get(f"/tagging/{drawn['id']}")["items"][0]["is_done"] is True
        back = page.send("post", f"{address}/withdraw", {"seen_number": 1}, 200)
        assert (back["current"], len(back["history"])) == (None, 2)
