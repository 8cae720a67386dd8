"""A reply is the record that a selector returns: its serializer and schema are made from the dataclass.

And what views share that read forms. Long replies leave compressed.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from functools import cache, wraps
from itertools import islice
from typing import Any, ClassVar, TypeVar, cast, get_args, get_origin

from django.db.models import Choices
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.fields import Field
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework_dataclasses.fields import EnumField
from rest_framework_dataclasses.serializers import DataclassSerializer

from common.requests.conditional import CONDITIONAL
from common.requests.idempotency import HEADER, LONGEST_KEY, answer_once
from common.web.http import shown

# Nothing that is measured or shared out comes near it, and dividing by it is harmless.
SMALLEST_NUMBER = 1e-6

# Where a view's method keeps the forms of its query and of its body, and how it goes by idempotency keys.
QUERY_FORMS = "query_forms"
BODY_FORM = "body_form"
TAKES_KEY = "takes_key"
# The errors that it alone answers with, and the name that the schema gives it.
ERRORS = "errors"
OPERATION = "operation"
WRITING = frozenset({"post", "put", "patch", "delete"})

# The query is checked, a token that was sent is read, and the database is asked: of every operation.
OF_ALL = frozenset({400, 401, 429, 503, 507})
# The CSRF token is checked, and the body is read.
OF_WRITING = frozenset({403, 413, 415})
# See `common.requests.idempotency`.
OF_KEYED = frozenset({409, 422})

KEY_PARAMETER = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
    OpenApiParameter.HEADER,
    description=(
        "A new random key for each action. The same request with the same key is carried out once and gets "
        "the same reply for 24 hours."
    ),
)

Method = TypeVar("Method", bound=Callable[..., Any])
# Of a conditional read: what is sent with it.
KNOWN_REPLIES = OpenApiParameter(
    "If-None-Match",
    location=OpenApiParameter.HEADER,
    description="ETags of replies that the client already has. These replies are not sent again.",
)
_SERIALIZERS: dict[type, "type[ReplySerializer]"] = {}
_WRITERS: dict[type, "ReplySerializer"] = {}


# What fits into one packet is not worth it.
COMPRESSED_FROM_BYTES = 1_400
COMPRESSED_TYPES = ("application/json", "application/vnd.oai.openapi", "text/")


class CompressesReplies(GZipMiddleware):
    """Send long replies of text compressed to whoever reads gzip; files that are streamed go as they are.

    Django adds random bytes, so that the length of a reply tells nothing of a secret in it (BREACH).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the reply, compressed where that saves packets."""
        is_text = response.headers.get("Content-Type", "").startswith(COMPRESSED_TYPES)
        if (
            not isinstance(response, HttpResponse)
            or not is_text
            or len(response.content) < COMPRESSED_FROM_BYTES
        ):
            return response
        return super().process_response(request, response)


class ReplySerializer(DataclassSerializer[Any]):
    """A record as it leaves: every field is there, those with a default, too."""

    def build_dataclass_field(self, field_name: str, type_info: Any) -> tuple[type[Any], dict[str, Any]]:
        """Send a record inside a record by its own serializer."""
        _, options = super().build_dataclass_field(field_name, type_info)
        options.pop("dataclass", None)
        return reply_of(type_info.base_type), options

    def build_enum_field(self, field_name: str, type_info: Any) -> tuple[type[Any], dict[str, Any]]:
        """Name the choices as forms and models do, so that the schema knows them for the same."""
        field, options = super().build_enum_field(field_name, type_info)
        return field, {**options, **_choices(type_info.base_type)}

    def get_fields(self) -> dict[str, Field[Any, Any, Any, Any]]:
        """Return the fields, of which no reply leaves one out."""
        fields: dict[str, Field[Any, Any, Any, Any]] = super().get_fields()
        for field in fields.values():
            field.required = True
        return fields

    def get_default_field_names(self, declared_fields: Iterable[str]) -> Iterable[str]:
        """Return the names in the record's order."""
        return self.dataclass_definition.fields


def reply_of(record: type, name: str = "", **fields: Field[Any, Any, Any, Any]) -> type[ReplySerializer]:
    """Return the serializer of a frozen dataclass; its docstring is what the schema says of it.

    name: what the schema calls it, where the record's own name says too little outside its step.
    fields: those that leave otherwise than their types say.
    """
    made = _SERIALIZERS.get(record)
    if made is not None and fields:
        raise ValueError(
            f"{record.__name__} already has a serializer. Set its fields where the serializer is created."
        )
    if made is None:
        meta = type("Meta", (), {"dataclass": record, "ref_name": name or record.__name__})
        members = {"Meta": meta, "__doc__": record.__doc__, **fields}
        made = _SERIALIZERS[record] = type(f"{record.__name__}Serializer", (ReplySerializer,), members)
    return made


