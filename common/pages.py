"""Serve the one page of the browser application, and answer addresses that do not exist."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache

from common.http import error_body

NOT_BUILT = """<!doctype html><html lang="en"><title>Assay</title>
<h1>The pages are not built yet</h1><p>Run <code>make build</code>, then load this page again.</p></html>"""


@never_cache
def serve_application(_request: HttpRequest, folder: Path) -> HttpResponse:
    """Return the built `index.html`, or a page that says how to build it."""
    page = folder / "index.html"
    if not page.is_file():
        return HttpResponse(NOT_BUILT, status=503)
    return HttpResponse(page.read_bytes(), content_type="text/html; charset=utf-8")


def serve_no_such_address(_request: HttpRequest, **_route: str) -> JsonResponse:
    """Answer an address below `/api/` that does not exist in the one error shape."""
    body = error_body(kind="not_found", code="no_such_address", message="There is no such address.")
    return JsonResponse(body, status=404)


def serve_csrf_failure(_request: HttpRequest, reason: str = "") -> JsonResponse:
    """Answer a writing request without the token of its session."""
    message = "This page is out of date. Load it again and repeat what you did."
    body = error_body(kind="forbidden", code="csrf_failed", message=message, details={"reason": reason})
    return JsonResponse(body, status=403)
