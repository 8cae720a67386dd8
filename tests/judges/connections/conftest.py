"""Connections to servers of the tests' own on 127.0.0.1, which the operator of these tests allows."""

from collections.abc import Callable
from typing import Any

import httpcore2
import pytest
from django.conf import LazySettings

from annotation.projects.models import Project
from common.outgoing.addresses import parse_policy
from common.outgoing.guard import _Budget as Budget
from common.outgoing.guard import _GuardedBackend as GuardedBackend
from common.outgoing.guard import _Lines as Lines
from common.outgoing.guard import resolve_host
from judges.connections.models import Connection
from judges.connections.services.changes import create_connection
from judges.connections.services.client import open_client
from judges.methods.llm.client import CHAT, Completion, CompletionRequest, Message

KEY = "sk-own-0123456789-wxyz"
MakeConnection = Callable[..., Connection]


def make_request(*, endpoint: str = CHAT, **fields: Any) -> CompletionRequest:
    """Return a call, as a judge would make it."""
    messages = (Message("system", "You judge."), Message("user", "Is it so?"))
    return CompletionRequest(messages, endpoint, max_tokens=20, temperature=0.0)._replace(**fields)


def ask_once(connection: Connection, **fields: Any) -> Completion:
    """Open a connection, ask once, and let go of the network."""
    with open_client(connection) as client:
        return client.complete(make_request(endpoint=connection.endpoint, **fields))


@pytest.fixture
def allowed_here(settings: LazySettings) -> None:
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["public", "127.0.0.1"]


@pytest.fixture
def make_connection(project: Project, allowed_here: None) -> MakeConnection:
    def make(**fields: Any) -> Connection:
        given = {
            "name": "Own model",
            "base_url": "https://models.example.org/v1",
            "model": "small-1",
            "key": KEY,
            "timeout_seconds": 5,
        }
        return create_connection(project=project, by=project.created_by, **{**given, **fields})

    return make


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses to which connections would have been made; none is."""
    found: list[str] = []

    def note(_: Any, host: str, *rest: Any, **more: Any) -> None:
        found.append(host)
        raise httpcore2.ConnectError("no network in this test")

    monkeypatch.setattr(httpcore2.SyncBackend, "connect_tcp", note)
    return found


def guarded_backend(*, resolve: Any = resolve_host) -> GuardedBackend:
    """Return what connects calls, where public addresses alone are allowed."""
    budget = Budget()
    budget.start(60)
    return GuardedBackend(parse_policy(["public"]), resolve, budget, Lines())
