"""A request has one name: in its reply, in the log, and in the work that it starts."""

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.conf import LazySettings
from django.db import connection
from django.test import Client

from common.requests.logs import HidesTokens, JsonLines, TellsRequest
from common.requests.naming import current_request_id, named
from common.requests.peers import parse_networks
from common.tasks import enqueue_on_commit
from config.steps import sweeper
from tests.common.test_serving import Exchange, piece, scope_of

PROXY, STRANGER = "10.0.0.7", "203.0.113.9"


@pytest.fixture(autouse=True)
def _one_proxy(settings: LazySettings) -> None:
    settings.ASSAY_TRUSTED_PROXIES = parse_networks([PROXY])


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What is logged, as the console's handler would write it."""
    tells = TellsRequest()
    caplog.handler.addFilter(tells)
    yield caplog
    caplog.handler.removeFilter(tells)


def id_of(reply: Any) -> str:
    return str(reply.headers["X-Request-ID"])


def ask(path: str = "/api/no-such-address", *, peer: str = STRANGER, **headers: str) -> Any:
    return Client(raise_request_exception=False).get(path, REMOTE_ADDR=peer, headers=headers)


class TestReplies:
    def test_each_has_an_id_of_its_own(self) -> None:
        ids = {id_of(ask()), id_of(ask()), id_of(ask("/healthz-not"))}
        assert len(ids) == 3
        assert {len(each) for each in ids} == {16}

    def test_that_of_a_trusted_proxy_is_kept(self) -> None:
        assert id_of(ask(peer=PROXY, x_request_id="edge_1.Aa-2")) == "edge_1.Aa-2"

    def test_that_of_anybody_else_is_not(self) -> None:
        assert id_of(ask(peer=STRANGER, x_request_id="edge-1")) != "edge-1"

    @pytest.mark.parametrize("sent", ["", "a" * 65, "a b", "a,b", "ä", "a\n", "<b>"])
    def test_what_is_no_id_is_not_even_from_a_proxy(self, sent: str) -> None:
        reply = Client().get("/api/none", REMOTE_ADDR=PROXY, HTTP_X_REQUEST_ID=sent)
        assert len(id_of(reply)) == 16

    def test_nothing_is_left_of_it_afterward(self) -> None:
        ask()
        assert current_request_id() == ""


