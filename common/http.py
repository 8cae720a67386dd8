"""Translate domain errors into HTTP, in one body shape."""

import logging
import secrets
from typing import Any

from django.http import Http404
from rest_framework import exceptions, serializers
from rest_framework.response import Response

from common.errors import DomainError

logger = logging.getLogger(__name__)

STATUS_BY_KIND = {"not_found": 404, "forbidden": 403, "conflict": 409, "invalid": 400}


class ErrorDetailSerializer(serializers.Serializer[Any]):
    """What an error tells: a stable code for programs, a sentence for people."""

    kind = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.DictField()
    reference = serializers.CharField(required=False)


class ErrorSerializer(serializers.Serializer[Any]):
    """The one body shape of every error."""

    error = ErrorDetailSerializer()


def error_body(
    *, kind: str, code: str, message: str, details: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the one shape in which errors leave the server."""
    return {"error": {"kind": kind, "code": code, "message": message, "details": details or {}}}


def handle_exception(error: Exception, _context: dict[str, Any]) -> Response:
    """Turn any exception of a view into the one body shape; bugs get a reference number, never a text."""
    if isinstance(error, DomainError):
        return _domain_response(error)
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    if isinstance(error, exceptions.APIException):
        return _framework_response(error)
    return _bug_response(error)


def _domain_response(error: DomainError) -> Response:
    body = error_body(kind=error.kind, code=error.error_code, message=error.message, details=error.details)
    return Response(body, status=STATUS_BY_KIND[error.kind])


def _framework_response(error: exceptions.APIException) -> Response:
    if isinstance(error, exceptions.ValidationError):
        body = error_body(
            kind="invalid",
            code="invalid_input",
            message="Some of the input is not right; see the fields.",
            details={"fields": error.detail},
        )
    else:
        kind = {401: "forbidden", 403: "forbidden", 404: "not_found"}.get(error.status_code, "invalid")
        body = error_body(kind=kind, code=str(error.default_code), message=str(error.detail))
    return Response(body, status=error.status_code)


def _bug_response(error: Exception) -> Response:
    reference = secrets.token_hex(4)
    logger.error("bug %s", reference, exc_info=error)
    body = error_body(
        kind="bug",
        code="internal",
        message=f"Something went wrong on our side. Nothing was changed. Reference: {reference}",
    )
    body["error"]["reference"] = reference
    return Response(body, status=500)
