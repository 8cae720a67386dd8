"""No request makes an error of ours: every operation, with each role, is sent hostile values everywhere.

What was accepted of it is stored together, and everything is read again.
"""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from copy import copy
from typing import Any, NamedTuple

import pytest
from django.conf import LazySettings, settings
from django.db import transaction
from rest_framework.test import APIClient

from annotation.projects.models import Membership, Project
from annotation.release.selectors.formats import EXPORT_FORMATS
from common.errors import DomainError
from tests.conftest import ClientOf
from tests.factories import make_member, make_project, make_user
from tests.faults.proof import Proof
from tests.requests_from_schema import FOUND, USUAL, Hostile, Operation, operations, replaced
from tests.routes import WRITING, api_routes, rolled_back
from tests.usual import NOT_ACCEPTED, Usual, usual_of
from tests.world import World, make_world

pytestmark = pytest.mark.long

SEED = 20_130_917
DATABASE = "PostgreSQL" if "postgresql" in settings.DATABASES["default"]["ENGINE"] else "SQLite"
OPERATIONS = operations()
DOCUMENTED_FILES = {
    "text/csv",
    "text/tab-separated-values",
    "application/x-ndjson",
    "application/zip",
    "image/png",
}
# In the short form: how many requests of an operation come from who gets furthest, how many from each other.
MAIN, OTHERS = 2, 0.25


class Cast(NamedTuple):
    """A project, and a client for everybody who may come to it."""

    world: World
    clients: dict[str, APIClient]


@pytest.fixture
def cast(db: None, settings: LazySettings) -> Cast:
    # An address where nobody listens.
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1:9"]
    world = make_world(slug="own")
    foreign = make_user(username="foreign")
    make_project(lead=foreign, slug="foreign")
    paused, former = (make_member(project=world.project, username=name) for name in ("paused", "former"))
    Membership.objects.filter(pk=paused.pk).update(state=Membership.State.PAUSED)
    Membership.objects.filter(pk=former.pk).update(state=Membership.State.LEFT, role="lead")
    users = {
        **{role: world.cast[role].user for role in ("lead", "adjudicator", "annotator", "viewer")},
        "paused annotator": paused.user,
        "foreign lead": foreign,
        "former lead": former.user,
    }
    clients: dict[str, APIClient] = {
        "nobody": APIClient(),
        **{name: ClientOf(user) for name, user in users.items()},
    }
    for client in clients.values():
        client.raise_request_exception = False
    return Cast(world, clients)


def send(client: APIClient, request: Hostile) -> Any:
    """Send a request; a client stays signed in, whatever comes back."""
    cookies = copy(client.cookies)
    reply = _send(client, request)
    client.cookies = cookies
    return reply


def _send(client: APIClient, request: Hostile) -> Any:
    return client.generic(request.method, request.address, data=request.body, content_type=request.kind)


def wrong_with(reply: Any) -> str:
    """Return what is wrong with a reply, or nothing."""
    if reply.status_code >= 500:
        return f"status {reply.status_code}"
    kind = reply.headers.get("Content-Type", "").partition(";")[0]
    if reply.headers.get("Cache-Control") != "no-store":
        return f"may be kept: {reply.headers.get('Cache-Control')}"
    if reply.streaming:
        b"".join(reply.streaming_content)
        reply.close()
        return ""
    if reply.status_code == 204 and not reply.content:
        return ""
    if kind != "application/json":
        return (
            "" if reply.status_code == 200 and kind in DOCUMENTED_FILES else f"{reply.status_code} is {kind}"
        )
    body = reply.json()
    if reply.status_code < 400:
        return ""
    error = body.get("error", {})
    return (
        ""
        if {"kind", "code", "message", "details"} <= set(error) and error["message"]
        else "no error of ours"
    )


class Accepted(NamedTuple):
    """A hostile write that was taken, and who sent it."""

    operation: Operation
    role: str
    request: Hostile


class Findings:
    """What went wrong, once for each operation and kind of failure; and the writes that were accepted."""

    def __init__(self) -> None:
        self.sent = 0
        self.found: dict[tuple[str, str], str] = {}
        self.accepted: list[Accepted] = []

    def try_out(self, operation: Operation, role: str, client: APIClient, request: Hostile) -> None:
        with rolled_back():
            reply = self.look(operation.name, client, request, how=f"as {role}, {request.oddity}")
        if request.method in WRITING and reply.status_code < 300 and request.oddity != USUAL:
            self.accepted.append(Accepted(operation, role, request))

    def look(self, name: str, client: APIClient, request: Hostile, *, how: str) -> Any:
        """Send a request and note what is wrong with the reply."""
        self.sent += 1
        reply = send(client, request)
        if complaint := wrong_with(reply):
            self.found.setdefault((name, complaint), how)
        return reply

    def told(self) -> str:
        return "\n".join(f"{name}: {what} ({how})" for (name, what), how in sorted(self.found.items()))


