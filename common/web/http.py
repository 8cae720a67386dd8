"""Errors become replies."""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.http import Http404, JsonResponse
from rest_framework import exceptions, serializers
from rest_framework.response import Response

from common.errors import DomainError
from common.requests.naming import current_request_id, new_request_id
from common.web.starting import is_database_away, is_disk_full

logger = logging.getLogger(__name__)

STATUS_BY_KIND = {
    "not_found": 404,
    "unauthenticated": 401,
    "forbidden": 403,
    "conflict": 409,
    "invalid": 400,
    "unprocessable": 422,
    "too_large": 413,
    "too_many": 429,
}


class ErrorDetailSerializer(serializers.Serializer[Any]):
    """The details of an error: a stable code for programs and a message for people."""

    kind = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.DictField()
    reference = serializers.CharField(required=False)


class ErrorSerializer(serializers.Serializer[Any]):
    """The format of every error reply."""

    error = ErrorDetailSerializer()


def error_body(
    *, kind: str, code: str, message: str, details: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the one shape in which errors leave the server."""
    return {"error": {"kind": kind, "code": code, "message": message, "details": details or {}}}


def shown(key: str) -> str:
    """Return a key as it can be sent and read, whatever is in it."""
    return key[:100].encode(errors="backslashreplace").decode().replace("\0", "\\0")


def handle_exception(error: Exception, _context: dict[str, Any]) -> Response:
    """Turn any exception of a view into the one body shape; bugs get a reference number, never a text."""
    if isinstance(error, DomainError):
        return _domain_response(error)
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    if isinstance(error, exceptions.APIException):
        return _framework_response(error)
    if isinstance(error, SuspiciousOperation):
        return _refused_response(error)
    if is_disk_full(error):
        return _full_response(error)
    if is_database_away(error):
        return _away_response(error)
    return _bug_response(error)


def answer_outside_views(error: Exception) -> JsonResponse:
    """Return what `handle_exception` would say to an error that no view of ours met, as a bug in a reply."""
    reply = handle_exception(error, {})
    return JsonResponse(reply.data, status=reply.status_code)


def _domain_response(error: DomainError) -> Response:
    body = error_body(kind=error.kind, code=error.error_code, message=error.message, details=error.details)
    reply = Response(body, status=STATUS_BY_KIND[error.kind])
    if error.kind == "unauthenticated":
        # Nothing but a token that was sent is refused so: a session that is over is nobody's.
        reply.headers["WWW-Authenticate"] = 'Bearer realm="Assay"'
    return reply


def _framework_response(error: exceptions.APIException) -> Response:
    if isinstance(error, exceptions.ValidationError):
        body = error_body(
            kind="invalid",
            code="invalid_input",
            message="Some fields are not valid. Correct them and try again.",
            details={"fields": error.detail},
        )
    else:
        kind = {403: "forbidden", 404: "not_found"}.get(error.status_code, "invalid")
        body = error_body(kind=kind, code=str(error.default_code), message=str(error.detail))
    return Response(body, status=error.status_code)


def _refused_response(error: SuspiciousOperation) -> Response:
    """Say what is too much of it; anything else that Django finds suspicious is told nothing more."""
    if isinstance(error, RequestDataTooBig):
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        message = f"The request is too large; at most {limit:,} bytes are allowed."
        code, status = "too_large", 413
    elif isinstance(error, TooManyFilesSent):
        limit = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        code, message, status = "too_many_files", f"Send at most {limit} files at once.", 413
    else:
        code, message, status = "bad_request", "The request cannot be read.", 400
    return Response(error_body(kind="invalid", code=code, message=message), status=status)


def _full_response(error: Exception) -> Response:
    logger.error("disk full: %s", error)
    message = (
        "The server’s disk is full, and nothing was saved. Tell the administrator of this "
        "server, then try again."
    )
    return Response(error_body(kind="unavailable", code="disk_full", message=message), status=507)


def _away_response(error: Exception) -> Response:
    logger.error("database unavailable: %s", error)
    message = "The database is not responding. Try again in a moment."
    return Response(error_body(kind="unavailable", code="database_away", message=message), status=503)


def _bug_response(error: Exception) -> Response:
    reference = current_request_id() or new_request_id()
    logger.error("bug %s", reference, exc_info=error)
    body = error_body(
        kind="bug",
        code="internal",
        message=f"Something went wrong on the server. Nothing was changed. Reference: {reference}",
    )
    body["error"]["reference"] = reference
    return Response(body, status=500)
