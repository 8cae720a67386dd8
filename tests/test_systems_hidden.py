"""Adjudicators to whom the protocol does not show systems learn of no answer which system gave it.

Read from the URL configuration and the schema, so that no new route is forgotten. Scores by system stay
open to them; what is held is that no reply brings a system together with an answer or a question, neither
by naming both nor by listing answers that were chosen by their system.
"""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from annotation.items.models import Candidate, Prediction, System
from annotation.projects.services.protocols import set_protocol
from common.memory import forget_everything
from tests.conftest import ClientOf, made_once
from tests.requests_from_schema import Operation, operations
from tests.routes import rolled_back
from tests.world import HIDDEN, World, make_world

pytestmark = pytest.mark.long

ADJUDICATOR = "adjudicator"
SYSTEM = f"{HIDDEN}-system-"
NAMED = SYSTEM.encode()
# Method, address and body.
Request = tuple[str, str, bytes]
# Of these every pair of values is asked for together; each other parameter by itself.
TOGETHER = ({"by", "part"}, {"board", "column"}, {"board", "system", "column"})
NAMES = [f"{SYSTEM}{number}" for number in range(3)]
# The systems' sizes, which single one out as well as its name does.
SMALLEST = "1000"


def make_world_apart() -> World:
    """Return a world whose answers and questions can be told apart in any reply."""
    world = make_world(slug="own")
    for question in world.project.questions.all():
        question.text = f"THE-QUESTION {question.pk}"
        question.save()
    for candidate in Candidate.objects.filter(project=world.project):
        candidate.text = f"THE-ANSWER {candidate.pk}"
        candidate.save()
    for number, system in enumerate(System.objects.filter(project=world.project).order_by("pk")):
        system.description = {**system.description, "size_bytes": int(SMALLEST) + number}
        system.save()
    return world


@pytest.fixture(scope="module")
def made_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with made_once(django_db_blocker, make_world_apart) as made:
        yield made


class Reader(ClientOf):
    """Asks for everything a role may read, and hears what is about single answers."""

    def __init__(self, world: World, role: str) -> None:
        super().__init__(world.cast[role].user)
        self.world = world
        ids = Candidate.objects.filter(project=world.project).values_list("public_id", "question__public_id")
        self.marks = {b"THE-ANSWER", b"THE-QUESTION", *(part.encode() for pair in ids for part in pair)}

    def hear(self, method: str, address: str, body: bytes = b"") -> bytes:
        """Return a reply without the ids that the request named itself; nothing if it is about no answer."""
        with rolled_back():
            reply: Any = self.generic(method, address, data=body, content_type="application/json")
        assert reply.status_code < 500, f"{method} {address}: {reply.content!r}"
        told: bytes = b"".join(reply.streaming_content) if reply.streaming else reply.content
        return told if any(mark in told for mark in self.marks) else b""

    def requests(self) -> Iterator[Request]:
        """Yield whatever the adjudicator may ask, with every value of every parameter."""
        for operation in operations():
            if not operation.route.is_of_a_project or not may(operation):
                continue
            address = operation.address(self.world.ids, slug="own")
            body = json.dumps(operation.body()).encode()
            for query in queries(operation):
                yield operation.method, address + query, b"" if operation.method == "GET" else body


def may(operation: Operation) -> bool:
    view = operation.route.view
    roles = view.allowed_roles if operation.method == "GET" else view.write_roles or view.allowed_roles
    return ADJUDICATOR in roles


def queries(operation: Operation) -> Iterator[str]:
    values = {
        each["name"]: values_of(each["schema"])
        for each in operation.described.get("parameters", [])
        if each["in"] == "query"
    }
    needed = {
        each["name"]: values_of(each["schema"])[0]
        for each in operation.described.get("parameters", [])
        if each["in"] == "query" and each.get("required")
    }
    yield ask(needed)
    for name, found in values.items():
        for value in found:
            yield ask({**needed, name: value})
    for names in TOGETHER:
        if names <= set(values):
            for chosen in product(*(values[name] for name in sorted(names))):
                yield ask({**needed, **dict(zip(sorted(names), chosen, strict=True))})


def values_of(schema: dict[str, object]) -> list[str]:
    from tests.requests_from_schema import SCHEMA

    if "$ref" in schema:
        schema = SCHEMA["components"]["schemas"][str(schema["$ref"]).rpartition("/")[2]]
    for several in ("allOf", "oneOf"):
        if several in schema:
            return [value for each in schema[several] for value in values_of(each)]  # type: ignore[attr-defined]
    if "enum" in schema:
        return [str(value) for value in schema["enum"] if value]  # type: ignore[attr-defined]
    kinds = {"integer": [SMALLEST, "1", "0"], "number": ["0.5"], "boolean": ["true", "false"]}
    return kinds.get(str(schema.get("type")), [*NAMES, "people", "exact_match"])


def ask(values: dict[str, str]) -> str:
    return "?" + "&".join(f"{name}={value}" for name, value in values.items()) if values else ""


def move_answers(world: World) -> None:
    """Let every answer be another system's, in place: a system has one answer to a question."""
    rows = list(Prediction.objects.filter(system__project=world.project).order_by("pk"))
    systems = dict(enumerate(System.objects.order_by("pk")))
    place = {system.pk: number for number, system in systems.items()}
    Prediction.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for row in rows:
        row.system = systems[(place[row.system_id] + 1) % len(systems)]
    Prediction.objects.bulk_create(rows)


@pytest.fixture(scope="module")
def heard(made_world: World) -> dict[Request, bytes]:
    """What the adjudicator hears of each request."""
    reader = Reader(made_world, ADJUDICATOR)
    return {request: reader.hear(*request) for request in reader.requests()}


class TestHidden:
    def test_no_reply_names_a_system_beside_an_answer(self, heard: dict[Request, bytes]) -> None:
        assert sum(map(bool, heard.values())) > 30, "who hears nothing proves nothing"
        named = sorted(f"{method} {path}" for (method, path, _), told in heard.items() if NAMED in told)
        assert not named, "\n".join(named)

    def test_no_list_of_answers_depends_on_who_gave_them(
        self, heard: dict[Request, bytes], world: World
    ) -> None:
        reader = Reader(world, ADJUDICATOR)
        # The new rows have the old ones' ids and, summed up, systems: what was kept would be heard again.
        move_answers(world)
        forget_everything()
        asked = [request for request in heard if request[0] == "GET"]
        differ = [request[1] for request in asked if reader.hear(*request) != heard[request]]
        assert not differ, "\n".join(differ)


class TestShown:
    @pytest.mark.parametrize("role", ["lead", ADJUDICATOR])
    def test_leads_and_who_may_see_them_do(self, role: str, world: World) -> None:
        """The same requests find systems where they are shown, so that the tests above can fail."""
        protocol = world.project.protocol
        assert protocol is not None
        if role == ADJUDICATOR:
            set_protocol(project=world.project, spec={**protocol.spec, "adjudication_unblinded": True})
        reader = Reader(world, role)
        unnamed = {"/api/projects/own", "/api/projects/own/answers"}
        # Asked only until each has shown one: these are hundreds of requests.
        for method, address, _ in reader.requests():
            place = address.partition("?")[0].rpartition("/")[0]
            if method == "GET" and place in unnamed and NAMED in reader.hear(method, address):
                unnamed.remove(place)
        assert not unnamed