def rounds(accepted: list[Accepted]) -> list[list[Accepted]]:
    """Return accepted writes in rounds: in each, every field that can be written is written once."""
    places: Counter[tuple[str, str]] = Counter()
    found: dict[int, list[Accepted]] = defaultdict(list)
    for each in accepted:
        field = each.operation.name, str(each.request.way) or each.request.oddity.partition(" = ")[0]
        found[places[field]].append(each)
        places[field] += 1
    return list(found.values())


def together(writes: list[Accepted], world: World) -> list[Accepted]:
    """Return first, for each operation, one write of all its fields: many are done once and no more."""
    by_operation: dict[tuple[str, str], list[Accepted]] = defaultdict(list)
    for each in writes:
        if each.request.way:
            by_operation[each.operation.name, each.role].append(each)
    return [*(_merged(several, world) for several in by_operation.values()), *writes]


def _merged(writes: list[Accepted], world: World) -> Accepted:
    operation, role, request = writes[0]
    values = {each.request.way: each.request.value for each in writes}
    innermost = {
        way: value
        for way, value in values.items()
        if not any(other != way and other[: len(way)] == way for other in values)
    }
    body = replaced(operation.body(usual_of(operation.name, world).fields), innermost)
    return Accepted(operation, role, request._replace(oddity="several fields", body=body.encode()))


class Aftermath:
    """A project in which hostile writes were stored, read again by everybody."""

    def __init__(self, cast: Cast, findings: Findings) -> None:
        self.cast = cast
        self.findings = findings
        self.kept = self.read = 0
        self.new: set[str] = set()

    def flood(self, writes: list[Accepted]) -> None:
        """Store writes on top of each other, but for those after which there would be nothing to read."""
        for operation, role, request in together(writes, self.cast.world):
            with transaction.atomic():
                reply = send(self.cast.clients[role], request)
                if reply.status_code >= 300 or not self._is_there():
                    transaction.set_rollback(True)
                    continue
            self.kept += 1
            self._note_new(operation, reply)

    def _is_there(self) -> bool:
        """Whether the lead still reads the project: a write may have signed them out, for this moment."""
        look = Hostile("", "GET", "/api/projects/own", b"")
        return bool(send(self.cast.clients["lead"], look).status_code == 200)

    def _note_new(self, operation: Operation, reply: Any) -> None:
        body = reply.json() if reply.content else {}
        if isinstance(body, dict) and isinstance(body.get("id"), str):
            address = operation.address(self.cast.world.ids, slug="own")
            self.new.add(f"{address}/{body['id']}")

    def read_everything(self, roles: Collection[str], *, how: str) -> None:
        """Read every route with each role, what was made, and every export."""
        known = defaultdict(lambda: "nothing.known", self.cast.world.ids)
        addresses = [route.address(slug="own", ids=known) for route in api_routes() if "GET" in route.methods]
        for role in roles:
            for address in (*addresses, *sorted(self.new)):
                request = Hostile("", "GET", address, b"")
                self.findings.look(f"GET {address}", self.cast.clients[role], request, how=f"{how}, {role}")
                self.read += 1
        self._export(how)

    def _export(self, how: str) -> None:
        project = Project.objects.select_related("protocol").get(pk=self.cast.world.project.pk)
        for form in EXPORT_FORMATS:
            self.read += 1
            try:
                "".join(form.lines(project=project, limit=None)).encode()
            except DomainError:
                continue
            except Exception as error:
                self.findings.found.setdefault((f"export {form.key}", repr(error)), how)


def read_after(cast: Cast, findings: Findings, *, roles: Collection[str], most_rounds: int) -> Aftermath:
    """Store what was accepted, round by round, and read everything after each."""
    aftermath = Aftermath(cast, findings)
    for number, writes in enumerate(rounds(findings.accepted)[:most_rounds]):
        with rolled_back():
            aftermath.new = set()
            aftermath.flood(writes)
            aftermath.read_everything(roles, how=f"after round {number}")
    return aftermath


def drawn(requests: Iterator[Hostile], count: int, *, chance: random.Random) -> list[Hostile]:
    known = list(requests)
    return chance.sample(known, min(count, len(known)))


def main_role(operation: Operation) -> str:
    """Return who gets furthest with it."""
    if operation.route.view.access == "public":
        return "nobody"
    roles = getattr(operation.route.view, "allowed_roles", frozenset({"lead"}))
    return "lead" if "lead" in roles else str(min(roles))


def hostile_requests(operation: Operation, usual: Usual, world: World) -> Iterator[Hostile]:
    return operation.requests({**world.ids, **usual.ids}, slug="own", fields=usual.fields)


def found_by_attack(requests: list[Hostile], *, chance: random.Random) -> Iterator[Hostile]:
    """Yield of each hole that was found one request, and each number that is next to nothing."""
    for value in FOUND:
        yield from drawn((each for each in requests if each.value == value), 1, chance=chance)
    yield from (each for each in requests if each.value == "1e-310" and "seconds" in each.way)
    for part in ("%00", "%00.x"):
        yield from drawn((each for each in requests if each.oddity.endswith(f"={part}")), 1, chance=chance)
        yield from drawn((each for each in requests if each.oddity.endswith(f"= {part}")), 1, chance=chance)
    yield from drawn((each for each in requests if each.oddity.startswith("options ")), 10, chance=chance)