class TestBugs:
    def break_down(self, *_: object, **__: object) -> None:
        raise ZeroDivisionError

    def test_the_reference_is_the_id_and_stands_in_the_log(
        self, lines: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("common.help.api.HelpContentsView.get", self.break_down)
        reply = ask("/api/help")
        assert reply.json()["error"]["reference"] == id_of(reply)
        told = [vars(line)["request_id"] for line in lines.records if line.name == "common.web.http"]
        assert told == [id_of(reply)]

    def test_a_page_says_it_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("common.web.door.Door.__call__", self.break_down)
        reply = ask("/demo")
        assert reply.content.decode() == f"Internal Server Error. Reference: {id_of(reply)}"


class TestServer:
    """The web server itself refuses some requests, and Django logs once its middleware is through."""

    def test_its_refusals_have_the_id(self, settings: LazySettings) -> None:
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
        exchange = Exchange(lambda *_: [])
        exchange.ask(scope_of("/api/session", content_length="101", x_request_id="edge-1"))
        assert exchange.status == 413
        assert dict(exchange.sent[0]["headers"])[b"x-request-id"] == b"edge-1"

    def test_all_that_answers_knows_it(self) -> None:
        def answer(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
            start_response("200 OK", [])
            return [current_request_id().encode()]

        scope = scope_of("/api/session", x_request_id="edge-2")
        assert Exchange(answer).ask(scope, piece(b"")) == b"edge-2"


@pytest.mark.django_db(transaction=True)
class TestWork:
    @pytest.fixture
    def sent(self, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        monkeypatch.setattr(current_app, "send_task", lambda _name, **facts: found.append(facts))
        return found

    def test_is_sent_with_the_id(self, sent: list[dict[str, Any]]) -> None:
        with named("abc"):
            enqueue_on_commit("config.see_to", "imports")
        assert not connection.in_atomic_block
        assert [facts["headers"] for facts in sent] == [{"request_id": "abc"}]

    def test_that_nobody_asked_for_has_none(self, sent: list[dict[str, Any]]) -> None:
        enqueue_on_commit("config.see_to", "imports")
        assert "headers" not in sent[0]

    @pytest.mark.parametrize(
        ("headers", "told"),
        [({"request_id": "abc"}, "abc"), ({"request_id": "a\nb"}, "-"), ({"request_id": 7}, "-"), ({}, "-")],
    )
    def test_is_logged_with_it_and_passes_it_on(
        self,
        headers: dict[str, Any],
        told: str,
        lines: pytest.LogCaptureFixture,
        sent: list[dict[str, Any]],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def see_to_it() -> None:
            logging.getLogger("work").warning("at it")
            enqueue_on_commit("config.see_to", "imports")

        monkeypatch.setitem(sweeper.SWEPT, "imports", see_to_it)
        sweeper.see_to.apply(args=["imports"], headers=headers, throw=True)
        assert [vars(line)["request_id"] for line in lines.records if line.name == "work"] == [told]
        assert sent[0].get("headers", {}).get("request_id", "-") == told
        assert current_request_id() == ""


class TestTokens:
    @pytest.mark.django_db
    @pytest.mark.parametrize(
        "address", ["email-links/{}", "password-links/{}", "invitations/{}/accept", "invitations/{}"]
    )
    def test_of_links_are_in_no_line(self, caplog: pytest.LogCaptureFixture, address: str) -> None:
        """A page whose cookie is gone is refused with a line that names the address."""
        hides, token = HidesTokens(), "s3cret-Token_9"
        caplog.handler.addFilter(hides)
        path = f"/api/{address.format(token)}"
        Client(enforce_csrf_checks=True).post(path)
        logging.getLogger("django.request").error("Internal Server Error: %s", path)
        caplog.handler.removeFilter(hides)
        assert "/…" in caplog.text
        assert token not in caplog.text

    def test_are_hidden_where_lines_are_written(self, settings: LazySettings) -> None:
        assert "tokens" in settings.LOGGING["handlers"]["console"]["filters"]


class TestJson:
    def logged(self, lines: pytest.LogCaptureFixture, *, exc_info: bool = False) -> dict[str, str | None]:
        """Return the line that a log of JSON has of an event."""
        lines.clear()
        logging.getLogger("work").error('“%s”\n"%s"', "Zürich", "two", exc_info=exc_info)
        text = JsonLines().format(lines.records[-1])
        assert "\n" not in text
        found: dict[str, str | None] = json.loads(text)
        return found

    def test_has_what_a_line_of_text_has(self, lines: pytest.LogCaptureFixture) -> None:
        with named("5f0c9a27e1b4d836"):
            found = self.logged(lines)
        assert datetime.fromisoformat(str(found.pop("time"))).tzinfo is UTC
        assert found == {
            "level": "ERROR",
            "logger": "work",
            "request_id": "5f0c9a27e1b4d836",
            "message": '“Zürich”\n"two"',
        }
        assert self.logged(lines)["request_id"] is None

    def test_has_the_traceback_in_the_same_line(self, lines: pytest.LogCaptureFixture) -> None:
        try:
            raise ValueError("of this test")
        except ValueError:
            found = self.logged(lines, exc_info=True)
        assert str(found["traceback"]).endswith("ValueError: of this test")

    @pytest.mark.parametrize(("said", "first"), [("json", "{"), ("text", "2")])
    def test_is_what_the_setting_asks_for(self, said: str, first: str, tmp_path: Path) -> None:
        code = "import django, logging; django.setup(); logging.getLogger('work').error('x')"
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={
                "PATH": os.environ["PATH"],
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "ASSAY_DATA": str(tmp_path),
                "ASSAY_LOG_FORMAT": said,
            },
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr.startswith(first)
        assert len(done.stderr.splitlines()) == 1
