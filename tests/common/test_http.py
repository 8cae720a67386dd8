"""Errors as they leave the server."""

import logging

import pytest
from django.db import IntegrityError
from rest_framework import exceptions

from common.errors import Conflict, DomainError, Forbidden, Invalid, NotFound
from common.http import handle_exception


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
        with caplog.at_level(logging.CRITICAL, logger="common.http"):
            reply = handle_exception(IntegrityError("UNIQUE constraint failed: secret_table"), {})
        assert reply.status_code == 500
        assert "secret_table" not in str(reply.data)
        assert len(reply.data["error"]["reference"]) == 8
