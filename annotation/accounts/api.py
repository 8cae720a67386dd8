"""HTTP for signing in and out."""

from typing import Any, cast

from django.conf import settings
from django.contrib.auth import logout
from django.middleware.csrf import get_token
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.accounts import services
from annotation.accounts.guessing import remember_device
from annotation.accounts.models import User
from annotation.accounts.selectors import get_user_by_link
from common.web.http import ErrorSerializer


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


def session_body(request: Request) -> dict[str, Any]:
    """Return the session as the client sees it."""
    user = request.user if request.user.is_authenticated else None
    return SessionSerializer({"user": user, "csrf_token": get_token(request._request)}).data


# REST framework checks the token only of who is signed in; signing in needs it, too.
@method_decorator(csrf_protect, name="dispatch")
class SessionView(APIView):
    """Who is signed in; sign in; sign out."""

    access = "public"

    @extend_schema(operation_id="get_session", responses=SessionSerializer)
    def get(self, request: Request) -> Response:
        """Return the current session."""
        return Response(session_body(request))

    @extend_schema(
        operation_id="sign_in",
        request=SignInSerializer,
        responses={200: SessionSerializer, 400: ErrorSerializer, 403: ErrorSerializer, 429: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        """Sign in."""
        form = SignInSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        user = services.sign_in(request=request._request, **form.validated_data)
        request.user = user
        response = Response(session_body(request))
        remember_device(response, request=request._request, user=user)
        return response

    @extend_schema(operation_id="sign_out", responses=SessionSerializer)
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


class AccountView(APIView):
    """One's own account."""

    access = "signed_in"

    @extend_schema(operation_id="change_account", request=AccountChangeSerializer, responses=UserSerializer)
    def patch(self, request: Request) -> Response:
        """Change the name others see, or the language of the pages."""
        form = AccountChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        user = cast(User, request.user)
        services.change_account(user=user, **form.validated_data)
        return Response(UserSerializer(user).data)


class AccountCloseView(APIView):
    """Closing one's own account."""

    access = "signed_in"

    @extend_schema(
        operation_id="close_account",
        request=PasswordProofSerializer,
        responses={204: None, 403: ErrorSerializer, 409: ErrorSerializer, 429: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        """Leave every project and be forgotten; votes stay under a pseudonym."""
        form = PasswordProofSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        user = cast(User, request.user)
        services.close_account(request=request._request, user=user, **form.validated_data)
        logout(request._request)
        return Response(status=204)


class PasswordChangeSerializer(serializers.Serializer[Any]):
    """The present password and the one to come."""

    old = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})
    new = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class AccountPasswordView(APIView):
    """One's own password."""

    access = "signed_in"

    @extend_schema(
        operation_id="change_password",
        request=PasswordChangeSerializer,
        responses={200: SessionSerializer, 400: ErrorSerializer, 403: ErrorSerializer, 429: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        """Change it; sessions elsewhere end."""
        form = PasswordChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        user = cast(User, request.user)
        services.change_password(request=request._request, user=user, **form.validated_data)
        return Response(session_body(request))


class NewPasswordSerializer(serializers.Serializer[Any]):
    """The password to come."""

    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class PasswordLinkSerializer(serializers.Serializer[Any]):
    """Whose password the link sets."""

    username = serializers.CharField()


@method_decorator(csrf_protect, name="dispatch")
class PasswordLinkView(APIView):
    """A new password, for whoever holds the link that the operator made."""

    access = "public"

    @extend_schema(
        operation_id="get_password_link", responses={200: PasswordLinkSerializer, 404: ErrorSerializer}
    )
    def get(self, request: Request, token: str) -> Response:
        """Say whose password the link sets."""
        return Response(PasswordLinkSerializer(get_user_by_link(token=token)).data)

    @extend_schema(
        operation_id="use_password_link",
        request=NewPasswordSerializer,
        responses={204: None, 400: ErrorSerializer, 404: ErrorSerializer},
    )
    def post(self, request: Request, token: str) -> Response:
        """Set the password."""
        # Before anything of the request is read: a link that is of no use answers all with the same.
        get_user_by_link(token=token)
        form = NewPasswordSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        user = services.set_password_by_link(token=token, **form.validated_data)
        response = Response(status=204)
        remember_device(response, request=request._request, user=user)
        return response
