"""Every route says who may use it, and keeps to it: a matrix over all routes, methods and roles."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.accounts.rules import SCOPES, is_allowed
from annotation.accounts.tokens.issuing import create_token
from annotation.projects.api.access import ProjectView
from annotation.projects.models import Membership
from common.clock import now
from tests.conftest import ClientOf
from tests.factories import make_user
from tests.routes import Route, api_routes, rolled_back
from tests.world import World, make_world

pytestmark = pytest.mark.long

ROUTES = api_routes()
OF_A_PROJECT = [route for route in ROUTES if route.is_of_a_project]
OF_A_THING = [route for route in ROUTES if route.objects and route.view.access != "public"]
ROLES = ("lead", "adjudicator", "annotator", "viewer")
# Told alike to everybody, or (the list of projects) made for the token.
OF_NO_PROJECT = {
    "/api/help",
    "/api/help/<str:name>",
    "/api/help/pictures/<str:name>",
    "/api/help/search",
    "/api/presets",
    "/api/projects",
    "/api/judges",
    "/api/worker",
}
NOBODY_HAS = "zzzzzzzzzzzzzz"
NO_LINK = {"password-links": NOBODY_HAS, "email-links": NOBODY_HAS, "unsubscribe": NOBODY_HAS}


def send(client: APIClient, method: str, address: str) -> Any:
    client.raise_request_exception = False
    return client.generic(method, address, data="{}", content_type="application/json")


def send_complete(client: APIClient, method: str, route: Route, ids: dict[str, str]) -> Any:
    # Reading takes none: it would go into the query, which is refused before anything is opened.
    body = {} if method == "GET" else route.body(method)
    return getattr(client, method.lower())(route.address(slug="own", ids=ids), body, format="json")


def may(route: Route, method: str, role: str) -> bool:
    roles = route.view.allowed_roles
    narrower = route.view.write_roles
    if role == "viewer" and method != "GET":
        return role in (narrower or ())
    return role in (roles if method == "GET" or narrower is None else narrower)


@pytest.fixture
def worlds(world: World) -> tuple[World, World]:
    return world, make_world(slug="foreign")


class TestDeclarations:
    def test_every_route_says_who_may_use_it(self, subtests: pytest.Subtests) -> None:
        assert len(ROUTES) > 10
        for route in ROUTES:
            with subtests.test(route.name):
                assert route.view.access in {"public", "signed_in"}

    def test_every_route_of_a_project_names_its_roles(self, subtests: pytest.Subtests) -> None:
        for route in OF_A_PROJECT:
            with subtests.test(route.name):
                assert issubclass(route.view, ProjectView)
                assert route.view.allowed_roles
                assert route.view.allowed_roles <= set(Membership.Role)
                assert (route.view.write_roles or route.view.allowed_roles) <= route.view.allowed_roles

    def test_only_what_must_be_is_public(self) -> None:
        public = {route.template for route in ROUTES if route.view.access == "public"}
        assert public == {
            "/api/session",
            "/api/invitations/<str:token>",
            "/api/invitations/<str:token>/accept",
            "/api/password-links/<str:token>",
            "/api/sso",
            "/api/sso/begin",
            "/api/sso/code",
            "/api/password-requests",
            "/api/email-links/<str:token>",
            "/api/unsubscribe/<str:token>",
            # The documentation.
            "/api/help",
            "/api/help/<str:name>",
            "/api/help/pictures/<str:name>",
            "/api/help/search",
        }

    def test_a_view_that_says_nothing_is_refused(self, db: None) -> None:
        from rest_framework.response import Response
        from rest_framework.test import APIRequestFactory, force_authenticate
        from rest_framework.views import APIView

        class Undeclared(APIView):
            def get(self, request: Any) -> Response:
                return Response("secret")

        request = APIRequestFactory().get("/")
        force_authenticate(request, user=make_user())
        assert Undeclared.as_view()(request).status_code == 403


class TestRoles:
    def test_nobody_comes_in_without_signing_in(self, world: World, subtests: pytest.Subtests) -> None:
        for route in (route for route in ROUTES if route.view.access == "signed_in"):
            with subtests.test(route.name):
                for method in route.methods:
                    reply = send(APIClient(), method, route.address(slug="own", ids=world.ids))
                    assert reply.status_code == 403

    def test_to_strangers_the_project_does_not_exist(
        self, world: World, outsider: User, subtests: pytest.Subtests
    ) -> None:
        self.find_nothing(ClientOf(outsider), world, subtests)

    def test_who_left_is_a_stranger(self, world: World, subtests: pytest.Subtests) -> None:
        member = world.cast["colleague"]
        Membership.objects.filter(pk=member.pk).update(state=Membership.State.LEFT, role="lead")
        self.find_nothing(ClientOf(member.user), world, subtests)

    def find_nothing(self, client: APIClient, world: World, subtests: pytest.Subtests) -> None:
        for route in OF_A_PROJECT:
            with subtests.test(route.name):
                for method in route.methods:
                    address = route.address(slug="own", ids=world.ids)
                    assert send(client, method, address).status_code == 404
                    # What the query may hold is told to members only.
                    assert send(client, method, f"{address}?misspelled=1").status_code == 404

    @pytest.mark.parametrize("role", ROLES)
    def test_only_the_roles_named_come_in(self, role: str, world: World, subtests: pytest.Subtests) -> None:
        client = ClientOf(world.cast[role].user)
        for route in OF_A_PROJECT:
            with subtests.test(route.name):
                for method in route.methods:
                    with rolled_back():
                        reply = send(client, method, route.address(slug="own", ids=world.ids))
                    refused = reply.status_code == 403 and reply.json()["error"]["code"] == "wrong_role"
                    assert refused is not may(route, method, role), f"{method}: {reply.status_code}"
                    assert reply.status_code < 500


class TestTokens:
    """What a program with an API token is let in to, over all routes."""

    def bring(self, user: User, scope: str, project: str = "") -> APIClient:
        text = create_token(user=user, name="all routes", scope=scope, days=1, project=project).text
        return APIClient(HTTP_AUTHORIZATION=f"Bearer {text}")

    @pytest.mark.parametrize("scope", SCOPES)
    def test_nothing_is_written_beyond_the_scope(
        self, scope: str, world: World, subtests: pytest.Subtests
    ) -> None:
        """So one that reads is refused wherever something is written."""
        client = self.bring(world.cast["lead"].user, scope)
        for route in ROUTES:
            for method in route.methods:
                with subtests.test(f"{method} {route.name}"), rolled_back():
                    reply = send(client, method, route.address(slug="own", ids=world.ids | NO_LINK))
                    needed = "read" if method == "GET" else route.view.write_scope
                    is_taken = route.view.takes_tokens and is_allowed(scope=scope, needed=needed)
                    is_refused = reply.status_code == 403 and b"token_refused" in reply.content
                    assert is_refused is not is_taken, reply.content
                    assert reply.status_code < 500

    def test_no_more_than_a_closed_list_takes_none(self) -> None:
        assert {route.template for route in ROUTES if not route.view.takes_tokens} == {
            "/api/session",
            "/api/account",
            "/api/account/password",
            "/api/account/close",
            "/api/account/sign-ins",
            "/api/account/sso",
            "/api/account/sso/disconnect",
            "/api/account/tokens",
            "/api/account/tokens/<str:token_id>",
            "/api/account/two-factor",
            "/api/account/two-factor/recovery-codes",
            "/api/account/two-factor/turn-off",
            "/api/account/two-factor/turn-on",
            "/api/password-links/<str:token>",
            "/api/password-requests",
            "/api/email-links/<str:token>",
            "/api/unsubscribe/<str:token>",
            "/api/account/email",
            "/api/invitations/<str:token>",
            "/api/invitations/<str:token>/accept",
            "/api/sso",
            "/api/sso/begin",
            "/api/sso/code",
        }

    def test_one_of_a_project_opens_nothing_of_another(
        self, worlds: tuple[World, World], subtests: pytest.Subtests
    ) -> None:
        """Its person leads both."""
        own, foreign = worlds
        user = own.cast["lead"].user
        Membership.objects.create(
            project=foreign.project, user=user, role="lead", joined_at=now(), pseudonym="R99"
        )
        client = self.bring(user, "manage", project="own")
        for route in ROUTES:
            address = route.address(slug="foreign", ids=foreign.ids | NO_LINK)
            for method in route.methods:
                with subtests.test(f"{method} {route.name}"), rolled_back():
                    reply = send(client, method, address)
                    is_open = method == "GET" and route.template in OF_NO_PROJECT
                    assert reply.status_code == 200 if is_open else reply.status_code in {403, 404}
                    assert b"foreign" not in reply.content
        assert b"foreign" in ClientOf(user).get("/api/projects").content


class TestForeignThings:
    """Two projects alike: what belongs to one cannot be reached through the other."""

    @pytest.mark.parametrize("role", ROLES)
    def test_a_foreign_thing_is_answered_like_one_that_does_not_exist(
        self, role: str, worlds: tuple[World, World], subtests: pytest.Subtests
    ) -> None:
        own, foreign = worlds
        client = ClientOf(own.cast[role].user)
        client.raise_request_exception = False
        for route in OF_A_THING:
            for method in route.methods:
                with subtests.test(f"{method} {route.name}"):
                    replies = [
                        send_complete(client, method, route, ids)
                        for ids in (foreign.ids, dict.fromkeys(own.ids, NOBODY_HAS))
                    ]
                    told = [(reply.status_code, reply.content) for reply in replies]
                    assert told[0] == told[1]
                    if not route.is_of_a_project or may(route, method, role):
                        assert replies[0].status_code == 404

    def test_a_foreign_project_cannot_be_reached_with_its_own_ids(
        self, worlds: tuple[World, World], subtests: pytest.Subtests
    ) -> None:
        own, foreign = worlds
        for route in OF_A_PROJECT:
            with subtests.test(route.name):
                for method in route.methods:
                    address = route.address(slug="foreign", ids=foreign.ids)
                    assert send(ClientOf(own.cast["lead"].user), method, address).status_code == 404


class TestReadOnlyFields:
    def test_nobody_gives_themselves_another_role_or_sight(self, world: World) -> None:
        member = world.cast["annotator"]
        client = ClientOf(member.user)
        wish = {"role": "lead", "unblinded_at": None, "state": "active", "public_id": "mine"}
        client.patch(f"/api/projects/own/members/{member.public_id}", wish, format="json")
        client.post("/api/projects/own/sheets/next", wish, format="json")
        member.refresh_from_db()
        assert (member.role, member.unblinded_at) == ("annotator", None)

    def test_a_lead_cannot_undo_that_somebody_was_unblinded(self, world: World) -> None:
        member = world.cast["adjudicator"]
        ClientOf(member.user).get("/api/projects/own/queue")
        ClientOf(world.cast["lead"].user).patch(
            f"/api/projects/own/members/{member.public_id}",
            {"role": "annotator", "unblinded_at": None},
            format="json",
        )
        member.refresh_from_db()
        assert member.unblinded_at is not None


class TestOpening:
    """Who opens anything that annotators may not is unblinded from then on, and nobody before."""

    @pytest.mark.parametrize("role", ["lead", "adjudicator", "viewer"])
    def test_every_route_beyond_the_annotators_unblinds(
        self, role: str, world: World, subtests: pytest.Subtests
    ) -> None:
        member = world.cast[role]
        for route in OF_A_PROJECT:
            for method in (method for method in route.methods if may(route, method, role)):
                with subtests.test(f"{method} {route.name}"), rolled_back():
                    Membership.objects.filter(pk=member.pk).update(unblinded_at=None)
                    send_complete(ClientOf(member.user), method, route, world.ids)
                    is_unblinded = Membership.objects.get(pk=member.pk).unblinded_at is not None
                    assert is_unblinded is not may(route, "GET", "annotator")

    def test_so_does_the_comparison_of_projects(self, world: World) -> None:
        client = ClientOf(world.cast["adjudicator"].user)
        assert client.get("/api/comparison?projects=own").status_code == 200
        assert Membership.objects.get(pk=world.cast["adjudicator"].pk).unblinded_at is not None

    def test_signing_in_and_what_everybody_reads_do_not(self, world: World) -> None:
        client = ClientOf(world.cast["adjudicator"].user)
        for address in ("/api/session", "/api/projects", "/api/projects/own", "/api/projects/own/queue"):
            assert Membership.objects.get(pk=world.cast["adjudicator"].pk).unblinded_at is None
            assert client.get(address).status_code == 200
        assert Membership.objects.get(pk=world.cast["adjudicator"].pk).unblinded_at is not None
