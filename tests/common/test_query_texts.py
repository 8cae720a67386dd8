"""Every text of an address has a length that a database takes: SQLite refuses to look for 50,001 letters."""

from collections.abc import Iterator
from typing import Any

from tests.requests_from_schema import SCHEMA

LONGEST = 5_000


def texts_of_queries() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield every text that an address may bring: the address, the parameter, and its schema."""
    for path, operations in SCHEMA["paths"].items():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                schema = resolved(parameter["schema"])
                if parameter["in"] == "query" and schema.get("type") == "string" and "enum" not in schema:
                    yield path, parameter["name"], schema


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return resolved(SCHEMA["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    for several in ("allOf", "oneOf"):
        if several in schema:
            return resolved(schema[several][0])
    return schema


def test_every_text_of_a_query_is_bounded() -> None:
    texts = list(texts_of_queries())
    assert len(texts) > 30, "who sees nothing proves nothing"
    assert [text for text in texts if text[2].get("maxLength", LONGEST + 1) > LONGEST] == []
