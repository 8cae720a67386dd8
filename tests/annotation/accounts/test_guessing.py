"""Guessing passwords and user names: counted by account and client, and no stranger locks anybody out."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import hashers
from rest_framework.test import APIClient

from annotation.accounts import guessing
from annotation.accounts.models import User, WrongTries
from annotation.accounts.services import create_imported_rater, make_password_token
from annotation.projects.models import Project
from annotation.projects.services.members import invite
from common.clock import now
from common.requests.peers import parse_networks
from tests.conftest import ClientOf
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db
PROXY = "10.0.0.2"


def sign_in(client: APIClient, username: str, password: str = "a wrong one", *, of: str = "") -> Any:
    """Try a password; `of`: the address of whoever asks, by way of the proxy."""
    headers = {"x-forwarded-for": of} if of else {}
    body = {"username": username, "password": password}
    return client.post("/api/session", body, format="json", headers=headers, REMOTE_ADDR=PROXY)


def statuses(count: int, act: Callable[[int], Any]) -> list[int]:
    return [act(number).status_code for number in range(count)]


@pytest.fixture(autouse=True)
def _behind_a_proxy(settings: Any) -> None:
    settings.ASSAY_TRUSTED_PROXIES = parse_networks([PROXY])


@pytest.fixture
def strangers(lead: User, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let strangers at many addresses try more passwords of the lead than are taken of all of them."""
    monkeypatch.setattr(guessing, "ACCOUNT_LIMIT", 20)

    def guess() -> None:
        told = statuses(21, lambda number: sign_in(APIClient(), "lead", of=f"192.0.2.{number // 5}"))
        assert told == [403] * 19 + [429] * 2

    return guess


@pytest.fixture
def passing_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Let time pass for the counts."""

    def pass_by(time: timedelta) -> None:
        monkeypatch.setattr(guessing, "now", lambda: now() + time)

    return pass_by


class TestOneAccount:
    def test_takes_ten_wrong_tries_of_a_client_and_the_right_one_a_quarter_of_an_hour_later(
        self, lead: User, passing_time: Callable[[timedelta], None]
    ) -> None:
        client = APIClient()
        told = statuses(11, lambda _: sign_in(client, "lead", of="198.51.100.1"))
        assert told == [403] * 9 + [429] * 2
        assert sign_in(client, "lead", PASSWORD, of="198.51.100.1").status_code == 429
        passing_time(timedelta(minutes=15))
        assert sign_in(client, "lead", PASSWORD, of="198.51.100.1").status_code == 200

    def test_is_not_locked_for_others_behind_the_same_proxy(self, lead: User) -> None:
        statuses(12, lambda _: sign_in(APIClient(), "lead", of="198.51.100.1"))
        assert sign_in(APIClient(), "lead", PASSWORD, of="198.51.100.2").status_code == 200

    def test_cannot_be_guessed_at_under_an_address_that_one_makes_up(self, lead: User) -> None:
        told = statuses(11, lambda number: sign_in(APIClient(), "lead", of=f"192.0.2.{number}, 198.51.100.1"))
        assert told[-1] == 429

    def test_is_open_on_a_known_device_whatever_strangers_do(
        self, lead: User, strangers: Callable[[], None]
    ) -> None:
        own = APIClient()
        assert sign_in(own, "lead", PASSWORD, of="198.51.100.1").status_code == 200
        cookie = own.cookies["assay-device"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        assert "lead" not in cookie.value
        own.delete("/api/session")
        strangers()
        # A new device at a new address waits or uses a link; the known one comes in.
        assert sign_in(APIClient(), "lead", PASSWORD, of="203.0.113.1").status_code == 429
        assert sign_in(own, "lead", PASSWORD, of="192.0.2.1").status_code == 200

    def test_is_open_on_a_new_device_after_a_password_link(
        self, lead: User, strangers: Callable[[], None]
    ) -> None:
        strangers()
        link = f"/api/password-links/{make_password_token(user=lead)}"
        device = APIClient()
        assert device.post(link, {"password": "yet another phrase"}, format="json").status_code == 204
        strangers()
        assert sign_in(device, "lead", "yet another phrase", of="192.0.2.1").status_code == 200

    def test_a_known_device_is_known_for_its_own_accounts_and_takes_ten_tries(self, lead: User) -> None:
        make_user(username="other")
        device = APIClient()
        assert sign_in(device, "other", PASSWORD, of="198.51.100.1").status_code == 200
        assert statuses(11, lambda _: sign_in(device, "lead", of="198.51.100.1"))[-1] == 429
        assert statuses(11, lambda _: sign_in(device, "other", of="198.51.100.1"))[-1] == 429

    def test_a_made_up_cookie_is_no_device(self, lead: User) -> None:
        client = APIClient()
        client.cookies["assay-device"] = "bWFkZSB1cA:1abc:signature"
        assert statuses(11, lambda _: sign_in(client, "lead", of="198.51.100.1"))[-1] == 429

    def test_right_passwords_are_not_counted(self, lead: User) -> None:
        told = statuses(60, lambda _: sign_in(APIClient(), "lead", PASSWORD, of="198.51.100.1"))
        assert set(told) == {200}
        assert not WrongTries.objects.filter(number__gt=0).exists()


class TestManyAccounts:
    def test_one_client_tries_fifty_names_and_no_more(self) -> None:
        told = statuses(60, lambda number: sign_in(APIClient(), f"name{number}", of="198.51.100.1"))
        assert told == [403] * 49 + [429] * 11

    def test_one_line_with_many_addresses_is_one_client(self) -> None:
        told = statuses(60, lambda number: sign_in(APIClient(), f"name{number}", of=f"2001:db8::{number:x}"))
        assert told[-1] == 429

    def test_signing_in_oneself_in_between_does_not_help(self, outsider: User) -> None:
        def try_one(number: int) -> Any:
            sign_in(APIClient(), "outsider", PASSWORD, of="198.51.100.1")
            return sign_in(APIClient(), f"name{number}", of="198.51.100.1")

        assert statuses(60, try_one)[-1] == 429

    def test_who_is_refused_costs_no_hash(self, lead: User, monkeypatch: pytest.MonkeyPatch) -> None:
        statuses(50, lambda number: sign_in(APIClient(), f"name{number}", of="198.51.100.1"))
        hashes = counted_hashes(monkeypatch)
        assert sign_in(APIClient(), "lead", PASSWORD, of="198.51.100.1").status_code == 429
        assert hashes == []

    def test_nothing_of_what_was_typed_is_kept(self, lead: User) -> None:
        sign_in(APIClient(), "my password by mistake", of="198.51.100.1")
        kept = str(list(WrongTries.objects.values()))
        assert "mistake" not in kept
        assert "198.51" not in kept

    def test_counts_that_are_over_are_forgotten(
        self, lead: User, passing_time: Callable[[timedelta], None]
    ) -> None:
        statuses(20, lambda number: sign_in(APIClient(), f"name{number}", of=f"192.0.2.{number}"))
        passing_time(timedelta(days=2))
        sign_in(APIClient(), "lead", PASSWORD, of="198.51.100.1")
        assert WrongTries.objects.filter(since__lt=now()).count() == 0


def counted_hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with each password that is hashed."""
    hashes: list[str] = []
    encode = hashers.MD5PasswordHasher.encode

    def counted(hasher: Any, password: str, salt: str) -> str:
        hashes.append(password)
        return encode(hasher, password, salt)

    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", counted)
    return hashes


