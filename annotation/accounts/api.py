"""HTTP for signing in and out, and for API tokens."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.middleware.csrf import get_token
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts import services
from annotation.accounts.guessing import remember_device
from annotation.accounts.models import AccountEvent, ApiToken, User
from annotation.accounts.second_factor import setting_up
from annotation.accounts.second_factor.setting_up import AppSecret, RecoveryCodes, TwoFactor
from annotation.accounts.selectors import get_user_by_link, list_events
from annotation.accounts.tokens import issuing
from common.requests.paging import Paged, cursor_field, cut_page, limit_field
from common.web.replies import View, operation, reply

EVENTS_A_PAGE = 10


class UserSerializer(serializers.Serializer[Any]):
    """The user who is signed in."""

    public_id = serializers.CharField()
    username = serializers.CharField()
    name = serializers.CharField()
    language = serializers.ChoiceField(
        choices=settings.LANGUAGES,
        allow_blank=True,
        help_text="Language of the web interface. If empty, the browser’s language is used.",
    )
    may_create_projects = serializers.BooleanField(required=False)


class SessionSerializer(serializers.Serializer[Any]):
    """The session.

    `user`: null if nobody is signed in. `csrf_token`: the CSRF token that requests must include if they make
    changes.
    """

    user = UserSerializer(allow_null=True)
    csrf_token = serializers.CharField()
    sends_mail = serializers.BooleanField(
        required=False, help_text="Whether this server sends email, such as links to set a new password."
    )


class SignInSerializer(serializers.Serializer[Any]):
    """A username and password.

    `code`: a two-factor code, required if the account has two-factor authentication; without it, sign-in
    fails with the error `code_needed`.
    """

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})
    code = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")


class UserView(View):
    """A view that knows who asks; only where nobody else is let in."""

    user: User

    @property
    def bearer(self) -> issuing.Bearer | None:
        """The API token by which a program comes in; None in a person's session."""
        found: issuing.Bearer | None = self.request.auth  # type: ignore[assignment]
        return found


class OwnAccountView(UserView):
    """A view of one's own account, which no API token opens: with one, nobody gets further than it says."""

    access = "signed_in"
    takes_tokens = False


def session_body(request: Request) -> dict[str, Any]:
    """Return the session as the client sees it."""
    user = request.user if request.user.is_authenticated else None
    session = {
        "user": user,
        "csrf_token": get_token(request._request),
        "sends_mail": settings.ASSAY_SENDS_MAIL,
    }
    return SessionSerializer(session).data


# REST framework checks the token only of who is signed in; signing in needs it, too.
@method_decorator(csrf_protect, name="dispatch")
class SessionView(View):
    """Who is signed in; sign in; sign out."""

    access = "public"
    takes_tokens = False

    @operation("get_session", gives=SessionSerializer)
    def get(self, request: Request) -> Response:
        """Return the current session."""
        return Response(session_body(request))

    @operation(
        "sign_in",
        takes=SignInSerializer,
        gives=SessionSerializer,
        errors=(409,),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Sign in."""
        user = services.sign_in(request=request._request, **self.read(SignInSerializer))
        request.user = user
        response = Response(session_body(request))
        remember_device(response, request=request._request, user=user)
        return response

    @operation("sign_out", gives=SessionSerializer)
    def delete(self, request: Request) -> Response:
        """Sign out."""
        services.sign_out(request=request._request)
        request.user = request._request.user
        return Response(session_body(request))


class AccountChangeSerializer(serializers.Serializer[Any]):
    """Changes to the caller’s account."""

    name = serializers.CharField(max_length=150, required=False)
    language = serializers.ChoiceField(choices=settings.LANGUAGES, allow_blank=True, required=False)


class PasswordProofSerializer(serializers.Serializer[Any]):
    """The current password, required before sensitive changes to the account."""

    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class AccountView(OwnAccountView):
    """One's own account."""

    @operation("change_account", takes=AccountChangeSerializer, gives=UserSerializer)
    def patch(self, request: Request) -> Response:
        """Change the name that others see, or the language of the pages."""
        services.change_account(user=self.user, **self.read(AccountChangeSerializer))
        return Response(UserSerializer(self.user).data)


class AccountCloseView(OwnAccountView):
    """Closing one's own account."""

    @operation("close_account", takes=PasswordProofSerializer, status=204, errors=(409,), takes_key=False)
    def post(self, request: Request) -> Response:
        """Close the account and leave all projects; votes stay under a pseudonym."""
        services.close_account(request=request._request, user=self.user, **self.read(PasswordProofSerializer))
        logout(request._request)
        return Response(status=204)


class PasswordChangeSerializer(serializers.Serializer[Any]):
    """The current password and the new one."""

    old = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})
    new = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})
    remove_email = serializers.BooleanField(
        required=False,
        default=False,
        help_text=(
            "Whether to also remove the email address. Until it is removed, links to set a new password can "
            "be sent to it."
        ),
    )


