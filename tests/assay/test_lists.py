"""The client's long lists: page after page, typed as the schema says, from a real installation."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from assay import Client, errors
from assay.client import Project
from assay.records.replies import Run
from tests.assay.conftest import Server
from tests.assay.test_client import client_of
from tests.commands.test_serve import ROOT

SCHEMA = json.loads((ROOT / "frontend" / "src" / "api" / "schema.json").read_text("utf-8"))
RUN = Run("r", "j", "J", "s", "finished", 1, 1, 0, 0, "")
# By the end of its address: how a list is read.
LISTS: dict[str, Callable[[Project], Iterator[Any]]] = {
    "activity": Project.activity,
    "answers": Project.answers,
    "gold": Project.gold_changes,
    "gold/proposals": Project.gold_proposals,
    "gold/questions": Project.gold_questions,
    "judged": Project.judged,
    "leaderboard/amendments": Project.amended_answers,
    "prejudging/answers": Project.settled_answers,
    "runs/r/verdicts": lambda project: project.verdicts(RUN),
    "systems-board/questions": lambda project: project.questions_right_by(2),
    "systems-board/two": lambda project: project.questions_of_two("a", "b"),
}


def long_lists() -> dict[str, Any]:
    """Return the schema of a page of each long list that a token opens, by the end of its address."""
    found = {}
    for path, operations in SCHEMA["paths"].items():
        operation = operations.get("get", {})
        names = {each["name"] for each in operation.get("parameters", [])}
        if "cursor" in names and path.startswith("/api/projects/{slug}/"):
            end = path.removeprefix("/api/projects/{slug}/").replace("{run_id}", "r")
            found[end] = operation["responses"]["200"]["content"]["application/json"]["schema"]
    return found


def sample(schema: Any, *, is_null: bool) -> Any:
    """Return a value as the schema has it; is_null: whether all that may be null is."""
    if "$ref" in schema:
        return sample(SCHEMA["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]], is_null=is_null)
    others = schema.get("oneOf") or schema.get("anyOf") or schema.get("allOf")
    kinds = schema["type"] if isinstance(schema.get("type"), list) else [schema.get("type")]
    if is_null and (schema.get("nullable") or "null" in kinds or {"type": "null"} in (others or [])):
        return None
    if others:
        return sample(others[0], is_null=is_null)
    if "enum" in schema:
        return schema["enum"][0]
    if kinds[0] == "object":
        return {name: sample(each, is_null=is_null) for name, each in schema.get("properties", {}).items()}
    if kinds[0] == "array":
        return [sample(schema["items"], is_null=is_null)]
    return {"string": "x", "integer": 1, "number": 0.5, "boolean": True}.get(kinds[0])


def project_of(answer: Callable[[httpx2.Request], httpx2.Response]) -> Project:
    return Project(client_of(answer), "small")


class TestLists:
    def test_are_all_that_the_schema_pages_through(self) -> None:
        assert long_lists().keys() == LISTS.keys()

    @pytest.mark.parametrize("is_null", [True, False])
    @pytest.mark.parametrize("end", LISTS)
    def test_are_read_as_the_schema_has_them(self, end: str, is_null: bool) -> None:
        asked = []

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(request.url)
            page = sample(long_lists()[end], is_null=is_null)
            return httpx2.Response(200, json={**page, "next": None})

        (row,) = LISTS[end](project_of(answer))
        assert type(row).__module__ == "assay.records.lists"
        (url,) = asked
        assert (url.path, url.params["limit"]) == (f"/api/projects/small/{end}", "1000")

    def test_are_asked_for_page_by_page(self) -> None:
        asked: list[dict[str, str]] = []
        row = sample(long_lists()["answers"], is_null=True)["answers"][0]
        following = {"": "b", "b": "c", "c": None}

        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(dict(request.url.params))
            page = {"answers": [row, row], "next": following[request.url.params.get("cursor", "")]}
            return httpx2.Response(200, json=page)

        answers = project_of(answer).answers(state="decided", limit=2)
        next(answers)
        assert asked == [{"state": "decided", "limit": "2"}]
        assert len(list(answers)) == 5
        assert [each.get("cursor") for each in asked] == [None, "b", "c"]
        assert {(each["state"], each["limit"]) for each in asked} == {("decided", "2")}

    @pytest.mark.parametrize(
        "page",
        [
            [],
            {"answers": []},
            {"answers": [], "next": 5},
            {"next": None},
            {"answers": [{"id": "a"}], "next": None},
            # A page that leads to itself.
            {"answers": [], "next": "again"},
        ],
    )
    def test_that_are_none_are_no_reply_of_assay(self, page: object) -> None:
        answers = project_of(lambda _: httpx2.Response(200, json=page)).answers()
        with pytest.raises(
            errors.NotAssay, match=r"from http://assay\.test/api/projects/small/answers is not"
        ):
            list(answers)


@pytest.mark.services
class TestInstallation:
    def test_walks_all_rows_of_each_list(self, server: Server, tmp_path: Path) -> None:
        file = tmp_path / "rows.csv"
        rows = [f"What is {n}?,{n},{name},{n + add}" for n in range(5) for name, add in (("a", 0), ("b", 1))]
        file.write_text("\n".join(["question,gold,system,prediction", *rows]) + "\n")
        with Client(server.url, server.token) as client:
            project = client.create_project("Lists", slug="lists")
            project.import_files(file)
            run = project.wait(project.run_judge("fuzzy_match"))
            assert len({each.id for each in project.answers(limit=3)}) == 10
            verdicts = list(project.verdicts(run, limit=3))
            assert len(verdicts) == 10
            assert {each.accepted for each in verdicts if each.golds == [each.answer]} == {True}
            questions = [f"What is {n}?" for n in range(5)]
            assert [each.question for each in project.gold_questions(limit=2)] == questions
            assert [each.text for each in next(project.gold_questions()).answers] == ["0"]
            both = list(project.questions_of_two("a", "b", limit=2))
            assert sorted((each.first.text, each.second.text) for each in both) == [
                (str(n), str(n + 1)) for n in range(5)
            ]
            assert all(each.person for each in project.activity(limit=1))
            assert len(list(client.pages("projects/lists/answers", limit=4))) == 3
            for end in LISTS.keys() - {"judged", "runs/r/verdicts", "systems-board/two"}:
                list(LISTS[end](project))
            with pytest.raises(errors.Forbidden):
                list(project.judged())
