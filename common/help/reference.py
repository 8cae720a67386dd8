"""The API's schema as it is served, and the same as a page to read: made from one file, without a script."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import condition, require_safe

# Written by `tools/schema.py`; making it takes seconds, which no request has.
SCHEMA_FILE = Path(settings.BASE_DIR) / "frontend" / "src" / "api" / "schema.json"
TITLE = "Assay API"
STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, summary { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: 0.25rem 0.5rem; text-align: start; vertical-align: top; }
summary { padding: 0.25rem 0; cursor: pointer; }
details > :not(summary) { margin-inline-start: 1rem; }
nav { columns: 12rem; }
:root { color-scheme: light dark; }
"""


class Made(NamedTuple):
    """What is sent."""

    schema: bytes
    page: bytes


@cache
def _made() -> Made:
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    sent = json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()
    return Made(sent, write_page(schema).encode())


@cache
def _etag_of(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def _answer(content: bytes | str, content_type: str) -> HttpResponse:
    return HttpResponse(content, content_type=content_type, headers={"Cache-Control": "no-cache"})


@require_safe
@condition(etag_func=lambda _request: _etag_of(_made().schema))
def serve_schema(_request: HttpRequest) -> HttpResponse:
    """Send the OpenAPI schema, which has no secrets, to anybody."""
    return _answer(_made().schema, "application/vnd.oai.openapi+json")


@require_safe
@condition(etag_func=lambda _request: _etag_of(_made().page))
def serve_page(_request: HttpRequest) -> HttpResponse:
    """Send the page."""
    return _answer(_made().page, "text/html; charset=utf-8")


@require_safe
def serve_style(_request: HttpRequest) -> HttpResponse:
    """Send what the page looks like: its own address, as the content policy takes none inside a page."""
    return _answer(STYLE, "text/css; charset=utf-8")


def write_page(schema: Mapping[str, Any]) -> str:
    """Return the schema as one HTML page: operations by subject, then the records they take and give."""
    by_subject: dict[str, list[SafeString]] = defaultdict(list)
    for path, methods in sorted(schema["paths"].items()):
        for method, said in methods.items():
            by_subject[_subject_of(path)].append(_operation(method.upper(), path, said))
    subjects = sorted(by_subject)
    records = schema["components"]["schemas"]
    errors = schema["components"].get("responses", {})
    return format_html(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width">'
        '<link rel="stylesheet" href="/api/docs.css"></head>'
        '<body><h1>{title}</h1><p>How to sign in, and what errors mean: <a href="/help/api">The API</a>. '
        'For programs: <a href="/api/schema">OpenAPI {version} as JSON</a>.</p>'
        "<nav>{links}</nav>{operations}<h2>Errors</h2>{errors}<h2>Records</h2>{records}</body></html>",
        title=TITLE,
        version=schema["openapi"],
        links=_joined('<a href="#subject-{}">{}</a><br>', ((each, each) for each in subjects)),
        operations=_joined(
            '<section><h2 id="subject-{}">{}</h2>{}</section>',
            ((each, each, _joined("{}", ((part,) for part in by_subject[each]))) for each in subjects),
        ),
        errors=_joined("{}", ((_error(name, said),) for name, said in errors.items())),
        records=_joined("{}", ((_record(name, records[name]),) for name in sorted(records))),
    )


def _subject_of(path: str) -> str:
    words = [word for word in path.split("/") if word and not word.startswith("{")][1:]
    return words[1] if words[0] == "projects" and len(words) > 1 else words[0]


def _joined(form: str, rows: Iterable[tuple[Any, ...]]) -> SafeString:
    return format_html_join("", form, rows)


def _words(text: str) -> SafeString:
    """Return a text whose words between backticks are code; a backtick without a partner stays."""
    parts = text.split("`") if text.count("`") % 2 == 0 else [text]
    return _joined("{}", ((_code(part) if place % 2 else part,) for place, part in enumerate(parts)))


def _code(words: str) -> SafeString:
    return format_html("<code>{}</code>", words)


def _paragraphs(text: str) -> SafeString:
    return _joined("<p>{}</p>", ((_words(part),) for part in text.split("\n\n") if part))


def _operation(method: str, path: str, said: Mapping[str, Any]) -> SafeString:
    tokens = "" if {"apiToken": []} in said.get("security", []) else " API tokens do not work here."
    return format_html(
        '<details id="{}"><summary>{} {}</summary>{}{}{}{}</details>',
        said["operationId"],
        method,
        path,
        _paragraphs(said.get("description", "") + tokens),
        _fields("Parameters", [(each, each.get("required", False)) for each in said.get("parameters", [])]),
        _content("Request body:", said.get("requestBody", {})),
        _replies(said["responses"]),
    )


def _replies(said: Mapping[str, Any]) -> SafeString:
    """Return what each status of a success brings, and on one line the errors, which are told below."""
    errors = [
        (reply["$ref"].rpartition("/")[2], status)
        for status, reply in sorted(said.items())
        if "$ref" in reply
    ]
    told = _joined(
        "{}", ((_content(status, reply),) for status, reply in sorted(said.items()) if "$ref" not in reply)
    )
    if not errors:
        return told
    links = format_html_join(", ", '<a href="#error-{}">{}</a>', errors)
    return format_html("{}<p><strong>Errors:</strong> {}</p>", told, links)


def _error(name: str, said: Mapping[str, Any]) -> SafeString:
    (body,) = said["content"].values()
    words, kind = _words(said["description"]), _type(body["schema"])
    return format_html('<p id="error-{}"><strong>{}:</strong> {} {}</p>', name, name, words, kind)


def _content(title: str, said: Mapping[str, Any]) -> SafeString:
    if not said:
        return SafeString()
    kinds = [(kind, _type(what.get("schema", {}))) for kind, what in said.get("content", {}).items()]
    shown = _joined(" {}: {}", kinds) if kinds else format_html(" {}", said.get("description", ""))
    return format_html("<p><strong>{}</strong>{}</p>", title, shown)


def _record(name: str, said: Mapping[str, Any]) -> SafeString:
    required = set(said.get("required", ()))
    fields = [({"name": key, **what}, key in required) for key, what in said.get("properties", {}).items()]
    return format_html(
        '<details id="record-{}"><summary>{}</summary>{}{}{}</details>',
        name,
        name,
        _paragraphs(said.get("description", "")),
        _fields("Fields", fields),
        "" if fields else _type(said),
    )


def _fields(title: str, fields: Sequence[tuple[Mapping[str, Any], bool]]) -> SafeString:
    if not fields:
        return SafeString()
    rows = (
        (
            each["name"],
            _type(each.get("schema", each)),
            "" if need else "optional",
            _words(each.get("description", "")),
        )
        for each, need in fields
    )
    form = "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>"
    head = "<tr><th>{}</th><th>Type</th><th></th><th>Meaning</th></tr>"
    return format_html("<table>{}{}</table>", format_html(head, title), _joined(form, rows))


def _type(said: Mapping[str, Any]) -> SafeString:
    """Return in words what values may be; a record as a link to it."""
    if "$ref" in said:
        name = said["$ref"].rpartition("/")[2]
        return format_html('<a href="#record-{}">{}</a>', name, name)
    for key, between in (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or ")):
        if key in said:
            words = format_html_join(between, "{}", ((_type(each),) for each in said[key]))
            return _or_null(words, said)
    if "enum" in said:
        values = (f"“{each}”" if isinstance(each, str) else json.dumps(each) for each in said["enum"])
        return _or_null(format_html("{}", ", ".join(values)), said)
    if said.get("type") == "array":
        return _or_null(format_html("list of {}", _type(said.get("items", {}))), said)
    kind = " ".join(filter(None, (said.get("type", "any value"), said.get("format"))))
    limits = [f"{word} {said[key]}" for key, word in LIMITS.items() if key in said]
    return _or_null(format_html("{}", ", ".join([kind, *limits])), said)


LIMITS = {
    "minimum": "at least",
    "maximum": "at most",
    "minLength": "minimum length",
    "maxLength": "maximum length",
    "default": "default",
}


def _or_null(words: SafeString, said: Mapping[str, Any]) -> SafeString:
    return format_html("{} or null", words) if said.get("nullable") else words
