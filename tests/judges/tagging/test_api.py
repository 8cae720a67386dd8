"""The routes of tagging, as its pages use them."""

from typing import Any

import pytest

from annotation.projects.models import Membership, Project
from judges.runs.models import JudgeRun
from judges.tagging.models import TagProposal
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
        changes = {"name": "Own", "subject": "answer", "tags": TAGS}
        body = {"key": "own", **changes}
        assert Page(adjudicator).send("post", "/tag-sets", body, 403)["error"]["code"] == "wrong_role"
        made = page.send("post", "/tag-sets", body, 201)
        assert (made["version"], made["is_own"], made["several"]) == (1, True, True)
        changed = page.send("put", "/tag-sets/own", {**changes, "name": "Renamed"}, 200)
        assert (changed["name"], changed["version"]) == ("Renamed", 1)
        assert [each["key"] for each in Page(adjudicator).get("/tag-sets")][-1] == "own"

    def test_refusals_name_the_field(self, page: Page) -> None:
        body = {"key": "own", "name": "Own", "subject": "answer", "tags": [*TAGS, *TAGS]}
        error = page.send("post", "/tag-sets", body, 400)["error"]
        assert "tags" in error["details"]["fields"]
        del body["key"]
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
        for path in ("/tag-sets", "/tagging", f"/tagging/{drawn['id']}", f"/tagging/{drawn['id']}/results"):
            assert rater.get(path, 403)["error"]["code"] == "wrong_role"


class TestResults:
    def test_count_items_by_tag_as_they_are_tagged_now(self, page: Page, drawn: Any) -> None:
        results = f"/tagging/{drawn['id']}/results"
        assert page.get(results)["tagged"] == 0
        first, second = (f"/tagging/{drawn['id']}/items/{item['id']}" for item in drawn["items"])
        page.send("post", f"{first}/tags", {"tags": ["synonym", "paraphrase"], "seen_number": 0}, 200)
        page.send("post", f"{second}/tags", {"tags": ["synonym"], "seen_number": 0}, 200)
        found = page.get(results)
        counts = {tag["key"]: tag["items"] for tag in found["tags"]}
        assert (found["tagged"], counts["synonym"], counts["paraphrase"]) == (2, 2, 1)
        assert sum(counts.values()) == 3
        page.send("post", f"{second}/tags", {"tags": ["paraphrase"], "seen_number": 1}, 200)
        again = {tag["key"]: tag for tag in page.get(results)["tags"]}
        assert (again["synonym"]["items"], again["paraphrase"]["items"]) == (1, 2)
        assert again["synonym"]["share"]["low"] < 0.5 < again["synonym"]["share"]["high"]

    def test_nothing_tagged_has_no_intervals(self, page: Page, drawn: Any) -> None:
        found = page.get(f"/tagging/{drawn['id']}/results")
        assert {tag["share"]["low"] for tag in found["tags"]} == {None}


class TestItems:
    def test_show_what_a_tag_rests_on(self, page: Page, drawn: Any) -> None:
        (line,) = [item for item in drawn["items"] if item["answer"] == "the city of Paris"]
        item = page.get(f"/tagging/{drawn['id']}/items/{line['id']}")
        assert item["gold"] == ["Paris"]
        assert item["verdict"] == {"accepted": False, "score": 0.0, "raw_reply": ""}
        assert (item["systems"], item["label"], item["current"]) == (["Alpha"], "correct", None)

    def test_hidden_proposals_are_in_no_reply_to_whoever_tags(self, page: Page, exact: JudgeRun) -> None:
        body = {"set": "kamalloo", "filter": {"people": "accept"}, "proposals": "hidden"}
        drawn = page.send("post", "/tagging", body, 201)
        proposals = TagProposal.objects.filter(item__round__public_id=drawn["id"])
        assert proposals.update(reason="told only afterwards") > 0
        replies = [drawn, page.get("/tagging"), page.get(f"/tagging/{drawn['id']}")]
        for line in drawn["items"][1:]:
            address = f"/tagging/{drawn['id']}/items/{line['id']}"
            replies.append(page.get(address))
            replies.append(page.send("post", f"{address}/tags", {"tags": ["list"], "seen_number": 0}, 200))
            replies.append(page.get(f"/tagging/{drawn['id']}"))
        assert "told only afterwards" not in str(replies)
        assert {str(reply.get("comparison")) for reply in replies} == {"None"}
        assert {str(reply.get("proposal")) for reply in replies} == {"None"}

    def test_shown_proposals_say_what_made_them(self, page: Page, exact: JudgeRun) -> None:
        body = {"set": "kamalloo", "filter": {"people": "accept"}, "proposals": "shown"}
        drawn = page.send("post", "/tagging", body, 201)
        (line,) = [item for item in drawn["items"] if item["answer"] == "the city of Paris"]
        address = f"/tagging/{drawn['id']}/items/{line['id']}"
        assert page.get(address)["proposal"] == {
            "tags": ["bridging"],
            "reason": "The answer is a gold answer with words added or left out.",
            "failure": "",
            "signature": "rules|set:kamalloo@1|revision:2",
        }
        page.send("post", f"{address}/tags", {"tags": ["bridging"], "seen_number": 0}, 200)
        comparison = page.get(f"/tagging/{drawn['id']}")["comparison"]
        assert (comparison["compared"], comparison["agreed"], comparison["share"]["high"]) == (1, 1, 1.0)
        assert 0 < comparison["share"]["low"] < 1

    def test_are_tagged_and_taken_back(self, page: Page, drawn: Any) -> None:
        address = f"/tagging/{drawn['id']}/items/{drawn['items'][0]['id']}"
        said = page.send("post", f"{address}/tags", {"tags": ["synonym"], "seen_number": 0}, 200)
        assert (said["current"]["tags"], said["current"]["by"]) == (["synonym"], "Lea Lead")
        again = page.send("post", f"{address}/tags", {"tags": ["synonym"], "seen_number": 0}, 409)
        assert again["error"]["code"] == "stale_tagging"
        assert page.get(f"/tagging/{drawn['id']}")["items"][0]["is_done"] is True
        back = page.send("post", f"{address}/withdraw", {"seen_number": 1}, 200)
        assert (back["current"], len(back["history"])) == (None, 2)
