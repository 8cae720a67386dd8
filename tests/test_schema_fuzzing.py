"""The served schema holds for everybody: schemathesis asks every operation with each role and token.

No reply is an error of ours, each has a status and a body that the schema promises, whoever may not do
something is refused, and whoever may only read writes nothing.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, NamedTuple

import pytest
import requests
import schemathesis
from django.apps import apps
from django.conf import LazySettings, settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as hypothesis_settings
from rest_framework.response import Response as RestResponse
from rest_framework.test import APIClient
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.transport import Response
from schemathesis.generation.modes import GenerationMode

from annotation.accounts.models import User
from annotation.accounts.tokens.issuing import create_token
from annotation.projects.models import Project
from annotation.projects.selectors import read_revision
from tests.conftest import ClientOf
from tests.factories import make_project, make_user
from tests.faults.proof import Proof
from tests.requests_from_schema import Operation, operations
from tests.rights import SCOPES, may, name_of, rights
from tests.routes import PARAMETER, WRITING, rolled_back
from tests.usual import usual_of
from tests.world import World, make_world

pytestmark = pytest.mark.long

SEED = 20_130_917
DATABASE = "PostgreSQL" if "postgresql" in settings.DATABASES["default"]["ENGINE"] else "SQLite"
OPERATIONS = operations()
RIGHTS = rights()
WRITES = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)', re.IGNORECASE)
# That a token was used, that wrong ones were tried, and that a lead has looked, which is noted once.
NOTED = {"annotation_apitoken", "annotation_wrongtries", "annotation_membership"}


class Actor(NamedTuple):
    """Who asks: a client, the role in the project, and what a token allows; no scope is a session."""

    client: APIClient
    role: str
    scope: str = ""
    is_of_one_project: bool = False

    def may(self, operation: Operation) -> bool:
        """Whether the operation is for this role and scope, by the table of rights."""
        return may(
            RIGHTS[name_of(operation)],
            method=operation.method,
            role=self.role,
            scope=self.scope,
            is_of_one_project=self.is_of_one_project,
        )


class Cast(NamedTuple):
    """A project, and everybody who may come to it."""

    world: World
    actors: dict[str, Actor]


@pytest.fixture
def cast(db: None, settings: LazySettings) -> Cast:
    # An address where nobody listens.
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1:9"]
    world = make_world(slug="own")
    stranger = make_user(username="stranger")
    make_project(lead=stranger, slug="foreign")
    users = {role: world.cast[role].user for role in ("lead", "adjudicator", "annotator", "viewer")}
    actors = {
        "nobody": Actor(APIClient(), "nobody"),
        "stranger": Actor(ClientOf(stranger), "stranger"),
        **{role: Actor(ClientOf(user), role) for role, user in users.items()},
    }
    for role, user in {**users, "stranger": stranger}.items():
        for scope in SCOPES:
            actors[f"{role}'s token, {scope} everything"] = Actor(_bring(user, scope, ""), role, scope)
            # Where somebody is a viewer, only tokens that read are created.
            if role != "stranger" and (role != "viewer" or scope == "read"):
                name = f"{role}'s token, {scope} own"
                actors[name] = Actor(_bring(user, scope, "own"), role, scope, is_of_one_project=True)
    for actor in actors.values():
        actor.client.raise_request_exception = False
        if actor.role == "lead":
            # They have looked before: that is noted once.
            assert actor.client.get("/api/projects/own/queue").status_code == 200
    return Cast(world, actors)


def _bring(user: User, scope: str, project: str) -> APIClient:
    text = create_token(user=user, name="any", scope=scope, days=1, project=project).text
    return APIClient(HTTP_AUTHORIZATION=f"Bearer {text}")


class Asked(NamedTuple):
    """A request that schemathesis made, and what it was made of."""

    how: str
    case: Any
    request: requests.PreparedRequest


def described() -> dict[tuple[str, str], Any]:
    """Return what schemathesis knows of each operation of the served schema, by method and address."""
    served = APIClient().get("/api/schema").json()
    found = [each.ok() for each in schemathesis.openapi.from_dict(served).get_all_operations()]
    return {(each.method.upper(), each.path): each for each in found}


def made_of(strategy: Any, *, most: int) -> list[Any]:
    """Return cases of a strategy, the same in each run."""
    cases: list[Any] = []

    @seed(SEED)
    @hypothesis_settings(
        max_examples=most,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def collect(case: Any) -> None:
        cases.append(case)

    collect()
    return cases


def requests_for(operation: Operation, known: Any, world: World, *, good: int, bad: int) -> Iterator[Asked]:
    """Yield the usual request, as many as the schema allows, and as many as it forbids."""
    usual = usual_of(operation.name, world)
    address = operation.address({**world.ids, **usual.ids}, slug="own")
    body = {} if operation.method == "DELETE" else operation.body(usual.fields)
    sent = None if operation.method == "GET" else body
    case = known.Case()
    yield Asked(
        "usual", case, requests.Request(operation.method, f"http://testserver{address}", json=sent).prepare()
    )
    for mode, most in ((GenerationMode.POSITIVE, good), (GenerationMode.NEGATIVE, bad)):
        for case in made_of(known.as_strategy(generation_mode=mode), most=most) if most else ():
            # Not what it puts in the place of credentials: who asks is who is asked as.
            case.headers, case.cookies = {}, {}
            prepared = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
            if mode == GenerationMode.POSITIVE:
                # Else next to nothing would be found.
                query = prepared.path_url.partition("?")[2]
                prepared.url = f"http://testserver{address}?{query}"
            yield Asked(mode.name.lower(), case, prepared)


@contextmanager
def writes_noted() -> Iterator[set[str]]:
    """Note which tables are written, and whatever that comes to."""
    found: set[str] = set()

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if written := WRITES.match(sql):
            found.add(written.group(1))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield found


class Findings:
    """What went wrong, once for each operation and kind of failure."""

    def __init__(self) -> None:
        self.sent = self.refused = 0
        self.found: dict[tuple[str, str], str] = {}

    def try_out(self, operation: Operation, name: str, actor: Actor, asked: Asked) -> None:
        """Send one request as somebody and note what is wrong with the reply."""
        may_write = operation.method in WRITING and actor.may(operation)
        with writes_noted() as written, rolled_back():
            reply = self._send(actor.client, asked.request)
            content = _content_of(reply)
        self.sent += 1
        for complaint in self._complaints(operation, actor, asked, reply, content):
            self.note(operation.name, complaint, f"as {name}, {asked.how}: {_told(asked.request)}")
        if not may_write and (changed := written - NOTED):
            self.note(operation.name, f"writes {sorted(changed)}", f"as {name}, {asked.how}")

    def note(self, what: str, complaint: str, how: str) -> None:
        self.found.setdefault((what, complaint), how)

    def _send(self, client: APIClient, request: requests.PreparedRequest) -> Any:
        cookies = copy(client.cookies)
        body = request.body or b""
        reply = client.generic(
            request.method or "",
            request.path_url,
            data=body.encode() if isinstance(body, str) else body,
            content_type=request.headers.get("Content-Type", "application/json"),
        )
        client.cookies = cookies
        return reply

    def _complaints(
        self, operation: Operation, actor: Actor, asked: Asked, reply: Any, content: bytes
    ) -> Iterator[str]:
        status = reply.status_code
        if status >= 500:
            yield f"status {status}"
            return
        if not actor.may(operation) and asked.how != "negative":
            self.refused += 1
            if status < 400:
                yield f"lets them in: {status}"
        if str(status) in operation.described["responses"]:
            yield from _untrue(asked, reply, content)
        else:
            yield f"undocumented status {status}"

    def told(self) -> str:
        return "\n".join(f"{name}: {what} ({how})" for (name, what), how in sorted(self.found.items()))


def _told(request: requests.PreparedRequest) -> str:
    return f"{request.path_url[:200]} {request.body!r:.200}"


def _content_of(reply: Any) -> bytes:
    if not reply.streaming:
        return bytes(reply.content)
    content = b"".join(reply.streaming_content)
    reply.close()
    return content


def _untrue(asked: Asked, reply: Any, content: bytes) -> Iterator[str]:
    """Yield where a reply is not what the schema says of its status."""
    headers = {name.lower(): [value] for name, value in reply.headers.items()}
    sent = Response(reply.status_code, headers, content, asked.request, 0.0, False)
    try:
        asked.case.operation.validate_response(sent, case=asked.case)
    except FailureGroup as group:
        yield from (f"{each.title} ({reply.status_code}): {str(each)[:300]}" for each in group.exceptions)
    except Failure as failure:
        yield f"{failure.title} ({reply.status_code}): {str(failure)[:300]}"


def state_of(world: World) -> tuple[Any, dict[str, int]]:
    """Return a project's revision, and how many rows each table has."""
    models = [each for each in apps.get_models() if each._meta.app_label in {"annotation", "judges"}]
    return read_revision(world.project.pk), {each.__name__: each._default_manager.count() for each in models}


