"""Accounts by HTTP: the name, the password, a link after forgetting it, and closing the account."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from annotation.accounts import services
from annotation.accounts.models import User
from annotation.accounts.services import make_password_token
from annotation.projects.models import Membership, Project
from tests.conftest import ClientOf
from tests.factories import PASSWORD, make_member

pytestmark = pytest.mark.django_db
NEW_PASSWORD = "an even longer phrase"


def try_password(client: Client, *, username: str, password: str) -> Any:
    body = {"username": username, "password": password}
    return client.post("/api/session", body, content_type="application/json")


def sign_in(client: Client, *, username: str, password: str) -> int:
    return int(try_password(client, username=username, password=password).status_code)


class TestChangeAccount:
    def test_changes_the_name_and_nothing_else(self, lead: User) -> None:
        body = {"name": "Lea Newname"}
        more = {"username": "root", "is_superuser": True}
        refused = ClientOf(lead).patch("/api/account", {**body, **more}, format="json")
        assert (refused.status_code, set(refused.json()["error"]["details"]["fields"])) == (400, {*more})
        reply = ClientOf(lead).patch("/api/account", body, format="json")
        lead.refresh_from_db()
        assert reply.json()["name"] == lead.name == "Lea Newname"
        assert (lead.username, lead.is_superuser) == ("lead", False)

    def test_keeps_the_language_of_the_pages_and_leaves_the_name(self, lead: User) -> None:
        reply = ClientOf(lead).patch("/api/account", {"language": "de"}, format="json")
        assert (reply.json()["language"], reply.json()["name"]) == ("de", lead.name)
        assert ClientOf(lead).get("/api/session").json()["user"]["language"] == "de"
        assert ClientOf(lead).patch("/api/account", {"language": ""}, format="json").json()["language"] == ""

    def test_takes_no_language_that_there_is_not(self, lead: User) -> None:
        assert ClientOf(lead).patch("/api/account", {"language": "tlh"}, format="json").status_code == 400


class TestChangePassword:
    def test_keeps_this_session_and_ends_the_others(self, lead: User) -> None:
        here, there = Client(), Client()
        for client in (here, there):
            assert sign_in(client, username="lead", password=PASSWORD) == 200
        body = {"old": PASSWORD, "new": NEW_PASSWORD}
        assert here.post("/api/account/password", body, content_type="application/json").status_code == 200
        assert here.get("/api/projects").status_code == 200
        assert there.get("/api/projects").status_code == 403

    def test_asks_for_the_present_one(self, lead: User) -> None:
        body = {"old": "something else", "new": NEW_PASSWORD}
        reply = ClientOf(lead).post("/api/account/password", body, format="json")
        lead.refresh_from_db()
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "wrong_credentials")
        assert lead.check_password(PASSWORD)

    def test_is_too_late_once_another_was_set(self, lead: User, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of two at once, whoever knows only the former one does not undo the other."""
        client = ClientOf(lead)

        def set_meanwhile(*_: object, **__: object) -> None:
            owner = User.objects.get(pk=lead.pk)
            owner.set_password("the owner was faster 5")
            User.objects.filter(pk=lead.pk).update(password=owner.password)

        monkeypatch.setattr(services, "validate_password", set_meanwhile)
        reply = client.post("/api/account/password", {"old": PASSWORD, "new": NEW_PASSWORD}, format="json")
        lead.refresh_from_db()
        assert (reply.status_code, reply.json()["error"]["code"]) == (403, "wrong_credentials")
        assert lead.check_password("the owner was faster 5")

    def test_keeps_to_the_rules_for_passwords(self, lead: User) -> None:
        reply = ClientOf(lead).post("/api/account/password", {"old": PASSWORD, "new": "12345"}, format="json")
        assert reply.status_code == 400
        assert "too short" in str(reply.json())

    def test_says_the_rules_in_the_language_of_the_page(self, lead: User) -> None:
        body = {"old": PASSWORD, "new": "12345"}
        headers = {"accept-language": "de"}
        reply = ClientOf(lead).post("/api/account/password", body, format="json", headers=headers)
        assert "Dieses Passwort ist zu kurz" in str(reply.json())


class TestPasswordLink:
    def test_sets_a_password_once(self, lead: User) -> None:
        address = f"/api/password-links/{make_password_token(user=lead)}"
        assert APIClient().get(address).json() == {"username": "lead"}
        assert APIClient().post(address, {"password": NEW_PASSWORD}, format="json").status_code == 204
        assert sign_in(Client(), username="lead", password=NEW_PASSWORD) == 200
        again = APIClient().post(address, {"password": "yet another phrase"}, format="json")
        assert (again.status_code, again.json()["error"]["code"]) == (404, "password_link_unusable")

    def test_lets_in_again_after_too_many_wrong_tries(self, lead: User) -> None:
        for _ in range(10):
            reply = try_password(Client(), username="lead", password="wrong")
        assert reply.json()["error"]["code"] == "too_many_tries"
        assert sign_in(Client(), username="lead", password=PASSWORD) == 429
        address = f"/api/password-links/{make_password_token(user=lead)}"
        APIClient().post(address, {"password": NEW_PASSWORD}, format="json")
        assert sign_in(Client(), username="lead", password=NEW_PASSWORD) == 200

    def test_is_of_one_person_only(self, lead: User, outsider: User) -> None:
        secret = make_password_token(user=lead).partition(".")[2]
        address = f"/api/password-links/{outsider.public_id}.{secret}"
        assert APIClient().get(address).status_code == 404


class TestCloseAccount:
    def close(self, user: User) -> tuple[int, str]:
        reply = ClientOf(user).post("/api/account/close", {"password": PASSWORD}, format="json")
        return reply.status_code, reply.json()["error"]["code"] if reply.content else ""

    def test_forgets_the_person_and_keeps_the_rater(self, project: Project) -> None:
        rater = make_member(project=project, username="anna")
        assert self.close(rater.user) == (204, "")
        user = User.objects.get(pk=rater.user_id)
        assert "nna" not in f"{user.username} {user.name} {user.email}"
        assert (user.is_active, user.has_usable_password()) == (False, False)
        rater.refresh_from_db()
        assert (rater.state, rater.pseudonym != "") == (Membership.State.LEFT, True)
        assert sign_in(Client(), username="anna", password=PASSWORD) == 403

    def test_does_not_leave_a_project_without_a_lead(self, project: Project, lead: User) -> None:
        assert self.close(lead) == (409, "last_lead")
        lead.refresh_from_db()
        assert (lead.username, lead.is_active) == ("lead", True)
        assert project.members.get(user=lead).state == Membership.State.ACTIVE

    def test_asks_for_the_password(self, outsider: User) -> None:
        reply = ClientOf(outsider).post("/api/account/close", {"password": "wrong"}, format="json")
        assert reply.status_code == 403
        assert User.objects.get(pk=outsider.pk).is_active


class TestLeave:
    def test_takes_a_member_out_at_their_wish(self, project: Project) -> None:
        rater = make_member(project=project, username="anna")
        assert ClientOf(rater.user).post(f"/api/projects/{project.slug}/leave").status_code == 204
        assert ClientOf(rater.user).get(f"/api/projects/{project.slug}").status_code == 404

    def test_keeps_the_last_lead(self, project: Project, lead: User) -> None:
        reply = ClientOf(lead).post(f"/api/projects/{project.slug}/leave")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "last_lead")
