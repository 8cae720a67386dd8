"""Links with a token: those that open nothing all answer the same, and end with the rights of their maker."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.tokens import default_token_generator
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.accounts.services import make_password_token, set_password_by_link
from annotation.projects.models import Invitation, Membership, Project
from annotation.projects.services.making import set_state
from annotation.projects.services.members import accept_invitation, change_member, invite, leave_project
from common.clock import now
from tests.conftest import ClientOf
from tests.factories import make_member, make_user
from tests.routes import Route, api_routes, headers_of

pytestmark = pytest.mark.django_db
WITH_TOKEN = [route for route in api_routes() if "<str:token>" in route.template]
# Never a real token; each is one segment of an address.
MALFORMED = ("guessed", "a.b", "..x", "%F0%9F%99%82", "%ED%A0%80", "x" * 2_000, "%25", "a%0Ab")
# What else a request may hold: nothing, an account, a name that is taken, a bad password, no JSON at all.
BODIES: tuple[tuple[str, bytes], ...] = (
    ("application/json", b""),
    ("application/json", b'{"username": "new-one", "name": "N", "password": "a long enough one"}'),
    ("application/json", b'{"username": "lead", "name": "N", "password": "a long enough one"}'),
    ("application/json", b'{"username": "new-one", "password": "1"}'),
    ("application/json", b'{"username": ["odd"], "password": {"odd": 1}}'),
    ("application/json", b"[not json"),
    ("text/plain", b"what is this"),
)
ROLES = list(Membership.Role)


# How somebody loses the right to invite.
LOSSES: dict[str, Callable[[Membership], object]] = {
    "removed": lambda member: change_member(project=member.project, public_id=member.public_id, state="left"),
    "left": lambda member: leave_project(membership=member),
    "paused": lambda member: change_member(
        project=member.project, public_id=member.public_id, state="paused"
    ),
    "made adjudicator": lambda member: change_member(
        project=member.project, public_id=member.public_id, role="adjudicator"
    ),
    "made viewer": lambda member: change_member(
        project=member.project, public_id=member.public_id, role="viewer"
    ),
    "made annotator": lambda member: change_member(
        project=member.project, public_id=member.public_id, role="annotator"
    ),
    "account switched off": lambda member: User.objects.filter(pk=member.user_id).update(is_active=False),
    "project archived": lambda member: set_state(project=member.project, state=Project.State.ARCHIVED),
}


def unusable_invitations(project: Project) -> dict[str, str]:
    """One token for each way in which an invitation opens nothing."""
    used, revoked, expired, ended = (
        invite(project=project, by=project.created_by, role="annotator") for _ in range(4)
    )
    accept_invitation(token=used.token, user=make_user())
    Invitation.objects.filter(pk=revoked.invitation.pk).update(revoked_at=now())
    Invitation.objects.filter(pk=expired.invitation.pk).update(expires_at=now() - timedelta(seconds=1))
    former = make_member(project=project, role="lead")
    Invitation.objects.filter(pk=ended.invitation.pk).update(created_by=former.user)
    change_member(project=project, public_id=former.public_id, state="left")
    return {"used": used.token, "revoked": revoked.token, "expired": expired.token, "ended": ended.token}


def unusable_password_links(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """One token for each way in which a password link opens nothing."""
    used = make_password_token(user=make_user())
    set_password_by_link(token=used, password="yet another phrase")
    closed = make_user()
    closed_token = make_password_token(user=closed)
    User.objects.filter(pk=closed.pk).update(is_active=False)
    with monkeypatch.context() as clock:
        clock.setattr(default_token_generator, "_now", lambda: now().replace(tzinfo=None) - timedelta(days=2))
        expired = make_password_token(user=make_user())
    foreign = f"{make_user().public_id}.{used.partition('.')[2]}"
    return {"used": used, "closed": closed_token, "expired": expired, "foreign": foreign}


def said(client: APIClient, method: str, address: str, content_type: str, body: bytes) -> tuple[Any, ...]:
    """Everything that a reply tells."""
    reply = client.generic(method, address, body, content_type=content_type)
    return reply.status_code, reply.content, tuple(headers_of(reply)), tuple(reply.cookies)


class TestUnusable:
    def test_there_are_routes_with_a_token(self) -> None:
        assert {route.template for route in WITH_TOKEN} == {
            "/api/invitations/<str:token>",
            "/api/invitations/<str:token>/accept",
            "/api/password-links/<str:token>",
            "/api/email-links/<str:token>",
            "/api/unsubscribe/<str:token>",
        }

    @pytest.mark.parametrize("route", WITH_TOKEN, ids=lambda route: route.template)
    @pytest.mark.parametrize("signed_in", [False, True])
    def test_tokens_all_answer_the_same_byte_by_byte(
        self, route: Route, signed_in: bool, project: Project, outsider: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tokens = {**unusable_invitations(project), **unusable_password_links(monkeypatch)}
        people = User.objects.count()
        client = ClientOf(outsider) if signed_in else APIClient()
        for method in route.methods:
            told = {
                said(client, method, route.template.replace("<str:token>", token), *body)
                for token in (*tokens.values(), *MALFORMED)
                for body in BODIES
            }
            ((status, content, _, cookies),) = told
            assert (status, cookies) == (404, ())
            assert b"new one" in content or b"the link in the next message" in content
            assert project.name.encode() not in content
        assert User.objects.count() == people

    def test_a_password_link_that_two_use_at_once_works_once(
        self, outsider: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        token = make_password_token(user=outsider)
        address = f"/api/password-links/{token}"
        monkeypatch.setattr(
            "annotation.accounts.services.validate_password",
            lambda *_, **__: User.objects.filter(pk=outsider.pk).update(password="of somebody faster"),
        )
        reply = APIClient().post(address, {"password": "a long enough one"}, format="json")
        assert reply.status_code == 404


class TestLossOfRights:
    """Whatever somebody made while they might opens nothing once they may not."""

    @pytest.mark.parametrize("loss", LOSSES)
    @pytest.mark.parametrize("role", ROLES)
    def test_links_end_with_the_rights_of_their_maker(self, loss: str, role: str, project: Project) -> None:
        maker = make_member(project=project, role="lead")
        token = invite(project=project, by=maker.user, role=role).token
        assert APIClient().get(f"/api/invitations/{token}").status_code == 200
        LOSSES[loss](maker)
        for client in (APIClient(), ClientOf(make_user()), ClientOf(maker.user)):
            assert client.get(f"/api/invitations/{token}").status_code == 404
            form = {"username": "next-one", "name": "N", "password": "a long enough one"}
            reply = client.post(f"/api/invitations/{token}/accept", form, format="json")
            assert reply.status_code == 404
        assert not User.objects.filter(username="next-one").exists()

    @pytest.mark.parametrize("loss", LOSSES)
    def test_every_door_is_shut_to_who_lost_the_rights(self, loss: str, project: Project) -> None:
        maker = make_member(project=project, role="lead")
        client = ClientOf(maker.user)
        links = [invite(project=project, by=maker.user, role=role).token for role in ROLES]
        LOSSES[loss](maker)
        for token in links:
            client.post(f"/api/invitations/{token}/accept", {}, format="json")
        maker.refresh_from_db()
        invitation = client.post(f"/api/projects/{project.slug}/invitations", {"role": "lead"}, format="json")
        assert invitation.status_code in {403, 404, 409}

    @pytest.mark.parametrize(("loss", "reason"), [("removed", "ended"), ("made annotator", "ended")])
    def test_leads_see_that_a_link_has_ended(
        self, loss: str, reason: str, project: Project, lead: User
    ) -> None:
        maker = make_member(project=project, role="lead")
        invite(project=project, by=maker.user, role="annotator")
        LOSSES[loss](maker)
        (listed,) = ClientOf(lead).get(f"/api/projects/{project.slug}/invitations").json()
        assert listed["unusable_reason"] == reason


class TestJoining:
    """Joining gives the role on the link, and never more."""

    @pytest.mark.parametrize("former", ROLES)
    @pytest.mark.parametrize("role", ROLES)
    @pytest.mark.parametrize("has_looked", [False, True])
    def test_who_comes_back_has_the_role_on_the_link(
        self, has_looked: bool, former: str, role: str, project: Project
    ) -> None:
        member = make_member(project=project, role=former)
        if has_looked:
            ClientOf(member.user).get(f"/api/projects/{project.slug}/answers")
        change_member(project=project, public_id=member.public_id, state="left")
        token = invite(project=project, by=project.created_by, role=role).token
        reply = ClientOf(member.user).post(f"/api/invitations/{token}/accept", {}, format="json")
        assert reply.json() == {"project_slug": project.slug, "role": role}
        member.refresh_from_db()
        assert (member.role, member.state) == (role, "active")
        # Only who opens systems, gold or votes is unblinded, and stays so.
        assert (member.unblinded_at is not None) == (has_looked and former != "annotator")
        asked = ClientOf(member.user).get(f"/api/projects/{project.slug}/members")
        assert asked.status_code == (200 if role == "lead" else 403)

    @pytest.mark.parametrize("state", ["active", "paused"])
    @pytest.mark.parametrize("present", ROLES)
    @pytest.mark.parametrize("role", ROLES)
    def test_who_takes_part_keeps_role_and_state_and_the_link_is_left_to_others(
        self, state: str, present: str, role: str, project: Project
    ) -> None:
        member = make_member(project=project, role=present)
        Membership.objects.filter(pk=member.pk).update(state=state)
        token = invite(project=project, by=project.created_by, role=role).token
        reply = ClientOf(member.user).post(f"/api/invitations/{token}/accept", {}, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "already_member")
        member.refresh_from_db()
        assert (member.role, member.state) == (present, state)
        assert accept_invitation(token=token, user=make_user()).role == role

    def test_a_removed_lead_gets_in_by_no_link_of_their_own(self, project: Project) -> None:
        maker = make_member(project=project, role="lead")
        token = invite(project=project, by=maker.user, role="lead", expires_in=timedelta(days=90)).token
        change_member(project=project, public_id=maker.public_id, state="left")
        reply = ClientOf(maker.user).post(f"/api/invitations/{token}/accept", {}, format="json")
        assert reply.status_code == 404
        assert ClientOf(maker.user).get(f"/api/projects/{project.slug}/members").status_code == 404
