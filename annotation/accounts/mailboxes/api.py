"""HTTP for email: one's own address and digest, links that confirm one, and asking for a password link."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts import services
from annotation.accounts.api import OwnAccountView
from annotation.accounts.mailboxes import confirming, resetting
from annotation.accounts.mailboxes.confirming import EmailLink, EmailSettings, UnsubscribeLinkUnusable
from annotation.accounts.models import LONGEST_ADDRESS, Mailbox
from common.web.pages import serve_application
from common.web.replies import View, choice_of, operation, reply


class EmailChangeSerializer(serializers.Serializer[Any]):
    """The address to confirm (empty to remove the current address), and the current password."""

    address = serializers.CharField(max_length=LONGEST_ADDRESS, allow_blank=True)
    password = serializers.CharField(max_length=200, trim_whitespace=False, style={"input_type": "password"})


class DigestSerializer(serializers.Serializer[Any]):
    """How often to email a digest of pending work."""

    digest = choice_of(Mailbox.Digest)


class AccountEmailView(OwnAccountView):
    """Where one gets email."""

    @operation("get_email", gives=EmailSettings)
    def get(self, request: Request) -> Response:
        """Return the confirmed address, the address awaiting confirmation, and how often digests are sent."""
        return reply(confirming.describe(user=self.user))

    @operation("change_email", takes=EmailChangeSerializer, gives=EmailSettings, errors=(409,))
    def put(self, request: Request) -> Response:
        """Send a link that confirms the given address; if it is empty, remove the current address."""
        form = self.read(EmailChangeSerializer)
        services.change_email(request=request._request, user=self.user, **form)
        return reply(confirming.describe(user=self.user))

    @operation("choose_digest", takes=DigestSerializer, gives=EmailSettings, errors=(409,))
    def patch(self, request: Request) -> Response:
        """Choose how often to get a digest of pending work."""
        confirming.choose_digest(user=self.user, **self.read(DigestSerializer))
        return reply(confirming.describe(user=self.user))


# Mail programs open links to look at them, so that only POST uses one.
@method_decorator(csrf_protect, name="dispatch")
class EmailLinkView(View):
    """An address that is confirmed, for whoever holds the link sent there."""

    access = "public"
    takes_tokens = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Answer whatever body is sent with a link of no use with the same."""
        super().initial(request, *args, **kwargs)
        confirming.find_link(token=kwargs["token"])

    @operation("get_email_link", gives=EmailLink)
    def get(self, request: Request, token: str) -> Response:
        """Return the address that the link confirms, and the username of the account."""
        return reply(confirming.describe_link(token=token))

    @operation("use_email_link", status=204, takes_key=False)
    def post(self, request: Request, token: str) -> Response:
        """Confirm the address."""
        services.confirm_email(request=request._request, token=token)
        return Response(status=204)


class PasswordRequestSerializer(serializers.Serializer[Any]):
    """The username or confirmed email address of the account that needs a new password."""

    account = serializers.CharField(max_length=LONGEST_ADDRESS)


@method_decorator(csrf_protect, name="dispatch")
class PasswordRequestView(View):
    """Asking for a password link."""

    access = "public"
    takes_tokens = False

    @operation(
        "request_password_link",
        takes=PasswordRequestSerializer,
        status=204,
        errors=(409,),
        takes_key=False,
    )
    def post(self, request: Request) -> Response:
        """Send a link by email if there is such an account; the reply is the same if there is none."""
        form = self.read(PasswordRequestSerializer)
        resetting.ask_for_link(request=request._request, **form)
        return Response(status=204)


class UnsubscribeView(View):
    """Ending the digest, for whoever has its link; nobody needs to sign in."""

    access = "public"
    takes_tokens = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Answer whatever body is sent with a link of no use with the same."""
        super().initial(request, *args, **kwargs)
        confirming.find_subscriber(token=kwargs["token"])

    @operation("unsubscribe", status=204, takes_key=False)
    def post(self, request: Request, token: str) -> Response:
        """Send no more digests."""
        confirming.unsubscribe(token=token)
        return Response(status=204)


@csrf_exempt
def unsubscribe_by_one_click(request: HttpRequest, token: str) -> HttpResponse:
    """End the digest for a mail program (RFC 8058), which posts to the link; a person gets the page.

    The token is the proof: it says whose digest, and can do nothing else.
    """
    if request.method in {"GET", "HEAD"}:
        page: HttpResponse = serve_application(request, folder=Path(settings.FRONTEND_DIST))
        return page
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    try:
        confirming.unsubscribe(token=token)
    except UnsubscribeLinkUnusable as error:
        return HttpResponse(error.message, status=404, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)
