"""HTTP for signing in and out."""

from typing import Any

from django.contrib.auth import logout
from django.middleware.csrf import get_token
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.accounts.services import sign_in
from common.http import ErrorSerializer


class UserSerializer(serializers.Serializer[Any]):
    """Who is signed in."""

    public_id = serializers.CharField()
    username = serializers.CharField()
    name = serializers.CharField()


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
        responses={200: SessionSerializer, 400: ErrorSerializer, 403: ErrorSerializer},
    )
    def post(self, request: Request) -> Response:
        """Sign in."""
        form = SignInSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        request.user = sign_in(request=request._request, **form.validated_data)
        return Response(session_body(request))

    @extend_schema(operation_id="sign_out", responses=SessionSerializer)
    def delete(self, request: Request) -> Response:
        """Sign out."""
        logout(request._request)
        request.user = request._request.user
        return Response(session_body(request))
