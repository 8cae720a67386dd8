"""An adjudicator or viewer who asks for everything there is, and hears what replies tell of single answers.

Read from the URL configuration and the schema, so that no new route is forgotten.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from annotation.items.models import Candidate
from tests.conftest import ClientOf
from tests.requests_from_schema import SCHEMA, Operation, operations
from tests.routes import rolled_back
from tests.world import World

ADJUDICATOR = "adjudicator"
VIEWER = "viewer"
# Method, address and body.
Request = tuple[str, str, bytes]


class Asked(NamedTuple):
    """What is put into parameters: texts, whole numbers, and of which parameters every pair of values."""

    texts: Sequence[str]
    numbers: Sequence[str] = ("1", "0")
    together: Collection[frozenset[str]] = ()


def tell_apart(world: World) -> None:
    """Let answers and questions be told apart in any reply."""
    for question in world.project.questions.all():
        question.text = f"THE-QUESTION {question.pk}"
        question.save()
    for candidate in Candidate.objects.filter(project=world.project):
        candidate.text = f"THE-ANSWER {candidate.pk}"
        candidate.save()


class Reader(ClientOf):
    """Asks for everything a role may read, and hears what is about single answers."""

    def __init__(self, world: World, role: str, asked: Asked) -> None:
        super().__init__(world.cast[role].user)
        self.role = role if role == VIEWER else ADJUDICATOR
        self.world = world
        self.asked = asked
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
        """Yield whatever the adjudicator, or a viewer, may ask, with every value of every parameter."""
        for operation in operations():
            if not operation.route.is_of_a_project or not may(operation, self.role):
                continue
            address = operation.address(self.world.ids, slug="own")
            body = json.dumps(operation.body()).encode()
            for query in queries(operation, self.asked):
                yield operation.method, address + query, b"" if operation.method == "GET" else body


def may(operation: Operation, role: str) -> bool:
    view = operation.route.view
    if role == VIEWER and operation.method != "GET":
        return False
    roles = view.allowed_roles if operation.method == "GET" else view.write_roles or view.allowed_roles
    return role in roles


def queries(operation: Operation, asked: Asked) -> Iterator[str]:
    parameters = [each for each in operation.described.get("parameters", []) if each["in"] == "query"]
    values = {each["name"]: values_of(each["schema"], asked) for each in parameters}
    needed = {each["name"]: values[each["name"]][0] for each in parameters if each.get("required")}
    yield ask(needed)
    for name, found in values.items():
        for value in found:
            yield ask({**needed, name: value})
    for names in asked.together:
        if names <= set(values):
            for chosen in product(*(values[name] for name in sorted(names))):
                yield ask({**needed, **dict(zip(sorted(names), chosen, strict=True))})


def values_of(schema: dict[str, Any], asked: Asked) -> list[str]:
    if "$ref" in schema:
        schema = SCHEMA["components"]["schemas"][str(schema["$ref"]).rpartition("/")[2]]
    for several in ("allOf", "oneOf"):
        if several in schema:
            return [value for each in schema[several] for value in values_of(each, asked)]
    if "enum" in schema:
        return [str(value) for value in schema["enum"] if value]
    kinds = {"integer": [*asked.numbers], "number": ["0.5"], "boolean": ["true", "false"]}
    return kinds.get(str(schema.get("type")), [*asked.texts])


def ask(values: dict[str, str]) -> str:
    return "?" + "&".join(f"{name}={value}" for name, value in values.items()) if values else ""
