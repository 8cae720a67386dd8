"""The second factor: set up, asked for however one signs in, each code once, and few wrong ones."""

import base64
import hmac
import re
import struct
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client
from rest_framework.test import APIClient

from annotation.accounts import services
from annotation.accounts.models import AccountEvent, RecoveryCode, SecondFactor, User
from annotation.accounts.second_factor import checking, setting_up
from annotation.accounts.second_factor.codes import find_step, new_secret
from annotation.accounts.services import make_password_token
from annotation.accounts.tokens.issuing import create_token
from common.clock import now as real_now
from tests.conftest import ClientOf
from tests.factories import PASSWORD

NEW_PASSWORD = "an even longer phrase"
HERE = "/api/account/two-factor"
# RFC 6238, appendix B: the secret of all its rows, a time, and the last six of its digits.
RFC_SECRET = base64.b32encode(b"12345678901234567890").decode()
RFC_CODES = {
    59: "287082",
    1111111109: "081804",
    1111111111: "050471",
    1234567890: "005924",
    2000000000: "279037",
    20000000000: "353130",
}


@pytest.fixture(autouse=True)
def a_clock_that_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test depend on where in its half minute it runs."""
    at = real_now()
    for module in (checking, setting_up):
        monkeypatch.setattr(module, "now", lambda: at)


def now() -> datetime:
    """Return what the product's clock says."""
    return checking.now()


