"""Whoever has a reply already is told so, and annotators are told nothing by which one could compare."""

from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.release.models import Export
from annotation.release.services import start_export
from common.memory import forget_everything
from common.requests.naming import HEADER
from tests.conftest import ClientOf
from tests.requests_from_schema import SCHEMA
from tests.routes import PARAMETER, api_routes, rolled_back
from tests.world import World

BOARD = "/api/projects/own/leaderboard"
NO_LINK = dict.fromkeys(("password-links", "email-links", "unsubscribe"), "zzzzzzzzzzzzzz")
READ = [route for route in api_routes() if "GET" in route.methods]


def again(client: APIClient, path: str, etag: str) -> Any:
    return client.get(path, headers={"if-none-match": etag})


class TestBoards:
    @pytest.fixture
    def client(self, world: World) -> APIClient:
        return ClientOf(world.cast["lead"].user)

    def test_one_that_is_known_is_not_sent_again(self, client: APIClient) -> None:
        first = client.get(BOARD)
        reply = again(client, BOARD, f'"other", {first.headers["ETag"]}')
        assert (first.status_code, reply.status_code, reply.content) == (200, 304, b"")
        assert reply.headers["ETag"] == first.headers["ETag"]
        assert reply.headers["Cache-Control"] == "no-store"

    def test_it_takes_fewer_queries(self, client: APIClient) -> None:
        etag = client.get(BOARD).headers["ETag"]
        counts = []
        for known in ("", etag):
            # As once nobody has the board any more.
            forget_everything()
            caches["shared"].clear()
            with CaptureQueriesContext(connection) as queries:
                again(client, BOARD, known)
            counts.append(len(queries))
        assert counts[1] < counts[0]

    def test_another_question_or_state_is_sent(self, client: APIClient, world: World) -> None:
        etag = client.get(BOARD).headers["ETag"]
        assert again(client, f"{BOARD}?unit=question", etag).status_code != 304
        assert again(client, "/api/projects/own/systems-board", etag).status_code == 200
        world.project.systems.update(label="Another name")
        assert again(client, BOARD, etag).status_code == 200

    @pytest.mark.parametrize("question", ["", "?intervals=perhaps", "?compared=nobody"])
    def test_whoever_names_no_reply_is_told_what_is_there(self, client: APIClient, question: str) -> None:
        path = f"{BOARD}{question}"
        assert again(client, path, "*").status_code == client.get(path).status_code

    def test_it_tells_sight_of_systems_apart(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        adjudicator = ClientOf(world.cast["adjudicator"].user)
        tags = set()
        for sees in (True, False):
            monkeypatch.setattr(
                "annotation.projects.selectors.sees_systems", lambda _member, is_so=sees: is_so
            )
            tags.add(adjudicator.get("/api/projects/own/failure-board").headers["ETag"])
        assert len(tags) == 2

    def test_who_may_not_look_learns_nothing(self, client: APIClient, world: World, outsider: User) -> None:
        etag = client.get(BOARD).headers["ETag"]
        assert again(ClientOf(outsider), BOARD, "*").status_code == 404
        assert again(ClientOf(world.cast["annotator"].user), BOARD, etag).status_code == 403


class TestExports:
    def test_a_file_that_is_known_is_not_sent_again(self, world: World) -> None:
        lead = world.cast["lead"].user
        export = start_export(project=world.project, format_key="votes-csv", by=lead)
        export = Export.objects.get(pk=export.pk)
        client, path = ClientOf(lead), f"/api/exports/{export.public_id}/download"
        first: Any = client.get(path)
        assert first.headers["ETag"] == f'"{export.sha256}"'
        assert b"".join(first.streaming_content)
        assert again(client, path, f'W/"{export.sha256}"').status_code == 304
        other = again(client, path, '"0"')
        assert other.status_code == 200
        assert b"".join(other.streaming_content)


class TestSchema:
    @pytest.mark.parametrize("route", READ, ids=lambda route: route.template)
    def test_says_which_reads_are_conditional(self, route: Any, world: World) -> None:
        path = PARAMETER.sub(r"{\1}", route.template)
        said = SCHEMA["paths"][path]["get"]
        sent = {each["name"] for each in said.get("parameters", []) if each["in"] == "header"}
        is_conditional = "304" in said["responses"]
        assert sent == ({"If-None-Match"} if is_conditional else set())
        for status, told in said["responses"].items():
            if "$ref" in told:
                continue
            assert HEADER in told["headers"]
            assert ("ETag" in told["headers"]) == (is_conditional and status in ("200", "304"))
        with rolled_back():
            reply = ClientOf(world.cast["lead"].user).get(route.address(slug="own", ids=world.ids | NO_LINK))
        if reply.status_code == 200:
            assert ("ETag" in reply.headers) == is_conditional


class TestAnnotators:
    @pytest.mark.parametrize("route", READ, ids=lambda route: route.template)
    def test_no_reply_has_an_etag(self, route: Any, world: World) -> None:
        with rolled_back():
            reply = again(
                ClientOf(world.cast["annotator"].user),
                route.address(slug="own", ids=world.ids | NO_LINK),
                "*",
            )
        assert "ETag" not in reply.headers
        assert reply.status_code != 304
