"""What the schema says of all operations alike: the headers of replies, and that bodies are closed."""

from collections.abc import Iterator
from typing import Any

from common.requests.idempotency import HEADER as KEY_HEADER
from common.requests.idempotency import REPLAYED
from common.requests.naming import HEADER

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


def describe_all(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Add what every operation has to a schema that was made; drf-spectacular calls it as a hook."""
    result["components"]["headers"] = {
        name: {"description": words, "required": name not in NOT_ALWAYS_SENT, "schema": {"type": "string"}}
        for name, words in HEADERS.items()
    }
    for operation in _operations(result):
        for status, reply in operation["responses"].items():
            names = _headers_of(operation, status)
            reply["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
        _close(operation.get("requestBody", {}), result["components"]["schemas"])
    return result


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