def app_code(secret: str, *, at: datetime | None = None, later: int = 0) -> str:
    """Return what an app shows, by a second writing of RFC 4226; later: in so many steps."""
    step = int((at or now()).timestamp() // 30) + later
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", step), "sha1")
    place = digest[-1] & 15
    number = struct.unpack(">I", digest[place : place + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def wrong_code(secret: str) -> str:
    """Return six digits that no app shows around now."""
    near = {app_code(secret, later=steps) for steps in range(-3, 4)}
    return next(code for code in map("{:06d}".format, range(10)) if code not in near)


def turn_on(user: User) -> tuple[str, list[str]]:
    """Turn it on as a page does, a step ago, and return the secret and the recovery codes."""
    secret = setting_up.begin(user=user).secret
    before = now() - timedelta(seconds=30)
    return secret, setting_up.confirm(user=user, code=app_code(secret, at=before), at=before).codes


def try_in(
    client: Client | APIClient, *, password: str = PASSWORD, username: str = "lead", **more: Any
) -> Any:
    body = {"username": username, "password": password, **more}
    return client.post("/api/session", body, content_type="application/json")


def code_of(reply: Any) -> tuple[int, str]:
    return reply.status_code, "" if reply.status_code in {200, 204} else reply.json()["error"]["code"]


def is_in(client: Client) -> bool:
    return client.get("/api/projects").status_code == 200


class TestFindStep:
    @pytest.mark.parametrize(("seconds", "code"), RFC_CODES.items())
    def test_knows_the_codes_of_the_standard(self, seconds: int, code: str) -> None:
        at = datetime.fromtimestamp(seconds, UTC)
        assert find_step(code, secret=RFC_SECRET, at=at) == seconds // 30
        assert app_code(RFC_SECRET, at=at) == code

    def test_takes_a_clock_that_is_half_a_minute_wrong_and_no_more(self) -> None:
        secret, at = new_secret(), datetime(2026, 1, 1, tzinfo=UTC)
        present = int(at.timestamp() // 30)
        found = [find_step(app_code(secret, at=at, later=by), secret=secret, at=at) for by in range(-2, 3)]
        assert found == [None, present - 1, present, present + 1, None]

    def test_draws_a_secret_of_160_bits_each_time(self) -> None:
        assert len(base64.b32decode(new_secret())) == 20
        assert new_secret() != new_secret()


@pytest.mark.django_db
class TestSettingUp:
    def set_up(self, client: APIClient, password: str = PASSWORD) -> Any:
        return client.post(HERE, {"password": password}, format="json")

    def test_asks_for_the_password_and_changes_nothing_before_a_code_is_shown(self, lead: User) -> None:
        client = ClientOf(lead)
        assert code_of(self.set_up(client, "wrong")) == (403, "wrong_credentials")
        assert not SecondFactor.objects.exists()
        assert self.set_up(client).status_code == 200
        assert client.get(HERE).json() == {"is_on": False, "turned_on_at": None, "recovery_codes_left": 0}
        assert try_in(Client()).status_code == 200

    def test_tells_the_secret_as_text_link_and_picture(self, lead: User) -> None:
        told = self.set_up(ClientOf(lead)).json()
        address = urlsplit(told["address"])
        assert (address.scheme, address.netloc, unquote(address.path)) == ("otpauth", "totp", "/Assay:lead")
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        assert asked.items() >= {"secret": told["secret"], "digits": "6", "period": "30"}.items()
        assert told["qr_code"].startswith("data:image/svg+xml")
        # Nobody else is asked to draw it.
        assert "http" not in unquote(told["qr_code"]).replace("http://www.w3.org/2000/svg", "")

    def test_is_on_after_a_right_code_and_tells_recovery_codes_once(self, lead: User) -> None:
        client = ClientOf(lead)
        secret = self.set_up(client).json()["secret"]
        wrong = client.post(f"{HERE}/turn-on", {"code": wrong_code(secret)}, format="json")
        assert code_of(wrong) == (403, "wrong_code")
        assert not client.get(HERE).json()["is_on"]
        codes = client.post(f"{HERE}/turn-on", {"code": app_code(secret)}, format="json").json()["codes"]
        assert len(set(codes)) == 10
        assert all(re.fullmatch(r"[a-z2-7]{4}(-[a-z2-7]{4}){3}", code) for code in codes)
        assert client.get(HERE).json().items() >= {"is_on": True, "recovery_codes_left": 10}.items()
        again = client.post(f"{HERE}/turn-on", {"code": app_code(secret)}, format="json")
        assert code_of(again) == (409, "second_factor_on")
        assert code_of(self.set_up(client)) == (409, "second_factor_on")

    def test_the_code_that_turned_it_on_does_not_sign_in(self, lead: User) -> None:
        secret = setting_up.begin(user=lead).secret
        code = app_code(secret)
        setting_up.confirm(user=lead, code=code)
        assert code_of(try_in(Client(), code=code)) == (403, "wrong_code")

    def test_goes_by_the_secret_that_was_begun_last(self, lead: User) -> None:
        client = ClientOf(lead)
        first, second = (self.set_up(client).json()["secret"] for _ in range(2))
        assert code_of(client.post(f"{HERE}/turn-on", {"code": app_code(first)}, format="json"))[0] == 403
        assert client.post(f"{HERE}/turn-on", {"code": app_code(second)}, format="json").status_code == 200

    def test_needs_to_be_begun(self, lead: User) -> None:
        reply = ClientOf(lead).post(f"{HERE}/turn-on", {"code": "123456"}, format="json")
        assert code_of(reply) == (409, "second_factor_off")

    def test_counts_wrong_codes_as_wrong_tries(self, lead: User) -> None:
        client = ClientOf(lead)
        secret = self.set_up(client).json()["secret"]
        for _ in range(10):
            reply = client.post(f"{HERE}/turn-on", {"code": wrong_code(secret)}, format="json")
        assert code_of(reply) == (429, "too_many_tries")

    def test_stores_nothing_that_can_be_read_or_moved_to_another_account(
        self, lead: User, outsider: User
    ) -> None:
        secret, codes = turn_on(lead)
        stored = str(list(SecondFactor.objects.values())) + str(list(RecoveryCode.objects.values()))
        assert secret not in stored
        assert not any(code in stored or code.replace("-", "") in stored for code in codes)
        mine = SecondFactor.objects.get(user=lead)
        turn_on(outsider)
        SecondFactor.objects.filter(user=outsider).update(sealed_secret=mine.sealed_secret)
        reply = try_in(Client(), username="outsider", code=app_code(secret))
        assert code_of(reply) == (409, "second_factor_unreadable")

    def test_no_token_comes_near_it(self, lead: User) -> None:
        text = create_token(user=lead, name="x", scope="manage", days=1).text
        client = APIClient(HTTP_AUTHORIZATION=f"Bearer {text}")
        assert client.get(HERE).status_code == 403
        assert self.set_up(client).status_code == 403


@pytest.mark.django_db
class TestSigningIn:
    def test_asks_for_a_code_only_who_knows_the_password(self, lead: User) -> None:
        turn_on(lead)
        assert code_of(try_in(Client(), password="wrong")) == (403, "wrong_credentials")
        client = Client()
        assert code_of(try_in(client)) == (403, "code_needed")
        assert not is_in(client)

    def test_takes_the_code_with_the_password(self, lead: User) -> None:
        secret, _ = turn_on(lead)
        client = Client()
        code = app_code(secret)
        assert try_in(client, code=f"{code[:3]} {code[3:]}").status_code == 200
        assert is_in(client)

    def test_takes_no_right_code_with_a_wrong_password(self, lead: User) -> None:
        secret, _ = turn_on(lead)
        reply = try_in(Client(), password="wrong", code=app_code(secret))
        assert code_of(reply) == (403, "wrong_credentials")

    def test_takes_no_code_of_another_account(self, lead: User, outsider: User) -> None:
        turn_on(lead)
        secret, codes = turn_on(outsider)
        assert code_of(try_in(Client(), code=app_code(secret))) == (403, "wrong_code")
        assert code_of(try_in(Client(), code=codes[0])) == (403, "wrong_code")

    def test_takes_no_code_twice_and_none_before_it(self, lead: User) -> None:
        secret, _ = turn_on(lead)
        assert try_in(Client(), code=app_code(secret, later=1)).status_code == 200
        assert code_of(try_in(Client(), code=app_code(secret, later=1))) == (403, "wrong_code")
        assert code_of(try_in(Client(), code=app_code(secret))) == (403, "wrong_code")

    def test_takes_each_recovery_code_once(self, lead: User) -> None:
        _, codes = turn_on(lead)
        client = Client()
        assert try_in(client, code=codes[3].upper().replace("-", " ")).status_code == 200
        assert client.get(HERE).json()["recovery_codes_left"] == 9
        assert code_of(try_in(Client(), code=codes[3])) == (403, "wrong_code")

    @pytest.mark.parametrize("code", ["", " ", "-", "000000\n", "１２３４５６", "x" * 40, "'; --"])
    def test_takes_nothing_that_is_no_code(self, code: str, lead: User) -> None:
        turn_on(lead)
        client = Client()
        assert try_in(client, code=code).status_code == 403
        assert not is_in(client)

    def test_counts_wrong_codes_as_wrong_passwords(self, lead: User) -> None:
        secret, _ = turn_on(lead)
        for _ in range(10):
            # Asking without a code between them gives nothing back.
            assert code_of(try_in(Client())) == (403, "code_needed")
            reply = try_in(Client(), code=wrong_code(secret))
        assert code_of(reply) == (429, "too_many_tries")
        assert code_of(try_in(Client(), code=app_code(secret))) == (429, "too_many_tries")

    def test_after_many_wrong_codes_from_anywhere_only_a_recovery_code_lets_in(self, lead: User) -> None:
        secret, codes = turn_on(lead)
        for number in range(checking.MOST_WRONG):
            with pytest.raises(checking.WrongCode):
                checking.require_code(user=lead, code=wrong_code(secret))
            assert SecondFactor.objects.get().wrong_count == number + 1
        assert code_of(try_in(Client(), code=app_code(secret))) == (403, "app_codes_locked")
        assert try_in(Client(), code=codes[0]).status_code == 200
        assert try_in(Client(), code=app_code(secret)).status_code == 200

    def test_tries_at_locked_codes_are_counted_and_not_noted_without_end(self, lead: User) -> None:
        secret, _ = turn_on(lead)
        SecondFactor.objects.update(wrong_count=checking.MOST_WRONG)
        replies = [code_of(try_in(Client(), code=app_code(secret))) for _ in range(12)]
        assert replies[0] == (403, "app_codes_locked")
        assert replies[-1] == (429, "too_many_tries")
        assert AccountEvent.objects.filter(user=lead, kind="wrong_code").count() == 10

    def test_an_account_without_one_takes_any_code(self, lead: User) -> None:
        assert try_in(Client(), code="123456").status_code == 200

    def test_reads_secrets_of_the_former_secret_key(self, lead: User, settings: Any) -> None:
        secret, codes = turn_on(lead)
        former, settings.SECRET_KEY = settings.SECRET_KEY, "another " * 8
        assert code_of(try_in(Client(), code=app_code(secret))) == (409, "second_factor_unreadable")
        assert try_in(Client(), code=codes[0]).status_code == 200
        settings.SECRET_KEY_FALLBACKS = [former]
        assert try_in(Client(), code=app_code(secret)).status_code == 200


@pytest.mark.django_db
class TestOtherWaysIn:
    """No other way of signing in passes by it."""

    def test_a_password_link_sets_the_password_and_lets_nobody_in(self, lead: User) -> None:
        secret, _ = turn_on(lead)
        client = Client()
        address = f"/api/password-links/{make_password_token(user=lead)}"
        client.post(address, {"password": NEW_PASSWORD}, content_type="application/json")
        assert not is_in(client)
        assert code_of(try_in(client, password=NEW_PASSWORD)) == (403, "code_needed")
        assert try_in(client, password=NEW_PASSWORD, code=app_code(secret)).status_code == 200

    def test_a_changed_password_leaves_it_on(self, lead: User) -> None:
        turn_on(lead)
        body = {"old": PASSWORD, "new": NEW_PASSWORD}
        assert ClientOf(lead).post("/api/account/password", body, format="json").status_code == 200
        assert code_of(try_in(Client(), password=NEW_PASSWORD)) == (403, "code_needed")

    def test_a_session_that_was_there_before_does_not_become_its_person(self, lead: User) -> None:
        secret, _ = turn_on(lead)
        client = Client()
        client.session.save()
        try_in(client)
        before = client.session.session_key
        try_in(client, code=app_code(secret))
        assert is_in(client)
        assert client.session.session_key != before

    def test_tokens_work_as_before(self, lead: User) -> None:
        text = create_token(user=lead, name="x", scope="read", days=1).text
        turn_on(lead)
        assert APIClient(HTTP_AUTHORIZATION=f"Bearer {text}").get("/api/projects").status_code == 200


@pytest.mark.django_db
class TestTurningOff:
    def off(self, user: User, **body: str) -> tuple[int, str]:
        return code_of(ClientOf(user).post(f"{HERE}/turn-off", body, format="json"))

    def test_needs_password_and_code(self, lead: User) -> None:
        secret, _ = turn_on(lead)
        assert self.off(lead, password="wrong", code=app_code(secret)) == (403, "wrong_credentials")
        assert self.off(lead, password=PASSWORD, code=wrong_code(secret)) == (403, "wrong_code")
        assert self.off(lead, password=PASSWORD, code="-") == (403, "code_needed")
        assert self.off(lead, password=PASSWORD, code=app_code(secret)) == (204, "")
        assert try_in(Client()).status_code == 200
        lead.refresh_from_db()
        assert self.off(lead, password=PASSWORD, code=app_code(secret)) == (409, "second_factor_off")

    def test_ends_all_other_sessions_and_links_but_no_token(self, lead: User) -> None:
        secret, codes = turn_on(lead)
        here, there = Client(), Client()
        for client, code in ((there, codes[0]), (here, codes[1])):
            assert try_in(client, code=code).status_code == 200
        link = f"/api/password-links/{make_password_token(user=User.objects.get(pk=lead.pk))}"
        token = create_token(user=lead, name="x", scope="read", days=1).text
        assert here.get(link).status_code == 200
        wrong = {"password": PASSWORD, "code": wrong_code(secret)}
        here.post(f"{HERE}/turn-off", wrong, content_type="application/json")
        assert (is_in(here), is_in(there)) == (True, True)
        proofs = {"password": PASSWORD, "code": app_code(secret)}
        assert here.post(f"{HERE}/turn-off", proofs, content_type="application/json").status_code == 204
        assert (is_in(here), is_in(there)) == (True, False)
        assert here.get(link).status_code == 404
        assert APIClient(HTTP_AUTHORIZATION=f"Bearer {token}").get("/api/projects").status_code == 200
        assert try_in(Client()).status_code == 200

    def test_does_nothing_once_another_password_is_set(
        self, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        secret, _ = turn_on(lead)
        hashed = make_password("another long phrase")

        def late(password: str) -> str:
            User.objects.filter(pk=lead.pk).update(password=hashed)
            return make_password(password)

        monkeypatch.setattr(services, "make_password", late)
        assert self.off(lead, password=PASSWORD, code=app_code(secret)) == (403, "wrong_credentials")
        assert SecondFactor.objects.exists()
        assert User.objects.get(pk=lead.pk).password == hashed

    def test_forgets_it_with_the_account(self, outsider: User) -> None:
        turn_on(outsider)
        client = ClientOf(outsider)
        assert client.post("/api/account/close", {"password": PASSWORD}, format="json").status_code == 204
        assert not SecondFactor.objects.exists()
        assert not RecoveryCode.objects.exists()


@pytest.mark.django_db
class TestRenewingRecoveryCodes:
    def test_replaces_all_of_them(self, lead: User) -> None:
        secret, former = turn_on(lead)
        body = {"password": PASSWORD, "code": app_code(secret)}
        codes = ClientOf(lead).post(f"{HERE}/recovery-codes", body, format="json").json()["codes"]
        assert not set(codes) & set(former)
        assert code_of(try_in(Client(), code=former[0])) == (403, "wrong_code")
        assert try_in(Client(), code=codes[0]).status_code == 200

    def test_ends_all_other_sessions(self, lead: User) -> None:
        secret, codes = turn_on(lead)
        here, there = Client(), Client()
        for client, code in ((there, codes[0]), (here, codes[1])):
            assert try_in(client, code=code).status_code == 200
        proofs = {"password": PASSWORD, "code": app_code(secret)}
        reply = here.post(f"{HERE}/recovery-codes", proofs, content_type="application/json")
        assert reply.status_code == 200
        assert (is_in(here), is_in(there)) == (True, False)
        assert try_in(Client(), code=reply.json()["codes"][0]).status_code == 200

    def test_needs_it_to_be_on(self, lead: User) -> None:
        setting_up.begin(user=lead)
        body = {"password": PASSWORD, "code": "123456"}
        reply = ClientOf(lead).post(f"{HERE}/recovery-codes", body, format="json")
        assert code_of(reply) == (409, "second_factor_off")
