"""Errors as they leave the server."""

import errno
import logging

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, InterfaceError, OperationalError
from django.test import Client
from rest_framework import exceptions

from common.errors import Conflict, DomainError, Forbidden, Invalid, NotFound
from common.web.http import handle_exception


class TestHandleException:
    @pytest.mark.parametrize(
        ("error", "status"), [(NotFound, 404), (Forbidden, 403), (Conflict, 409), (Invalid, 400)]
    )
    def test_maps_kinds_to_statuses(self, error: type[DomainError], status: int) -> None:
        reply = handle_exception(error("Try again.", code="try_again", details={"line": 7}), {})
        assert reply.status_code == status
        assert reply.data["error"]["code"] == "try_again"
        assert reply.data["error"]["details"] == {"line": 7}

    def test_names_the_fields_of_bad_input(self) -> None:
        reply = handle_exception(exceptions.ValidationError({"name": ["Too long."]}), {})
        assert reply.data["error"]["details"] == {"fields": {"name": ["Too long."]}}

    def test_a_bug_gets_a_reference_and_tells_nothing(self, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.CRITICAL, logger="common.web.http"):
            reply = handle_exception(IntegrityError("UNIQUE constraint failed: secret_table"), {})
        assert reply.status_code == 500
        assert "secret_table" not in str(reply.data)
        assert len(reply.data["error"]["reference"]) == 16


class TestFullDisk:
    @pytest.mark.parametrize(
        "error",
        [
            OSError(errno.ENOSPC, "No space left on device"),
            OperationalError("database or disk is full"),
            OperationalError('could not extend file "base/16384/2": No space left on device'),
        ],
    )
    def test_is_told_as_such(self, error: Exception) -> None:
        reply = handle_exception(error, {})
        assert (reply.status_code, reply.data["error"]["code"]) == (507, "disk_full")
        assert "disk is full" in reply.data["error"]["message"]


class TestDatabaseAway:
    @pytest.mark.parametrize(
        "error",
        [
            OperationalError("database is locked"),
            OperationalError("server closed the connection unexpectedly"),
            OperationalError('connection to server at "127.0.0.1", port 5432 failed: Connection refused'),
            OperationalError("terminating connection due to administrator command"),
            InterfaceError("connection already closed"),
        ],
    )
    def test_asks_to_try_again(self, error: Exception) -> None:
        reply = handle_exception(error, {})
        assert (reply.status_code, reply.data["error"]["code"]) == (503, "database_away")

    @pytest.mark.parametrize(
        "error", [OperationalError("no such table: secret_table"), IntegrityError("is locked")]
    )
    def test_is_not_said_of_a_mistake_of_ours(self, error: Exception) -> None:
        assert handle_exception(error, {}).status_code == 500


class TestStrangeName:
    @pytest.mark.parametrize("path", ["/", "/api/session"])
    def test_is_answered_with_what_to_set(self, path: str) -> None:
        reply = Client(raise_request_exception=False).get(path, HTTP_HOST="192.168.0.7:8000")
        assert reply.status_code == 400
        assert "ALLOWED_HOSTS=localhost,127.0.0.1,192.168.0.7" in reply.content.decode()

    def test_that_is_no_name_is_not_repeated(self) -> None:
        reply = Client(raise_request_exception=False).get("/", HTTP_HOST="<b>")
        assert "<b>" not in reply.content.decode()


class TestStrictTransport:
    """Browsers remember it, and nothing takes it back."""

    @pytest.mark.parametrize(
        ("asked", "told"), [({}, None), ({"SECURE_HSTS_SECONDS": 60}, "max-age=60")], ids=["no", "yes"]
    )
    def test_is_promised_only_as_asked(
        self, asked: dict[str, int], told: str | None, settings: LazySettings, db: None
    ) -> None:
        for name, value in asked.items():
            setattr(settings, name, value)
        reply = Client().get("/api/session", secure=True)
        assert (reply.status_code, reply.headers.get("Strict-Transport-Security")) == (200, told)
