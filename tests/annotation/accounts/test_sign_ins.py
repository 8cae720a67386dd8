"""The log of sign-ins: what is noted, for whom, for how long, and what is not."""

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation.accounts.models import AccountEvent, ApiToken, User
from annotation.accounts.services import anonymize_user, create_user, make_password_token
from annotation.accounts.sign_ins import noting
from annotation.accounts.sign_ins.noting import Kind, note, note_failure, sweep_events
from annotation.accounts.tokens.issuing import create_token
from annotation.projects.models import Project
from common.clock import now
from tests.annotation.accounts.test_second_factor import app_code, turn_on, wrong_code
from tests.conftest import ClientOf

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
ADDRESS = "/api/account/sign-ins"


@pytest.fixture
def person() -> User:
    return create_user(username="pat", name="Pat Okafor", password=PASSWORD)


@pytest.fixture
def browser() -> APIClient:
    return APIClient(REMOTE_ADDR="192.0.2.7", HTTP_USER_AGENT=BROWSER)


def sign_in(client: APIClient, username: str = "pat", password: str = PASSWORD) -> Any:
    return client.post("/api/session", {"username": username, "password": password}, format="json")


def kinds(user: User) -> list[str]:
    return list(AccountEvent.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


class TestNoting:
    def test_a_sign_in_says_when_from_where_and_with_what(self, person: User, browser: APIClient) -> None:
        sign_in(browser)
        (event,) = browser.get(ADDRESS).json()["events"]
        assert abs(noted_at(person) - now()) < timedelta(minutes=1)
        assert (event["kind"], event["client"], event["user_agent"]) == ("signed_in", "192.0.2.7", BROWSER)

    def test_everything_that_changes_who_can_sign_in(self, person: User, browser: APIClient) -> None:
        sign_in(browser, password="wrong")
        sign_in(browser)
        wanted = {"name": "a", "scope": "read", "days": 1, "password": PASSWORD}
        token = browser.post("/api/account/tokens", wanted, format="json").json()["token"]["id"]
        for _ in range(2):
            browser.delete(f"/api/account/tokens/{token}")
        passwords = {"old": "wrong", "new": "another long phrase"}
        browser.post("/api/account/password", passwords, format="json")
        browser.post("/api/account/password", {**passwords, "old": PASSWORD}, format="json")
        browser.delete("/api/session")
        person.refresh_from_db()
        link = f"/api/password-links/{make_password_token(user=person)}"
        browser.post(link, {"password": "yet another long phrase"}, format="json")
        assert kinds(person) == [
            "sign_in_failed",
            "signed_in",
            "token_created",
            "token_revoked",
            "wrong_password",
            "password_changed",
            "signed_out",
            "password_reset",
        ]
        assert set(AccountEvent.objects.values_list("client", "user_agent")) == {("192.0.2.7", BROWSER)}

    def test_who_joins_by_a_link_is_signed_in(self, project: Project, lead: User, browser: APIClient) -> None:
        made = ClientOf(lead).post(
            f"/api/projects/{project.slug}/invitations", {"role": "annotator"}, format="json"
        )
        account = {"username": "newcomer", "name": "New Comer", "password": PASSWORD}
        accept = f"/api/invitations/{made.json()['url_path'].rpartition('/')[2]}/accept"
        assert browser.post(accept, account, format="json").status_code == 200
        assert kinds(User.objects.get(username="newcomer")) == ["signed_in"]

    def test_an_unknown_username_is_counted_and_not_kept(self, person: User, browser: APIClient) -> None:
        for typed in (PASSWORD, "Pat", "nobody"):
            assert sign_in(browser, username=typed).status_code == 403
        noted: Any = AccountEvent.objects.values("user", "kind", "client", "user_agent")
        nobody = {"user": None, "kind": "sign_in_failed", "client": "", "user_agent": ""}
        assert list(noted) == [nobody] * 3
        assert kinds(person) == []

    def test_nobody_learns_from_the_work_whether_there_is_an_account(
        self, person: User, browser: APIClient
    ) -> None:
        """The same statements on the same tables, in the same order."""
        statements = []
        for number, username in enumerate(("pat", "nobody")):
            # Each from a place of its own, where nobody tried before.
            client = APIClient(REMOTE_ADDR=f"192.0.2.{number}")
            with CaptureQueriesContext(connection) as queries:
                sign_in(client, username=username, password="wrong")
            done = (each["sql"].split()[:3] for each in queries)
            statements.append([each if "SAVEPOINT" not in each else ["SAVEPOINT"] for each in done])
        assert statements[0] == statements[1]
        assert any('"annotation_accountevent"' in each for each in statements[0])

    def test_what_is_refused_unread_after_too_many_is_not_noted(
        self, person: User, browser: APIClient
    ) -> None:
        statuses = [sign_in(browser, password="wrong").status_code for _ in range(12)]
        assert statuses.count(403) + 1 == len(kinds(person)) < len(statuses)

    def test_an_agent_is_shortened_and_cannot_be_more_than_a_line(self, person: User) -> None:
        client = APIClient(HTTP_USER_AGENT="a\x1b[2J\u202e" + "b" * 500)
        sign_in(client)
        agent = AccountEvent.objects.get().user_agent
        assert agent == "a[2J" + "b" * 196

    def test_signing_out_without_a_session_is_nothing(self, browser: APIClient) -> None:
        browser.delete("/api/session")
        assert not AccountEvent.objects.exists()

    def test_an_account_that_is_closed_keeps_no_address(self, person: User, browser: APIClient) -> None:
        sign_in(browser)
        assert browser.post("/api/account/close", {"password": PASSWORD}, format="json").status_code == 204
        assert kinds(person) == ["signed_in", "account_closed"]
        assert set(AccountEvent.objects.values_list("client", "user_agent")) == {("", "")}
        said = io.StringIO()
        call_command("sign_ins", "--csv", stdout=said)
        assert "pat" not in said.getvalue().lower()

    def test_of_nobody_the_database_keeps_a_count_alone(self) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            AccountEvent.objects.create(kind=Kind.SIGN_IN_FAILED, client="192.0.2.7", at=now())


def noted_at(user: User) -> Any:
    return AccountEvent.objects.get(user=user).at


class TestSecondFactor:
    def test_whoever_knows_the_password_and_has_no_code_is_noted(
        self, person: User, browser: APIClient
    ) -> None:
        secret, codes = turn_on(person)
        body = {"username": "pat", "password": PASSWORD}
        for code in ("", wrong_code(secret), codes[0]):
            browser.post("/api/session", {**body, "code": code}, format="json")
        assert kinds(person) == ["wrong_code", "signed_in"]

    def test_turning_it_on_and_off_is_noted(self, person: User, browser: APIClient) -> None:
        sign_in(browser)
        here = "/api/account/two-factor"
        secret = browser.post(here, {"password": PASSWORD}, format="json").json()["secret"]
        code = app_code(secret)
        codes = browser.post(f"{here}/turn-on", {"code": code}, format="json").json()["codes"]
        proofs = {"password": PASSWORD, "code": codes[0]}
        renewed = browser.post(f"{here}/recovery-codes", proofs, format="json").json()["codes"]
        browser.post(f"{here}/turn-off", {**proofs, "password": "wrong"}, format="json")
        browser.post(f"{here}/turn-off", {**proofs, "code": renewed[0]}, format="json")
        expected = ["signed_in", "two_factor_on", "codes_renewed", "wrong_password", "two_factor_off"]
        assert kinds(person) == expected
        turn_on(person)
        call_command("reset_two_factor", "pat", stdout=io.StringIO())
        assert kinds(person) == [*expected, "two_factor_off"]


class TestReading:
    def test_each_reads_their_own(self, person: User, lead: User, browser: APIClient) -> None:
        note(user=lead, kind=Kind.SIGNED_OUT)
        sign_in(browser)
        assert [each["kind"] for each in browser.get(ADDRESS).json()["events"]] == ["signed_in"]
        assert [each["kind"] for each in ClientOf(lead).get(ADDRESS).json()["events"]] == ["signed_out"]

    def test_nobody_reads_it_without_a_session(self, person: User) -> None:
        assert APIClient().get(ADDRESS).status_code == 403
        created = create_token(user=person, name="a", scope=ApiToken.Scope.MANAGE, days=1)
        program = APIClient(HTTP_AUTHORIZATION=f"Bearer {created.text}")
        assert program.get(ADDRESS).status_code == 403

    def test_the_newest_comes_first_page_by_page(self, person: User, settings: Any) -> None:
        settings.ASSAY_SIGN_IN_DAYS = 30
        for minutes in range(12):
            note(user=person, kind=Kind.SIGNED_IN, at=now() - timedelta(minutes=minutes))
        client = ClientOf(person)
        first = client.get(ADDRESS).json()
        second = client.get(ADDRESS, {"cursor": first["next"]}).json()
        times = [each["at"] for each in [*first["events"], *second["events"]]]
        assert times == sorted(times, reverse=True)
        assert (len(first["events"]), first["count"], second["before"], first["days"]) == (10, 12, 10, 30)
        assert client.get(ADDRESS, {"user": "lead"}).status_code == 400


class TestSweeping:
    def test_what_is_old_goes(self, person: User, settings: Any) -> None:
        settings.ASSAY_SIGN_IN_DAYS = 7
        for days in (1, 6, 8, 400):
            note(user=person, kind=Kind.SIGNED_IN, at=now() - timedelta(days=days))
        assert sweep_events() == 2
        assert sweep_events(at=now() + timedelta(days=5)) == 1

    def test_guesses_push_out_no_sign_in(self, person: User, lead: User, monkeypatch: Any) -> None:
        monkeypatch.setattr(noting, "MOST_OF_AN_ACCOUNT", 3)
        note(user=person, kind=Kind.SIGNED_IN)
        for number in range(5):
            note(user=person, kind=Kind.SIGN_IN_FAILED, at=now() + timedelta(seconds=number // 2))
        note(user=lead, kind=Kind.SIGN_IN_FAILED)
        newest = AccountEvent.objects.filter(kind=Kind.SIGN_IN_FAILED, user=person).order_by("-at", "-pk")[:3]
        kept = {each.pk for each in newest}
        assert sweep_events() == 2
        left = AccountEvent.objects.filter(user=person)
        assert {each.pk for each in left.filter(kind=Kind.SIGN_IN_FAILED)} == kept
        assert left.filter(kind=Kind.SIGNED_IN).count() == 1
        assert AccountEvent.objects.filter(user=lead).count() == 1

    def test_nobody_s_are_bounded_together(self, monkeypatch: Any, rf: Any) -> None:
        monkeypatch.setattr(noting, "MOST_OF_AN_ACCOUNT", 1)
        monkeypatch.setattr(noting, "MOST_OF_NOBODY", 3)
        for _ in range(5):
            note_failure(request=rf.get("/"), username="nobody")
        assert sweep_events() == 2
        assert AccountEvent.objects.count() == 3


class TestCommand:
    def said(self, *arguments: str) -> str:
        out = io.StringIO()
        call_command("sign_ins", *arguments, stdout=out)
        return out.getvalue()

    def test_lists_all_accounts_and_counts_what_nobody_is_called(
        self, person: User, lead: User, browser: APIClient
    ) -> None:
        sign_in(browser, username="a secret typed as a name")
        sign_in(browser)
        note(user=lead, kind=Kind.PASSWORD_RESET)
        said = self.said()
        assert "lead  password set by link\n" in said
        assert f"pat  signed in  192.0.2.7  {BROWSER}\n" in said
        assert said.endswith("that do not exist, in the last 90 days: 1\n")
        assert "secret" not in said
        assert "lead" not in self.said("pat")

    def test_writes_csv_that_no_spreadsheet_runs(self, person: User) -> None:
        sign_in(APIClient(HTTP_USER_AGENT="=cmd()", REMOTE_ADDR="192.0.2.7"))
        header, row = self.said("--csv").splitlines()
        assert header == "at,username,kind,client,user_agent"
        assert row.endswith(",pat,signed in,192.0.2.7,'=cmd()")

    def test_says_that_nobody_is_called_so(self) -> None:
        with pytest.raises(CommandError, match="does not exist"):
            self.said("nobody")


class TestCommands:
    def test_what_an_administrator_does_has_no_address(self, person: User) -> None:
        person.set_password("another long phrase")
        person.save()
        anonymize_user(user=person)
        assert kinds(person) == ["password_changed", "account_closed"]
        assert set(AccountEvent.objects.values_list("client", "user_agent")) == {("", "")}

    def test_a_hash_that_is_renewed_is_no_new_password(
        self, person: User, browser: APIClient, settings: Any
    ) -> None:
        hasher = "django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher"
        settings.PASSWORD_HASHERS = [hasher, *settings.PASSWORD_HASHERS]
        sign_in(browser)
        former = person.password
        person.refresh_from_db()
        assert person.password != former
        assert kinds(person) == ["signed_in"]
