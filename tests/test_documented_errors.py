"""The errors that the schema names of an operation are those it can answer with: all but 422 are provoked.

The other way round, that no reply has a status that is not named, `tests.documented` sees to in all tests.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from rest_framework.response import Response
from rest_framework.test import APIClient

from annotation.accounts.guessing import TooManyTries
from annotation.accounts.rules import PresentedToken
from annotation.accounts.tokens.issuing import create_token
from common.web.replies import ERRORS, OF_ALL
from tests.conftest import ClientOf
from tests.requests_from_schema import JSON, SCHEMA, Operation, operations
from tests.routes import WRITING, rolled_back
from tests.usual import usual_of
from tests.world import World

OPERATIONS = operations()
TOO_LONG = "30000000000"
WRONG_TOKEN = {"HTTP_AUTHORIZATION": "Bearer assay_wrong"}


def address_of(operation: Operation, world: World) -> str:
    return operation.address({**world.ids, **usual_of(operation.name, world).ids}, slug="own")


def statuses(world: World, ask: Callable[[Operation, str], Any]) -> dict[str, int]:
    """Return what each operation replies to a request that `ask` sends."""
    found = {}
    for operation in OPERATIONS:
        with rolled_back():
            reply = ask(operation, address_of(operation, world))
        found[operation.name] = reply.status_code
    return found


def documenting(status: int) -> set[str]:
    return {each.name for each in OPERATIONS if str(status) in each.described["responses"]}


def met(found: dict[str, int], status: int) -> set[str]:
    return {name for name, each in found.items() if each == status}


def is_open(operation: Operation) -> bool:
    """Whether anybody may read it, with any token."""
    view = operation.route.view
    return bool(operation.method == "GET" and view.access == "public" and view.takes_tokens)


def plain(client: APIClient, operation: Operation, address: str, **more: Any) -> Any:
    client.raise_request_exception = False
    return client.generic(operation.method, address, data="{}", content_type=JSON, **more)


def who_may(operation: Operation, world: World) -> APIClient:
    """Return whoever gets furthest with it."""
    of_annotators = getattr(operation.route.view, "allowed_roles", ()) == {"annotator"}
    return ClientOf(world.cast["annotator" if of_annotators else "lead"].user)


class TestOfAll:
    """Each is provoked in every operation."""

    def test_a_parameter_that_nothing_reads(self, world: World) -> None:
        found = statuses(
            world, lambda each, address: plain(who_may(each, world), each, f"{address}?no_such_one=1")
        )
        assert met(found, 400) == documenting(400) == set(found) - met(found, 404)

    def test_a_wrong_token(self, world: World) -> None:
        found = statuses(world, lambda each, address: plain(APIClient(), each, address, **WRONG_TOKEN))
        assert met(found, 401) == documenting(401) == set(found)

    def test_too_many_wrong_tokens(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(**_: Any) -> None:
            raise TooManyTries

        monkeypatch.setattr("annotation.accounts.tokens.issuing.count_wrong_token", refuse)
        found = statuses(world, lambda each, address: plain(APIClient(), each, address, **WRONG_TOKEN))
        assert met(found, 429) == documenting(429) == set(found)

    @pytest.mark.parametrize(
        ("words", "status"), [("connection refused", 503), ("database or disk is full", 507)]
    )
    def test_a_database_that_fails(
        self, words: str, status: int, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise OperationalError(words)

        monkeypatch.setattr("annotation.accounts.tokens.issuing._find", fail)
        known = {"HTTP_AUTHORIZATION": f"Bearer {PresentedToken('a' * 14, '0' * 48).text}"}
        found = statuses(world, lambda each, address: plain(APIClient(), each, address, **known))
        assert met(found, status) == documenting(status) == set(found)


class TestOfSome:
    def test_nobody_is_signed_in_or_shows_no_csrf_token(self, world: World) -> None:
        lead = world.cast["lead"].user
        token = create_token(user=lead, name="any", scope="manage", days=1).text

        def ask(operation: Operation, address: str) -> Any:
            view = operation.route.view
            client = APIClient(enforce_csrf_checks=True)
            if view.access == "public":
                client.force_login(lead, backend="django.contrib.auth.backends.ModelBackend")
            if view.access == "public" and operation.method == "GET":
                return plain(client, operation, address, HTTP_AUTHORIZATION=f"Bearer {token}")
            return plain(client, operation, address)

        found = statuses(world, ask)
        expected = {each.name for each in OPERATIONS if not is_open(each)}
        assert met(found, 403) == documenting(403) == expected

    def test_a_thing_that_is_not_there(self, world: World) -> None:
        """Those that name nothing in the address may still be asked for something in the body or query."""
        found = statuses(
            world,
            lambda each, _: plain(
                who_may(each, world), each, each.address(world.ids, slug="no-such-project")
            ),
        )
        assert {each.name for each in OPERATIONS if each.route.is_of_a_project} <= met(found, 404)
        assert met(found, 404) <= documenting(404)

    def test_a_body_that_is_too_large(self, world: World) -> None:
        found = statuses(
            world, lambda each, address: plain(APIClient(), each, address, CONTENT_LENGTH=TOO_LONG)
        )
        writing = {each.name for each in OPERATIONS if each.method in WRITING}
        assert met(found, 413) & writing == documenting(413) == writing

    def test_a_body_of_another_kind(self, world: World) -> None:
        def ask(operation: Operation, address: str) -> Any:
            kind = f"{JSON}; charset=rot13"
            return APIClient().generic(operation.method, address, data="{}", content_type=kind)

        writing = {each.name for each in OPERATIONS if each.method in WRITING}
        assert met(statuses(world, ask), 415) & writing == documenting(415) == writing

    def test_a_project_that_is_archived(self, world: World) -> None:
        """What annotators hand in is taken all the same."""
        world.project.state = "archived"
        world.project.save(update_fields=["state"])
        found = statuses(world, lambda each, address: plain(who_may(each, world), each, address))
        assert met(found, 409) <= documenting(409)
        assert len(met(found, 409)) > 60


class TestTheMeasure:
    def test_sees_a_status_that_is_not_documented(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (members,) = (each for each in OPERATIONS if each.name == "GET /api/projects/<slug:slug>/members")
        monkeypatch.setattr(members.route.view, "get", lambda *_, **__: Response({}, status=202))
        with pytest.raises(AssertionError, match="202 is not in the schema"):
            ClientOf(world.cast["lead"].user).get("/api/projects/own/members")


class TestTheSchema:
    def test_tells_each_error_once(self) -> None:
        for methods in SCHEMA["paths"].values():
            for said in methods.values():
                for status, reply in said["responses"].items():
                    assert ("$ref" in reply) == (status >= "400")
        for reply in SCHEMA["components"]["responses"].values():
            assert reply["content"][JSON]["schema"] == {"$ref": "#/components/schemas/Error"}
            assert reply["description"]
            assert reply["headers"]

    def test_no_operation_repeats_what_follows_from_its_view(self) -> None:
        for operation in OPERATIONS:
            view, method = operation.route.view, operation.method.lower()
            alone = vars(getattr(view, method))[ERRORS]
            assert not alone & OF_ALL, operation.name
            assert not ("<" in operation.route.template and 404 in alone), operation.name