def reply(found: Any, *, status: int = 200) -> Response:
    """Return a record, or several of one kind, as they leave."""
    if is_dataclass(found):
        return Response(_writer(type(found)).to_representation(found), status=status)
    return Response([_writer(type(each)).to_representation(each) for each in found], status=status)


def _writer(record: type) -> ReplySerializer:
    """Return one serializer for all replies of a kind: making its fields takes longer than using them."""
    made = _WRITERS.get(record)
    if made is None:
        made = _WRITERS[record] = reply_of(record)()
    return made


def _documented(gives: Any) -> Any:
    if get_origin(gives) is list:
        return reply_of(*get_args(gives))(many=True)
    return reply_of(gives) if isinstance(gives, type) and is_dataclass(gives) else gives


def operation(
    name: str,
    *,
    takes: Any = None,
    query: Iterable[Any] = (),
    gives: Any = None,
    status: int = 200,
    errors: Iterable[int] = (),
    takes_key: bool = True,
    is_whole: bool = False,
) -> Callable[[Method], Method]:
    """Document a view's method: what it takes, its query, what it gives with which status, and its errors.

    gives: a record, a list of them (`list[Record]`), or a serializer. errors: those that do not follow from
    the address, the view and the method (`View.errors_of`). What all have alike, such as headers of replies,
    `common.help.schema` adds. takes_key: whether a POST goes by idempotency keys; those that change
    nothing, or have a key of their own, need none. is_whole: whether its reply may be kept in the transaction
    of its work, which must be short, without network, and all or nothing.
    """
    forms = list(query)

    def declare(method: Method) -> Method:
        is_keyed = takes_key and method.__name__ == "post"
        parameters: list[Any] = [*forms, *([KEY_PARAMETER] if is_keyed else ())]
        replies: dict[int, Any] = {status: _documented(gives)}
        if CONDITIONAL in vars(method):
            parameters.append(KNOWN_REPLIES)
            replies[304] = OpenApiResponse(description="The client has this reply already.")
        document = extend_schema(operation_id=name, request=takes, parameters=parameters, responses=replies)
        served = _without_body(method) if takes is None and method.__name__ in WRITING else method
        documented: Method = document(_once(served, is_whole=is_whole) if is_keyed else served)
        vars(documented).update({OPERATION: name, QUERY_FORMS: forms, BODY_FORM: takes, TAKES_KEY: is_keyed})
        vars(documented)[ERRORS] = frozenset(errors)
        return documented

    return declare


def _without_body(method: Method) -> Method:
    """Refuse a body that nothing reads; where one is read, `checked_body` refuses its unknown fields."""

    @wraps(method)
    def answer(view: Any, request: Request, /, *args: Any, **kwargs: Any) -> HttpResponseBase:
        _require_empty(request.data)
        made: HttpResponseBase = method(view, request, *args, **kwargs)
        return made

    return cast(Method, answer)


def _once(method: Method, *, is_whole: bool) -> Method:
    @wraps(method)
    def answer(view: Any, request: Request, /, *args: Any, **kwargs: Any) -> HttpResponseBase:
        def make() -> HttpResponseBase:
            made: HttpResponseBase = method(view, request, *args, **kwargs)
            return made

        return answer_once(view, request, make, is_whole=is_whole)

    return cast(Method, answer)


class NumberField(serializers.FloatField):
    """A number from outside: no infinity, no NaN and no yes or no; what is next to nothing is 0."""

    def to_internal_value(self, data: Any) -> float:
        """Return the number."""
        if isinstance(data, bool):
            self.fail("invalid")
        value: float = super().to_internal_value(data)
        if not math.isfinite(value):
            self.fail("invalid")
        return value if abs(value) >= SMALLEST_NUMBER else 0.0


