"""HTTP for signing in and out."""

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
from annotation.accounts.models import User
from annotation.accounts.selectors import get_user_by_link
from common.web.replies import View, operation


class UserSerializer(serializers.Serializer[Any]):
    """Who is signed in."""

    public_id = serializers.CharField()
    username = serializers.CharField()
    name = serializers.CharField()
    language = serializers.ChoiceField(
        choices=settings.LANGUAGES, allow_blank=True, help_text="Of the pages; empty: as the browser says."
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


def session_body(request: Request) -> dict[str, Any]:
    """Return the session as the client sees it."""
    user = request.user if request.user.is_authenticated else None
    return SessionSerializer({"user": user, "csrf_token": get_token(request._request)}).data


# REST framework checks the token only of who is signed in; signing in needs it, too.
@method_decorator(csrf_protect, name="dispatch")
class SessionView(View):
    """Who is signed in; sign in; sign out."""

    access = "public"

    @operation("get_session", gives=SessionSerializer)
    def get(self, request: Request) -> Response:
        """Return the current session."""
        return Response(session_body(request))

    @operation("sign_in", takes=SignInSerializer, gives=SessionSerializer, errors=(400, 403, 429))
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
    """The present password, asked again before what cannot be taken back."""

    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class AccountView(UserView):
    """One's own account."""

    access = "signed_in"

    @operation("change_account", takes=AccountChangeSerializer, gives=UserSerializer)
    def patch(self, request: Request) -> Response:
        """Change the name others see, or the language of the pages."""
        services.change_account(user=self.user, **self.read(AccountChangeSerializer))
        return Response(UserSerializer(self.user).data)


class AccountCloseView(UserView):
    """Closing one's own account."""

    access = "signed_in"

    @operation("close_account", takes=PasswordProofSerializer, status=204, errors=(403, 409, 429))
    def post(self, request: Request) -> Response:
        """Leave every project and be forgotten; votes stay under a pseudonym."""
        services.close_account(request=request._request, user=self.user, **self.read(PasswordProofSerializer))
        logout(request._request)
        return Response(status=204)


class PasswordChangeSerializer(serializers.Serializer[Any]):
    """The present password and the one to come."""

    old = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})
    new = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class AccountPasswordView(UserView):
    """One's own password."""

    access = "signed_in"

    @operation(
        "change_password", takes=PasswordChangeSerializer, gives=SessionSerializer, errors=(400, 403, 429)
    )
    def post(self, request: Request) -> Response:
        """Change it; sessions elsewhere end."""
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

    @operation("get_password_link", gives=PasswordLinkSerializer, errors=(404,))
    def get(self, request: Request, token: str) -> Response:
        """Say whose password the link sets."""
        return Response(PasswordLinkSerializer(get_user_by_link(token=token)).data)

    @operation("use_password_link", takes=NewPasswordSerializer, status=204, errors=(400, 404))
    def post(self, request: Request, token: str) -> Response:
        """Set the password."""
        # Before anything of the request is read: a link that is of no use answers all with the same.
        get_user_by_link(token=token)
        user = services.set_password_by_link(token=token, **self.read(NewPasswordSerializer))
        response = Response(status=204)
        remember_device(response, request=request._request, user=user)
        return response
