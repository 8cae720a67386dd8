"""The digest: at its hour, where something waits, as the list of projects says it, ended by a click."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from rest_framework.test import APIClient

from annotation.accounts.mailboxes.confirming import next_digest
from annotation.accounts.mailboxes.digests import write_due_digests
from annotation.accounts.models import Mailbox, OutgoingMail, User
from annotation.accounts.outbox.letters import unsubscribe_token
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import what_waits
from common.clock import now
from tests.annotation.accounts.mail.conftest import deliver, give_address
from tests.conftest import ClientOf
from tests.world import World

pytestmark = pytest.mark.django_db
ADDRESS = "/api/account/email"
MONDAY = datetime(2026, 11, 30, 6, tzinfo=UTC)


def choose(user: User, digest: str) -> Any:
    return ClientOf(user).patch(ADDRESS, {"digest": digest}, format="json")


def make_due(user: User, address: str = "pat@example.org", digest: str = "daily") -> Mailbox:
    return give_address(user, address, digest=digest, digest_at=now() - timedelta(minutes=1))


class TestChoosing:
    def test_is_off_until_chosen(self, person: User) -> None:
        give_address(person, "pat@example.org")
        assert ClientOf(person).get(ADDRESS).json()["digest"] == "off"
        assert choose(person, "weekly").json()["digest"] == "weekly"
        assert choose(person, "off").json()["digest"] == "off"
        assert Mailbox.objects.get().digest_at is None

    def test_needs_a_confirmed_address(self, person: User) -> None:
        reply = choose(person, "daily")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "address_needed")
        assert choose(person, "off").status_code == 200

    def test_needs_mail(self, person: User, settings: LazySettings) -> None:
        give_address(person, "pat@example.org")
        settings.ASSAY_SENDS_MAIL = False
        assert choose(person, "daily").status_code == 409

    @pytest.mark.parametrize(
        ("digest", "after", "due"),
        [
            ("off", MONDAY, None),
            ("daily", MONDAY - timedelta(seconds=1), MONDAY),
            ("daily", MONDAY, MONDAY + timedelta(days=1)),
            ("weekly", MONDAY - timedelta(seconds=1), MONDAY),
            ("weekly", MONDAY, MONDAY + timedelta(days=7)),
            ("weekly", MONDAY + timedelta(days=3, hours=5), MONDAY + timedelta(days=7)),
        ],
    )
    def test_comes_at_an_hour_that_nothing_moves(
        self, digest: str, after: datetime, due: datetime | None
    ) -> None:
        assert next_digest(digest, after=after) == due


class TestWriting:
    def test_is_written_once_when_due(self, person: User) -> None:
        make_due(person)
        for _ in range(2):
            write_due_digests()
        assert OutgoingMail.objects.filter(kind="digest").count() == 1
        box = Mailbox.objects.get()
        assert box.digest_at is not None
        assert box.digest_at > now()

    def test_is_not_before_nor_for_whoever_left_nor_where_mail_is_off(
        self, person: User, settings: LazySettings
    ) -> None:
        give_address(person, "pat@example.org", digest="daily", digest_at=now() + timedelta(minutes=1))
        write_due_digests()
        box = make_due(person)
        User.objects.update(is_active=False)
        write_due_digests()
        User.objects.update(is_active=True)
        settings.ASSAY_SENDS_MAIL = False
        write_due_digests()
        assert not OutgoingMail.objects.exists()
        assert Mailbox.objects.get(pk=box.pk).digest_at == box.digest_at

    def test_of_two_at_once_one_writes_it(self, person: User, monkeypatch: pytest.MonkeyPatch) -> None:
        from annotation.accounts.mailboxes import digests

        real = digests._write
        calls: list[Mailbox] = []

        def meet(box: Mailbox, *, at: datetime) -> None:
            if not calls:
                calls.append(box)
                write_due_digests(at=at)
            real(box, at=at)

        monkeypatch.setattr(digests, "_write", meet)
        make_due(person)
        write_due_digests()
        assert OutgoingMail.objects.count() == 1


class TestSaying:
    def test_nothing_is_sent_where_nothing_waits(self, person: User) -> None:
        make_due(person)
        write_due_digests()
        assert deliver() == []
        assert OutgoingMail.objects.get().state == "dropped"

    def test_annotators_hear_what_their_list_of_projects_says(self, world: World) -> None:
        user = world.cast["annotator"].user
        make_due(user)
        write_due_digests()
        (line,) = [
            each for each in ClientOf(user).get("/api/projects").json() if each["slug"] == world.project.slug
        ]
        left = line["left_questions"]
        assert left > 0
        (message,) = deliver()
        what = "question" if left == 1 else "questions"
        assert f"{world.project.name}: {left} {what} to judge" in message.body
        assert f"https://assay.test/{world.project.slug}/judge" in message.body
        assert "decide" not in message.body

    def test_adjudicators_and_leads_hear_what_waits_to_be_decided(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("annotation.projects.selectors.decisions_waiting", lambda **_: 3)
        for role in ("adjudicator", "lead"):
            user = world.cast[role].user
            make_due(user, f"{role}@example.org")
            write_due_digests()
            (message,) = deliver()
            assert "3 answers to decide" in message.body
            assert f"/{world.project.slug}/queue" in message.body
            assert "judge" not in message.body

    def test_viewers_paused_and_archived_hear_nothing(self, world: World) -> None:
        member = world.cast["annotator"]
        assert what_waits(user=member.user)
        Membership.objects.filter(pk=member.pk).update(state="paused")
        assert what_waits(user=member.user) == []
        Membership.objects.filter(pk=member.pk).update(state="active", role="viewer")
        assert what_waits(user=member.user) == []
        Membership.objects.filter(pk=member.pk).update(role="annotator")
        Project.objects.filter(pk=world.project.pk).update(state="archived")
        assert what_waits(user=member.user) == []

    def test_it_names_nobody_and_no_answer(self, world: World) -> None:
        user = world.cast["annotator"].user
        make_due(user)
        write_due_digests()
        (message,) = deliver()
        for member in world.cast.values():
            assert member.pseudonym not in message.body
            assert member.user.name not in message.body

    def test_a_project_s_name_is_one_line(self, world: World) -> None:
        Project.objects.filter(pk=world.project.pk).update(
            name="NQ\r\nBcc: eve@example.org\u202e" + "x" * 150
        )
        user = world.cast["annotator"].user
        make_due(user)
        write_due_digests()
        (message,) = deliver()
        assert "NQ Bcc: eve@example.org" in message.body
        assert message.message()["Bcc"] is None
        assert max(len(line) for line in message.body.splitlines()) < 140

    def test_comes_in_the_person_s_language(self, world: World) -> None:
        user = world.cast["annotator"].user
        User.objects.filter(pk=user.pk).update(language="de")
        make_due(user)
        write_due_digests()
        (message,) = deliver()
        assert message.subject == "Was in Assay auf Sie wartet"
        assert "zu bewerten" in message.body

    def test_who_turned_it_off_meanwhile_gets_none(self, world: World) -> None:
        user = world.cast["annotator"].user
        make_due(user)
        write_due_digests()
        choose(user, "off")
        assert deliver() == []


class TestUnsubscribing:
    def page_of(self, user: User) -> str:
        return f"/account/unsubscribe/{unsubscribe_token(user.public_id)}"

    def test_is_one_click_for_mail_programs(self, world: World) -> None:
        user = world.cast["annotator"].user
        make_due(user)
        write_due_digests()
        (message,) = deliver()
        link = message.extra_headers["List-Unsubscribe"]
        assert link == f"<https://assay.test{self.page_of(user)}>"
        assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert link.strip("<>") in message.body
        # As RFC 8058 says it: a form, without cookies or a token of a session.
        client = Client(enforce_csrf_checks=True, headers={"host": "assay.test"})
        reply = client.post(self.page_of(user), {"List-Unsubscribe": "One-Click"})
        assert (reply.status_code, Mailbox.objects.get(user=user).digest) == (204, "off")
        assert client.post(self.page_of(user), {"List-Unsubscribe": "One-Click"}).status_code == 204

    def test_looking_at_the_link_ends_nothing(self, person: User) -> None:
        make_due(person)
        for method in ("get", "head", "options", "put"):
            getattr(Client(headers={"host": "assay.test"}), method)(self.page_of(person))
        assert Mailbox.objects.get().digest == "daily"

    def test_the_page_s_button_does_it_without_signing_in(self, person: User) -> None:
        make_due(person)
        reply = APIClient().post(f"/api/unsubscribe/{unsubscribe_token(person.public_id)}")
        assert (reply.status_code, Mailbox.objects.get().digest) == (204, "off")

    @pytest.mark.parametrize("token", ["x", "x:y", ":", "{id}", "{id}:forged", "%00", "a" * 3000])
    def test_no_other_text_does(self, token: str, person: User) -> None:
        make_due(person)
        token = token.replace("{id}", person.public_id)
        assert Client(headers={"host": "assay.test"}).post(f"/account/unsubscribe/{token}").status_code in {
            400,
            404,
        }
        assert Mailbox.objects.get().digest == "daily"

    def test_the_token_opens_nothing_else(self, person: User) -> None:
        token = unsubscribe_token(person.public_id)
        for place in ("password-links", "email-links", "invitations"):
            assert APIClient().get(f"/api/{place}/{token}").status_code == 404
