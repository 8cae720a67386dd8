"""What comes in is checked here once, before it is read: addresses, sizes, callers, and every JSON value."""

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol, cast

from django.conf import settings
from django.contrib.sessions.backends import db as sessions
from django.core.exceptions import TooManyFieldsSent
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse, QueryDict
from django.urls import resolve
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication, get_authorization_header
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from common.events import Port
from common.web.http import error_body, shown
from common.web.pages import serve_no_such_address

# What an upload holds besides its files.
FORM_BYTES = 1_000_000
# Beyond it programs that read JSON, browsers among them, round.
LARGEST_INTEGER = 2**53 - 1
DEEPEST = 50
# Where whoever watches the server asks.
WATCHED = {"/healthz", "/metrics"}
UTF8 = {"utf-8", "utf8", "us-ascii", "ascii"}


class SessionStore(sessions.SessionStore):
    """Django's sessions in the database, which each request reads: by one statement, never written anew."""

    def load(self) -> dict[str, Any]:
        """Return what the session holds; one that is over, or that nobody knows, becomes a new one."""
        # A cookie may hold a NUL, which PostgreSQL takes in no text; no session is called so.
        found = None if "\0" in str(self.session_key) else self._read()
        if found is None:
            self._session_key = None
            return {}
        return self.decode(found)

    def _read(self) -> str | None:
        at = connection.ops.adapt_datetimefield_value(timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s",
                [self.session_key, at],
            )
            row = cursor.fetchone()
        return row[0] if row else None


class Place(NamedTuple):
    """Where in a JSON body a value stands: a key or a number in the value around it."""

    key: str | int
    within: "Place | None"

    def keys(self) -> list[str | int]:
        """Return the way to it, from the outside."""
        return [*(self.within.keys() if self.within else ()), self.key]


def takes_files(path: str) -> bool:
    """Say whether the view at an address reads multipart bodies; only those may be large."""
    try:
        view = getattr(resolve(path).func, "view_class", None)
    except Http404:
        return False
    return MultiPartParser in getattr(view, "parser_classes", ())


def largest_body(path: str) -> int:
    """Return how many bytes a request to an address may have."""
    if takes_files(path):
        return int(settings.ASSAY_UPLOAD_MAX_BYTES) + FORM_BYTES
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def too_large_body(*, size: int, limit: int) -> dict[str, Any]:
    """Return what is said to a request that is too large; `size` is at least what came."""
    message = f"The request has {size:,} bytes or more; at most {limit:,} are allowed here."
    return error_body(kind="invalid", code="too_large", message=message)


class Door:
    """Middleware before everything that reads a request below `/api/`; its replies are kept by nobody.

    Whoever watches the server (`/healthz`, `/metrics`) is let in here: by any name of the host, and without
    a session.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Take what comes after."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Refuse what no view should meet, or pass it on."""
        if request.path_info in WATCHED:
            return cast(HttpResponseBase, resolve(request.path_info).func(request))
        if not request.path_info.startswith("/api/"):
            return self.get_response(request)
        # Else Django reads any form in full, files and all, to look for a token: ours comes as a header.
        vars(request).update(_post=QueryDict(), _files=MultiValueDict())
        reply = _refuse(request) or self.get_response(request)
        reply.headers.setdefault("Cache-Control", "no-store")
        return reply


def _refuse(request: HttpRequest) -> HttpResponseBase | None:
    if "\0" in request.path_info:
        return serve_no_such_address(request)
    announced = request.META.get("CONTENT_LENGTH") or "0"
    limit = largest_body(request.path_info)
    if announced.isdecimal() and int(announced[:20]) > limit:
        return JsonResponse(too_large_body(size=int(announced[:20]), limit=limit), status=413)
    charset = (request.content_params or {}).get("charset", "utf-8")
    if charset.lower() not in UTF8:
        return _bad_request("unsupported_media_type", "Send the body as UTF-8.", status=415)
    try:
        query = request.GET
    except TooManyFieldsSent:
        return _bad_request(
            "too_many_parameters",
            f"The address has more than {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:,} parameters.",
        )
    for name, values in query.lists():
        if any("\0" in text for text in (name, *values)):
            return _bad_request("invalid_input", f"The parameter {shown(name)} contains a null character.")
    return None


def _bad_request(code: str, message: str, *, status: int = 400) -> JsonResponse:
    return JsonResponse(error_body(kind="invalid", code=code, message=message), status=status)


class Credential(Protocol):
    """What a program brings instead of a session."""

    def require(self, *, scope: str | None, slug: str | None, serves_project_tokens: bool) -> None:
        """Raise a refusal where it does not allow a request.

        scope: what the request needs; None where no token is let in. slug: the project that the address
        names, if any. serves_project_tokens: whether one for that project alone is enough.
        """


@Port
def find_bearer(*, request: HttpRequest, text: str) -> tuple[Any, Credential]:
    """Return the person that an API token stands for, and what it allows; raises why it lets nobody in."""
    raise NotImplementedError


