"""A provider, the setting that names it, and a browser that goes there and back."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings
from django.test import Client

from annotation.accounts.models import ProviderIdentity, User
from annotation.accounts.sso import discovery, identities
from annotation.accounts.sso.provider import Provider
from common.clock import now
from tests.scripted_provider import CLIENT_ID, CLIENT_SECRET, ScriptedProvider

SUBJECT = "lea-7"


@pytest.fixture
def provider(settings: LazySettings) -> Iterator[ScriptedProvider]:
    with ScriptedProvider() as started:
        settings.ASSAY_SSO = Provider(started.issuer, CLIENT_ID, CLIENT_SECRET, "Example University")
        discovery.KEPT.forget()
        yield started
    discovery.KEPT.forget()


@pytest.fixture
def creating(provider: ScriptedProvider, settings: Any) -> ScriptedProvider:
    """The provider, whose new people get accounts."""
    settings.ASSAY_SSO = settings.ASSAY_SSO._replace(creates_accounts=True)
    return provider


def connected(user: User, provider: ScriptedProvider, subject: str = SUBJECT) -> User:
    ProviderIdentity.objects.create(user=user, issuer=provider.issuer, subject=subject, connected_at=now())
    return user


def connects_meanwhile(user: User, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the identity be connected to `user` right after the next look has not found it."""
    found = identities.find_identity

    def late(*, issuer: str, subject: str) -> ProviderIdentity | None:
        monkeypatch.setattr(identities, "find_identity", found)
        seen = found(issuer=issuer, subject=subject)
        connected(user, provider)
        return seen

    monkeypatch.setattr(identities, "find_identity", late)


def begin(client: Client, next_path: str = "/") -> str:
    """Return the address to which the page sends the browser."""
    reply = client.post("/api/sso/begin", {"next": next_path}, content_type="application/json")
    assert reply.status_code == 200, reply.content
    address: str = reply.json()["address"]
    return address


def come_back(client: Client, redirect: str) -> str:
    """Follow the provider's redirect, and return where the browser is sent on."""
    parts = urlsplit(redirect)
    reply = client.get(f"{parts.path}?{parts.query}")
    assert reply.status_code == 302, reply.content
    return str(reply.headers["Location"])


def go_through(client: Client, provider: ScriptedProvider, next_path: str = "/") -> str:
    """Go to the provider, say yes, and return where the browser ends."""
    return come_back(client, provider.approve(begin(client, next_path)))


def who_is_in(client: Client) -> str | None:
    user = client.get("/api/session").json()["user"]
    return str(user["username"]) if user else None