def attack(cast: Cast, choose: Callable[[Operation, str, Iterator[Hostile]], list[Hostile]]) -> Findings:
    findings = Findings()
    for operation in OPERATIONS:
        for role, client in cast.clients.items():
            requests = hostile_requests(operation, usual_of(operation.name, cast.world), cast.world)
            for request in choose(operation, role, requests):
                findings.try_out(operation, role, client, request)
    return findings


class TestHostileRequests:
    def test_none_makes_an_error_of_ours(self, cast: Cast) -> None:
        chance = random.Random(SEED)

        def choose(operation: Operation, role: str, requests: Iterator[Hostile]) -> list[Hostile]:
            if role == main_role(operation):
                known = list(requests)
                usual = [each for each in known if each.oddity == USUAL]
                found = found_by_attack(known, chance=chance)
                return [*usual, *found, *drawn(iter(known), MAIN, chance=chance)]
            return drawn(requests, 1, chance=chance) if chance.random() < OTHERS else []

        findings = attack(cast, choose)
        assert findings.sent > 600
        aftermath = read_after(cast, findings, roles=("lead", "annotator"), most_rounds=1)
        assert aftermath.kept > 10
        assert not findings.found, findings.told()

    @pytest.mark.prove
    def test_not_one_of_all_makes_an_error_of_ours(self, cast: Cast) -> None:
        chance = random.Random(SEED)

        def choose(operation: Operation, role: str, requests: Iterator[Hostile]) -> list[Hostile]:
            return list(requests) if role == main_role(operation) else drawn(requests, 10, chance=chance)

        findings = attack(cast, choose)
        sent = findings.sent
        aftermath = read_after(cast, findings, roles=cast.clients, most_rounds=1_000)
        # As many as were taken, but for those that another of their round rules out.
        assert aftermath.kept > len(findings.accepted) / 10, (aftermath.kept, len(findings.accepted))
        assert not findings.found, findings.told()
        Proof().record(
            "P26",
            "hostile requests made from the schema",
            promised="no 5xx, JSON always",
            measured=f"{sent:,} to {len(OPERATIONS)} operations by {len(cast.clients)} roles, none; none of "
            f"{aftermath.read:,} reads and exports after {aftermath.kept:,} hostile writes were stored",
            database=DATABASE,
        )


class TestUsualRequests:
    def test_each_is_accepted_but_those_that_say_why_not(self, cast: Cast) -> None:
        writing = [each for each in OPERATIONS if each.method in WRITING]
        assert {each.name for each in writing if not is_accepted(cast, each)} == set(NOT_ACCEPTED)


def is_accepted(cast: Cast, operation: Operation) -> bool:
    usual = usual_of(operation.name, cast.world)
    address = operation.address({**cast.world.ids, **usual.ids}, slug="own")
    body = json.dumps({} if operation.method == "DELETE" else operation.body(usual.fields)).encode()
    with rolled_back():
        reply = send(cast.clients[main_role(operation)], Hostile(USUAL, operation.method, address, body))
    return bool(reply.status_code < 300)


class TestTheMeasure:
    def test_stores_what_comes_after_a_write_that_ends_sessions(self, cast: Cast) -> None:
        named = {each.name: each for each in OPERATIONS}
        sign_out, change = named["DELETE /api/session"], named["PATCH /api/projects/<slug:slug>"]
        writes = [
            Accepted(sign_out, "lead", Hostile("no field", "DELETE", "/api/session", b"")),
            Accepted(change, "lead", Hostile("no field", "PATCH", "/api/projects/own", b'{"name": "Other"}')),
        ]
        aftermath = Aftermath(cast, Findings())
        aftermath.flood(writes)
        assert aftermath.kept == 1

    def test_sees_a_write_that_breaks_a_later_read(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        (project,) = (each for each in OPERATIONS if each.name == "PATCH /api/projects/<slug:slug>")
        board = next(
            each.route.view for each in OPERATIONS if each.name == "GET /api/projects/<slug:slug>/overview"
        )
        as_it_is = board.get

        def stumble(self: Any, request: Any, slug: str) -> Any:
            return 1 / (self.project.name != "=1+1") and as_it_is(self, request, slug)

        findings = Findings()
        write = Hostile("name = =1+1", "PATCH", "/api/projects/own", b'{"name": "=1+1"}')
        findings.try_out(project, "lead", cast.clients["lead"], write)
        assert not findings.found
        monkeypatch.setattr(board, "get", stumble)
        read_after(cast, findings, roles=("lead",), most_rounds=1)
        assert findings.told() == "GET /api/projects/own/overview: status 500 (after round 0, lead)"
