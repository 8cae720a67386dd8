"""What the schema says of all operations alike: the headers of replies, and that bodies are closed."""

from collections.abc import Iterator
from typing import Any

from common.requests.naming import HEADER

ETAG = "ETag"
NOT_MODIFIED = "304"
HEADERS = {
    HEADER: "The ID of the request, as in the server’s logs.",
    ETAG: "Identifies this reply. It changes when the reply’s content changes.",
}


def describe_all(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Add what every operation has to a schema that was made; drf-spectacular calls it as a hook."""
    result["components"]["headers"] = {
        name: {"description": words, "required": True, "schema": {"type": "string"}}
        for name, words in HEADERS.items()
    }
    for operation in _operations(result):
        is_conditional = NOT_MODIFIED in operation["responses"]
        for status, reply in operation["responses"].items():
            has_tag = is_conditional and status in ("200", NOT_MODIFIED)
            names = (HEADER, ETAG) if has_tag else (HEADER,)
            reply["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
        _close(operation.get("requestBody", {}), result["components"]["schemas"])
    return result


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
