"""A password link by email: who gets one, how often, for how long, and that nobody learns who exists."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation.accounts import selectors
from annotation.accounts.mailboxes import confirming, resetting
from annotation.accounts.mailboxes.confirming import enter_address
from annotation.accounts.mailboxes.resetting import answer_request, sweep_requests
from annotation.accounts.models import AccountEvent, Mailbox, OutgoingMail, PasswordRequest, User
from annotation.accounts.services import create_user, make_password_token
from common.clock import now
from tests.annotation.accounts.mail.conftest import PASSWORD, deliver, give_address, link_in
from tests.annotation.accounts.test_second_factor import turn_on
from tests.conftest import ClientOf

pytestmark = pytest.mark.django_db
NEW = "an even longer phrase"


@pytest.fixture
def reachable(person: User) -> User:
    give_address(person, "Pat@example.org")
    return person


def ask(account: str, client: str = "192.0.2.1", **headers: str) -> Any:
    return APIClient(REMOTE_ADDR=client, **headers).post(
        "/api/password-requests", {"account": account}, format="json"
    )


def use(link: str, password: str = NEW) -> int:
    token = link.rpartition("/")[2]
    return int(
        APIClient().post(f"/api/password-links/{token}", {"password": password}, format="json").status_code
    )


def change(user: User, **body: Any) -> int:
    """Change the password on the page."""
    form = {"old": PASSWORD, "new": NEW, **body}
    return int(ClientOf(user).post("/api/account/password", form, format="json").status_code)


def sign_in(password: str, **more: str) -> int:
    body = {"username": "pat", "password": password, **more}
    return int(APIClient().post("/api/session", body, format="json").status_code)


def links(account: str = "pat") -> list[str]:
    ask(account)
    return [link_in(each) for each in deliver()]


class TestAsking:
    @pytest.mark.parametrize("typed", ["pat", "pat@example.org", " PAT@EXAMPLE.org"])
    def test_by_username_or_address_brings_a_link(self, typed: str, reachable: User) -> None:
        (link,) = links(typed)
        assert use(link) == 204
        assert (sign_in(PASSWORD), sign_in(NEW)) == (403, 200)

    @pytest.mark.parametrize("typed", ["Pat", "nobody", "eve@example.org", "%", "pat\u0000"[:3] + "t"])
    def test_by_anything_else_brings_none(self, typed: str, reachable: User) -> None:
        assert ask(typed).status_code == 204
        assert deliver() == []

    def test_an_address_that_is_not_confirmed_gets_nothing(self, person: User) -> None:
        Mailbox.objects.create(
            user=person,
            pending="pat@example.org",
            pending_hash="x",
            pending_until=now() + timedelta(days=1),
            language="en",
        )
        assert links("pat") == links("pat@example.org") == []

    @pytest.mark.parametrize("field", ["is_active", "is_imported"])
    def test_who_cannot_sign_in_gets_nothing(self, field: str, reachable: User) -> None:
        User.objects.filter(pk=reachable.pk).update(**{field: field == "is_imported"})
        assert links() == []

    def test_nobody_learns_who_has_an_account(self, reachable: User) -> None:
        """The same reply, by the same statements on the same tables, in the same order."""
        seen = []
        for number, typed in enumerate(("pat", "pat@example.org", "nobody", "nobody@example.org")):
            with CaptureQueriesContext(connection) as queries:
                reply = ask(typed, client=f"192.0.2.{number}")
            done = [each["sql"].split()[:3] for each in queries]
            told = (reply.status_code, reply.content, sorted(reply.headers))
            seen.append((told, [each if "SAVEPOINT" not in each else ["SAVEPOINT"] for each in done]))
        assert all(each == seen[0] for each in seen)

    def test_what_was_typed_cannot_be_read_and_is_gone_afterwards(self, reachable: User) -> None:
        ask("my secret password")
        assert "secret" not in str(list(PasswordRequest.objects.values()))
        deliver()
        assert not PasswordRequest.objects.exists()

    def test_is_refused_where_mail_is_off(self, settings: LazySettings) -> None:
        settings.ASSAY_SENDS_MAIL = False
        assert ask("pat").status_code == 409
        assert APIClient().get("/api/session").json()["sends_mail"] is False

    def test_the_log_says_from_where(self, reachable: User) -> None:
        ask("pat", client="192.0.2.9", HTTP_USER_AGENT="Firefox")
        deliver()
        (event,) = AccountEvent.objects.filter(user=reachable)
        assert (event.kind, event.client, event.user_agent) == ("reset_requested", "192.0.2.9", "Firefox")

    def test_several_with_one_address_each_get_a_link(self, reachable: User) -> None:
        other = create_user(username="pat2", name="Pat", password=PASSWORD)
        give_address(other, "pat@example.org")
        ask("pat@example.org")
        assert sorted(each.body.split("“")[1].split("”")[0] for each in deliver()) == ["pat", "pat2"]

    def test_comes_in_the_language_of_the_account_or_else_of_the_page(self, reachable: User) -> None:
        ask("pat", HTTP_ACCEPT_LANGUAGE="de")
        assert [each.subject for each in deliver()] == ["Neues Passwort festlegen"]
        User.objects.update(language="en")
        ask("pat", HTTP_ACCEPT_LANGUAGE="de")
        assert [each.subject for each in deliver()] == ["Set a new password"]


class TestLimits:
    def test_of_one_client(self, reachable: User) -> None:
        statuses = [ask(f"nobody{number}").status_code for number in range(11)]
        assert statuses == [204] * 10 + [429]
        assert ask("pat", client="192.0.2.2").status_code == 204

    def test_does_not_keep_anybody_from_signing_in(self, reachable: User) -> None:
        for _ in range(11):
            ask("pat", client="127.0.0.1")
        assert sign_in(PASSWORD) == 200

    def test_of_one_account_is_told_to_nobody(self, reachable: User) -> None:
        replies = [ask("pat", client=f"192.0.2.{number}") for number in range(5)]
        assert {each.status_code for each in replies} == {204}
        assert len(deliver()) == 3
        OutgoingMail.objects.update(created_at=now() - timedelta(hours=2))
        assert len(links()) == 1

    def test_of_one_account_in_a_day(self, reachable: User) -> None:
        sent = 0
        for hour in range(6):
            for number in range(3):
                ask("pat", client=f"192.0.{hour}.{number}")
            sent += len(deliver())
            for mail in OutgoingMail.objects.all():
                OutgoingMail.objects.filter(pk=mail.pk).update(
                    created_at=mail.created_at - timedelta(hours=1, minutes=1)
                )
        assert sent == 10


class TestLink:
    def test_works_once(self, reachable: User) -> None:
        (link,) = links()
        assert (use(link), use(link, "yet another long one")) == (204, 404)

    def test_dies_with_a_new_password(self, reachable: User) -> None:
        (link,) = links()
        reachable.set_password(NEW)
        reachable.save()
        assert use(link) == 404

    def test_that_was_not_sent_yet_dies_too(self, reachable: User) -> None:
        ask("pat")
        answer_request(request_id=PasswordRequest.objects.get().pk)
        User.objects.filter(pk=reachable.pk).update(password="of somebody faster")
        (message,) = deliver()
        assert use(link_in(message)) == 404

    def test_dies_with_the_address(self, reachable: User) -> None:
        (link,) = links()
        give_address(reachable, "new@example.org")
        assert use(link) == 404

    def test_dies_when_the_person_signs_in(self, reachable: User) -> None:
        (link,) = links()
        assert sign_in(PASSWORD) == 200
        assert use(link) == 404

    def test_lasts_an_hour_and_an_administrator_s_a_day(
        self, reachable: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (link,) = links()
        by_hand = make_password_token(user=reachable)
        for hours, worth in ((0.9, [204, 204]), (1.1, [404, 204]), (25, [404, 404])):
            later = datetime.now() + timedelta(hours=hours)  # noqa: DTZ005
            for tokens in (selectors.mailed_links, selectors.default_token_generator):
                monkeypatch.setattr(tokens, "_now", lambda later=later: later)
            statuses = [
                200 if APIClient().get(f"/api/password-links/{each}").status_code == 200 else 404
                for each in (link.rpartition("/")[2], by_hand)
            ]
            assert statuses == [200 if each == 204 else each for each in worth]

    def test_neither_kind_passes_for_the_other(self, reachable: User) -> None:
        (link,) = links()
        by_hand = make_password_token(user=reachable)
        owner, _, token = by_hand.partition(".")
        assert use(link.replace(".mail.", ".")) == 404
        assert use(f"/password/{owner}.mail.{token}") == 404

    def test_leaves_two_factor_on(self, reachable: User) -> None:
        _, codes = turn_on(reachable)
        (link,) = links()
        assert use(link) == 204
        assert sign_in(NEW) == 403
        assert sign_in(NEW, code=codes[0]) == 200

    def test_is_sealed_while_it_waits_and_gone_afterwards(self, reachable: User) -> None:
        ask("pat")
        answer_request(request_id=PasswordRequest.objects.get().pk)
        waiting = str(OutgoingMail.objects.values().get())
        (message,) = deliver()
        assert link_in(message) not in waiting
        assert OutgoingMail.objects.get().sealed == ""


class TestWaysBack:
    """Whoever knew the password and entered an address must not come back by it."""

    def test_a_link_of_an_administrator_takes_the_address_away(self, reachable: User) -> None:
        assert use(f"/password/{make_password_token(user=reachable)}") == 204
        assert not Mailbox.objects.exists()
        assert [each.to for each in deliver()] == [["Pat@example.org"]]
        assert links() == []
        kinds = AccountEvent.objects.filter(user=reachable).values_list("kind", flat=True)
        assert set(kinds) == {"email_removed", "password_reset"}

    def test_so_does_a_password_set_by_a_command(self, reachable: User) -> None:
        reachable.set_password(NEW)
        reachable.save()
        assert not Mailbox.objects.exists()

    def test_a_link_that_came_to_the_address_leaves_it(self, reachable: User) -> None:
        (link,) = links()
        assert use(link) == 204
        assert Mailbox.objects.get().address == "Pat@example.org"
        (notice,) = deliver()
        assert (notice.to, notice.subject) == (["Pat@example.org"], "Your password was changed")

    def test_a_password_changed_on_the_page_leaves_it_and_tells_it(self, reachable: User) -> None:
        (link,) = links()
        assert change(reachable) == 200
        assert Mailbox.objects.get().address == "Pat@example.org"
        (notice,) = deliver()
        assert (notice.to, notice.subject) == (["Pat@example.org"], "Your password was changed")
        assert "/password/" not in notice.body
        # Nor does a link that came before work.
        assert use(link, "yet another long one") == 404

    def test_or_takes_it_away_if_the_person_wants_that(self, reachable: User) -> None:
        ask("pat")
        answer_request(request_id=PasswordRequest.objects.get().pk)
        assert change(reachable, remove_email=True) == 200
        assert not Mailbox.objects.exists()
        # No link any more, but the word that it was removed: a thief may have done that.
        assert [(each.to, each.subject) for each in deliver()] == [
            (["Pat@example.org"], "Your email address was changed")
        ]
        assert links() == []
        kinds = AccountEvent.objects.filter(user=reachable).order_by("pk").values_list("kind", flat=True)
        assert list(kinds)[-2:] == ["email_removed", "password_changed"]

    def test_a_wrong_password_takes_nothing_away(self, reachable: User) -> None:
        assert change(reachable, old="wrong", remove_email=True) == 403
        assert change(reachable, new="short", remove_email=True) == 400
        assert Mailbox.objects.get().address == "Pat@example.org"
        assert deliver() == []

    def test_links_that_wait_to_be_sent_are_not(self, reachable: User) -> None:
        ask("pat")
        answer_request(request_id=PasswordRequest.objects.get().pk)
        assert change(reachable) == 200
        assert [each.subject for each in deliver()] == ["Your password was changed"]
        states = OutgoingMail.objects.order_by("pk").values_list("kind", "state", "sealed")
        assert list(states) == [("password_link", "dropped", ""), ("password_changed", "sent", "")]

    def test_an_address_that_is_not_confirmed_hears_of_nothing(self, person: User) -> None:
        enter_address(user=person, address="eve@example.org")
        assert change(person) == 200
        assert deliver() == []

    def test_who_changes_it_again_and_again_fills_nobody_s_mailbox(
        self, reachable: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(confirming, "MOST_NOTICES_A_DAY", 2)
        for _ in range(4):
            confirming.keep_address(user=reachable)
        assert len(deliver()) == 2

    def test_nobody_hears_of_it_where_no_mail_is_sent(self, reachable: User, settings: LazySettings) -> None:
        settings.ASSAY_SENDS_MAIL = False
        assert change(reachable) == 200
        assert not OutgoingMail.objects.exists()

    def test_an_address_that_goes_while_a_link_is_asked_for_gets_none(
        self, reachable: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its token would be made, and checked, for an account without an address."""
        ask("pat")
        look_up = resetting._boxes_of

        def late(account: str) -> list[Mailbox]:
            found = look_up(account)
            confirming.remove_address(user=reachable)
            return found

        monkeypatch.setattr(resetting, "_boxes_of", late)
        assert [each.subject for each in deliver()] == ["Your email address was changed"]

    def test_a_changed_password_ends_a_link_that_would_confirm_another(self, reachable: User) -> None:
        enter_address(user=reachable, address="eve@example.org")
        (message,) = deliver()
        client = APIClient()
        client.post("/api/session", {"username": "pat", "password": PASSWORD}, format="json")
        passwords = {"old": PASSWORD, "new": NEW}
        assert client.post("/api/account/password", passwords, format="json").status_code == 200
        token = link_in(message).rpartition("/")[2]
        assert APIClient().post(f"/api/email-links/{token}").status_code == 404
        assert Mailbox.objects.get().address == "Pat@example.org"


