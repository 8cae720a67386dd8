"""Sign in by a provider: whoever it names gets in where an account is connected, once, in one browser."""

import base64
import hmac
import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import LazySettings, settings
from django.contrib.sessions.models import Session
from django.test import Client

from annotation.accounts import guessing
from annotation.accounts.models import AccountEvent, ProviderIdentity, SecondFactor, SpentSignIn, User
from annotation.accounts.second_factor.checking import MOST_WRONG
from annotation.accounts.sso import attempts, discovery, entering
from annotation.accounts.sso.api import COOKIE
from annotation.accounts.sso.identities import disconnect
from annotation.accounts.sso.provider import Provider
from common.clock import now
from tests.annotation.accounts.sso.conftest import (
    begin,
    come_back,
    connected,
    connects_meanwhile,
    go_through,
    who_is_in,
)
from tests.annotation.accounts.test_second_factor import app_code, try_in, turn_on, wrong_code
from tests.factories import make_user
from tests.scripted_provider import ScriptedProvider, ec_key, public_jwk, rsa_key

pytestmark = pytest.mark.django_db

STALE, FAILED = "/sign-in?failed=sso_stale", "/sign-in?failed=sso_failed&next=%2F"
UNAVAILABLE, UNKNOWN = "/sign-in?failed=sso_unavailable&next=%2F", "/sign-in?failed=sso_unknown&next=%2F"


def forge(claims: dict[str, Any], algorithm: Any, key: bytes) -> str:
    """Return a token by hand: the library does not make such; without a key it has no signature."""

    def part(value: bytes) -> str:
        return base64.urlsafe_b64encode(value).rstrip(b"=").decode()

    header = {"alg": algorithm, "kid": "first", "typ": "JWT"}
    signed = f"{part(json.dumps(header).encode())}.{part(json.dumps(claims).encode())}"
    return f"{signed}.{part(hmac.digest(key, signed.encode(), 'sha256')) if key else ''}"


