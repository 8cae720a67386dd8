"""Serve the one page of the browser application."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

NOT_BUILT = """<!doctype html><html lang="en"><title>Assay</title>
<h1>The pages are not built yet</h1><p>Run <code>make build</code>, then load this page again.</p></html>"""


@never_cache
def serve_application(request: HttpRequest, folder: Path) -> HttpResponse:
    """Return the built `index.html`, or a page that says how to build it."""
    page = folder / "index.html"
    if not page.is_file():
        return HttpResponse(NOT_BUILT, status=503)
    return HttpResponse(page.read_bytes(), content_type="text/html; charset=utf-8")
