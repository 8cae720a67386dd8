"""What the schema says of all operations alike: the headers of their replies."""

from collections.abc import Iterator
from typing import Any

from common.requests.naming import HEADER

ETAG = "ETag"
NOT_MODIFIED = "304"
HEADERS = {
    HEADER: "The id of the request, as in the logs of the server.",
    ETAG: "Names this reply until what it is made of changes.",
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
    return result


def _operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in schema["paths"].values():
        yield from methods.values()