class AccountPasswordView(OwnAccountView):
    """One's own password."""

    @operation(
        "change_password",
        takes=PasswordChangeSerializer,
        gives=SessionSerializer,
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Change the password; this ends all other sessions, revokes all API tokens, and disconnects single
        sign-on.
        """
        form = self.read(PasswordChangeSerializer)
        services.change_password(request=request._request, user=self.user, **form)
        return Response(session_body(request))


class NewPasswordSerializer(serializers.Serializer[Any]):
    """The new password."""

    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class PasswordLinkSerializer(serializers.Serializer[Any]):
    """The username of the account whose password the link sets."""

    username = serializers.CharField()


@method_decorator(csrf_protect, name="dispatch")
class PasswordLinkView(View):
    """A new password, for whoever holds the link that the operator made."""

    access = "public"
    takes_tokens = False

    @operation("get_password_link", gives=PasswordLinkSerializer)
    def get(self, request: Request, token: str) -> Response:
        """Return the username of the account whose password the link sets."""
        return Response(PasswordLinkSerializer(get_user_by_link(token=token)).data)

    @operation("use_password_link", takes=NewPasswordSerializer, status=204, takes_key=False)
    def post(self, request: Request, token: str) -> Response:
        """Set the password."""
        # Before anything of the request is read: a link that is of no use answers all with the same.
        get_user_by_link(token=token)
        form = self.read(NewPasswordSerializer)
        user = services.set_password_by_link(token=token, request=request._request, **form)
        response = Response(status=204)
        remember_device(response, request=request._request, user=user)
        return response


class CodeSerializer(serializers.Serializer[Any]):
    """A code from the authenticator app that is being set up."""

    code = serializers.CharField(max_length=40)


class BothProofsSerializer(PasswordProofSerializer):
    """The current password, and a code from the authenticator app or a recovery code."""

    code = serializers.CharField(max_length=40)


class TwoFactorView(OwnAccountView):
    """Two-factor authentication of one's own account."""

    @operation("get_two_factor", gives=TwoFactor)
    def get(self, request: Request) -> Response:
        """Return whether sign-in asks for a code, and how many recovery codes are left."""
        return reply(setting_up.describe(user=self.user))

    @operation(
        "set_up_two_factor",
        takes=PasswordProofSerializer,
        gives=AppSecret,
        errors=(409,),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Create a new secret for an authenticator app; nothing changes at sign-in until you turn on
        two-factor authentication."""
        form = self.read(PasswordProofSerializer)
        return reply(services.begin_second_factor(request=request._request, user=self.user, **form))


class TwoFactorOnView(OwnAccountView):
    """Turning two-factor authentication on."""

    @operation(
        "turn_on_two_factor",
        takes=CodeSerializer,
        gives=RecoveryCodes,
        errors=(409,),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Turn on two-factor authentication with a code from the app; the reply contains the recovery codes.

        They are shown only once.
        """
        form = self.read(CodeSerializer)
        return reply(services.confirm_second_factor(request=request._request, user=self.user, **form))


class TwoFactorOffView(OwnAccountView):
    """Turning two-factor authentication off."""

    @operation(
        "turn_off_two_factor",
        takes=BothProofsSerializer,
        status=204,
        errors=(409,),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Turn off two-factor authentication with the password and a code; all other sessions end."""
        form = self.read(BothProofsSerializer)
        services.turn_second_factor_off(request=request._request, user=self.user, **form)
        return Response(status=204)


class RecoveryCodesView(OwnAccountView):
    """Recovery codes for two-factor authentication."""

    @operation(
        "renew_recovery_codes",
        takes=BothProofsSerializer,
        gives=RecoveryCodes,
        errors=(409,),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Replace all recovery codes and end all other sessions; the new codes are shown only once."""
        form = self.read(BothProofsSerializer)
        return reply(services.renew_recovery_codes(request=request._request, user=self.user, **form))


class SignInsQuerySerializer(serializers.Serializer[Any]):
    """Which page of the log."""

    limit = limit_field(EVENTS_A_PAGE)
    cursor = cursor_field()


@dataclass(frozen=True)
class AccountEventEntry:
    """An event in the account.

    `client`: the address it came from; empty if an administrator caused it. `user_agent`: the name that the
    browser or program sent, shortened.
    """

    id: int
    kind: AccountEvent.Kind
    at: datetime
    client: str
    user_agent: str


@dataclass(frozen=True)
class AccountEventsPage(Paged):
    """A page of the account’s log, newest first.

    `days`: the number of days that the log goes back.
    """

    days: int
    events: list[AccountEventEntry]


class SignInsView(OwnAccountView):
    """Sign-ins to one's own account, and what else changed who can."""

    @operation("list_sign_ins", query=[SignInsQuerySerializer], gives=AccountEventsPage)
    def get(self, request: Request) -> Response:
        """List sign-ins, failed sign-ins, sign-outs, and changes to the password and API tokens."""
        query = self.read_query(SignInsQuerySerializer)
        page = cut_page(request, list_events(user=self.user), query)
        events = [
            AccountEventEntry(each.pk, AccountEvent.Kind(each.kind), each.at, each.client, each.user_agent)
            for each in page.rows
        ]
        return reply(AccountEventsPage(**page.place, days=settings.ASSAY_SIGN_IN_DAYS, events=events))


class ApiTokenSerializer(serializers.Serializer[Any]):
    """An API token without its text; a revoked or expired token no longer works.

    `project`: null if the token is for all of the person’s projects. `last_used_at`: accurate to 5 minutes;
    null if the token was never used.
    """

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    project = serializers.CharField(source="project.slug", default=None, allow_null=True)
    project_name = serializers.CharField(source="project.name", default=None, allow_null=True)
    scope = serializers.ChoiceField(choices=ApiToken.Scope.choices)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)


class ApiTokenCreateSerializer(serializers.Serializer[Any]):
    """A new API token, and the current password; without a `project`, the token works in all of the caller’s
    projects."""

    name = serializers.CharField(max_length=100)
    project = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    scope = serializers.ChoiceField(choices=ApiToken.Scope.choices)
    days = serializers.IntegerField(min_value=1, max_value=issuing.MOST_DAYS)
    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class CreatedApiTokenSerializer(serializers.Serializer[Any]):
    """A new API token and its text, which is shown only once."""

    text = serializers.CharField()
    token = ApiTokenSerializer()


class ApiTokensView(OwnAccountView):
    """One's own API tokens; a new one."""

    @operation("list_api_tokens", gives=ApiTokenSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List active tokens, then revoked and expired ones, each newest first."""
        return Response(ApiTokenSerializer(issuing.list_tokens(user=self.user), many=True).data)

    @operation(
        "create_api_token",
        takes=ApiTokenCreateSerializer,
        gives=CreatedApiTokenSerializer,
        status=201,
        errors=(404,),
    )
    def post(self, request: Request) -> Response:
        """Create a token; the reply contains its text, which is shown only once."""
        form = self.read(ApiTokenCreateSerializer)
        created = services.create_own_token(request=request._request, user=self.user, **form)
        return Response(CreatedApiTokenSerializer(created._asdict()).data, status=201)


class ApiTokenView(OwnAccountView):
    """One of one's own API tokens."""

    @operation("revoke_api_token", status=204)
    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke the token immediately."""
        services.revoke_own_token(request=request._request, user=self.user, public_id=token_id)
        return Response(status=204)