class TokenOrSession(SessionAuthentication):
    """Goes by the token where one is sent, whatever cookies come with it; else by the session.

    A browser sends no such header for another site, so a token needs no proof against forged requests.
    """

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return who asks, and the token that says so; None for nobody."""
        text = _sent_token(request)
        if text is None:
            return super().authenticate(request)
        return find_bearer(request=request._request, text=text)


def _sent_token(request: Request) -> str | None:
    scheme, _, rest = get_authorization_header(request).decode("latin-1").partition(" ")
    return rest.strip() if scheme.lower() == "bearer" else None


class TokenOrSessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema says it: by the session's cookie, or by a token where the view takes one."""

    target_class = TokenOrSession
    name = ["cookieAuth", "apiToken"]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, Any]]:
        """Return both schemes, in the order of their names."""
        session = {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}
        return [session, {"type": "http", "scheme": "bearer", "bearerFormat": "assay_…"}]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[Any]]]:
        """Return which of them opens a view."""
        session: dict[str, list[Any]] = {"cookieAuth": []}
        return [session, {"apiToken": []}] if auto_schema.view.takes_tokens else [session]


def _require_token(credential: Any, *, view: Any, is_reading: bool) -> None:
    slug = view.kwargs.get("slug")
    needed = "read" if is_reading else view.write_scope
    token: Credential = credential
    token.require(
        scope=needed if view.takes_tokens else None,
        slug=slug,
        # Beyond addresses of projects it may only read.
        serves_project_tokens=view.serves_project_tokens and (is_reading or slug is not None),
    )


class DeclaredRoles(BasePermission):
    """Refuse any view that does not say who may use it, and API tokens that may not.

    `access` is "public" (anyone) or "signed_in"; views below a project check roles themselves.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        access = getattr(view, "access", None)
        if access is not None and request.auth is not None:
            _require_token(request.auth, view=view, is_reading=request.method in SAFE_METHODS)
        if access == "public":
            return True
        return access == "signed_in" and bool(request.user and request.user.is_authenticated)


class OneFormat(DefaultContentNegotiation):
    """Each address has one format, whatever a request accepts.

    Otherwise files, which views make themselves, would be refused to whoever accepts nothing but them.
    """

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the view's renderer and its media type."""
        (renderer,) = renderers
        return renderer, renderer.media_type


class SendableJSONRenderer(JSONRenderer):
    """Sends JSON as REST framework does, and whatever older versions stored.

    Half a surrogate pair has no UTF-8; escaped it arrives, and the page that shows it can mend it.
    """

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        """Return the body."""
        try:
            sent: bytes = super().render(data, accepted_media_type, renderer_context)
        except UnicodeEncodeError:
            sent = _EscapingRenderer().render(data, accepted_media_type, renderer_context)
        return sent


class _EscapingRenderer(JSONRenderer):
    ensure_ascii = True


class CheckedJSONParser(JSONParser):
    """Reads JSON bodies, and refuses values that no database or reply can hold."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """Return the body; raises `ParseError`, or `ValidationError` that names the place."""
        try:
            return read_json(stream.read().decode())
        except UnicodeDecodeError:
            raise ParseError("The body is not UTF-8.") from None


def read_json(text: str) -> Any:
    """Return what a JSON text says.

    Raises `ParseError` where it is no JSON, `ValidationError` by field where it holds what cannot be
    stored or sent: half a surrogate pair, a null character, a number that is no finite one or too
    large, or more nesting than anything here needs.
    """
    try:
        value = json.loads(text, parse_int=_integer, parse_constant=float)
    except RecursionError:
        raise ParseError(f"The body is nested more than {DEEPEST} levels deep.") from None
    except ValueError as error:
        raise ParseError(f"The body is not JSON: {error}.") from None
    for place, complaint in _complaints(value):
        keys = place.keys() if place else []
        field = keys[0] if keys and isinstance(keys[0], str) else "non_field_errors"
        raise serializers.ValidationError({shown(field): [f"{_path(keys)}: {complaint}"]})
    return value


def _integer(text: str) -> int | float:
    # Python itself refuses thousands of digits, in words about Python.
    return int(text) if len(text) <= 20 else math.inf


def _complaints(body: Any) -> Iterator[tuple[Place | None, str]]:
    """Yield what is wrong with a value or anything in it; without recursion, as its depth is a stranger's."""
    waiting: list[tuple[Place | None, Any, int]] = [(None, body, 0)]
    while waiting:
        place, value, depth = waiting.pop()
        if complaint := _wrong_with(value):
            yield place, complaint
        elif isinstance(value, dict | list):
            if depth >= DEEPEST:
                yield place, f"This value is nested more than {DEEPEST} levels deep."
                return
            for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
                there = Place(key, place)
                if complaint := _wrong_with(key):
                    yield there, complaint
                waiting.append((there, inner, depth + 1))


def _wrong_with(value: Any) -> str:
    """Return what is wrong with one value, not with what it holds, or nothing."""
    if isinstance(value, str):
        return _wrong_with_text(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return "This is not a number, or it is too large."
        return "This number is too close to zero." if 0 < abs(value) < sys.float_info.min else ""
    if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
        return "This number is too large."
    return ""


def _wrong_with_text(text: str) -> str:
    if "\0" in text:
        return "Null characters are not allowed."
    try:
        text.encode()
    except UnicodeEncodeError as error:
        surrogate = f"U+{ord(text[error.start]):04X}"
        return (
            f"The text contains half of a character (unpaired surrogate {surrogate}). Enter the text again."
        )
    return ""


def _path(keys: list[str | int]) -> str:
    steps = [f"[{key}]" if isinstance(key, int) else f".{shown(key)}" for key in keys]
    return "".join(steps).removeprefix(".") or "body"
