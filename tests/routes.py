"""Every route of the API, read from the URL configuration, so that no test forgets one."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework import serializers

from common.requests.naming import HEADER
from common.web.replies import BODY_FORM

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
WRITING = ("POST", "PUT", "PATCH", "DELETE")
METHODS = ("GET", *WRITING)
# What a route needs to get past reading the request, so that it comes to look for the thing named.
BODIES: dict[str, dict[str, Any]] = {
    "skip": {"submission_key": "some new key", "reason": "unclear"},
    "submit": {"submission_key": "some new key", "answers": []},
    "flags": {"kind": "unclear"},
    "edit": {"label": "correct", "comment": "on second thoughts", "seen_at": "2026-01-01T00:00:00Z"},
    "decision": {"label": "correct", "reason": "because", "category": ""},
    "decide": {"answers": [{"id": "no such one", "seen_number": 0}], "label": "correct", "reason": "why"},
    "take-back": {"answer": "no such one"},
    "reopen": {"reason": "because"},
    "send-back": {"reason": "because"},
    "pause": {"takes_back": True},
    "correct": {"text": "something else", "reason": "because"},
    "undo": {"reason": "because", "application": "some application", "project": "some-project"},
    "reuse": {"project": "some-project"},
    "prejudging": {"rules": [], "audit_share": 0.05},
    "tags": {"tags": ["bridging"], "seen_number": 0},
    "withdraw": {"seen_number": 0},
    "guidelines": {"seen_hash": "some hash"},
    "check": {"format": "generic", "options": {}},
    "known-answers": {"answer": "no such answer", "use": "hidden", "label": "correct"},
    "quality-plan": {
        "known_share": 0.05,
        "repeat_share": 0,
        "repeat_distance": 30,
        "repeat_hours": 24,
        "second_share": 0,
        "is_training": False,
        "pass_share": 0.8,
        "least_answers": 5,
    },
    "pilots": {"questions": 1},
    "end": {"outcome": "again", "gives_back": True},
    "draw": {"use": "hidden", "number": 1, "seed": 1},
    "answer-exports": {"format": "answers-csv"},
    "webhooks": {"url": "https://hooks.example.org/assay", "events": ["run.finished"]},
    "<str:invitation_id>": {"label": "for Ada"},
    "answer-views": {"name": "a view", "query": {"label": "correct"}},
}


class Route(NamedTuple):
    """One address below /api/ and the view that serves it."""

    template: str
    view: Any

    @property
    def name(self) -> str:
        return f"{self.template} ({self.view.__name__})"

    @property
    def is_of_a_project(self) -> bool:
        return self.template.startswith("/api/projects/<slug:slug>")

    @property
    def objects(self) -> list[str]:
        """The kinds of things the address names: the word before each identifier but the slug."""
        words = self.template.split("/")
        return [
            words[place - 1]
            for place, word in enumerate(words)
            if PARAMETER.match(word) and "slug" not in word
        ]

    @property
    def methods(self) -> list[str]:
        return [method for method in METHODS if hasattr(self.view, method.lower())]

    def body(self, method: str) -> dict[str, Any]:
        """Return of `BODIES` what a method reads; for one without a form, nothing."""
        form = vars(getattr(self.view, method.lower(), object)).get(BODY_FORM)
        if not (isinstance(form, type) and issubclass(form, serializers.Serializer)):
            return {}
        usual = BODIES.get(self.template.rpartition("/")[2], {})
        return {name: value for name, value in usual.items() if name in form().fields}

    def address(self, *, slug: str, ids: Mapping[str, str]) -> str:
        """Return the address with a project's slug and the public ids of things by kind."""
        kinds = iter(self.objects)
        return PARAMETER.sub(
            lambda match: slug if match.group(1) == "slug" else ids[next(kinds)], self.template
        )


@contextmanager
def rolled_back() -> Iterator[None]:
    """Let a request change nothing: its writes are taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def api_routes() -> list[Route]:
    """Return every route below /api/ that a view of ours serves."""
    patterns = _walk("/", get_resolver().url_patterns)
    return [Route(template, view) for template, view in patterns if template.startswith("/api/") and view]


def _walk(prefix: str, patterns: Iterable[URLPattern | URLResolver]) -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        template = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(template, pattern.url_patterns)
        else:
            yield template, getattr(pattern.callback, "view_class", None)


def headers_of(reply: Any) -> list[tuple[str, str]]:
    """Return the headers of a reply but for the id of its request, which is drawn and of nothing."""
    return sorted((name, value) for name, value in reply.items() if name != HEADER)
