"""Serve the one page of the browser application, and answer addresses that do not exist."""

import re
import sys
from http import HTTPStatus
from pathlib import Path

from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from common.requests.naming import current_request_id
from common.web.http import answer_outside_views, error_body

NOT_BUILT = """<!doctype html><html lang="en"><title>Assay</title>
<h1>The pages are not built yet</h1><p>Run <code>make build</code>, then reload this page.</p></html>"""


@never_cache
def serve_application(_request: HttpRequest, folder: Path) -> HttpResponse:
    """Return the built `index.html`, or a page that says how to build it."""
    page = folder / "index.html"
    if not page.is_file():
        return HttpResponse(NOT_BUILT, status=503)
    return HttpResponse(page.read_bytes(), content_type="text/html; charset=utf-8")


def serve_no_such_address(_request: HttpRequest, **_route: str) -> JsonResponse:
    """Answer an address that does not exist in the one error shape."""
    body = error_body(kind="not_found", code="no_such_address", message="There is no such address.")
    return JsonResponse(body, status=404)


def serve_csrf_failure(_request: HttpRequest, reason: str = "") -> JsonResponse:
    """Answer a writing request without the token of its session."""
    message = "This page is out of date. Reload it and repeat what you did."
    body = error_body(kind="forbidden", code="csrf_failed", message=message, details={"reason": reason})
    return JsonResponse(body, status=403)


def serve_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django refuses before a view is asked."""
    if isinstance(exception, DisallowedHost):
        return _answer_strange_name(request)
    # Broken forms are refused too; to us all are the same.
    is_known = isinstance(exception, SuspiciousOperation)
    return _answer(request, exception if is_known else SuspiciousOperation())


def _answer_strange_name(request: HttpRequest) -> HttpResponse:
    # Not shown unless it is a name or an address: anybody can send anything.
    name = request.META.get("HTTP_HOST", "").rsplit(":", 1)[0]
    shown = name if re.fullmatch(r"[A-Za-z0-9.-]{1,255}|\[[0-9a-fA-F:.]{2,45}\]", name) else "NAME"
    message = (
        f"This server does not answer to the name {shown}. Its administrator must add the "
        f"name to ALLOWED_HOSTS and restart the server: ALLOWED_HOSTS=localhost,127.0.0.1,{shown}"
    )
    if request.path.startswith("/api/"):
        return JsonResponse(error_body(kind="invalid", code="unknown_host", message=message), status=400)
    return HttpResponse(message, status=400, content_type="text/plain; charset=utf-8")


def serve_bug(request: HttpRequest) -> HttpResponse:
    """Answer for an error outside of views: in middleware, or in a reply that cannot be written."""
    error = sys.exception()
    return _answer(request, error if isinstance(error, Exception) else RuntimeError("unknown"))


def _answer(request: HttpRequest, error: Exception) -> HttpResponse:
    reply = answer_outside_views(error)
    if request.path.startswith("/api/"):
        return reply
    said = HTTPStatus(reply.status_code).phrase
    if reply.status_code == HTTPStatus.INTERNAL_SERVER_ERROR:
        said = f"{said}. Reference: {current_request_id()}"
    return HttpResponse(said, status=reply.status_code, content_type="text/plain")
