"""A parameter that an address does not know is refused, with those that it knows: over all addresses."""

from typing import Any

import pytest

from common.web.replies import QUERY_FORMS, View
from tests.conftest import ClientOf
from tests.requests_from_schema import SCHEMA
from tests.routes import PARAMETER, Route, api_routes, rolled_back
from tests.world import World

ROUTES = api_routes()
NO_LINK = dict.fromkeys(("password-links", "email-links", "unsubscribe"), "zzzzzzzzzzzzzz")


def parameters_of(route: Route, method: str) -> set[str]:
    """Return the names that the schema has for the query of an operation."""
    path = PARAMETER.sub(lambda match: f"{{{match.group(1)}}}", route.template)
    said = SCHEMA["paths"][path][method.lower()].get("parameters", [])
    return {each["name"] for each in said if each["in"] == "query"}


def send(world: World, route: Route, method: str, query: str) -> Any:
    of_annotators = getattr(route.view, "allowed_roles", ()) == {"annotator"}
    client = ClientOf(world.cast["annotator" if of_annotators else "lead"].user)
    address = route.address(slug="own", ids=world.ids | NO_LINK)
    with rolled_back():
        return client.generic(method, f"{address}?{query}", data="{}", content_type="application/json")


class TestClosedFilters:
    def test_every_view_refuses_what_it_does_not_know(self, world: World, subtests: pytest.Subtests) -> None:
        for route in ROUTES:
            for method in route.methods:
                with subtests.test(f"{method} {route.name}"):
                    reply = send(world, route, method, "no_such_one=1")
                    assert reply.status_code == 400, reply.content
                    (words,) = reply.json()["error"]["details"]["fields"]["no_such_one"]
                    known = parameters_of(route, method)
                    assert words.endswith(
                        f"Use one of: {', '.join(sorted(known))}." if known else "takes none."
                    )

    def test_every_view_is_one_of_ours(self) -> None:
        assert {route.name for route in ROUTES if not issubclass(route.view, View)} == set()

    def test_what_is_known_is_taken(self, world: World) -> None:
        route = next(each for each in ROUTES if each.template.endswith("/gold/questions"))
        assert QUERY_FORMS in vars(route.view.get)
        assert send(world, route, "GET", "limit=1").status_code == 200
        reply = send(world, route, "GET", "limit=1&Limit=2")
        assert set(reply.json()["error"]["details"]["fields"]) == {"Limit"}
