"""What comes in is checked once, before anything reads it."""

import json
from typing import Any

import pytest
from django.conf import LazySettings
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.response import Response
from rest_framework.test import APIClient

from annotation.accounts.api import SessionView
from annotation.accounts.models import User
from annotation.items.models import DataImport
from annotation.projects.models import Project
from annotation.projects.rules import PROGRAMS_WORDS, RESERVED_SLUGS
from common.web.door import DEEPEST, SessionStore, read_json
from tests.conftest import ClientOf
from tests.routes import api_routes
from tests.world import make_world

HALF_AN_EMOJI = '"\\ud83d"'
REFUSED = {
    "half an emoji": (HALF_AN_EMOJI, "half of a character (unpaired surrogate U+D83D)"),
    "a null character": ('"a\\u0000b"', "Null characters"),
    "infinity": ("Infinity", "not a number, or it is too large"),
    "no number": ("NaN", "not a number, or it is too large"),
    "a huge power": ("-1e999", "not a number, or it is too large"),
    "almost zero": ("1e-310", "too close to zero"),
    "many digits": ("9" * 5_000, "too large"),
    "twenty digits": ("-" + "9" * 19, "too large"),
}


class TestSessionStore:
    def test_asks_for_no_key_that_a_database_cannot_hold(self) -> None:
        # As a cookie says it, '"\\000aaaaaaaa"'. A test without a database fails where one is asked.
        store = SessionStore("\0" + "a" * 8)
        assert store.load() == {}
        assert store.session_key is None


