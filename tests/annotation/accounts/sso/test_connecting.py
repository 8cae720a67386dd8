"""Connect an account to the provider, and disconnect it: for whoever knows its password, in one session."""

from datetime import timedelta
from importlib import import_module
from typing import Any
from unittest.mock import patch

import pytest
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.test import Client

from annotation.accounts.models import AccountEvent, ProviderIdentity, User
from annotation.accounts.services import anonymize_user, make_password_token, set_password_by_link
from annotation.accounts.sso import discovery
from annotation.accounts.sso.api import COOKIE
from annotation.accounts.tokens.issuing import create_token
from common.clock import now
from tests.annotation.accounts.sso.conftest import (
    SUBJECT,
    begin,
    come_back,
    connected,
    go_through,
    who_is_in,
)
from tests.annotation.accounts.test_second_factor import app_code, turn_on
from tests.factories import PASSWORD
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db
DISCONNECTED = "/sign-in?failed=sso_disconnected&next=%2F"
ENDED = "/sign-in?failed=sso_ended&next=%2F"


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def post(client: Client, path: str, **body: str) -> Any:
    return client.post(path, body, content_type="application/json")


def code_of(reply: Any) -> tuple[int, str]:
    return reply.status_code, reply.json()["error"]["code"]


def kinds_of(user: User) -> list[str]:
    return list(AccountEvent.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


def ended(user: User, provider: ScriptedProvider, subject: str = SUBJECT) -> ProviderIdentity:
    connected(user, provider, subject)
    ProviderIdentity.objects.filter(subject=subject).update(ended_at=now())
    return ProviderIdentity.objects.get(subject=subject)


def begin_connecting(client: Client) -> str:
    reply = post(client, "/api/account/sso", password=PASSWORD)
    assert reply.status_code == 200, reply.content
    address: str = reply.json()["address"]
    return address


class TestConnecting:
    def test_lets_the_person_sign_in_by_the_provider(self, provider: ScriptedProvider, lead: User) -> None:
        client = signed_in(lead)
        assert come_back(client, provider.approve(begin_connecting(client))) == "/account?sso=connected"
        told = client.get("/api/account/sso").json()
        assert told["connected_at"] is not None
        assert (told["provider"], told["has_password"]) == ("Example University", True)
        other = Client()
        assert go_through(other, provider) == "/"
        assert who_is_in(other) == lead.username
        kinds = AccountEvent.objects.filter(user=lead).order_by("pk").values_list("kind", flat=True)
        assert list(kinds) == ["sso_connected", "sso_signed_in"]

    def test_asks_for_the_password(self, provider: ScriptedProvider, lead: User) -> None:
        client = signed_in(lead)
        reply = post(client, "/api/account/sso", password="wrong")
        assert code_of(reply) == (403, "wrong_credentials")
        assert COOKIE not in client.cookies
        assert post(Client(), "/api/account/sso", password=PASSWORD).status_code == 403

    def test_only_the_session_that_began_it_finishes_it(
        self, provider: ScriptedProvider, lead: User, outsider: User
    ) -> None:
        """Nobody connects their own identity to a victim's account, nor a victim's to their own."""
        client = signed_in(lead)
        redirect = provider.approve(begin_connecting(client))
        for other in (Client(), signed_in(outsider), signed_in(lead)):
            other.cookies[COOKIE] = client.cookies[COOKIE].value
            assert come_back(other, redirect) == "/account?failed=sso_stale"
        assert not ProviderIdentity.objects.exists()
        assert come_back(client, redirect) == "/account?sso=connected"

    def test_is_over_when_the_person_signs_out(self, provider: ScriptedProvider, lead: User) -> None:
        client = signed_in(lead)
        redirect = provider.approve(begin_connecting(client))
        client.delete("/api/session")
        assert come_back(client, redirect) == "/account?failed=sso_stale"

    def test_signing_in_connects_nothing(self, provider: ScriptedProvider, lead: User) -> None:
        client = signed_in(lead)
        assert come_back(client, provider.approve(begin(client))) == "/sign-in?failed=sso_unknown&next=%2F"
        assert not ProviderIdentity.objects.exists()

    def test_an_identity_opens_one_account(
        self, provider: ScriptedProvider, lead: User, outsider: User
    ) -> None:
        connected(outsider, provider)
        client = signed_in(lead)
        assert come_back(client, provider.approve(begin_connecting(client))) == "/account?failed=sso_in_use"
        assert ProviderIdentity.objects.get().user == outsider
        assert not AccountEvent.objects.filter(user=lead).exists()

    def test_an_account_has_one_identity(self, provider: ScriptedProvider, lead: User) -> None:
        client = signed_in(lead)
        redirect = provider.approve(begin_connecting(client))
        connected(lead, provider, subject="faster")
        assert come_back(client, redirect) == "/account?failed=sso_connected"
        reply = post(client, "/api/account/sso", password=PASSWORD)
        assert code_of(reply) == (409, "sso_connected")

    def test_no_api_token_reads_or_changes_it(self, provider: ScriptedProvider, lead: User) -> None:
        text = create_token(user=lead, name="any", scope="manage", days=1, project="").text
        header = {"Authorization": f"Bearer {text}"}
        assert Client().get("/api/account/sso", headers=header).status_code == 403

    def test_a_password_that_changes_while_the_provider_is_asked_connects_nothing(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        client = signed_in(lead)
        redirect = provider.approve(begin_connecting(client))
        asked = discovery.call

        def call(*args: Any, **kwargs: Any) -> Any:
            if kwargs.get("form"):
                User.objects.filter(pk=lead.pk).update(password=make_password("another"))
            return asked(*args, **kwargs)

        with patch.object(discovery, "call", call):
            assert come_back(client, redirect) == "/account?failed=sso_stale"
        assert not ProviderIdentity.objects.exists()


class TestDisconnecting:
    def test_lets_the_provider_open_the_account_no_more(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        client = signed_in(lead)
        assert (
            code_of(post(client, "/api/account/sso/disconnect", password="wrong"))[1] == "wrong_credentials"
        )
        assert post(client, "/api/account/sso/disconnect", password=PASSWORD).status_code == 204
        assert go_through(Client(), provider) == DISCONNECTED
        reply = post(client, "/api/account/sso/disconnect", password=PASSWORD)
        assert code_of(reply) == (409, "sso_not_connected")
        assert kinds_of(lead)[-2:] == ["sso_disconnected", "sso_refused"]

    def test_makes_nobody_a_newcomer(self, creating: ScriptedProvider, lead: User) -> None:
        connected(lead, creating)
        assert post(signed_in(lead), "/api/account/sso/disconnect", password=PASSWORD).status_code == 204
        client = Client()
        assert go_through(client, creating) == DISCONNECTED
        assert (who_is_in(client), User.objects.count()) == (None, 1)
        told = signed_in(lead).get("/api/account/sso").json()
        assert (told["connected_at"], told["ended_at"]) == (None, None)

    def test_is_undone_by_connecting_again(self, creating: ScriptedProvider, lead: User) -> None:
        connected(lead, creating)
        client = signed_in(lead)
        assert post(client, "/api/account/sso/disconnect", password=PASSWORD).status_code == 204
        assert come_back(client, creating.approve(begin_connecting(client))) == "/account?sso=connected"
        other = Client()
        go_through(other, creating)
        assert (who_is_in(other), User.objects.count()) == (lead.username, 1)

    def test_is_forgotten_with_the_account(self, creating: ScriptedProvider, outsider: User) -> None:
        connected(outsider, creating)
        assert post(signed_in(outsider), "/api/account/sso/disconnect", password=PASSWORD).status_code == 204
        anonymize_user(user=outsider)
        client = Client()
        go_through(client, creating)
        assert who_is_in(client) == "lea.muster"

    def test_an_identity_of_origin_is_connected_by_password_from_then_on(
        self, creating: ScriptedProvider
    ) -> None:
        go_through(Client(), creating)
        user = User.objects.get()
        user.set_password(PASSWORD)
        user.save()
        client = signed_in(user)
        assert post(client, "/api/account/sso/disconnect", password=PASSWORD).status_code == 204
        assert come_back(client, creating.approve(begin_connecting(client))) == "/account?sso=connected"
        assert client.get("/api/account/sso").json()["ends_with_password"]

    def test_needs_a_password_to_be_left(self, creating: ScriptedProvider) -> None:
        client = Client()
        go_through(client, creating)
        reply = post(client, "/api/account/sso/disconnect", password="")
        assert reply.status_code == 400
        reply = post(client, "/api/account/sso/disconnect", password="any")
        assert code_of(reply) == (409, "no_password")
        user = User.objects.get(username="lea.muster")
        set_password_by_link(token=make_password_token(user=user), password="a long enough phrase")
        client = Client()
        go_through(client, creating)
        assert client.get("/api/account/sso").json()["has_password"]
        reply = post(client, "/api/account/sso/disconnect", password="a long enough phrase")
        assert reply.status_code == 204


class TestNewPassword:
    """Whoever knew the old one may have connected somebody else."""

    def change(self, user: User, way: str) -> None:
        new = "a long enough phrase"
        if way == "page":
            body = {"old": PASSWORD, "new": new}
            assert post(signed_in(user), "/api/account/password", **body).status_code == 200
        elif way == "link":
            set_password_by_link(token=make_password_token(user=user), password=new)
        else:
            user.set_password(new)
            user.save()

    @pytest.mark.parametrize("way", ["page", "link", "command"])
    def test_disconnects_what_was_connected(self, way: str, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        assert signed_in(lead).get("/api/account/sso").json()["ends_with_password"]
        self.change(lead, way)
        assert go_through(Client(), provider) == ENDED
        told = ProviderIdentity.objects.get()
        assert (told.user, told.ended_at is None) == (lead, False)

    @pytest.mark.parametrize("way", ["page", "link", "command"])
    def test_is_noted_and_so_is_whoever_comes_by_it(
        self, way: str, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        self.change(lead, way)
        go_through(Client(), provider)
        changed = "password_reset" if way == "link" else "password_changed"
        assert kinds_of(lead) in (
            ["sso_ended", changed, "sso_refused"],
            [changed, "sso_ended", "sso_refused"],
        )
        by_command = AccountEvent.objects.get(user=lead, kind="sso_ended").client == ""
        assert by_command == (way != "page")

    def test_ends_nothing_twice(self, provider: ScriptedProvider, lead: User) -> None:
        self.change(lead, "command")
        assert "sso_ended" not in kinds_of(lead)
        connected(lead, provider)
        self.change(lead, "command")
        self.change(lead, "link")
        assert kinds_of(lead).count("sso_ended") == 1

    @pytest.mark.parametrize("way", ["link", "command"])
    def test_leaves_whom_the_account_was_made_for(self, way: str, creating: ScriptedProvider) -> None:
        client = Client()
        go_through(client, creating)
        assert not client.get("/api/account/sso").json()["ends_with_password"]
        self.change(User.objects.get(username="lea.muster"), way)
        client = Client()
        assert go_through(client, creating) == "/"
        assert who_is_in(client) == "lea.muster"

    def test_leads_to_no_second_account(self, creating: ScriptedProvider, lead: User) -> None:
        connected(lead, creating)
        self.change(lead, "link")
        before = User.objects.count()
        client = Client()
        assert go_through(client, creating) == ENDED
        assert (who_is_in(client), User.objects.count()) == (None, before)

    def test_ends_what_waits_for_a_code(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        secret, _ = turn_on(lead)
        client = Client()
        go_through(client, provider)
        self.change(lead, "link")
        reply = post(client, "/api/sso/code", code=app_code(secret))
        assert code_of(reply) == (403, "sso_stale")

    def test_ends_what_is_under_way(self, provider: ScriptedProvider, lead: User) -> None:
        client = signed_in(lead)
        redirect = provider.approve(begin_connecting(client))
        self.change(lead, "link")
        assert come_back(client, redirect) == "/account?failed=sso_stale"


class TestEnded:
    """A connection that a new password ended: known, and open to whoever proves both sides anew."""

    def test_is_told_on_the_page_until_the_person_connects_again(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        row = ended(lead, provider)
        client = signed_in(lead)
        told = client.get("/api/account/sso").json()
        assert (told["connected_at"], told["ends_with_password"]) == (None, False)
        assert told["ended_at"] is not None
        assert come_back(client, provider.approve(begin_connecting(client))) == "/account?sso=connected"
        told = client.get("/api/account/sso").json()
        assert (told["connected_at"] is not None, told["ended_at"]) == (True, None)
        assert ProviderIdentity.objects.get().pk == row.pk
        other = Client()
        go_through(other, provider)
        assert who_is_in(other) == lead.username
        assert kinds_of(lead) == ["sso_connected", "sso_signed_in"]

    def test_cannot_be_disconnected(self, provider: ScriptedProvider, lead: User) -> None:
        ended(lead, provider)
        reply = post(signed_in(lead), "/api/account/sso/disconnect", password=PASSWORD)
        assert code_of(reply) == (409, "sso_not_connected")

    def test_a_thief_s_keeps_the_owner_from_nothing(self, provider: ScriptedProvider, lead: User) -> None:
        ended(lead, provider, subject="thief")
        client = signed_in(lead)
        assert come_back(client, provider.approve(begin_connecting(client))) == "/account?sso=connected"
        provider.person = {"sub": "thief", "preferred_username": "lead"}
        assert go_through(Client(), provider) == ENDED
        provider.person = {"sub": SUBJECT}
        other = Client()
        go_through(other, provider)
        assert who_is_in(other) == lead.username

    def test_at_a_thief_s_account_keeps_its_owner_from_nothing(
        self, provider: ScriptedProvider, lead: User, outsider: User
    ) -> None:
        """Somebody connected a victim's identity, from the victim's browser, to their own account."""
        ended(outsider, provider)
        client = signed_in(lead)
        assert come_back(client, provider.approve(begin_connecting(client))) == "/account?sso=connected"
        assert ProviderIdentity.objects.get().user == lead
        assert signed_in(outsider).get("/api/account/sso").json()["ended_at"] is None
        # And it does not come back with what the thief does next.
        thief = signed_in(outsider)
        assert come_back(thief, provider.approve(begin_connecting(thief))) == "/account?failed=sso_in_use"

    def test_is_not_taken_by_an_account_that_has_another(
        self, provider: ScriptedProvider, lead: User, outsider: User
    ) -> None:
        client = signed_in(lead)
        redirect = provider.approve(begin_connecting(client))
        ended(outsider, provider)
        connected(lead, provider, subject="faster")
        assert come_back(client, redirect) == "/account?failed=sso_connected"
        assert ProviderIdentity.objects.get(subject=SUBJECT).user == outsider

    def test_goes_with_the_account(self, creating: ScriptedProvider, outsider: User) -> None:
        ended(outsider, creating)
        anonymize_user(user=outsider)
        assert not ProviderIdentity.objects.exists()

    def test_no_row_of_origin_ends(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        with pytest.raises(IntegrityError), transaction.atomic():
            ProviderIdentity.objects.update(is_origin=True, ended_at=now())


class TestOriginsOfBefore:
    """What migration 0061 makes of connections that are older than `is_origin`."""

    @pytest.mark.parametrize(
        ("has_password", "minutes_later", "expected"),
        [(False, 0, True), (False, 5, False), (True, 0, False)],
    )
    def test_are_those_that_are_as_old_as_an_account_without_password(
        self,
        has_password: bool,
        minutes_later: int,
        expected: bool,
        provider: ScriptedProvider,
        lead: User,
    ) -> None:
        connected(lead, provider)
        if not has_password:
            lead.set_unusable_password()
            lead.save()
        at = lead.date_joined + timedelta(minutes=minutes_later)
        ProviderIdentity.objects.update(connected_at=at)
        migration = import_module("annotation.migrations.0061_ended_connections")
        migration.mark_origins(apps, None)
        assert ProviderIdentity.objects.get().is_origin == expected
