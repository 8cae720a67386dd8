"""Every operation, asked by each role and by tokens of each scope, lets in whom the table of rights names.

`tests/test_permissions.py` sees that views keep to what they declare; this, that they declare what the
documentation promises.
"""

import json
from collections import Counter
from copy import copy
from typing import Any, NamedTuple

import pytest
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.accounts.tokens.issuing import create_token
from tests.conftest import ClientOf
from tests.factories import make_project, make_user
from tests.requests_from_schema import JSON, Operation, operations
from tests.rights import ROLES, SCOPES, may, name_of, rights
from tests.routes import rolled_back
from tests.usual import usual_of
from tests.world import World

pytestmark = pytest.mark.long

OPERATIONS = operations()
RIGHTS = rights()
# What is told to whoever is not let in, by status.
REFUSALS = {401: {"token_invalid"}, 403: {"not_authenticated", "wrong_role", "token_refused"}}


class Caller(NamedTuple):
    """Who asks: a client, the role in the project, and what a token allows; no scope is a session."""

    client: APIClient
    role: str
    scope: str = ""
    is_of_one_project: bool = False

    def is_let_in(self, operation: Operation) -> bool:
        """Whether the table says so."""
        return may(
            RIGHTS[name_of(operation)],
            method=operation.method,
            role=self.role,
            scope=self.scope,
            is_of_one_project=self.is_of_one_project,
        )


def bring(user: User, scope: str, project: str) -> APIClient:
    text = create_token(user=user, name="any", scope=scope, days=1, project=project).text
    return APIClient(HTTP_AUTHORIZATION=f"Bearer {text}")


def callers(world: World) -> dict[str, Caller]:
    """Return a session of each role, and a token of each scope: the lead's also for this project alone.

    All scopes of all roles are asked in the long form of `tests/test_schema_fuzzing.py`.
    """
    stranger = make_user(username="stranger")
    make_project(lead=stranger, slug="foreign")
    users = {**{role: world.cast[role].user for role in ROLES.values()}, "stranger": stranger}
    found = {"nobody": Caller(APIClient(), "nobody")}
    for role, user in users.items():
        found[role] = Caller(ClientOf(user), role)
        for scope in SCOPES if role == "lead" else ("manage",):
            found[f"{role}'s {scope}"] = Caller(bring(user, scope, ""), role, scope)
            if role == "lead":
                found[f"{role}'s {scope} of one"] = Caller(bring(user, scope, "own"), role, scope, True)
    for caller in found.values():
        caller.client.raise_request_exception = False
    return found


def ask(caller: Caller, operation: Operation, world: World) -> Any:
    usual = usual_of(operation.name, world)
    address = operation.address({**world.ids, **usual.ids}, slug="own")
    body = {} if operation.method in {"GET", "DELETE"} else operation.body(usual.fields)
    cookies = copy(caller.client.cookies)
    with rolled_back():
        reply = caller.client.generic(operation.method, address, data=json.dumps(body), content_type=JSON)
    # Signing out was taken back, too.
    caller.client.cookies = cookies
    return reply


def is_refused(reply: Any, operation: Operation, caller: Caller) -> bool:
    """Whether somebody was kept out: to strangers a project is not there.

    Whose exports and organizations are whose, tests/test_permissions.py asks.
    """
    if reply.status_code == 404 and caller.role == "stranger" and operation.route.is_of_a_project:
        return True
    codes = REFUSALS.get(reply.status_code, ())
    return bool(codes) and reply.json()["error"]["code"] in codes


class TestTheTable:
    def test_has_every_operation_and_no_other(self) -> None:
        assert set(RIGHTS) == {name_of(each) for each in OPERATIONS}

    def test_gives_viewers_nothing_to_change_but_that_they_leave(self) -> None:
        changing = {
            name for name, right in RIGHTS.items() if "V" in right.who and not name.startswith("GET ")
        }
        assert changing == {"POST /api/projects/{slug}/leave"}

    def test_gives_annotators_nothing_but_their_own_work(self) -> None:
        shared = {name for name, right in RIGHTS.items() if {"R", "A"} <= set(right.who)}
        assert shared == {"GET /api/projects/{slug}", "POST /api/projects/{slug}/leave"}


class TestEverybody:
    def test_gets_in_where_the_table_says_and_nowhere_else(self, world: World) -> None:
        wrong = []
        counted: Counter[str] = Counter()
        for name, caller in callers(world).items():
            for operation in OPERATIONS:
                reply = ask(caller, operation, world)
                is_let_in = caller.is_let_in(operation)
                counted["let in" if is_let_in else "refused"] += 1
                if reply.status_code >= 500 or is_refused(reply, operation, caller) is is_let_in:
                    wrong.append(f"{operation.name} as {name}: {reply.status_code}")
        assert not wrong, "\n".join(wrong[:40])
        assert counted["let in"] > 1_000
        assert counted["refused"] > 2_000

    def test_is_seen_where_a_role_is_let_in(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        (members,) = (each for each in OPERATIONS if name_of(each) == "GET /api/projects/{slug}/members")
        caller = callers(world)["viewer"]
        assert is_refused(ask(caller, members, world), members, caller)
        monkeypatch.setattr(members.route.view, "allowed_roles", {"lead", "viewer"})
        assert not is_refused(ask(caller, members, world), members, caller)