class TestReadJson:
    @pytest.mark.parametrize(("text", "complaint"), REFUSED.values(), ids=REFUSED)
    def test_refuses_what_nothing_can_hold_and_names_the_place(self, text: str, complaint: str) -> None:
        with pytest.raises(ValidationError) as caught:
            read_json(f'{{"name": "fine", "checks": [{{}}, {{"label": {text}}}]}}')
        assert isinstance(caught.value.detail, dict)
        (said,) = caught.value.detail["checks"]
        assert said.startswith("checks[1].label: ")
        assert complaint in said

    @pytest.mark.parametrize("text", [REFUSED["half an emoji"][0], REFUSED["a null character"][0]])
    def test_refuses_it_in_keys_in_words_that_can_be_sent(self, text: str) -> None:
        with pytest.raises(ValidationError) as caught:
            read_json(f'{{"options": {{{text}: 1}}}}')
        json.dumps(caught.value.detail, ensure_ascii=False).encode()

    @pytest.mark.parametrize("text", [HALF_AN_EMOJI, f"[{HALF_AN_EMOJI}]"])
    def test_refuses_it_where_no_field_is(self, text: str) -> None:
        with pytest.raises(ValidationError, match="half of a character"):
            read_json(text)

    @pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
    def test_refuses_nesting_that_readers_would_fall_into(self, opening: str) -> None:
        with pytest.raises((ParseError, ValidationError), match=r"deep|not JSON"):
            read_json(opening * 100_000)

    def test_refuses_nesting_that_json_itself_can_read(self) -> None:
        with pytest.raises(ValidationError, match=f"more than {DEEPEST} levels deep"):
            read_json("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1))

    @pytest.mark.parametrize("text", ["", "{", "{'a': 1}", '{"a": 1} x', "\ufeff{}"])
    def test_refuses_what_is_no_json(self, text: str) -> None:
        with pytest.raises(ParseError, match="not JSON"):
            read_json(text)

    def test_takes_whole_emoji_all_planes_and_any_ordinary_number(self) -> None:
        body: dict[str, Any] = {
            "text": "🙂 𝔘 \u200b\t\n",
            "numbers": [0, -0.0, 0.1, 2**53 - 1, -1e300, None, True],
            "": [[]],
        }
        assert read_json(json.dumps(body)) == body
        assert read_json(json.dumps(body, ensure_ascii=False)) == body


@pytest.fixture
def told(db: None) -> APIClient:
    client = APIClient()
    client.raise_request_exception = False
    return client


def error_of(reply: Any) -> dict[str, Any]:
    error: dict[str, Any] = reply.json()["error"]
    assert {"kind", "code", "message", "details"} <= set(error)
    return error


class TestAddresses:
    @pytest.mark.parametrize("path", ["/api/password-links/%00.x", "/api/projects/a%00b", "/api/%00"])
    def test_a_null_character_names_nothing(self, told: APIClient, path: str) -> None:
        assert error_of(told.get(path))["code"] == "no_such_address"

    @pytest.mark.parametrize("query", ["slug=%00", "%00=1"])
    def test_a_null_character_in_a_parameter_is_bad_input(self, told: APIClient, query: str) -> None:
        reply = told.get(f"/api/session?{query}")
        assert (reply.status_code, "null character" in error_of(reply)["message"]) == (400, True)

    def test_too_many_parameters_are_refused(self, told: APIClient) -> None:
        reply = told.get("/api/session?" + "&".join(f"a{number}=1" for number in range(1_100)))
        assert (reply.status_code, error_of(reply)["code"]) == (400, "too_many_parameters")

    @pytest.mark.parametrize(
        "path", ["/metrics", "/admin/", "/healthy.txt", "/robots.txt", "/openapi.json", "/.env", "/a/b.php"]
    )
    def test_what_programs_look_for_is_not_there(self, client: Client, path: str) -> None:
        reply = client.get(path)
        assert (reply.status_code, error_of(reply)["code"]) == (404, "no_such_address")

    @pytest.mark.parametrize(
        "path", ["/", "/small/work", "/password/abc.def-123", "/join/x.y", "/metrics/work"]
    )
    def test_pages_are(self, client: Client, path: str) -> None:
        assert client.get(path).headers["Content-Type"].startswith("text/html")

    def test_no_new_project_hides_behind_what_programs_look_for(self) -> None:
        assert PROGRAMS_WORDS <= RESERVED_SLUGS


class TestBodies:
    def test_an_outsiders_form_is_not_read(self, db: None) -> None:
        browser = APIClient(enforce_csrf_checks=True)
        browser.get("/api/session")
        file = SimpleUploadedFile("a.bin", b"x" * 10_000)
        reply = browser.post("/api/session", {"file": file}, format="multipart")
        assert error_of(reply)["code"] == "csrf_failed"
        assert not reply.wsgi_request._read_started  # type: ignore[attr-defined]

    def test_forms_are_taken_where_files_are_and_nowhere_else(self, told: APIClient) -> None:
        assert told.post("/api/session", {"username": "x"}, format="multipart").status_code == 415

    def test_the_token_is_taken_from_the_header_and_not_from_a_form(self, lead: User) -> None:
        browser = APIClient(enforce_csrf_checks=True)
        token = browser.get("/api/session").json()["csrf_token"]
        form = browser.post("/api/session", {"csrfmiddlewaretoken": token}, format="multipart")
        assert error_of(form)["code"] == "csrf_failed"
        header = browser.post("/api/session", {}, format="json", headers={"X-CSRFToken": token})
        assert error_of(header)["code"] == "invalid_input"

    def test_what_is_too_large_is_not_read(self, told: APIClient, settings: LazySettings) -> None:
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
        reply = told.post("/api/session", {"username": "x" * 100}, format="json")
        assert (reply.status_code, error_of(reply)["code"]) == (413, "too_large")
        assert not reply.wsgi_request._read_started  # type: ignore[attr-defined]

    def test_an_upload_may_be_larger_up_to_its_own_limit(
        self, project: Project, lead: User, settings: LazySettings
    ) -> None:
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.ASSAY_UPLOAD_MAX_BYTES = 1_500_000, 1_000_000
        replies = [
            ClientOf(lead).post(
                "/api/projects/small/imports",
                {"files": SimpleUploadedFile("a.jsonl", b" " * size)},
                format="multipart",
            )
            for size in (1_900_000, 2_100_000)
        ]
        assert [reply.status_code for reply in replies] == [400, 413]

    def test_more_files_than_may_be_are_refused(self, project: Project, lead: User) -> None:
        files = [SimpleUploadedFile(f"{number}.jsonl", b"{}") for number in range(101)]
        reply = ClientOf(lead).post("/api/projects/small/imports", {"files": files}, format="multipart")
        assert (reply.status_code, error_of(reply)["code"]) == (413, "too_many_files")

    @pytest.mark.parametrize("options", [f'{{"system": {HALF_AN_EMOJI}}}', '{"system": 1e999}', "[" * 9_000])
    def test_options_beside_files_are_read_as_bodies_are(
        self, project: Project, lead: User, options: str
    ) -> None:
        form = {"files": SimpleUploadedFile("a.jsonl", b"{}"), "options": options}
        reply = ClientOf(lead).post("/api/projects/small/imports", form, format="multipart")
        assert (reply.status_code, error_of(reply)["kind"]) == (400, "invalid")

    @pytest.mark.parametrize("charset", ["utf-16", "rot13", "zlib", "nonsense"])
    def test_bodies_are_utf_8(self, told: APIClient, charset: str) -> None:
        kind = f"application/json; charset={charset}"
        assert told.generic("POST", "/api/session", "{}", content_type=kind).status_code in {400, 415}


class TestReplies:
    @pytest.mark.parametrize("path", ["/api/session", "/api/projects", "/api/nothing", "/api/session?x=%00"])
    def test_nobody_keeps_them(self, told: APIClient, path: str) -> None:
        assert told.get(path).headers["Cache-Control"] == "no-store"

    def test_half_an_emoji_stored_before_the_door_was_there_is_sent_all_the_same(
        self, told: APIClient, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(SessionView, "get", lambda *_: Response({"user": "\ud83d"}))
        reply = told.get("/api/session")
        assert (reply.status_code, reply.content) == (200, b'{"user":"\\ud83d"}')

    @pytest.mark.parametrize("value", [float("inf"), float("nan")])
    def test_one_that_cannot_be_written_is_an_error_in_json(
        self, told: APIClient, lead: User, value: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(SessionView, "get", lambda *_: Response({"user": value}))
        reply = told.get("/api/session")
        assert (reply.status_code, error_of(reply)["code"]) == (500, "internal")
        assert len(error_of(reply)["reference"]) == 16


@pytest.mark.skipif(
    "postgresql" in django_settings.DATABASES["default"]["ENGINE"], reason="PostgreSQL never stored it"
)
class TestBrokenStudies:
    """What an older version stored on SQLite: half an emoji in the guidelines, and in an import's options."""

    def test_are_read(self, db: None) -> None:
        world = make_world(slug="broken")
        version = world.project.protocol
        version.spec["guidelines"] = "Read \ud83d first"
        version.save(update_fields=["spec"])
        DataImport.objects.filter(project=world.project).update(options={"system": "\ud800"})
        for route in api_routes():
            if route.is_of_a_project and "GET" in route.methods:
                for role in ("lead", "annotator"):
                    reader = ClientOf(world.cast[role].user)
                    reader.raise_request_exception = False
                    reply = reader.get(route.address(slug="broken", ids=world.ids))
                    assert reply.status_code < 500, route.name