class TestSweeping:
    def test_rings_for_what_nobody_answered_and_forgets_what_is_old(
        self, reachable: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rung: list[Any] = []
        monkeypatch.setattr(
            "annotation.accounts.mailboxes.resetting.enqueue_on_commit", lambda *args: rung.append(args)
        )
        ask("pat")
        ask("nobody")
        new, old = PasswordRequest.objects.order_by("pk")
        PasswordRequest.objects.filter(pk=old.pk).update(created_at=now() - timedelta(hours=2))
        PasswordRequest.objects.filter(pk=new.pk).update(created_at=now() - timedelta(minutes=1))
        rung.clear()
        sweep_requests()
        assert rung == [("accounts.mailboxes.answer_password_request", new.pk)]
        assert not PasswordRequest.objects.filter(pk=old.pk).exists()

    def test_a_request_is_answered_once(self, reachable: User) -> None:
        ask("pat")
        request_id = PasswordRequest.objects.get().pk
        for _ in range(2):
            answer_request(request_id=request_id)
        assert OutgoingMail.objects.count() == 1

    def test_one_that_cannot_be_read_any_more_is_dropped(
        self, reachable: User, settings: LazySettings
    ) -> None:
        ask("pat")
        settings.SECRET_KEY = "another" * 10
        assert deliver() == []
        assert not PasswordRequest.objects.exists()
