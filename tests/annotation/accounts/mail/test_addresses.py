"""A person's address: entered, confirmed by a link, changed, removed; and which texts are none."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from rest_framework.test import APIClient

from annotation.accounts.mailboxes import confirming
from annotation.accounts.mailboxes.addresses import AddressUnusable, clean_address
from annotation.accounts.models import AccountEvent, Mailbox, OutgoingMail, User
from annotation.accounts.services import anonymize_user
from common.clock import now
from tests.annotation.accounts.mail.conftest import PASSWORD, deliver, give_address, link_in
from tests.conftest import ClientOf

pytestmark = pytest.mark.django_db
ADDRESS = "/api/account/email"


def enter(user: User, address: str, password: str = PASSWORD) -> Any:
    return ClientOf(user).put(ADDRESS, {"address": address, "password": password}, format="json")


def use(path: str) -> Any:
    return APIClient().post(f"/api/email-links/{path.rpartition('/')[2]}")


def address_of(user: User) -> str:
    return Mailbox.objects.get(user=user).address


class TestCleanAddress:
    @pytest.mark.parametrize(
        ("text", "address"),
        [
            ("  Pat@Example.ORG ", "Pat@example.org"),
            ("pat+assay@mail.example.org", "pat+assay@mail.example.org"),
            ("pat@bücher.example", "pat@xn--bcher-kva.example"),
            # Not the Latin letters that it looks like.
            ("pat@ехample.org", "pat@xn--ample-ywe6i.org"),
        ],
    )
    def test_is_stored_as_mail_servers_read_it(self, text: str, address: str) -> None:
        assert clean_address(text) == address

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "pat",
            "@example.org",
            "pat@",
            "pat@localhost",
            "pat@[127.0.0.1]",
            "pat@example.org, eve@example.org",
            "pat@example.org\r\nBcc: eve@example.org",
            "Pat <pat@example.org>",
            '"pat, eve"@example.org',
            "pät@example.org",
            "pat@example..org",
            "pat@ex ample.org",
            f"{'p' * 65}@example.org",
            f"pat@{'a' * 60}.{'b' * 60}.{'c' * 60}.{'d' * 60}.example.org",
            "pat@exa\u202emple.org\u2028x",
            "pat@\ud800.org",
        ],
    )
    def test_refuses_what_is_none(self, text: str) -> None:
        with pytest.raises(AddressUnusable):
            clean_address(text)


class TestEntering:
    def test_is_confirmed_by_a_link_once(self, person: User) -> None:
        reply = enter(person, "pat@example.org")
        waiting = {"address": "", "confirmed_at": None, "pending": "pat@example.org"}
        assert reply.json() == {"is_on": True, **waiting, "digest": "off"}
        (message,) = deliver()
        assert message.to == ["pat@example.org"]
        assert (address_of(person), use(link_in(message)).status_code) == ("", 204)
        assert address_of(person) == "pat@example.org"
        assert use(link_in(message)).status_code == 404

    def test_says_nothing_of_whoever_entered_it(self, person: User) -> None:
        enter(person, "stranger@example.org")
        (message,) = deliver()
        assert "pat" not in message.body.lower()
        assert "okafor" not in f"{message.subject}{message.body}".lower()

    def test_looking_at_a_link_does_not_use_it(self, person: User) -> None:
        enter(person, "pat@example.org")
        link = f"/api/email-links/{link_in(deliver()[0]).rpartition('/')[2]}"
        for _ in range(2):
            assert APIClient().get(link).json() == {"username": "pat", "address": "pat@example.org"}
        assert address_of(person) == ""

    def test_asks_for_the_password(self, person: User) -> None:
        assert enter(person, "pat@example.org", "wrong").status_code == 403
        assert not OutgoingMail.objects.exists()
        assert not Mailbox.objects.exists()

    def test_the_former_one_stays_until_then_and_is_told(self, person: User) -> None:
        give_address(person, "old@example.org")
        enter(person, "new@example.org")
        (message,) = deliver()
        assert address_of(person) == "old@example.org"
        use(link_in(message))
        (told,) = deliver()
        assert (told.to, address_of(person)) == (["old@example.org"], "new@example.org")
        assert "new@example.org" not in told.body

    def test_a_later_link_ends_the_earlier_one(self, person: User) -> None:
        enter(person, "one@example.org")
        (first,) = deliver()
        enter(person, "two@example.org")
        (second,) = deliver()
        assert [use(link_in(each)).status_code for each in (first, second)] == [404, 204]

    def test_one_that_was_not_sent_yet_is_not_sent(self, person: User) -> None:
        enter(person, "one@example.org")
        enter(person, "two@example.org")
        assert [each.to for each in deliver()] == [["two@example.org"]]

    def test_a_link_lasts_a_day(self, person: User) -> None:
        enter(person, "pat@example.org")
        link = link_in(deliver()[0])
        Mailbox.objects.update(pending_until=now())
        assert use(link).status_code == 404
        assert ClientOf(person).get(ADDRESS).json()["pending"] == ""

    def test_five_links_a_day(self, person: User) -> None:
        statuses = [enter(person, f"pat{number}@example.org").status_code for number in range(6)]
        assert statuses == [200] * 5 + [429]
        OutgoingMail.objects.update(created_at=now() - timedelta(days=1))
        assert enter(person, "pat@example.org").status_code == 200

    def test_is_refused_where_mail_is_off(self, person: User, settings: LazySettings) -> None:
        settings.ASSAY_SENDS_MAIL = False
        reply = enter(person, "pat@example.org")
        assert (reply.status_code, reply.json()["error"]["code"]) == (409, "mail_off")
        assert ClientOf(person).get(ADDRESS).json()["is_on"] is False

    def test_two_people_may_have_one_address(self, person: User, lead: User) -> None:
        give_address(lead, "both@example.org")
        enter(person, "both@example.org")
        use(link_in(deliver()[0]))
        assert (address_of(person), address_of(lead)) == ("both@example.org", "both@example.org")

    def test_the_log_says_so(self, person: User) -> None:
        enter(person, "pat@example.org")
        use(link_in(deliver()[0]))
        enter(person, "")
        kinds = AccountEvent.objects.filter(user=person).order_by("pk").values_list("kind", flat=True)
        assert list(kinds) == ["email_confirmed", "email_removed"]

    def test_a_closed_account_confirms_none(self, person: User) -> None:
        enter(person, "pat@example.org")
        link = link_in(deliver()[0])
        anonymize_user(user=person)
        assert use(link).status_code == 404
        assert not Mailbox.objects.exists()
        assert not OutgoingMail.objects.exists()

    def test_tokens_are_stored_nowhere(self, person: User) -> None:
        enter(person, "pat@example.org")
        stored = str([*Mailbox.objects.values(), *OutgoingMail.objects.values()])
        assert link_in(deliver()[0]).rpartition("/")[2] not in stored


class TestRemoving:
    def test_forgets_the_address_and_tells_it(self, person: User) -> None:
        give_address(person, "pat@example.org", digest="daily", digest_at=now())
        assert enter(person, "").json()["address"] == ""
        assert not Mailbox.objects.exists()
        assert [each.to for each in deliver()] == [["pat@example.org"]]

    def test_works_where_mail_is_off(self, person: User, settings: LazySettings) -> None:
        give_address(person, "pat@example.org")
        settings.ASSAY_SENDS_MAIL = False
        assert enter(person, "").status_code == 200
        assert not Mailbox.objects.exists()

    def test_what_waits_is_not_sent(self, person: User) -> None:
        enter(person, "pat@example.org")
        enter(person, "")
        assert deliver() == []

    def test_of_nothing_is_not_noted(self, person: User) -> None:
        confirming.remove_address(user=person)
        assert enter(person, "").status_code == 200
        assert not AccountEvent.objects.filter(kind="email_removed").exists()
