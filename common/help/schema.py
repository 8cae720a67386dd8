"""What the schema says of all operations: errors, the headers of replies, and that bodies are closed."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from drf_spectacular.openapi import AutoSchema

from common.requests.idempotency import HEADER as KEY_HEADER
from common.requests.idempotency import REPLAYED
from common.requests.naming import HEADER
from common.web.http import ErrorSerializer

ETAG = "ETag"
NOT_MODIFIED = "304"
HEADERS = {
    HEADER: "The ID of the request, as in the server’s logs.",
    ETAG: "Identifies this reply. It changes when the reply’s content changes.",
    REPLAYED: (
        f"“true” if this is the stored reply to an earlier request with the same {KEY_HEADER}; otherwise "
        "absent."
    ),
}
NOT_ALWAYS_SENT = frozenset({REPLAYED})


class Error(NamedTuple):
    """What the schema calls the reply of a status, and what it means."""

    name: str
    words: str


ERRORS = {
    400: Error("Invalid", "The request is not valid. `details.fields` names the fields."),
    401: Error("NotSignedIn", "The API token is not valid, has expired, or was revoked."),
    403: Error(
        "Forbidden",
        "You are not signed in, the CSRF token is missing, or your role or API token does not allow this.",
    ),
    404: Error("NotFound", "This does not exist, or you do not have access to it."),
    409: Error("Conflict", "The current state of the record does not allow this. Read the record again."),
    413: Error("TooLarge", "The request is too large."),
    415: Error("UnsupportedMediaType", "This endpoint does not read request bodies of this kind."),
    422: Error("KeyReused", f"The {KEY_HEADER} was used for a different request."),
    429: Error("TooMany", "Too many attempts or requests of this kind. Wait, then try again."),
    503: Error("DatabaseAway", "The database is not responding. Nothing was saved. Try again in a moment."),
    507: Error("DiskFull", "The server’s disk is full. Nothing was saved."),
}


class OperationSchema(AutoSchema):
    """An operation with all errors that it can answer with, each told once for all operations."""

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        replies: dict[str, Any] = super()._get_response_bodies(direction)
        # Puts the record among the schema's.
        self.resolve_serializer(ErrorSerializer, direction)
        view: Any = self.view
        statuses = view.errors_of(self.method.lower(), names_things="{" in self.path)
        errors = {
            str(status): {"$ref": f"#/components/responses/{ERRORS[status].name}"} for status in statuses
        }
        return dict(sorted({**replies, **errors}.items()))


def describe_all(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Add what every operation has to a schema that was made; drf-spectacular calls it as a hook."""
    components = result["components"]
    components["headers"] = {
        name: {"description": words, "required": name not in NOT_ALWAYS_SENT, "schema": {"type": "string"}}
        for name, words in HEADERS.items()
    }
    components["responses"] = {error.name: _reply_of(error) for error in ERRORS.values()}
    for operation in _operations(result):
        for status, reply in operation["responses"].items():
            if "$ref" not in reply:
                reply["headers"] = _refer_to(_headers_of(operation, status))
        _close(operation.get("requestBody", {}), components["schemas"])
    return result


def _reply_of(error: Error) -> dict[str, Any]:
    body = {"schema": {"$ref": "#/components/schemas/Error"}}
    return {
        "description": error.words,
        "headers": _refer_to([HEADER]),
        "content": {"application/json": body},
    }


def _refer_to(headers: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in headers}


def _headers_of(operation: dict[str, Any], status: str) -> Iterator[str]:
    yield HEADER
    if NOT_MODIFIED in operation["responses"] and status in ("200", NOT_MODIFIED):
        yield ETAG
    takes_key = any(each["name"] == KEY_HEADER for each in operation.get("parameters", []))
    # Only what was done is stored, and sent again.
    if takes_key and status.startswith("2"):
        yield REPLAYED


def _close(told: Any, schemas: dict[str, Any]) -> None:
    """Say of every object in a body that it has the fields named and no other: `checked_body` sees to it."""
    if isinstance(told, list):
        for part in told:
            _close(part, schemas)
    elif isinstance(told, dict):
        if "$ref" in told:
            _close(schemas[told["$ref"].rpartition("/")[2]], schemas)
        elif "additionalProperties" not in told:
            if "properties" in told:
                told["additionalProperties"] = False
            for part in list(told.values()):
                _close(part, schemas)


def _operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in schema["paths"].values():
        yield from methods.values()
