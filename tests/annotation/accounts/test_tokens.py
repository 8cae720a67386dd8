"""API tokens: who may create one, what it opens, and that it opens nothing else."""

import io
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.management.commands import changepassword
from django.core.management import call_command
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from annotation.accounts import guessing
from annotation.accounts.models import ApiToken, User
from annotation.accounts.rules import SCOPES, is_allowed, parse_token, why_refused
from annotation.accounts.services import anonymize_user, create_user, make_password_token
from annotation.accounts.tokens import issuing
from annotation.accounts.tokens.issuing import AccountChanged, create_token, revoke_token, revoke_tokens
from annotation.projects.models import Membership, Project
from common.clock import now
from tests.conftest import ClientOf
from tests.factories import PASSWORD, make_member, make_project

pytestmark = pytest.mark.django_db
WISH = {"name": "Nightly import", "scope": "read", "days": 90, "password": PASSWORD}


class Program(APIClient):
    """A client that knows nothing but a token."""

    def __init__(self, text: str) -> None:
        super().__init__(enforce_csrf_checks=True, HTTP_AUTHORIZATION=f"Bearer {text}")


def program(user: User, **wishes: Any) -> Program:
    return Program(create_token(user=user, **({"name": "mine", "scope": "manage", "days": 30} | wishes)).text)


def told(reply: Any) -> tuple[int, str]:
    return reply.status_code, reply.json()["error"]["code"]


