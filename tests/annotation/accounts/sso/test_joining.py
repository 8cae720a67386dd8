"""Somebody without an account joins by an invitation and the provider: the lead's link is the permission."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from annotation.accounts.models import AccountEvent, ProviderIdentity, User
from annotation.accounts.sso import entering
from annotation.accounts.sso.api import COOKIE
from annotation.accounts.sso.identities import disconnect
from annotation.projects.models import Invitation, Project
from annotation.projects.services import members
from annotation.projects.services.members import accept_invitation, invite, revoke_invitation
from common.clock import now
from tests.annotation.accounts.sso.conftest import (
    come_back,
    connected,
    connects_meanwhile,
    go_through,
    who_is_in,
)
from tests.annotation.accounts.test_second_factor import app_code, turn_on
from tests.factories import make_user
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(project: Project, lead: User) -> str:
    return invite(project=project, by=lead, role="annotator", label="Lea").token


def begin(client: Client, link: str, **more: str) -> str:
    """Return the address to which the page of a link sends the browser."""
    reply = ask(client, invitation=link, **more)
    assert reply.status_code == 200, reply.content
    address: str = reply.json()["address"]
    return address


def ask(client: Client, **body: str) -> Any:
    return client.post("/api/sso/begin", body, content_type="application/json")


def join(client: Client, provider: ScriptedProvider, link: str) -> str:
    return come_back(client, provider.approve(begin(client, link)))


class TestJoining:
    def test_makes_an_account_that_is_in_the_project_and_signs_in(
        self, provider: ScriptedProvider, project: Project, link: str
    ) -> None:
        client = Client()
        assert join(client, provider, link) == f"/{project.slug}"
        user = User.objects.get(username="lea.muster")
        assert who_is_in(client) == "lea.muster"
        member = project.members.get(user=user)
        assert (member.role, user.name, user.has_usable_password()) == ("annotator", "Lea Muster", False)
        assert not any((user.creates_projects, user.is_staff, user.is_superuser))
        assert Invitation.objects.get().accepted_by == user
        assert ProviderIdentity.objects.get(user=user).is_origin
        kinds = AccountEvent.objects.filter(user=user).order_by("pk").values_list("kind", flat=True)
        assert list(kinds) == ["sso_connected", "sso_signed_in"]
        # From now on the provider is enough.
        other = Client()
        assert go_through(other, provider) == "/"
        assert who_is_in(other) == "lea.muster"

    def test_needs_the_link(self, provider: ScriptedProvider, link: str) -> None:
        """The page that follows is no permission, only the link that was open when it began."""
        assert go_through(Client(), provider, f"/join/{link}").startswith("/sign-in?failed=sso_unknown")
        assert not User.objects.filter(username="lea.muster").exists()

    @pytest.mark.parametrize("end", ["revoked", "expired", "used", "made up", "its lead left"])
    def test_is_refused_by_a_link_that_ended_meanwhile(
        self, end: str, provider: ScriptedProvider, project: Project, lead: User, link: str
    ) -> None:
        client = Client()
        link = "made-up" if end == "made up" else link
        redirect = provider.approve(begin(client, link))
        if end == "revoked":
            revoke_invitation(project=project, public_id=Invitation.objects.get().public_id)
        elif end == "expired":
            Invitation.objects.update(expires_at=now() - timedelta(seconds=1))
        elif end == "used":
            accept_invitation(token=link, user=make_user())
        elif end == "its lead left":
            project.members.filter(user=lead).update(state="left")
        before = User.objects.count()
        assert come_back(client, redirect) == f"/join/{link}"
        assert (who_is_in(client), User.objects.count()) == (None, before)
        assert not ProviderIdentity.objects.exists()
        assert client.get(f"/api/invitations/{link}").status_code == 404

    def test_a_link_lets_one_in(self, provider: ScriptedProvider, project: Project, link: str) -> None:
        first, second = Client(), Client()
        redirects = []
        for number, client in enumerate((first, second)):
            provider.person = {"sub": f"person-{number}", "preferred_username": f"person-{number}"}
            redirects.append(provider.approve(begin(client, link)))
        assert come_back(first, redirects[0]) == f"/{project.slug}"
        assert come_back(second, redirects[1]) == f"/join/{link}"
        assert (who_is_in(first), who_is_in(second)) == ("person-0", None)
        assert not User.objects.filter(username="person-1").exists()

    def test_a_redirect_counts_once_and_in_its_browser(
        self, provider: ScriptedProvider, project: Project, link: str
    ) -> None:
        provider.replays_codes = True
        client, thief = Client(), Client()
        redirect = provider.approve(begin(client, link))
        kept = client.cookies[COOKIE].value
        assert come_back(thief, redirect) == "/sign-in?failed=sso_stale"
        assert come_back(client, redirect) == f"/{project.slug}"
        thief.cookies[COOKIE] = kept
        assert come_back(thief, redirect) == f"/join/{link}?failed=sso_stale"
        assert who_is_in(thief) is None

    def test_goes_with_the_link_that_was_open_and_no_other(
        self, provider: ScriptedProvider, project: Project, lead: User, link: str
    ) -> None:
        """A second tab of another link begins anew; the first one's redirect is of no use then."""
        other = invite(project=project, by=lead, role="adjudicator").token
        client = Client()
        first = provider.approve(begin(client, other))
        second = provider.approve(begin(client, link))
        assert come_back(client, first) == "/sign-in?failed=sso_stale"
        assert come_back(client, second) == f"/{project.slug}"
        assert project.members.get(user__username="lea.muster").role == "annotator"
        assert Invitation.objects.get(role="adjudicator").accepted_at is None

    def test_makes_nothing_where_the_project_takes_nobody_more(
        self, provider: ScriptedProvider, link: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class ProjectFull(entering.SsoFailed):
            code = "project_full"

        def refuse(**_: Any) -> None:
            raise ProjectFull

        monkeypatch.setattr(members, "add_member", refuse)
        client = Client()
        assert join(client, provider, link) == f"/join/{link}?failed=project_full"
        assert not User.objects.filter(username="lea.muster").exists()
        assert Invitation.objects.get().accepted_at is None

    def test_a_taken_name_gets_a_number(
        self, provider: ScriptedProvider, project: Project, link: str
    ) -> None:
        taken = make_user(username="lea.muster")
        client = Client()
        assert join(client, provider, link) == f"/{project.slug}"
        assert who_is_in(client) == "lea.muster-2"
        assert not project.members.filter(user=taken).exists()


class TestWhoHasAnAccount:
    def test_is_signed_in_and_asked_before_joining(
        self, provider: ScriptedProvider, project: Project, outsider: User, link: str
    ) -> None:
        connected(outsider, provider)
        client = Client()
        assert join(client, provider, link) == f"/join/{link}"
        assert who_is_in(client) == outsider.username
        assert not project.members.filter(user=outsider).exists()
        assert client.post(f"/api/invitations/{link}/accept", {}, "application/json").status_code == 200

    def test_gives_the_code_that_it_asks_for(
        self, provider: ScriptedProvider, outsider: User, link: str
    ) -> None:
        connected(outsider, provider)
        secret, _ = turn_on(outsider)
        client = Client()
        assert join(client, provider, link) == f"/sign-in?step=code&next=%2Fjoin%2F{link}"
        assert client.post("/api/sso/code", {"code": app_code(secret)}, "application/json").status_code == 200

    def test_gets_no_second_one_by_a_connection_that_ended(
        self, provider: ScriptedProvider, outsider: User, link: str
    ) -> None:
        connected(outsider, provider)
        ProviderIdentity.objects.update(ended_at=now())
        client = Client()
        assert join(client, provider, link) == f"/join/{link}?failed=sso_ended"
        assert who_is_in(client) is None
        assert Invitation.objects.get().accepted_at is None

    def test_gets_no_second_one_after_disconnecting(
        self, provider: ScriptedProvider, outsider: User, link: str
    ) -> None:
        connected(outsider, provider)
        disconnect(user=outsider, issuer=provider.issuer)
        client = Client()
        assert join(client, provider, link) == f"/join/{link}?failed=sso_disconnected"
        assert who_is_in(client) is None
        assert Invitation.objects.get().accepted_at is None

    def test_of_two_at_once_both_get_the_first(
        self, provider: ScriptedProvider, link: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As it is when somebody with two links, or a link and the sign-in page, is in both at once."""
        first = make_user(username="first")
        connects_meanwhile(first, provider, monkeypatch)
        client = Client()
        assert join(client, provider, link) == f"/join/{link}"
        assert who_is_in(client) == "first"
        assert not User.objects.filter(username="lea.muster").exists()
        assert Invitation.objects.get().accepted_at is None


class TestTheWay:
    @pytest.mark.parametrize(
        "text", ["../evil", "//evil.example", "a/b", "a?b", "a#b", "a%2F", "ä", "a b", "a\r\nb: c", "x" * 101]
    )
    def test_what_is_no_token_leads_nowhere(self, text: str, provider: ScriptedProvider) -> None:
        assert ask(Client(), invitation=text).status_code == 400

    def test_another_next_page_is_not_gone_to(
        self, provider: ScriptedProvider, project: Project, link: str
    ) -> None:
        client = Client()
        redirect = provider.approve(begin(client, link, next="//evil.example/"))
        assert come_back(client, redirect) == f"/{project.slug}"

    def test_a_refusal_returns_to_the_link(self, provider: ScriptedProvider, link: str) -> None:
        client = Client()
        state = dict(part.split("=") for part in urlsplit(begin(client, link)).query.split("&"))["state"]
        ended = come_back(client, f"/api/sso/callback?error=access_denied&state={state}")
        assert ended == f"/join/{link}?failed=sso_canceled"

    def test_the_link_is_not_told_to_the_provider_nor_kept_in_the_clear(
        self, provider: ScriptedProvider, link: str
    ) -> None:
        client = Client()
        assert link not in begin(client, link)
        assert link not in client.cookies[COOKIE].value
        assert len(client.cookies[COOKIE].OutputString()) < 4_000