class View(APIView):
    """A view that reads what came in by a form.

    takes_tokens: whether programs with an API token are let in at all. write_scope: the scope that a token
    needs for anything but reading. serves_project_tokens: whether a token for one project is let in, which
    beyond addresses of projects may only read.
    """

    request: Request
    takes_tokens: ClassVar[bool] = True
    write_scope: ClassVar[str] = "write"
    serves_project_tokens: ClassVar[bool] = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse a query that nothing reads: a filter that is misspelled must not give all rows."""
        super().initial(request, *args, **kwargs)
        self.require_access(request, **kwargs)
        names = {name for form in self.declared(QUERY_FORMS) or () for name in _names_of(form)}
        if unknown := sorted(set(request.query_params) - names):
            raise serializers.ValidationError({shown(each): [_unknown_words(names)] for each in unknown})

    def require_access(self, request: Request, **kwargs: Any) -> None:
        """Refuse whoever may not use the view, before anything of the request is read.

        kwargs: what the address names.
        """

    @classmethod
    def errors_of(cls, method: str, *, names_things: bool) -> frozenset[int]:
        """Return the statuses of all errors that a method, such as `get`, can answer with.

        names_things: whether the address names something that may not be there.
        """
        said = vars(getattr(cls, method))
        is_open = getattr(cls, "access", None) == "public" and cls.takes_tokens
        return frozenset(
            {
                *OF_ALL,
                *said.get(ERRORS, ()),
                *(OF_WRITING if method in WRITING else ()),
                *(OF_KEYED if said.get(TAKES_KEY) else ()),
                *(() if is_open else (403,)),
                *((404,) if names_things else ()),
            }
        )

    def declared(self, what: str) -> Any:
        """Return what `operation` says of the method that is asked for, such as `QUERY_FORMS`, or None."""
        method = getattr(self, (self.request.method or "").lower(), None)
        return vars(method).get(what) if method else None

    @property
    def user(self) -> Any:
        """Return who asks."""
        return self.request.user

    def read(self, form: type[serializers.BaseSerializer[Any]], *, partial: bool = False) -> dict[str, Any]:
        """Return the checked body; what is wrong with it is told field by field."""
        return checked_body(form(data=self.request.data, partial=partial))

    def read_query(self, form: type[serializers.BaseSerializer[Any]]) -> dict[str, Any]:
        """Return the checked query of the address."""
        return _checked(form(data=self.request.query_params))


@cache
def _names_of(form: type[serializers.Serializer[Any]]) -> tuple[str, ...]:
    return tuple(form().fields)


def _unknown_words(names: set[str]) -> str:
    if not names:
        return "There is no such parameter here; this endpoint takes none."
    return f"There is no such parameter here. Use one of: {', '.join(sorted(names))}."


def checked_body(form: serializers.BaseSerializer[Any]) -> dict[str, Any]:
    """Return what a form makes of a body, and refuse fields that it does not read, at any depth."""
    if unknown := _unknown_fields(form, form.initial_data):
        raise serializers.ValidationError(unknown)
    return _checked(form)


# Of what is wrong with one part of a body: a reply must not grow with what is sent.
MOST_TOLD = 20


def _require_empty(body: Any) -> None:
    if isinstance(body, Mapping):
        unknown = {
            shown(name): ["There is no such field here; this endpoint takes none."]
            for name in islice(body, MOST_TOLD)
        }
        if unknown:
            raise serializers.ValidationError(unknown)
    elif body:
        raise serializers.ValidationError("This endpoint takes no request body.")


def _unknown_fields(field: Field[Any, Any, Any, Any] | None, given: Any) -> dict[Any, Any]:
    """Return what is wrong, by name or place, with whatever a field would pass over in silence."""
    found: dict[Any, Any] = {}
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        parts = enumerate(given) if isinstance(given, list) else ()
        wrong_parts = ((place, _unknown_fields(field.child, part)) for place, part in parts)
        found = dict(islice((each for each in wrong_parts if each[1]), MOST_TOLD))
    elif isinstance(field, serializers.Serializer) and isinstance(given, Mapping):
        known = {name: inner for name, inner in field.fields.items() if not inner.read_only}
        wrong_fields = (
            (shown(name), _unknown_fields(known[name], part) if name in known else [_unknown_field(known)])
            for name, part in given.items()
        )
        found = dict(islice((each for each in wrong_fields if each[1]), MOST_TOLD))
    return found


def _unknown_field(known: Iterable[str]) -> str:
    return f"There is no such field here. Use one of: {', '.join(known)}."


def choice_of(kind: type[Enum], **options: Any) -> serializers.ChoiceField:
    """Return a form's field for one of an enumeration, which the schema calls as replies do."""
    field: serializers.ChoiceField = EnumField(kind, **_choices(kind), **options)  # type: ignore[no-untyped-call]
    return field


def _choices(kind: type[Enum]) -> dict[str, Any]:
    return {"choices": kind.choices} if issubclass(kind, Choices) else {}


def _checked(form: serializers.BaseSerializer[Any]) -> dict[str, Any]:
    form.is_valid(raise_exception=True)
    checked: dict[str, Any] = form.validated_data
    return checked