Choose = Callable[[Asked], Iterable[str]]


def fuzz(cast: Cast, *, good: int, bad: int, choose: Choose) -> Findings:
    """Ask everything, each request as those chosen; good, bad: how many requests of an operation are made."""
    findings, known = Findings(), described()
    before = state_of(cast.world)
    for operation in OPERATIONS:
        made = known[operation.method, PARAMETER.sub(r"{\1}", operation.route.template)]
        for asked in requests_for(operation, made, cast.world, good=good, bad=bad):
            for name in choose(asked):
                findings.try_out(operation, name, cast.actors[name], asked)
    assert state_of(cast.world) == before
    return findings


class TestEverybody:
    def test_is_told_what_the_schema_says_and_no_more_than_they_may(self, cast: Cast) -> None:
        chance = random.Random(SEED)
        tokens = [name for name, actor in cast.actors.items() if actor.scope]
        sessions = [name for name, actor in cast.actors.items() if not actor.scope]

        def choose(asked: Asked) -> Iterable[str]:
            if asked.how == "usual":
                return [*sessions, chance.choice(tokens)]
            return ["lead" if asked.how == "positive" else chance.choice(tokens)]

        findings = fuzz(cast, good=1, bad=1, choose=choose)
        assert findings.sent > 1_500
        assert findings.refused > 400
        assert not findings.found, findings.told()

    @pytest.mark.prove
    def test_is_told_so_of_many_requests(self, cast: Cast) -> None:
        findings = fuzz(cast, good=2, bad=2, choose=lambda _: cast.actors)
        assert not findings.found, findings.told()
        Proof().record(
            "P31",
            "schemathesis over the served schema, by role and scope",
            promised="no 5xx, as the schema says, nobody let in who may not",
            measured=f"{findings.sent:,} requests to {len(OPERATIONS)} operations by {len(cast.actors)} "
            f"sessions and tokens: none; the {findings.refused:,} that were not theirs refused",
            database=DATABASE,
        )