class TestUnknownAccounts:
    def test_answer_and_cost_the_same_as_known_ones(
        self, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        create_imported_rater(name="Annotator", username="imported")
        make_user(username="closed")
        User.objects.filter(username="closed").update(is_active=False, password="!unusable")
        make_user(username="inactive")
        User.objects.filter(username="inactive").update(is_active=False)
        told = []
        for name in ("lead", "nobody", "imported", "closed", "inactive"):
            for number in range(12):
                with monkeypatch.context() as counting:
                    hashes = counted_hashes(counting)
                    reply = sign_in(APIClient(), name, of=f"198.51.100.{len(name)}")
                told.append((number, len(hashes), reply.status_code, reply.content, tuple(reply.cookies)))
        # Twelve different steps, each the same for all names.
        assert len(set(told)) == 12


class TestOtherPlaces:
    def test_the_present_password_is_asked_for_ten_times(self, lead: User) -> None:
        client = ClientOf(lead)
        wrong = {"old": "a wrong one", "new": "an even longer phrase"}
        told = statuses(11, lambda _: client.post("/api/account/password", wrong, format="json"))
        assert told == [403] * 9 + [429] * 2
        right = {"old": PASSWORD, "new": "an even longer phrase"}
        assert client.post("/api/account/password", right, format="json").status_code == 429
        closing = client.post("/api/account/close", {"password": PASSWORD}, format="json")
        assert (closing.status_code, User.objects.get(pk=lead.pk).is_active) == (429, True)

    def test_strangers_do_not_keep_anybody_from_changing_it(
        self, lead: User, strangers: Callable[[], None]
    ) -> None:
        strangers()
        right = {"old": PASSWORD, "new": "an even longer phrase"}
        assert ClientOf(lead).post("/api/account/password", right, format="json").status_code == 200

    def test_a_link_tells_of_few_user_names_whether_they_are_taken(
        self, project: Project, lead: User
    ) -> None:
        token = invite(project=project, by=lead, role="annotator").token
        address = f"/api/invitations/{token}/accept"

        def join(username: str, password: str = "a long enough one") -> Any:
            form = {"username": username, "name": "N", "password": password}
            return APIClient().post(address, form, format="json")

        # Rules for passwords that one has to learn cost nothing.
        assert set(statuses(20, lambda _: join("ann", "short"))) == {400}
        assert statuses(11, lambda _: join("lead")) == [400] * 9 + [429] * 2
        assert join("ann").status_code == 429
        assert not User.objects.filter(username="ann").exists()
