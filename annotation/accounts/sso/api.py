"""HTTP for single sign-on: off to the provider, its redirect back, and the connection of one's account."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_GET
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.api import (
    CodeSerializer,
    OwnAccountView,
    PasswordProofSerializer,
    SessionSerializer,
    session_body,
)
from annotation.accounts.guessing import remember_device
from annotation.accounts.sso import entering, identities
from annotation.accounts.sso.attempts import LIFETIME, Attempt, Purpose
from annotation.accounts.sso.identities import Connection
from common.errors import DomainError
from common.web.replies import View, operation, reply, reply_of

COOKIE = "assay-sso"
CALLBACK = "/api/sso/callback"
reply_of(Connection, "SsoConnection")


@dataclass(frozen=True)
class SsoOffer:
    """The single sign-on provider of this server.

    `provider`: its name; empty if single sign-on is not set up. `creates_accounts`: whether new users get an
    account when they first sign in.
    """

    provider: str
    creates_accounts: bool


@dataclass(frozen=True)
class SsoAddress:
    """The address of the provider’s page to open next, in this browser."""

    address: str


class SsoBeginSerializer(serializers.Serializer[Any]):
    """The page of this site to show after signing in, or the invitation that the person is viewing.

    Someone without an account gets one through the invitation and joins the project.
    """

    next = serializers.CharField(max_length=2_000, required=False, allow_blank=True, default="/")
    invitation = serializers.RegexField(
        r"^[A-Za-z0-9_-]*$",
        max_length=100,
        required=False,
        allow_blank=True,
        default="",
        help_text="The last part of the invitation link.",
    )


class SsoView(View):
    """Single sign-on on this server."""

    access = "public"
    takes_tokens = False

    @operation("get_sso", gives=SsoOffer)
    def get(self, request: Request) -> Response:
        """Return whether people can sign in with single sign-on."""
        found = entering.provider_or_none()
        return reply(SsoOffer(found.name if found else "", bool(found and found.creates_accounts)))


@method_decorator(csrf_protect, name="dispatch")
class SsoBeginView(View):
    """Off to the provider."""

    access = "public"
    takes_tokens = False

    @operation("begin_sso", takes=SsoBeginSerializer, gives=SsoAddress, errors=(404, 409), takes_key=False)
    def post(self, request: Request) -> Response:
        """Start signing in; only this browser can finish, within 10 minutes."""
        form = self.read(SsoBeginSerializer)
        return _depart(
            entering.begin_sign_in(
                redirect_uri=_callback_of(request._request),
                next_path=form["next"],
                invitation=form["invitation"],
            )
        )


@method_decorator(csrf_protect, name="dispatch")
class SsoCodeView(View):
    """Two-factor authentication after the provider."""

    access = "public"
    takes_tokens = False

    @operation(
        "finish_sso_with_code",
        takes=CodeSerializer,
        gives=SessionSerializer,
        errors=(404, 409),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Finish signing in with a code if the account has two-factor authentication."""
        sealed = request._request.COOKIES.get(COOKIE, "")
        form = self.read(CodeSerializer)
        user = entering.finish_with_code(request=request._request, sealed=sealed, code=form["code"])
        request.user = user
        response = Response(session_body(request))
        _keep(response, "")
        remember_device(response, request=request._request, user=user)
        return response


class OwnSsoView(OwnAccountView):
    """Single sign-on of one's own account."""

    @operation("get_sso_connection", gives=Connection)
    def get(self, request: Request) -> Response:
        """Return whether the account is connected to the provider."""
        found = entering.provider_or_none()
        issuer, name = (found.issuer, found.name) if found else ("", "")
        return reply(identities.describe(user=self.user, issuer=issuer, name=name))

    @operation(
        "connect_sso",
        takes=PasswordProofSerializer,
        gives=SsoAddress,
        errors=(404, 409),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Start connecting the account; only this browser and session can finish, within 10 minutes."""
        form = self.read(PasswordProofSerializer)
        return _depart(
            entering.begin_connecting(
                request=request._request,
                user=self.user,
                redirect_uri=_callback_of(request._request),
                **form,
            )
        )


class OwnSsoEndView(OwnAccountView):
    """The end of single sign-on for one's own account."""

    @operation(
        "disconnect_sso",
        takes=PasswordProofSerializer,
        status=204,
        errors=(404, 409),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Disconnect the account from the provider."""
        entering.disconnect(request=request._request, user=self.user, **self.read(PasswordProofSerializer))
        return Response(status=204)


@require_GET
def answer_callback(request: HttpRequest) -> HttpResponseBase:
    """Take in whom the provider sends back, and go on to a page, which says it where that failed."""
    said = request.GET.dict()
    attempt = entering.find_attempt(sealed=request.COOKIES.get(COOKIE, ""), state=str(said.get("state", "")))
    if attempt is None:
        # Whoever lures a browser here ends no sign-in that is under way in it.
        return HttpResponseRedirect(_page("/sign-in", failed=entering.SsoStale.code))
    try:
        arrival = entering.finish(
            request=request, attempt=attempt, said={name: str(value) for name, value in said.items()}
        )
    except DomainError as error:
        response = HttpResponseRedirect(_page_of_failure(attempt, error.error_code))
        _keep(response, "")
        return response
    response = HttpResponseRedirect(arrival.path)
    _keep(response, arrival.sealed)
    if arrival.user is not None:
        remember_device(response, request=request, user=arrival.user)
    return response


def _page_of_failure(attempt: Attempt, code: str) -> str:
    """Return the page where the sign-in began, which says why it failed."""
    if attempt.purpose is Purpose.CONNECT:
        return _page("/account", failed=code)
    if attempt.invitation:
        return _page(attempt.next_path, failed=code)
    return _page("/sign-in", failed=code, next=attempt.next_path)


def _page(path: str, **query: str) -> str:
    return f"{path}?{urlencode(query)}"


def _callback_of(request: HttpRequest) -> str:
    return request.build_absolute_uri(CALLBACK)


def _depart(departure: entering.Departure) -> Response:
    response = reply(SsoAddress(departure.address))
    _keep(response, departure.sealed)
    return response


def _keep(response: Any, sealed: str) -> None:
    """Have the browser keep an attempt, or none."""
    response.set_cookie(
        COOKIE,
        sealed,
        max_age=int(LIFETIME.total_seconds()) if sealed else 0,
        path="/api/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        # The provider's redirect comes from another site, and is followed by its GET.
        samesite="Lax",
    )
