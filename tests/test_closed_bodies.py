"""A field that an address does not read is refused by its name, at every depth: over all addresses."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from common.web.replies import BODY_FORM
from tests.conftest import ClientOf
from tests.requests_from_schema import JSON, SCHEMA, Operation, operations
from tests.routes import WRITING, rolled_back
from tests.usual import usual_of
from tests.world import World

Way = tuple[str | int, ...]
NO_SUCH_ONE = "no_such_one"
WRITES = [each for each in operations() if each.method in WRITING]
FORM = "multipart/form-data"
UPLOAD = f'--x\r\nContent-Disposition: form-data; name="{NO_SUCH_ONE}"\r\n\r\n1\r\n--x--\r\n'
# Whoever has no link that can be used is told the same whatever is sent.
BY_LINK = "<str:token>"


def objects_in(schema: Any, body: Any, *way: str | int) -> Iterator[Way]:
    """Yield the way to every object of a body of which the schema names the fields."""
    if "$ref" in schema:
        schema = SCHEMA["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for part in schema.get("allOf", ()):
        yield from objects_in(part, body, *way)
    if isinstance(body, dict) and "properties" in schema:
        assert schema["additionalProperties"] is False
        yield way
        for name, part in body.items():
            yield from objects_in(schema["properties"][name], part, *way, name)
    elif isinstance(body, list):
        for place, part in enumerate(body):
            yield from objects_in(schema.get("items", {}), part, *way, place)


def send(world: World, operation: Operation, body: str, kind: str = JSON) -> Any:
    of_annotators = getattr(operation.route.view, "allowed_roles", ()) == {"annotator"}
    client = ClientOf(world.cast["annotator" if of_annotators else "lead"].user)
    ids = {**world.ids, **usual_of(operation.name, world).ids}
    with rolled_back():
        return client.generic(
            operation.method, operation.address(ids, slug="own"), data=body, content_type=kind
        )


def complaint_at(reply: Any, way: Way) -> str:
    """Return what is said of the unknown field of the object at a place."""
    found = reply.json()["error"]["details"]["fields"]
    for key in (*way, NO_SUCH_ONE):
        found = found[str(key)]
    return str(found[0])


class TestClosedBodies:
    def test_every_method_says_what_it_takes(self) -> None:
        methods = [getattr(each.route.view, each.method.lower()) for each in WRITES]
        assert [each for each in methods if BODY_FORM not in vars(each)] == []

    @pytest.mark.parametrize("operation", WRITES, ids=lambda each: each.name)
    def test_an_unknown_field_is_refused(self, operation: Operation, world: World) -> None:
        if BY_LINK in operation.route.template:
            return
        content = operation.described.get("requestBody", {}).get("content", {})
        if FORM in content:
            reply = send(world, operation, UPLOAD, f"{FORM}; boundary=x")
            assert (reply.status_code, [*reply.json()["error"]["details"]["fields"]]) == (400, [NO_SUCH_ONE])
            return
        body = operation.body(usual_of(operation.name, world).fields) if JSON in content else {}
        ways = list(objects_in(content[JSON]["schema"], body)) if JSON in content else [()]
        assert ways[:1] == [()]
        for way in ways:
            marked: Any = json.loads(json.dumps(body))
            place = marked
            for key in way:
                place = place[key]
            place[NO_SUCH_ONE] = 1
            reply = send(world, operation, json.dumps(marked))
            assert reply.status_code == 400, (way, reply.content)
            assert complaint_at(reply, way).startswith("There is no such field here")

    def test_what_cannot_be_changed_is_named(self, world: World) -> None:
        (change,) = (
            each
            for each in WRITES
            if each.name.endswith("/webhooks/<str:webhook>") and each.method == "PATCH"
        )
        reply = send(world, change, '{"url": "https://a.example/"}')
        assert reply.status_code == 400
        assert reply.json()["error"]["details"]["fields"] == {
            "url": ["There is no such field here. Use one of: events, is_on."]
        }


def test_a_refusal_does_not_grow_with_what_is_sent(client: Any, db: None) -> None:
    body = {f"field{number}": 1 for number in range(5_000)}
    reply = client.post("/api/session", body, content_type="application/json")
    assert reply.status_code == 400
    assert len(reply.content) < 10_000
