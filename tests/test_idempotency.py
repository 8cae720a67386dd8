"""A request that is sent again with its idempotency key is carried out once: over all that take one."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.datastructures import MultiValueDict
from rest_framework.parsers import MultiPartParser

from annotation.accounts.models import IdempotencyKey, User
from annotation.items.models import DataImport
from annotation.projects.models import Project
from common.requests.idempotency import HEADER, digest_of
from common.web.replies import TAKES_KEY
from tests.conftest import ClientOf
from tests.factories import make_user
from tests.requests_from_schema import Operation, operations
from tests.usual import NOT_ACCEPTED, usual_of
from tests.world import World, make_world

POSTS = [each for each in operations() if each.method == "POST"]
KEYED = [each for each in POSTS if vars(each.route.view.post)[TAKES_KEY]]
WITH_FILES = {"POST /api/bundles", "POST /api/projects/<slug:slug>/imports"}
ACCEPTED = [each for each in KEYED if each.name not in NOT_ACCEPTED]
IMPORTS = "/api/projects/own/imports"
KEY = "0b9f6c8e-4b6c-4f0e-8f5c-2d7c9d8f1a11"

_CHANGES_NOTHING = "changes nothing"
_OWN_KEY = "has a key of its own in the body, or finds by its body that it was carried out"
_OF_AN_ACCOUNT = "creates nothing, and its sender may be nobody yet"
_AGAIN = "asks for a password or a code, and can be done again; its reply is a secret that is stored nowhere"
TAKE_NONE = {
    "/api/session": _OF_AN_ACCOUNT,
    "/api/account/close": _OF_AN_ACCOUNT,
    "/api/account/password": _OF_AN_ACCOUNT,
    "/api/account/two-factor": _AGAIN,
    "/api/account/two-factor/turn-on": _AGAIN,
    "/api/account/two-factor/turn-off": _AGAIN,
    "/api/account/two-factor/recovery-codes": _AGAIN,
    "/api/account/sso": _AGAIN,
    "/api/account/sso/disconnect": _OF_AN_ACCOUNT,
    "/api/sso/begin": _OF_AN_ACCOUNT,
    "/api/sso/code": _OF_AN_ACCOUNT,
    "/api/password-links/<str:token>": _OF_AN_ACCOUNT,
    "/api/password-requests": _OF_AN_ACCOUNT,
    "/api/email-links/<str:token>": _OF_AN_ACCOUNT,
    "/api/unsubscribe/<str:token>": _OF_AN_ACCOUNT,
    "/api/invitations/<str:token>/accept": _OF_AN_ACCOUNT,
    "/api/projects/<slug:slug>/protocol/guidelines-preview": _CHANGES_NOTHING,
    "/api/projects/<slug:slug>/protocol/foresee": _CHANGES_NOTHING,
    "/api/projects/<slug:slug>/gold/proposals/preview": _CHANGES_NOTHING,
    "/api/projects/<slug:slug>/prejudging/preview": _CHANGES_NOTHING,
    "/api/projects/<slug:slug>/prompts/preview": _CHANGES_NOTHING,
    "/api/projects/<slug:slug>/runs/estimate": _CHANGES_NOTHING,
    "/api/projects/<slug:slug>/tagging/preview": _CHANGES_NOTHING,
    "/api/projects/<slug:slug>/guidelines": _OWN_KEY,
    "/api/projects/<slug:slug>/sheets/next": _OWN_KEY,
    "/api/projects/<slug:slug>/sheets/undo": _OWN_KEY,
    "/api/projects/<slug:slug>/sheets/<str:sheet_id>/submit": _OWN_KEY,
    "/api/projects/<slug:slug>/sheets/<str:sheet_id>/skip": _OWN_KEY,
    "/api/projects/<slug:slug>/judged/<str:sheet_id>/answers/<str:answer_id>/edit": _OWN_KEY,
}


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA_DIR = tmp_path
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1:9"]


def sender_of(operation: Operation, world: World) -> User:
    view = operation.route.view
    roles: Any = getattr(view, "write_roles", None) or getattr(view, "allowed_roles", {"lead"})
    return world.cast["lead" if "lead" in roles else str(min(roles))].user


def client_of(user: User) -> ClientOf:
    client = ClientOf(user)
    client.raise_request_exception = False
    return client


def send(client: ClientOf, address: str, body: Any, *, key: str | None = KEY) -> Any:
    headers = {} if key is None else {HEADER: key}
    return client.post(address, json.dumps(body), content_type="application/json", headers=headers)


def prepared(operation: Operation, world: World) -> tuple[str, Any]:
    usual = usual_of(operation.name, world)
    return operation.address({**world.ids, **usual.ids}, slug="own"), operation.body(usual.fields)


def everything() -> dict[str, list[Any]]:
    """Return all rows of all our tables but the keys themselves."""
    models = [
        model for label in ("annotation", "judges") for model in apps.get_app_config(label).get_models()
    ]
    return {
        model.__name__: list(model._base_manager.order_by("pk").values_list())
        for model in models
        if model is not IdempotencyKey
    }


@contextmanager
def nothing_changes() -> Iterator[None]:
    before = everything()
    yield
    after = everything()
    assert {name: rows for name, rows in after.items() if rows != before[name]} == {}


class TestDeclarations:
    def test_only_a_closed_list_takes_no_key(self) -> None:
        taking = {each.route.template for each in KEYED}
        assert {each.route.template for each in POSTS} - taking == set(TAKE_NONE)

    def test_every_post_that_creates_takes_one(self) -> None:
        creating = {each.name for each in POSTS if {"201", "202"} & set(each.described["responses"])}
        assert len(creating) > 20
        assert creating <= {each.name for each in KEYED}

    @pytest.mark.parametrize("operation", operations(), ids=lambda each: each.name)
    def test_the_schema_says_who_takes_one(self, operation: Operation) -> None:
        found = [each for each in operation.described.get("parameters", []) if each["name"] == HEADER]
        if operation.name not in {each.name for each in KEYED}:
            assert found == []
            return
        (header,) = found
        assert (header["in"], header.get("required", False)) == ("header", False)
        assert {"409", "422", "429"} <= set(operation.described["responses"])

    @pytest.mark.parametrize("operation", operations(), ids=lambda each: each.name)
    def test_the_schema_says_which_replies_may_be_sent_again(self, operation: Operation) -> None:
        replayed = {
            status
            for status, reply in operation.described["responses"].items()
            if "Idempotent-Replayed" in reply.get("headers", ())
        }
        done = {status for status in operation.described["responses"] if status < "300"}
        assert replayed == (done if operation.name in {each.name for each in KEYED} else set())


class TestRepeats:
    @pytest.mark.parametrize("operation", ACCEPTED, ids=lambda each: each.name)
    def test_the_same_is_carried_out_once(self, operation: Operation, world: World) -> None:
        address, body = prepared(operation, world)
        client = client_of(sender_of(operation, world))
        first = send(client, address, body)
        assert 200 <= first.status_code < 300, first.content
        assert "Idempotent-Replayed" not in first.headers
        with nothing_changes():
            again = send(client, address, body)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert again.headers.get("Content-Type") == first.headers.get("Content-Type")
        with nothing_changes():
            other = send(client, address, [body, "other"])
        assert other.status_code == 422
        assert other.json()["error"]["code"] == "idempotency_key_reused"

    @pytest.mark.parametrize("operation", KEYED, ids=lambda each: each.name)
    def test_a_refusal_is_not_kept(self, operation: Operation, world: World) -> None:
        address, _ = prepared(operation, world)
        client = client_of(sender_of(operation, world))
        refused = send(client, address, ["no", "such", "body"])
        kept = IdempotencyKey.objects.exclude(finished_at=None).count()
        assert kept == (refused.status_code < 300)
        assert IdempotencyKey.objects.count() == kept
        if refused.status_code >= 400:
            assert send(client, address, ["no", "such", "body", "either"]).status_code != 422

    def test_a_key_is_the_sender_s_and_the_address_s(self, world: World) -> None:
        lead = client_of(world.cast["lead"].user)
        stranger = client_of(make_user(username="stranger"))
        first = send(lead, "/api/projects", {"name": "Mine", "preset": "openqa-eval"})
        other = send(stranger, "/api/projects", {"name": "Another", "preset": "openqa-eval"})
        elsewhere = send(lead, "/api/projects/own/copy", {"name": "A copy"})
        assert [first.status_code, other.status_code, elsewhere.status_code] == [201, 201, 201]
        assert not any("Idempotent-Replayed" in reply.headers for reply in (first, other, elsewhere))
        assert b"Mine" not in other.content
        assert IdempotencyKey.objects.count() == 3

    def test_without_a_key_nothing_is_asked_or_kept(self, world: World) -> None:
        client = client_of(world.cast["lead"].user)
        with CaptureQueriesContext(connection) as queries:
            for _ in range(2):
                assert send(client, "/api/projects/own/invitations", {}, key=None)
        table = IdempotencyKey._meta.db_table
        assert not any(table in query["sql"] for query in queries)

    def test_who_may_not_any_more_gets_nothing(self, world: World) -> None:
        member = world.cast["lead"]
        make = {"role": "annotator"}
        client = client_of(member.user)
        assert send(client, "/api/projects/own/invitations", make).status_code == 201
        type(member).objects.filter(pk=member.pk).update(role="annotator")
        again = send(client, "/api/projects/own/invitations", make)
        assert again.json()["error"]["code"] == "wrong_role"

    @pytest.mark.parametrize("key", ["", " ", "x" * 256, "sch\u00f6n", "tab\tbed"])
    def test_what_is_no_key_is_refused(self, key: str, world: World) -> None:
        client = client_of(world.cast["lead"].user)
        with nothing_changes():
            reply = send(client, "/api/projects/own/invitations", {"role": "lead"}, key=key)
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "idempotency_key_invalid")
        assert not IdempotencyKey.objects.exists()


class TestSecrets:
    SHOWING = (
        ("/api/projects/own/invitations", {"role": "annotator"}, "url_path"),
        (
            "/api/projects/own/webhooks",
            {"url": "https://127.0.0.1:9/x", "events": ["run.finished"]},
            "secret",
        ),
    )

    @pytest.mark.parametrize(("address", "body", "field"), SHOWING)
    def test_a_secret_is_told_again_and_stored_nowhere(
        self, address: str, body: Any, field: str, world: World
    ) -> None:
        client = client_of(world.cast["lead"].user)
        secret = send(client, address, body).json()[field]
        stored = json.dumps(list(IdempotencyKey.objects.values()), default=str)
        assert secret.rpartition("/")[2] not in stored
        assert KEY not in stored
        assert send(client, address, body).json()[field] == secret


class TestUploads:
    def upload(self, client: ClientOf, *, name: str = "a.jsonl", content: bytes = b"", **form: str) -> Any:
        row = b'{"question": "q", "answer": "a", "system": "s", "prediction": "p"}\n'
        file = SimpleUploadedFile(name, content or row)
        return client.post(IMPORTS, {"files": file, **form}, format="multipart", headers={HEADER: KEY})

    def test_the_same_files_are_taken_in_once(self, world: World) -> None:
        client = client_of(world.cast["lead"].user)
        before = DataImport.objects.count()
        first = self.upload(client)
        assert first.status_code == 201
        with nothing_changes():
            again = self.upload(client)
        assert again.headers["Idempotent-Replayed"] == "true"
        assert again.content == first.content
        assert DataImport.objects.count() == before + 1

    def test_what_stands_between_the_parts_does_not_count(self, world: World) -> None:
        client = client_of(world.cast["lead"].user)
        replies = []
        for between in ("one", "two"):
            body = (
                f'--{between}\r\nContent-Disposition: form-data; name="files"; filename="a.jsonl"\r\n\r\n'
                f'{{"question": "q", "answer": "a", "prediction": "p"}}\r\n--{between}--\r\n'
            )
            kind = f"multipart/form-data; boundary={between}"
            replies.append(
                client.generic("POST", IMPORTS, body.encode(), content_type=kind, headers={HEADER: KEY})
            )
        assert replies[0].status_code == 201
        assert replies[1].headers["Idempotent-Replayed"] == "true"

    def test_a_large_one_is_hashed_in_pieces(self) -> None:
        sizes: list[int] = []

        class Counted(TemporaryUploadedFile):
            def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
                for piece in super().chunks(chunk_size):
                    sizes.append(len(piece))
                    yield piece

        file = Counted("large.jsonl", "text/plain", 1_000_000, None)
        file.write(b"x" * 1_000_000)
        request: Any = SimpleNamespace(
            META={}, content_type="multipart/form-data", data=MultiValueDict({"files": [file]})
        )
        view: Any = SimpleNamespace(parser_classes=[MultiPartParser])
        assert digest_of(view, request) == digest_of(view, request)
        assert sum(sizes) == 2_000_000
        assert max(sizes) <= 65_536
        assert file.tell() == 0

    @pytest.mark.parametrize(
        "other", [{"name": "b.jsonl"}, {"content": b"{}\n"}, {"format": "generic"}, {"options": "{}"}]
    )
    def test_others_are_another_request(self, other: Any, world: World) -> None:
        client = client_of(world.cast["lead"].user)
        self.upload(client)
        with nothing_changes():
            assert self.upload(client, **other).status_code == 422

    def test_a_bundle_is_restored_once(self, world: World, tmp_path: Any) -> None:
        from tests.judges.bundles.factories import write

        client = client_of(world.cast["lead"].user)
        content = write(world.project, tmp_path / "bundle").read_bytes()
        replies = [
            client.post(
                "/api/bundles",
                {"file": SimpleUploadedFile("bundle.zip", content)},
                format="multipart",
                headers={HEADER: KEY},
            )
            for _ in range(2)
        ]
        assert [reply.status_code for reply in replies] == [201, 201]
        assert replies[0].content == replies[1].content
        assert Project.objects.count() == 2


class TestAnnotators:
    def test_what_one_sent_is_told_to_nobody_else(self, world: World) -> None:
        """Both have a sheet of their own; the same address with a sheet of somebody else's is not found."""
        other = make_world(slug="foreign")
        address = f"/api/projects/own/sheets/{world.ids['sheets']}/flags"
        body = {"kind": "unclear", "note": "what I think of it"}
        assert send(client_of(world.cast["annotator"].user), address, body).status_code == 201
        for member in (world.cast["colleague"], other.cast["annotator"]):
            reply = send(client_of(member.user), address, body)
            assert reply.status_code == 404
            assert "Idempotent-Replayed" not in reply.headers
