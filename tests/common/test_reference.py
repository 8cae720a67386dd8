"""The API's schema as it is served, and the page that shows it."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from common.help.reference import SCHEMA_FILE, write_page

SCHEMA: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))


class TestSchema:
    def test_is_sent_to_anybody_as_it_is(self, client: Client) -> None:
        reply = client.get("/api/schema")
        assert (reply.status_code, json.loads(reply.content)) == (200, SCHEMA)
        assert SCHEMA["components"]["securitySchemes"]["apiToken"]["scheme"] == "bearer"

    @pytest.mark.parametrize("address", ["/api/schema", "/api/docs"])
    def test_is_sent_again_only_once_it_changed(self, client: Client, address: str) -> None:
        etag = client.get(address).headers["ETag"]
        again = client.get(address, headers={"if-none-match": etag})
        assert (again.status_code, again.content) == (304, b"")
        assert client.post(address).status_code == 405

    def test_has_another_tag_than_its_page(self, client: Client) -> None:
        tags = {client.get(address).headers["ETag"] for address in ("/api/schema", "/api/docs")}
        assert len(tags) == 2


class TestPage:
    def test_has_every_operation_and_record(self, client: Client) -> None:
        page = client.get("/api/docs").content.decode()
        for methods in SCHEMA["paths"].values():
            for said in methods.values():
                assert f'id="{said["operationId"]}"' in page
        for name in SCHEMA["components"]["schemas"]:
            assert f'id="record-{name}"' in page

    def test_leads_to_places_that_are_there(self) -> None:
        page = write_page(SCHEMA)
        ids = re.findall(r' id="([^"]*)"', page)
        assert len(ids) == len(set(ids))
        links = set(re.findall(r'(?:href|src)="([^"]*)"', page))
        assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
        assert {link for link in links if not link.startswith("#")} == {
            "/api/docs.css",
            "/api/schema",
            "/help/api",
        }

    def test_runs_nothing_and_has_no_look_of_its_own_inside(self, client: Client) -> None:
        page = client.get("/api/docs").content.decode()
        assert not re.search(r"<script|<style| style=| on\w+=", page)
        assert "default-src 'self'" in client.get("/api/docs").headers["Content-Security-Policy"]
        assert client.get("/api/docs.css").headers["Content-Type"].startswith("text/css")

    def test_shows_words_as_words(self) -> None:
        said = {"operationId": "x", "description": "<b>&", "responses": {}}
        page = write_page({"openapi": "3", "paths": {"/api/x": {"get": said}}, "components": {"schemas": {}}})
        assert "&lt;b&gt;&amp;" in page
        assert "API tokens do not work here" in page

    def test_shows_paragraphs_and_what_is_between_backticks_as_code(self) -> None:
        fields = {"one": {"type": "string", "description": "As in `two`, 3` long."}}
        record = {"description": "A row.\n\n`one`: <first>.", "properties": fields}
        page = write_page({"openapi": "3", "paths": {}, "components": {"schemas": {"Row": record}}})
        assert "<p>A row.</p><p><code>one</code>: &lt;first&gt;.</p>" in page
        assert "As in `two`, 3` long." in page