@pytest.fixture
def put_off(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Have the clock of tokens go by so much."""

    def advance(by: timedelta) -> None:
        at: datetime = now() + by
        monkeypatch.setattr(issuing, "now", lambda: at)

    return advance


class TestScopes:
    def test_each_allows_what_those_before_it_allow(self) -> None:
        allowed = [[needed for needed in SCOPES if is_allowed(scope=each, needed=needed)] for each in SCOPES]
        assert allowed == [["read"], ["read", "run"], ["read", "run", "write"], list(SCOPES)]

    def test_are_those_of_the_table(self) -> None:
        assert tuple(ApiToken.Scope.values) == SCOPES

    def test_are_worded_as_on_the_page(self) -> None:
        """The page keeps the words for its translations, and the schema tells them to programs."""
        page = Path(settings.BASE_DIR, "frontend/src/features/account/tokens-page.tsx").read_text()
        found = dict(re.findall(r'^  (\w+): "(.+)",$', page, re.MULTILINE))
        assert {scope: found.get(scope) for scope in SCOPES} == dict(ApiToken.Scope.choices)

    @pytest.mark.parametrize(
        ("change", "refusal"),
        [
            ({}, None),
            ({"named": None}, None),
            ({"project": None, "named": "other"}, None),
            ({"project": None, "serves_project_tokens": False}, None),
            ({"needed": None}, "do not work here"),
            ({"needed": "manage"}, "scope “run,” but this request needs the scope “manage”"),
            ({"named": "other"}, "for another project"),
            ({"serves_project_tokens": False}, "for one project only"),
        ],
    )
    def test_say_why_a_request_is_refused(self, change: dict[str, Any], refusal: str | None) -> None:
        request = {"scope": "run", "needed": "read", "project": "small", "named": "small"}
        why = why_refused(**{**request, "serves_project_tokens": True, **change})
        assert why is None if refusal is None else refusal in (why or "")

    @pytest.mark.parametrize("text", ["", "assay_", f"assay_{'a' * 14}_{'g' * 48}", f"x{'a' * 63}", "\0"])
    def test_what_is_no_token_has_no_parts(self, text: str) -> None:
        assert parse_token(text) is None


class TestCreate:
    def test_tells_the_text_once_and_stores_a_hash(self, lead: User) -> None:
        created = ClientOf(lead).post("/api/account/tokens", WISH, format="json").json()
        sent = parse_token(created["text"])
        assert sent is not None
        assert sent.public_id == created["token"]["id"]
        assert Program(created["text"]).get("/api/projects").status_code == 200
        (listed,) = ClientOf(lead).get("/api/account/tokens").json()
        stored = str(ApiToken.objects.filter(user=lead).values().get())
        assert sent.secret not in str(listed) + stored
        assert (listed["name"], listed["project"], listed["revoked_at"]) == ("Nightly import", None, None)

    def test_asks_for_the_password(self, lead: User) -> None:
        wish = WISH | {"password": "another"}
        reply = ClientOf(lead).post("/api/account/tokens", wish, format="json")
        assert told(reply) == (403, "wrong_credentials")
        assert not ApiToken.objects.exists()

    @pytest.mark.parametrize("days", [0, 366])
    def test_lasts_a_year_at_most(self, lead: User, days: int) -> None:
        assert (
            ClientOf(lead).post("/api/account/tokens", WISH | {"days": days}, format="json").status_code
            == 400
        )

    def test_is_for_no_project_of_others(self, outsider: User, project: Project) -> None:
        reply = ClientOf(outsider).post("/api/account/tokens", WISH | {"project": "small"}, format="json")
        assert told(reply) == (404, "project_not_found")

    @pytest.mark.parametrize("change", [{"password": "of somebody faster"}, {"is_active": False}])
    def test_is_refused_once_the_account_has_changed(self, lead: User, change: dict[str, Any]) -> None:
        User.objects.filter(pk=lead.pk).update(**change)
        with pytest.raises(AccountChanged):
            program(lead)
        assert not ApiToken.objects.exists()

    def test_there_are_only_so_many_at_once(self, lead: User, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(issuing, "MOST_ACTIVE", 1)
        program(lead)
        assert told(ClientOf(lead).post("/api/account/tokens", WISH, format="json")) == (
            409,
            "too_many_tokens",
        )
        revoke_token(user=lead, public_id=ApiToken.objects.get().public_id)
        assert ClientOf(lead).post("/api/account/tokens", WISH, format="json").status_code == 201

    @pytest.mark.parametrize(
        "change", [{"scope": "everything"}, {"expires_at": datetime(2020, 1, 1, tzinfo=now().tzinfo)}]
    )
    def test_the_table_refuses_others(self, lead: User, change: dict[str, Any]) -> None:
        program(lead)
        with pytest.raises(IntegrityError), transaction.atomic():
            ApiToken.objects.update(**change)


class TestUse:
    def test_needs_neither_session_nor_csrf_token(self, lead: User, project: Project) -> None:
        reply = program(lead).patch("/api/projects/small", {"name": "Renamed"}, format="json")
        assert (reply.status_code, reply.json()["name"], len(reply.cookies)) == (200, "Renamed", 0)

    def test_a_session_beside_it_changes_nothing(self, lead: User, outsider: User, project: Project) -> None:
        client = ClientOf(lead)
        text = create_token(user=outsider, name="mine", scope="manage", days=1).text
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
        assert client.get("/api/projects/small").status_code == 404

    def test_another_scheme_leaves_the_session(self, lead: User, project: Project) -> None:
        client = ClientOf(lead)
        client.credentials(HTTP_AUTHORIZATION="Basic eDp5")
        assert client.get("/api/projects/small").status_code == 200

    def test_goes_by_the_role_that_its_person_has_now(self, lead: User, project: Project) -> None:
        member = make_member(project=project, role="adjudicator")
        client = program(member.user)
        assert client.get("/api/projects/small/queue").status_code == 200
        Membership.objects.filter(pk=member.pk).update(role="annotator")
        assert told(client.get("/api/projects/small/queue")) == (403, "wrong_role")
        Membership.objects.filter(pk=member.pk).update(state="left")
        assert told(client.get("/api/projects/small/queue")) == (404, "project_not_found")

    def test_its_scope_says_what_it_may_do(self, lead: User, project: Project) -> None:
        wishes = {
            "read": ("get", "/api/projects/small/members", {}),
            "run": ("post", "/api/projects/small/runs/estimate", {"judge": "exact_match"}),
            "write": ("patch", "/api/projects/small", {"name": "Renamed"}),
            "manage": ("post", "/api/projects/small/invitations", {"role": "annotator"}),
        }
        for scope in SCOPES:
            client = program(lead, scope=scope)
            for needed, (method, address, body) in wishes.items():
                reply = getattr(client, method)(address, body, format="json")
                is_refused = reply.status_code == 403
                assert is_refused is not is_allowed(scope=scope, needed=needed), (scope, needed)
                if is_refused:
                    assert told(reply) == (403, "token_refused")
                    assert f"needs the scope “{needed}”" in reply.json()["error"]["message"]

    def test_pausing_somebody_is_about_people(self, lead: User, project: Project) -> None:
        member = make_member(project=project)
        for act, body in (("pause", {"takes_back": False}), ("resume", {})):
            address = f"/api/projects/small/work/raters/{member.public_id}/{act}"
            assert told(program(lead, scope="write").post(address, {}, format="json")) == (
                403,
                "token_refused",
            )
            assert program(lead).post(address, body, format="json").status_code == 200

    def test_who_judges_what_is_about_the_work(self, lead: User, project: Project) -> None:
        client = program(lead, scope="write")
        address = f"/api/projects/small/work/raters/{make_member(project=project).public_id}/take-back"
        assert client.post(address, {}, format="json").status_code == 200
        assert client.put("/api/projects/small/work", {}, format="json").status_code == 400

    def test_one_for_a_project_opens_no_other(self, lead: User, project: Project) -> None:
        make_project(lead=lead, slug="other")
        client = program(lead, project="small")
        assert client.get("/api/projects/small").status_code == 200
        assert told(client.get("/api/projects/other")) == (403, "token_refused")
        assert [each["slug"] for each in client.get("/api/projects").json()] == ["small"]
        assert told(client.get("/api/comparison?projects=other,small")) == (403, "token_refused")
        assert told(client.post("/api/projects", {}, format="json")) == (403, "token_refused")
        assert told(client.post("/api/projects/small/copy", {}, format="json")) == (403, "token_refused")
        assert told(client.get("/api/projects/small/reuse")) == (403, "token_refused")

    def test_one_for_a_project_opens_no_export_of_another(self, lead: User, project: Project) -> None:
        make_project(lead=lead, slug="other")
        wish = {"format": ClientOf(lead).get("/api/projects/small/export-formats").json()[0]["key"]}
        ids = {
            slug: ClientOf(lead).post(f"/api/projects/{slug}/exports", wish, format="json").json()["id"]
            for slug in ("small", "other")
        }
        client = program(lead, project="small")
        assert client.get(f"/api/exports/{ids['small']}").status_code == 200
        members = lead.memberships.filter(project__slug="other")
        members.update(unblinded_at=None)
        for end in ("", "/download"):
            assert told(client.get(f"/api/exports/{ids['other']}{end}")) == (404, "export_not_found")
        assert members.get().unblinded_at is None

    def test_opens_nothing_of_the_account(self, lead: User) -> None:
        client = program(lead)
        for method, address in (
            ("get", "/api/account/tokens"),
            ("post", "/api/account/tokens"),
            ("post", "/api/account/password"),
            ("post", "/api/account/close"),
            ("patch", "/api/account"),
        ):
            assert told(getattr(client, method)(address, {}, format="json")) == (403, "token_refused")

    def test_its_last_use_is_noted_now_and_then(
        self, lead: User, put_off: Callable[[timedelta], None], django_assert_num_queries: Any
    ) -> None:
        client = program(lead)
        client.get("/api/presets")
        first = ApiToken.objects.get().last_used_at
        assert first is not None
        with django_assert_num_queries(1):
            client.get("/api/presets")
        put_off(timedelta(minutes=6))
        client.get("/api/presets")
        assert ApiToken.objects.filter(last_used_at__gt=first).exists()


class TestEnd:
    @pytest.mark.parametrize(
        "end",
        [
            lambda user, _: revoke_token(user=user, public_id=user.api_tokens.get().public_id),
            lambda _, put_off: put_off(timedelta(days=30)),
            lambda user, _: User.objects.filter(pk=user.pk).update(is_active=False),
            lambda user, _: anonymize_user(user=user),
        ],
        ids=["revoked", "expired", "deactivated", "closed"],
    )
    def test_is_at_once(
        self, outsider: User, end: Callable[..., None], put_off: Callable[[timedelta], None]
    ) -> None:
        client = program(outsider)
        assert client.get("/api/projects").status_code == 200
        end(outsider, put_off)
        reply = client.get("/api/projects")
        assert told(reply) == (401, "token_invalid")
        assert reply.headers["WWW-Authenticate"].startswith("Bearer")

    def test_comes_with_another_password(self, lead: User) -> None:
        client = program(lead)
        body = {"old": PASSWORD, "new": "an even longer phrase"}
        assert ClientOf(lead).post("/api/account/password", body, format="json").status_code == 200
        assert client.get("/api/projects").status_code == 401

    def test_comes_with_a_password_link(self, lead: User) -> None:
        client = program(lead)
        address = f"/api/password-links/{make_password_token(user=lead)}"
        assert (
            APIClient().post(address, {"password": "an even longer phrase"}, format="json").status_code == 204
        )
        assert client.get("/api/projects").status_code == 401

    def test_comes_with_a_password_that_the_administrator_sets(
        self, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = program(lead)
        monkeypatch.setattr(changepassword.Command, "_get_pass", lambda *_, **__: "an even longer phrase")
        call_command("changepassword", "lead", stdout=io.StringIO())
        assert client.get("/api/projects").status_code == 401
        assert ApiToken.objects.get().revoked_at is not None

    def test_does_not_come_with_another_hash_of_the_password(self, lead: User) -> None:
        # So short a salt is renewed when somebody signs in.
        old = make_password(PASSWORD, salt="x")
        User.objects.filter(pk=lead.pk).update(password=old)
        lead.refresh_from_db()
        client = program(lead)
        body = {"username": "lead", "password": PASSWORD}
        assert APIClient().post("/api/session", body, format="json").status_code == 200
        lead.refresh_from_db()
        assert lead.password != old
        assert client.get("/api/projects").status_code == 200

    def test_other_changes_of_the_account_are_one_statement(
        self, lead: User, django_assert_num_queries: Any
    ) -> None:
        client = program(lead)
        lead = User.objects.get(pk=lead.pk)
        lead.name = "Lea"
        # Without a transaction around it: that would be the one write lock of SQLite at each sign-in.
        with django_assert_num_queries(1):
            lead.save(update_fields=["name"])
        assert client.get("/api/projects").status_code == 200

    def test_does_not_come_with_what_a_new_account_saves_next(self, lead: User) -> None:
        made = create_user(username="anew", name="Anew", password="an even longer phrase")
        client = program(made)
        made.name = "Renamed"
        made.save()
        assert client.get("/api/projects").status_code == 200

    def test_is_logged_by_id(self, lead: User, caplog: pytest.LogCaptureFixture) -> None:
        ids = [create_token(user=lead, name="mine", scope="read", days=1).token.public_id for _ in range(2)]
        caplog.clear()
        with caplog.at_level("INFO", logger=issuing.logger.name):
            revoke_tokens(user=lead)
            revoke_tokens(user=lead)
        assert caplog.messages == [f"API tokens of {lead.public_id} revoked: {', '.join(ids)}"]

    def test_leaves_no_name_where_the_account_is_closed(self, outsider: User) -> None:
        program(outsider, name="Backup of Anna Example")
        anonymize_user(user=outsider)
        assert ApiToken.objects.get().name == ""

    def test_puts_them_behind_active_ones(self, lead: User, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(issuing, "MOST_LISTED", 2)
        for name in ("active", "ended", "ended last"):
            created = create_token(user=lead, name=name, scope="read", days=1).token
            if name != "active":
                revoke_token(user=lead, public_id=created.public_id)
        listed = ClientOf(lead).get("/api/account/tokens").json()
        assert [each["name"] for each in listed] == ["active", "ended last"]

    def test_is_asked_for_by_its_person_alone(self, lead: User, outsider: User) -> None:
        client = program(lead)
        address = f"/api/account/tokens/{ApiToken.objects.get().public_id}"
        assert told(ClientOf(outsider).delete(address)) == (404, "token_not_found")
        assert client.get("/api/projects").status_code == 200
        assert ClientOf(lead).delete(address).status_code == 204
        assert ClientOf(lead).delete(address).status_code == 204
        assert client.get("/api/projects").status_code == 401


class TestGuessing:
    def test_a_wrong_secret_is_told_like_a_token_that_there_is_not(self, lead: User) -> None:
        text = create_token(user=lead, name="mine", scope="read", days=1).text
        replies = [
            Program(wrong).get("/api/projects")
            for wrong in (f"{text[:-48]}{'0' * 48}", f"assay_{'2' * 14}_{'0' * 48}", "something", "")
        ]
        assert {(*told(reply), reply.content) for reply in replies} == {
            (401, "token_invalid", replies[0].content)
        }

    def test_is_refused_after_many_and_keeps_nobody_out(
        self, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(guessing, "CLIENT_LIMIT", 2)
        good = program(lead)
        bad = Program(f"assay_{'2' * 14}_{'0' * 48}")
        assert [bad.get("/api/projects").status_code for _ in range(4)] == [401, 401, 429, 429]
        assert good.get("/api/projects").status_code == 200
        body = {"username": "lead", "password": PASSWORD}
        assert APIClient().post("/api/session", body, format="json").status_code == 200