class TestTheMeasure:
    """Each kind of failure is found where it is made."""

    def ask(self, cast: Cast, name: str, operation: str) -> str:
        (chosen,) = (each for each in OPERATIONS if each.name == operation)
        made = described()[chosen.method, PARAMETER.sub(r"{\1}", chosen.route.template)]
        (asked,) = requests_for(chosen, made, cast.world, good=0, bad=0)
        findings = Findings()
        findings.try_out(chosen, name, cast.actors[name], asked)
        return findings.told()

    def view_of(self, operation: str) -> Any:
        return next(each.route.view for each in OPERATIONS if each.name == operation)

    def test_sees_a_role_let_in(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        assert not self.ask(cast, "annotator", MEMBERS)
        monkeypatch.setattr("annotation.projects.api.access.ProjectView.require_access", let_in)
        assert "lets them in: 200" in self.ask(cast, "annotator", MEMBERS)

    def test_sees_a_scope_let_in(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        name = "lead's token, read everything"
        assert not self.ask(cast, name, CHANGE)
        monkeypatch.setattr("annotation.accounts.tokens.issuing.why_refused", lambda **_: None)
        told = self.ask(cast, name, CHANGE)
        assert "lets them in: 200" in told
        assert "writes ['annotation_" in told

    def test_sees_a_body_of_another_form(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        assert not self.ask(cast, "lead", MEMBERS)
        monkeypatch.setattr(self.view_of(MEMBERS), "get", lambda *_args, **_named: reply_with([{"id": 7}]))
        assert "Response violates schema (200)" in self.ask(cast, "lead", MEMBERS)

    def test_sees_a_status_that_is_not_documented(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of a view, `tests.documented` sees it in all tests."""

        def refuse(request: HttpRequest) -> JsonResponse | None:
            return JsonResponse({}, status=418) if request.path.endswith("/members") else None

        monkeypatch.setattr("common.web.door._refuse", refuse)
        assert "undocumented status 418" in self.ask(cast, "lead", MEMBERS)

    def test_sees_an_error_of_ours(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(self.view_of(MEMBERS), "get", lambda *_args, **_named: 1 / 0)
        assert "status 500" in self.ask(cast, "lead", MEMBERS)

    def test_sees_what_a_reader_writes(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        as_it_is = self.view_of(MEMBERS).get

        def write(view: Any, request: Any, slug: str) -> Any:
            Project.objects.filter(slug=slug).update(description="other")
            return as_it_is(view, request, slug)

        monkeypatch.setattr(self.view_of(MEMBERS), "get", write)
        assert "writes ['annotation_project']" in self.ask(cast, "lead's token, read own", MEMBERS)


MEMBERS = "GET /api/projects/<slug:slug>/members"
CHANGE = "PATCH /api/projects/<slug:slug>"


def let_in(view: Any, request: Any, **kwargs: Any) -> None:
    view.member = view.find_member(kwargs["slug"])
    view.project = view.member.project


def reply_with(body: Any, *, status: int = 200) -> Any:
    return RestResponse(body, status=status)