def kinds_of(user: User) -> list[str]:
    return list(AccountEvent.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


class TestOff:
    def test_is_off_unless_it_is_set_up(self, lead: User) -> None:
        client = Client()
        assert client.get("/api/sso").json() == {"provider": "", "creates_accounts": False}
        reply = client.post("/api/sso/begin", {}, content_type="application/json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "sso_off")
        assert client.get("/api/sso/callback?code=x&state=y").headers["Location"] == STALE
        client.force_login(lead)
        own = {
            "provider": "",
            "connected_at": None,
            "ended_at": None,
            "has_password": True,
            "ends_with_password": False,
        }
        assert client.get("/api/account/sso").json() == own

    def test_whoever_began_before_it_was_turned_off_is_told(
        self, provider: ScriptedProvider, settings: LazySettings
    ) -> None:
        client = Client()
        redirect = provider.approve(begin(client))
        settings.ASSAY_SSO = None
        assert come_back(client, redirect) == "/sign-in?failed=sso_off&next=%2F"


class TestSigningIn:
    def test_lets_in_whose_account_is_connected(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        client = Client()
        assert client.get("/api/sso").json() == {
            "provider": "Example University",
            "creates_accounts": False,
        }
        assert go_through(client, provider, "/own/overview?page=2") == "/own/overview?page=2"
        assert who_is_in(client) == lead.username
        assert kinds_of(lead) == ["sso_signed_in"]

    def test_asks_for_no_more_than_it_needs(self, provider: ScriptedProvider) -> None:
        address = begin(Client())
        asked = dict(parse_qsl(urlsplit(address).query))
        assert address.startswith(f"{provider.issuer}/authorize?")
        assert asked["scope"] == "openid profile"
        assert asked["redirect_uri"] == "http://testserver/api/sso/callback"
        assert len(asked["state"]) >= 43
        assert len(asked["nonce"]) >= 43
        assert set(asked) == {
            "response_type",
            "client_id",
            "redirect_uri",
            "scope",
            "state",
            "nonce",
            "code_challenge",
            "code_challenge_method",
        }

    def test_each_begins_with_other_secrets(self, provider: ScriptedProvider) -> None:
        asked = [dict(parse_qsl(urlsplit(begin(Client())).query)) for _ in range(2)]
        assert all(asked[0][name] != asked[1][name] for name in ("state", "nonce", "code_challenge"))

    def test_the_secret_goes_into_the_form_where_the_provider_wants_it_there(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        provider.metadata_changes = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
        client = Client()
        assert go_through(client, provider) == "/"
        assert provider.authorizations == [""]
        discovery.KEPT.forget()
        provider.metadata_changes = {"token_endpoint_auth_methods_supported": None}
        assert go_through(client, provider) == "/"
        assert provider.authorizations[1].startswith("Basic ")
        assert "client_secret" not in provider.forms[1]

    def test_takes_an_elliptic_key_too(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        provider.keys = [public_jwk(ec_key(), kid="ec", alg="ES256")]
        provider.signs = lambda claims: provider.sign(claims, key=ec_key(), algorithm="ES256", kid="ec")
        assert go_through(Client(), provider) == "/"

    def test_takes_a_token_for_several_that_says_it_is_ours(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        provider.claims_changes = {"aud": ["assay", "other"], "azp": "assay"}
        assert go_through(Client(), provider) == "/"

    def test_never_goes_by_an_email_address_or_a_name(self, provider: ScriptedProvider, lead: User) -> None:
        User.objects.filter(pk=lead.pk).update(email="lead@example.org")
        provider.person = {
            "sub": "stranger",
            "preferred_username": lead.username,
            "name": lead.name,
            "email": "lead@example.org",
            "email_verified": True,
        }
        client = Client()
        assert go_through(client, provider) == UNKNOWN
        assert who_is_in(client) is None
        assert kinds_of(lead) == []

    def test_tells_subjects_apart_that_differ_in_case(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider, subject="LEA-7")
        assert go_through(Client(), provider) == UNKNOWN

    def test_an_identity_of_another_issuer_opens_nothing(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        ProviderIdentity.objects.update(issuer="https://former.example")
        assert go_through(Client(), provider) == UNKNOWN

    def test_an_inactive_account_stays_closed_and_its_log_says_so(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        User.objects.filter(pk=lead.pk).update(is_active=False)
        client = Client()
        assert go_through(client, provider) == "/sign-in?failed=sso_inactive&next=%2F"
        assert who_is_in(client) is None
        assert kinds_of(lead) == ["sso_failed"]

    def test_begins_a_new_session(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        client = Client()
        session = client.session
        session["planted"] = "by somebody else"
        session.save()
        planted = session.session_key
        assert go_through(client, provider) == "/"
        assert client.cookies["sessionid"].value != planted
        assert not Session.objects.filter(session_key=planted).exists()

    def test_ends_the_session_of_whoever_was_in(
        self, provider: ScriptedProvider, lead: User, outsider: User
    ) -> None:
        connected(lead, provider)
        client = Client()
        client.force_login(outsider)
        former = client.cookies["sessionid"].value
        assert go_through(client, provider) == "/"
        assert who_is_in(client) == lead.username
        assert not Session.objects.filter(session_key=former).exists()

    def test_the_browser_keeps_nothing_in_the_clear(self, provider: ScriptedProvider) -> None:
        client = Client()
        asked = dict(parse_qsl(urlsplit(begin(client)).query))
        cookie = client.cookies[COOKIE]
        assert not any(asked[name] in cookie.value for name in ("state", "nonce"))
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/api/")
        assert len(cookie.OutputString()) < 4_000

    def test_a_page_of_another_site_cannot_begin_it(self, provider: ScriptedProvider) -> None:
        client = Client(enforce_csrf_checks=True)
        assert client.post("/api/sso/begin", {}, content_type="application/json").status_code == 403

    def test_begin_stores_nothing(self, provider: ScriptedProvider) -> None:
        begin(Client())
        assert not Session.objects.exists()
        assert not SpentSignIn.objects.exists()


class TestTheWayBack:
    @pytest.mark.parametrize(
        "path",
        [
            "https://evil.example/",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "javascript:alert(1)",
            "/own\r\nSet-Cookie: a=b",
            "///evil.example",
            "",
            "own",
            "/ü",
            "/" + "a" * 1_500,
            "http:///evil.example",
        ],
    )
    def test_leads_nowhere_else(self, path: str, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        assert go_through(Client(), provider, path) == "/"

    @pytest.mark.parametrize("path", ["/", "/own/judge?x=%2F%2Fevil.example", "/join/abc_-1", "/own#top"])
    def test_leads_to_any_page_of_this_site(self, path: str, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        assert go_through(Client(), provider, path) == path


class TestOnceAndInOneBrowser:
    def test_a_redirect_counts_once_even_where_the_browser_and_the_provider_would_repeat_it(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        provider.replays_codes = True
        client = Client()
        redirect = provider.approve(begin(client))
        kept = client.cookies[COOKIE].value
        assert come_back(client, redirect) == "/"
        assert come_back(client, redirect) == STALE
        thief = Client()
        thief.cookies[COOKIE] = kept
        assert come_back(thief, redirect) == "/sign-in?failed=sso_stale&next=%2F"
        assert who_is_in(thief) is None

    def test_another_browser_is_not_let_in(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        client, other = Client(), Client()
        redirect = provider.approve(begin(client))
        assert come_back(other, redirect) == STALE
        begin(other)
        assert come_back(other, redirect) == STALE
        assert who_is_in(other) is None
        # And has ended nothing.
        assert come_back(client, redirect) == "/"

    def test_a_lure_ends_no_sign_in_that_is_under_way(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        client = Client()
        redirect = provider.approve(begin(client))
        for lure in ("", "?state=", "?state=x&code=y", "?error=access_denied", "?state=%00"):
            reply = client.get(f"/api/sso/callback{lure}")
            assert reply.status_code in {302, 400}
        assert come_back(client, redirect) == "/"

    @pytest.mark.parametrize("change", ["state", "code", "nothing"])
    def test_a_changed_redirect_lets_nobody_in(
        self, change: str, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        client = Client()
        redirect = provider.approve(begin(client))
        said = {name: values[0] for name, values in parse_qs(urlsplit(redirect).query).items()}
        if change != "nothing":
            said[change] += "x"
        ended = come_back(client, f"/api/sso/callback?{urlencode(said)}")
        assert ended == {"state": STALE, "code": FAILED, "nothing": "/"}[change]

    def test_a_code_of_another_sign_in_is_refused(self, provider: ScriptedProvider, lead: User) -> None:
        """An attacker's code in a victim's browser: PKCE ties a code to the browser that began."""
        connected(lead, provider)
        attacker, victim = Client(), Client()
        theirs = parse_qs(urlsplit(provider.approve(begin(attacker))).query)["code"][0]
        own = dict(parse_qsl(urlsplit(provider.approve(begin(victim))).query))
        ended = come_back(victim, f"/api/sso/callback?{urlencode({**own, 'code': theirs})}")
        assert ended == FAILED
        assert who_is_in(victim) is None

    def test_is_over_after_ten_minutes(
        self, provider: ScriptedProvider, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        connected(lead, provider)
        client = Client()
        before = now() - attempts.LIFETIME
        monkeypatch.setattr(entering, "now", lambda: before)
        redirect = provider.approve(begin(client))
        monkeypatch.undo()
        assert come_back(client, redirect) == STALE

    @pytest.mark.parametrize("kept", ["", "x", "gAAAAA", "ü", "a" * 5_000])
    def test_a_cookie_that_is_not_ours_is_none(self, kept: str, provider: ScriptedProvider) -> None:
        client = Client()
        redirect = provider.approve(begin(client))
        client.cookies[COOKIE] = kept
        assert come_back(client, redirect) == STALE

    def test_who_sends_made_up_codes_is_stopped_and_nobody_else(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        client = Client()
        for number in range(guessing.CLIENT_LIMIT + 5):
            state = dict(parse_qsl(urlsplit(begin(client)).query))["state"]
            ended = come_back(client, f"/api/sso/callback?code=made-up&state={state}")
            is_stopped = number >= guessing.CLIENT_LIMIT
            assert ended == ("/sign-in?failed=too_many_tries&next=%2F" if is_stopped else FAILED)
        assert len(provider.forms) == SpentSignIn.objects.count() == guessing.CLIENT_LIMIT
        # From another address, and by password.
        assert go_through(Client(REMOTE_ADDR="192.0.2.7"), provider) == "/"
        assert try_in(Client()).status_code == 200

    def test_what_proves_somebody_and_a_provider_that_is_down_count_as_no_tries(
        self, provider: ScriptedProvider, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(guessing, "CLIENT_LIMIT", 1)
        connected(lead, provider)
        assert [go_through(Client(), provider) for _ in range(3)] == ["/"] * 3
        provider.broken["/token"] = (500, b"oops")
        assert [go_through(Client(), provider) for _ in range(3)] == [UNAVAILABLE] * 3

    def test_what_is_spent_is_forgotten_once_it_is_too_old(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        go_through(Client(), provider)
        assert attempts.sweep_spent() == 0
        assert attempts.sweep_spent(at=now() + 3 * attempts.LIFETIME) == 1

    def test_refuses_other_methods(self, provider: ScriptedProvider) -> None:
        assert Client().post("/api/sso/callback").status_code == 405


class TestWhatTheProviderSays:
    @pytest.mark.parametrize(
        ("error", "code"), [("access_denied", "sso_canceled"), ("<script>\n", "sso_canceled")]
    )
    def test_a_refusal_is_told_in_our_words(
        self, error: str, code: str, provider: ScriptedProvider, caplog: pytest.LogCaptureFixture
    ) -> None:
        client = Client()
        state = dict(parse_qsl(urlsplit(begin(client)).query))["state"]
        query = urlencode({"error": error, "error_description": "call 555", "state": state})
        assert come_back(client, f"/api/sso/callback?{query}") == f"/sign-in?failed={code}&next=%2F"
        assert not any("\n" in record.getMessage() for record in caplog.records)
        assert provider.forms == []

    @pytest.mark.parametrize("issuer", ["https://evil.example", ""])
    def test_a_redirect_of_another_issuer_is_refused_before_its_code_is_sent(
        self, issuer: str, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        client = Client()
        redirect = provider.approve(begin(client))
        assert come_back(client, f"{redirect}&{urlencode({'iss': issuer})}") == FAILED
        assert provider.forms == []

    def test_a_provider_that_says_it_names_itself_must(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        provider.metadata_changes = {"authorization_response_iss_parameter_supported": True}
        client = Client()
        assert go_through(client, provider) == FAILED
        redirect = provider.approve(begin(client))
        assert come_back(client, f"{redirect}&{urlencode({'iss': provider.issuer})}") == "/"

    @pytest.mark.parametrize(
        "changes",
        [
            {"nonce": "another"},
            {"nonce": None},
            {"nonce": 7},
            {"nonce": "\ud800"},
            {"aud": "other"},
            {"aud": ["other"]},
            {"aud": ["assay", "other"]},
            {"aud": ["assay", "other"], "azp": "other"},
            {"aud": []},
            {"aud": None},
            {"azp": "other"},
            {"iss": "https://evil.example"},
            {"iss": None},
            {"sub": None},
            {"sub": ""},
            {"sub": 7},
            {"sub": "a\0b"},
            {"sub": "x" * 256},
            {"exp": 1},
            {"exp": None},
            {"exp": "soon"},
            {"exp": True},
            {"exp": float("nan")},
            {"exp": float("inf")},
            {"exp": 10**400},
            {"iat": 10**12},
            {"iat": None},
            {"iat": 1},
            {"iat": -(10**400)},
            {"nbf": 10**12},
            {"nbf": 10**400},
        ],
        ids=ascii,
    )
    def test_a_token_that_proves_nothing_is_refused(
        self, changes: dict[str, Any], provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        provider.claims_changes = changes
        client = Client()
        assert go_through(client, provider) == FAILED
        assert who_is_in(client) is None

    def test_clocks_may_differ_by_a_minute(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        at = int(time.time())
        for changes in ({"exp": at - 40, "iat": at - 100}, {"iat": at + 40, "exp": at + 340}):
            provider.claims_changes = changes
            assert go_through(Client(), provider) == "/"

    def test_an_unsigned_token_is_refused(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        for algorithm in ("none", "None", "NONE", "", None, 7, ["none"]):
            provider.signs = lambda claims, algorithm=algorithm: forge(claims, algorithm, b"")
            assert go_through(Client(), provider) == FAILED

    @pytest.mark.parametrize("secret", ["public key", "client secret"])
    def test_a_token_signed_by_what_others_know_is_refused(
        self, secret: str, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        pem = rsa_key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        key = pem if secret == "public key" else b"s3cret:/+ %"

        provider.signs = lambda claims: forge(claims, "HS256", key)
        provider.keys.append({"kty": "oct", "k": "c2VjcmV0", "kid": "first"})
        assert go_through(Client(), provider) == FAILED

    def test_a_token_of_somebody_elses_key_is_refused(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        for kid in ("first", "second", None):
            provider.signs = lambda claims, kid=kid: provider.sign(claims, key=rsa_key("forged"), kid=kid)
            assert go_through(Client(), provider) == FAILED

    @pytest.mark.parametrize("part", [0, 1, 2])
    def test_a_changed_token_is_refused(self, part: int, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)

        def spoil(claims: dict[str, Any]) -> str:
            parts = provider.sign(claims).split(".")
            parts[part] = parts[part][:-6] + ("AAAAAA" if parts[part][-6:] != "AAAAAA" else "BBBBBB")
            return ".".join(parts)

        provider.signs = spoil
        assert go_through(Client(), provider) == FAILED

    def test_a_weak_key_is_refused(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        weak = rsa_key("weak", 1024)
        provider.keys = [public_jwk(weak, kid="first")]
        with pytest.warns(UserWarning, match="below"):
            weak_token = provider.sign(provider.claims("x"), key=weak)
        provider.signs = lambda claims: weak_token
        assert go_through(Client(), provider) == FAILED

    @pytest.mark.parametrize(
        "token", [None, 7, "", "a.b.c", "a.b", "x" * 60_000, "é.é.é", ["a"], "eyJ9.e30."]
    )
    def test_something_other_than_a_token_is_refused(
        self, token: Any, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        provider.signs = lambda claims: token
        assert go_through(Client(), provider) == FAILED

    def test_a_new_key_is_fetched_when_it_is_first_met(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        assert go_through(Client(), provider) == "/"
        provider.keys = [public_jwk(rsa_key("forged"), kid="second")]
        provider.signs = lambda claims: provider.sign(claims, key=rsa_key("forged"), kid="second")
        assert go_through(Client(), provider) == "/"
        assert go_through(Client(), provider) == "/"
        assert provider.seen.count("/keys") == 2
        assert provider.seen.count("/.well-known/openid-configuration") == 1

    @pytest.mark.parametrize(
        ("path", "status", "body"),
        [
            ("/token", 200, b"["),
            ("/token", 200, b"[]"),
            ("/token", 200, b"[" * 100_000),
            ("/token", 200, b'{"a": "' + b"x" * 600_000 + b'"}'),
            ("/token", 200, b"x" * 5_000_000),
            ("/token", 500, b"oops"),
            ("/keys", 200, b'{"keys": 7}'),
            ("/keys", 404, b"{}"),
            ("/keys", 200, b"\xff\xfe"),
        ],
        ids=lambda value: str(value)[:20],
    )
    def test_a_reply_that_cannot_be_used_is_no_fault_of_the_person(
        self, path: str, status: int, body: bytes, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        provider.broken[path] = (status, body)
        assert go_through(Client(), provider) == UNAVAILABLE

    @pytest.mark.parametrize(
        "keys", [[], [7], [{"kty": "RSA", "kid": "first", "n": "A" * 100_000, "e": "AQAB"}]]
    )
    def test_keys_that_cannot_be_used_let_nobody_in(
        self, keys: list[Any], provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        provider.keys = keys
        assert go_through(Client(), provider) == FAILED

    @pytest.mark.parametrize("path", ["/token", "/keys"])
    def test_a_slow_provider_is_not_waited_for(
        self, path: str, provider: ScriptedProvider, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        connected(lead, provider)
        client = Client()
        redirect = provider.approve(begin(client))
        monkeypatch.setattr(discovery, "CALL_SECONDS", 0.3)
        provider.waits[path] = 30
        began = time.monotonic()
        assert come_back(client, redirect) == UNAVAILABLE
        assert time.monotonic() - began < 10


class TestDiscovery:
    def refusal(self) -> str:
        reply = Client().post("/api/sso/begin", {}, content_type="application/json")
        assert reply.status_code == 409
        code: str = reply.json()["error"]["code"]
        return code

    @pytest.mark.parametrize(
        "changes",
        [
            {"issuer": "http://127.0.0.1/other"},
            {"issuer": None},
            {"authorization_endpoint": "javascript:alert(1)"},
            {"authorization_endpoint": "http://evil.example/authorize"},
            {"authorization_endpoint": "https://user:pass@evil.example/"},
            {"authorization_endpoint": None},
            {"authorization_endpoint": 7},
            {"authorization_endpoint": "https://evil.example/a#b"},
            {"authorization_endpoint": 'https://evil.example/?a="><b>'},
            {"token_endpoint": "file:///etc/passwd"},
            {"token_endpoint": "http://169.254.169.254/latest"},
            {"jwks_uri": "https://evil.example/" + "a" * 3_000},
        ],
        ids=str,
    )
    def test_addresses_that_cannot_be_used_are_not(
        self, changes: dict[str, Any], provider: ScriptedProvider
    ) -> None:
        provider.metadata_changes = changes
        assert self.refusal() == "sso_unavailable"

    def test_no_private_address_is_called_but_the_issuers_own(
        self, provider: ScriptedProvider, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A provider that is hostile, or was broken into, sends this server nowhere inside its network."""
        connected(lead, provider)
        provider.metadata_changes = {"token_endpoint": "https://inside.example/token"}
        resolve = socket.getaddrinfo
        inside = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.7", 443))]
        asked: list[str] = []

        def look_up(host: str, *rest: Any, **more: Any) -> Any:
            asked.append(host)
            return inside if host == "inside.example" else resolve(host, *rest, **more)

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        client = Client()
        assert go_through(client, provider) == UNAVAILABLE
        assert "inside.example" in asked
        assert "10.0.0.7" not in asked

    @pytest.mark.parametrize("body", [b"", b"[]", b"x" * 5_000_000, b"{" * 9])
    def test_what_cannot_be_read_is_told_and_not_asked_for_again_at_once(
        self, body: bytes, provider: ScriptedProvider
    ) -> None:
        provider.broken["/.well-known/openid-configuration"] = (200, body)
        assert [self.refusal() for _ in range(3)] == ["sso_unavailable"] * 3
        assert len(provider.seen) == 1

    def test_a_redirect_of_the_provider_is_not_followed(self, provider: ScriptedProvider) -> None:
        provider.broken["/.well-known/openid-configuration"] = (302, b"")
        assert self.refusal() == "sso_unavailable"

    def test_a_provider_that_is_gone_is_told(self, provider: ScriptedProvider, settings: Any) -> None:
        settings.ASSAY_SSO = settings.ASSAY_SSO._replace(issuer="http://127.0.0.1:9")
        assert self.refusal() == "sso_unavailable"

    def test_only_so_many_call_or_wait_at_once(self, provider: ScriptedProvider) -> None:
        """A provider that hangs leaves most threads to people who judge."""
        held = [discovery._CALLS] * discovery.MOST_CALLS + [
            discovery._WAITING_TO_CALL
        ] * discovery.MOST_WAITING
        for lock in held:
            assert lock.acquire(blocking=False)
        try:
            assert self.refusal() == "sso_unavailable"
        finally:
            for lock in held:
                lock.release()
        assert provider.seen == []

    def test_whoever_waits_goes_on_once_another_is_done(self, provider: ScriptedProvider) -> None:
        provider.waits["/.well-known/openid-configuration"] = 0.2
        threads = discovery.MOST_WAITING + 1
        with ThreadPoolExecutor(threads) as pool:
            found = list(
                pool.map(lambda _: discovery.read_metadata(provider=settings.ASSAY_SSO), range(threads))
            )
        assert len(set(found)) == 1
        assert len(provider.seen) == 1

    def test_goes_by_what_is_kept_while_another_reads_it_anew(
        self, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = discovery.read_metadata(provider=settings.ASSAY_SSO)
        later = time.monotonic() + 2 * discovery.KEPT_SECONDS
        monkeypatch.setattr(discovery, "time", SimpleNamespace(monotonic=lambda: later))
        found: list[discovery.Metadata] = []
        read = discovery._read_metadata

        def read_slowly(asked: Provider) -> discovery.Metadata:
            found.append(discovery.read_metadata(provider=asked))
            return read(asked)

        monkeypatch.setattr(discovery, "_read_metadata", read_slowly)
        assert discovery.read_metadata(provider=settings.ASSAY_SSO) == before
        assert found == [before]
        assert len(provider.seen) == 2


class TestTwoFactor:
    def test_still_asks_for_the_accounts_own_code(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        secret, _ = turn_on(lead)
        client = Client()
        assert go_through(client, provider, "/own") == "/sign-in?step=code&next=%2Fown"
        assert who_is_in(client) is None
        assert give(client, wrong_code(secret)) == (403, "wrong_code")
        assert give(client, "") == (400, "invalid_input")
        assert give(client, app_code(secret)) == (200, lead.username)
        assert who_is_in(client) == lead.username
        assert kinds_of(lead) == ["sso_wrong_code", "sso_signed_in"]

    def test_what_waits_for_a_code_lets_in_once(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        secret, codes = turn_on(lead)
        client, thief = Client(), Client()
        go_through(client, provider)
        thief.cookies[COOKIE] = client.cookies[COOKIE].value
        assert give(client, app_code(secret)) == (200, lead.username)
        assert give(thief, codes[0]) == (403, "sso_stale")
        assert who_is_in(thief) is None

    def test_a_code_alone_is_worth_nothing(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        secret, _ = turn_on(lead)
        client = Client()
        assert give(client, app_code(secret)) == (403, "sso_stale")
        begin(client)
        assert give(client, app_code(secret)) == (403, "sso_stale")

    def test_what_waits_for_a_code_is_no_redirect(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        turn_on(lead)
        client = Client()
        redirect = provider.approve(begin(client))
        come_back(client, redirect)
        assert come_back(client, redirect) == STALE

    @pytest.mark.parametrize("change", ["disconnected", "inactive"])
    def test_counts_no_more_once_the_account_has_changed(
        self, change: str, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        secret, _ = turn_on(lead)
        client = Client()
        go_through(client, provider)
        if change == "disconnected":
            disconnect(user=lead, issuer=provider.issuer)
        else:
            User.objects.filter(pk=lead.pk).update(is_active=False)
        code = give(client, app_code(secret))[1]
        assert code == {"disconnected": "sso_stale", "inactive": "sso_inactive"}[change]

    def test_wrong_codes_are_counted(self, provider: ScriptedProvider, lead: User) -> None:
        connected(lead, provider)
        secret, _ = turn_on(lead)
        client = Client()
        go_through(client, provider)
        codes = [give(client, wrong_code(secret))[1] for _ in range(12)]
        assert codes[0] == "wrong_code"
        assert codes[-1] == "too_many_tries"

    def test_tries_at_locked_codes_are_counted_and_not_noted_without_end(
        self, provider: ScriptedProvider, lead: User
    ) -> None:
        connected(lead, provider)
        secret, _ = turn_on(lead)
        SecondFactor.objects.update(wrong_count=MOST_WRONG)
        client = Client()
        go_through(client, provider)
        codes = [give(client, app_code(secret))[1] for _ in range(12)]
        assert codes[0] == "app_codes_locked"
        assert codes[-1] == "too_many_tries"
        assert kinds_of(lead) == ["sso_wrong_code"] * 10


def give(client: Client, code: str) -> tuple[int, str]:
    reply = client.post("/api/sso/code", {"code": code}, content_type="application/json")
    body = reply.json()
    return reply.status_code, body["user"]["username"] if reply.status_code == 200 else body["error"]["code"]


class TestNewAccounts:
    def test_are_made_where_the_administrator_said_so(self, creating: ScriptedProvider) -> None:
        client = Client()
        assert go_through(client, creating, "/join/abc") == "/join/abc"
        user = User.objects.get(username="lea.muster")
        assert who_is_in(client) == "lea.muster"
        assert (user.name, user.email, user.has_usable_password()) == ("Lea Muster", "", False)
        assert kinds_of(user) == ["sso_connected", "sso_signed_in"]
        assert not any((user.creates_projects, user.is_staff, user.is_superuser))
        client.logout()
        assert go_through(client, creating) == "/"
        assert User.objects.filter(username__startswith="lea").count() == 1

    def test_a_taken_name_gets_a_number(self, creating: ScriptedProvider) -> None:
        taken = make_user(username="lea.muster")
        client = Client()
        go_through(client, creating)
        assert who_is_in(client) == "lea.muster-2"
        assert not ProviderIdentity.objects.filter(user=taken).exists()

    def test_the_same_name_of_many_people_is_no_problem(self, creating: ScriptedProvider) -> None:
        for number in range(24):
            creating.person["sub"] = f"lea-{number}"
            assert go_through(Client(), creating) == "/"
        assert ProviderIdentity.objects.count() == 24

    @pytest.mark.parametrize(
        ("told", "username", "name"),
        [
            ({"preferred_username": "lea@uni.example"}, "lea@uni.example", "Lea Muster"),
            ({"preferred_username": None}, "Lea.Muster", "Lea Muster"),
            ({"preferred_username": None, "name": None}, "user", "user"),
            ({"preferred_username": "<b>l e\ta\0</b>"}, "bl.eab", "Lea Muster"),
            ({"preferred_username": "ｌｅａ"}, "lea", "Lea Muster"),
            ({"preferred_username": "😀", "name": "😀"}, "user", "😀"),
            ({"preferred_username": ["lead"], "name": {"a": 1}}, "user", "user"),
            ({"preferred_username": "x" * 9_000, "name": "y" * 9_000}, "x" * 120, "y" * 150),
        ],
        ids=lambda value: str(value)[:40],
    )
    def test_are_named_by_the_rules_for_usernames(
        self, told: dict[str, Any], username: str, name: str, creating: ScriptedProvider
    ) -> None:
        creating.claims_changes = told
        client = Client()
        assert go_through(client, creating) == "/"
        user = User.objects.get(provider_identities__subject="lea-7")
        assert (user.username, user.name) == (username, name)
        user.full_clean(exclude=["password"])

    def test_of_two_at_once_one_is_made(
        self, creating: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = make_user(username="first")
        connects_meanwhile(first, creating, monkeypatch)
        client = Client()
        assert go_through(client, creating) == "/"
        assert who_is_in(client) == "first"
        assert not User.objects.filter(username="lea.muster").exists()

    def test_a_closed_account_does_not_come_back(self, creating: ScriptedProvider) -> None:
        client = Client()
        go_through(client, creating)
        user = User.objects.get(username="lea.muster")
        entering.services.anonymize_user(user=user)
        assert not ProviderIdentity.objects.exists()
        assert go_through(Client(), creating) == "/"
        assert User.objects.get(username="lea.muster").pk != user.pk
