"""HTTP for signing in and out, and for API tokens."""

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
from annotation.accounts.models import ApiToken, User
from annotation.accounts.selectors import get_user_by_link
from annotation.accounts.tokens import issuing
from common.web.replies import View, operation


class UserSerializer(serializers.Serializer[Any]):
    """Who is signed in."""

    public_id = serializers.CharField()
    username = serializers.CharField()
    name = serializers.CharField()
    language = serializers.ChoiceField(
        choices=settings.LANGUAGES,
        allow_blank=True,
        help_text="Language of the pages. If empty, the browser’s language is used.",
    )
    may_create_projects = serializers.BooleanField(required=False)


class SessionSerializer(serializers.Serializer[Any]):
    """The session: a user or nobody, and the token that writing requests must carry."""

    user = UserSerializer(allow_null=True)
    csrf_token = serializers.CharField()


class SignInSerializer(serializers.Serializer[Any]):
    """User name and password."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


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
    return SessionSerializer({"user": user, "csrf_token": get_token(request._request)}).data


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
        "sign_in", takes=SignInSerializer, gives=SessionSerializer, errors=(400, 403, 429), takes_key=False
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
        logout(request._request)
        request.user = request._request.user
        return Response(session_body(request))


class AccountChangeSerializer(serializers.Serializer[Any]):
    """What people change about themselves."""

    name = serializers.CharField(max_length=150, required=False)
    language = serializers.ChoiceField(choices=settings.LANGUAGES, allow_blank=True, required=False)


class PasswordProofSerializer(serializers.Serializer[Any]):
    """The current password, asked again before what cannot be undone."""

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

    @operation(
        "close_account", takes=PasswordProofSerializer, status=204, errors=(403, 409, 429), takes_key=False
    )
    def post(self, request: Request) -> Response:
        """Close the account and leave all projects; votes stay under a pseudonym."""
        services.close_account(request=request._request, user=self.user, **self.read(PasswordProofSerializer))
        logout(request._request)
        return Response(status=204)


class PasswordChangeSerializer(serializers.Serializer[Any]):
    """The current password and the new one."""

    old = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})
    new = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class AccountPasswordView(OwnAccountView):
    """One's own password."""

    @operation(
        "change_password",
        takes=PasswordChangeSerializer,
        gives=SessionSerializer,
        errors=(400, 403, 429),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Change the password; this ends all other sessions and revokes all API tokens."""
        form = self.read(PasswordChangeSerializer)
        services.change_password(request=request._request, user=self.user, **form)
        return Response(session_body(request))


class NewPasswordSerializer(serializers.Serializer[Any]):
    """The password to come."""

    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class PasswordLinkSerializer(serializers.Serializer[Any]):
    """Whose password the link sets."""

    username = serializers.CharField()


@method_decorator(csrf_protect, name="dispatch")
class PasswordLinkView(View):
    """A new password, for whoever holds the link that the operator made."""

    access = "public"
    takes_tokens = False

    @operation("get_password_link", gives=PasswordLinkSerializer, errors=(404,))
    def get(self, request: Request, token: str) -> Response:
        """Return the username whose password the link sets."""
        return Response(PasswordLinkSerializer(get_user_by_link(token=token)).data)

    @operation(
        "use_password_link", takes=NewPasswordSerializer, status=204, errors=(400, 404), takes_key=False
    )
    def post(self, request: Request, token: str) -> Response:
        """Set the password."""
        # Before anything of the request is read: a link that is of no use answers all with the same.
        get_user_by_link(token=token)
        user = services.set_password_by_link(token=token, **self.read(NewPasswordSerializer))
        response = Response(status=204)
        remember_device(response, request=request._request, user=user)
        return response


class ApiTokenSerializer(serializers.Serializer[Any]):
    """An API token without its secret; a null `project` stands for all projects of the person.

    `last_used_at` is exact to five minutes. One that is revoked or expired is of no use any more.
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
    """A new API token, and the current password; without a `project` it is for all of one's projects."""

    name = serializers.CharField(max_length=100)
    project = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    scope = serializers.ChoiceField(choices=ApiToken.Scope.choices)
    days = serializers.IntegerField(min_value=1, max_value=issuing.MOST_DAYS)
    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class CreatedApiTokenSerializer(serializers.Serializer[Any]):
    """A new API token and its text, which is shown only now."""

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
        errors=(400, 403, 404, 409, 429),
    )
    def post(self, request: Request) -> Response:
        """Create a token; the reply contains its text, which is shown only once."""
        form = self.read(ApiTokenCreateSerializer)
        created = services.create_own_token(request=request._request, user=self.user, **form)
        return Response(CreatedApiTokenSerializer(created._asdict()).data, status=201)


class ApiTokenView(OwnAccountView):
    """One of one's own API tokens."""

    @operation("revoke_api_token", status=204, errors=(404,))
    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke the token immediately."""
        issuing.revoke_token(user=self.user, public_id=token_id)
        return Response(status=204)
