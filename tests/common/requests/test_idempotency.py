"""What becomes of a request with a key: refused, broken in the middle, answered at length, or in a stream."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpResponse, StreamingHttpResponse
from rest_framework.test import APIClient

from annotation.accounts.idempotency.claims import Held
from annotation.accounts.models import IdempotencyKey
from annotation.projects.models import Project
from annotation.projects.services import making
from annotation.release import services as release
from annotation.release.models import Export
from common.requests import idempotency
from common.requests.idempotency import HEADER
from tests.conftest import ClientOf

# Its reply is kept in the transaction of its work.
WHOLE = ("/api/projects", {"name": "Another study", "preset": "openqa-eval"})
# Its work is several transactions, and its reply is kept after them.
IN_STEPS = ("/api/projects/small/exports", {"format": "votes-csv"})


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> Iterator[None]:
    settings.DATA_DIR = tmp_path
    yield
    assert [*(tmp_path / "at-work").glob("request-*")] == [], "whoever has ended is taken for dead"


@pytest.fixture
def client(project: Project, lead: Any) -> APIClient:
    made = ClientOf(lead)
    made.raise_request_exception = False
    return made


def send(client: APIClient, address: str, body: Any) -> Any:
    return client.post(address, body, format="json", headers={HEADER: "a key"})


def code_of(reply: Any) -> tuple[int, str]:
    return reply.status_code, reply.json()["error"]["code"]


def broken_after(work: Any) -> Any:
    def do(**given: Any) -> Any:
        work(**given)
        raise ZeroDivisionError

    return do


class TestFailures:
    def test_what_is_one_transaction_is_taken_back_and_may_be_repeated(
        self, client: APIClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(making, "create_project", broken_after(making.create_project))
            assert code_of(send(client, *WHOLE)) == (500, "internal")
        assert Project.objects.count() == 1
        assert not IdempotencyKey.objects.exists()
        assert send(client, *WHOLE).status_code == 201

    def test_of_anything_else_nobody_knows_how_far_it_came(
        self, client: APIClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(release, "start_export", broken_after(release.start_export))
            assert code_of(send(client, *IN_STEPS)) == (500, "internal")
        assert code_of(send(client, *IN_STEPS)) == (409, "idempotency_outcome_unknown")
        assert Export.objects.count() == 1

    def test_a_refusal_lets_the_key_go(self, client: APIClient) -> None:
        assert send(client, WHOLE[0], {"name": ""}).status_code == 400
        assert send(client, *WHOLE).status_code == 201

    @pytest.mark.parametrize("request_of", [WHOLE, IN_STEPS])
    def test_a_reply_that_cannot_be_kept_is_still_given_where_it_is_true(
        self, request_of: Any, client: APIClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def go_away(*_: Any) -> None:
            raise OperationalError("the database went away")

        with monkeypatch.context() as patch:
            patch.setattr(Held, "keep", go_away)
            first = send(client, *request_of)
        if request_of is WHOLE:
            # Nothing of it is there.
            assert first.status_code in {500, 503}
            assert Project.objects.count() == 1
            assert send(client, *request_of).status_code == 201
        else:
            assert first.status_code == 201
            assert code_of(send(client, *request_of)) == (409, "idempotency_key_running")
            assert Export.objects.count() == 1

    def test_who_was_overtaken_has_done_nothing(
        self, client: APIClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        create = making.create_project

        def dawdle(**given: Any) -> Project:
            made = create(**given)
            IdempotencyKey.objects.update(owner="somebody else")
            return made

        monkeypatch.setattr(making, "create_project", dawdle)
        assert code_of(send(client, *WHOLE)) == (409, "idempotency_key_running")
        assert Project.objects.count() == 1


class TestKept:
    def test_a_long_reply_is_not(self, client: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(idempotency, "LARGEST_REPLY_BYTES", 10)
        assert send(client, *IN_STEPS).status_code == 201
        assert code_of(send(client, *IN_STEPS)) == (409, "idempotency_reply_lost")
        assert Export.objects.count() == 1

    def test_a_stream_is_not_read(self) -> None:
        assert idempotency.kept(StreamingHttpResponse(map(pytest.fail, [b"it is read"]))).body is None

    def test_no_cookie_is(self) -> None:
        reply = HttpResponse(b"{}", "application/json", 201, headers={"Location": "/here", "X-Other": "x"})
        reply.set_cookie("sessionid", "secret")
        assert idempotency.kept(reply) == (
            201,
            {"Content-Type": "application/json", "Location": "/here"},
            b"{}",
        )
