"""No number that a client sends is infinite, none, or so small that dividing by it is not finite."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from rest_framework import serializers

import config.urls  # noqa: F401 (every serializer is imported by it)
from common.web.replies import NumberField

SCHEMA = json.loads(
    (Path(settings.BASE_DIR) / "frontend" / "src" / "api" / "schema.json").read_text(encoding="utf-8")
)


def sent_numbers() -> set[tuple[str, str]]:
    """Return every number that the schema lets a client send: in a body by its serializer, or in a query."""
    in_bodies = {
        (name.removesuffix("Request") + "Serializer", field)
        for name, component in SCHEMA["components"]["schemas"].items()
        if name.endswith("Request")
        for field, schema in component.get("properties", {}).items()
        if '"number"' in json.dumps(schema)
    }
    operations = (operation for path in SCHEMA["paths"].values() for operation in path.values())
    in_queries = {
        ("", parameter["name"])
        for operation in operations
        for parameter in operation.get("parameters", [])
        if parameter["in"] == "query" and parameter["schema"].get("type") == "number"
    }
    return in_bodies | in_queries


def all_serializers(kind: type[Any] = serializers.Serializer) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from all_serializers(each)


def fields_of(serializer: str, name: str) -> list[serializers.Field[Any, Any, Any, Any]]:
    return [
        each._declared_fields[name]
        for each in all_serializers()
        if serializer in ("", each.__name__) and name in each._declared_fields
    ]


class TestEveryNumber:
    @pytest.mark.parametrize(("serializer", "name"), sorted(sent_numbers()))
    def test_is_checked_by_the_one_field(self, serializer: str, name: str) -> None:
        fields = fields_of(serializer, name)
        assert fields
        assert all(isinstance(field, NumberField) for field in fields), fields


class TestNumberField:
    @pytest.mark.parametrize(
        "value", ["nan", "inf", "-Infinity", "1e999", float("inf"), float("nan"), "x", True]
    )
    def test_refuses_what_is_no_finite_number(self, value: Any) -> None:
        with pytest.raises(serializers.ValidationError):
            NumberField().run_validation(value)

    @pytest.mark.parametrize("value", ["1e-310", 1e-305, -5e-324, 1e-7, 0])
    def test_takes_next_to_nothing_for_nothing(self, value: Any) -> None:
        assert NumberField().run_validation(value) == 0.0

    def test_leaves_others_as_they_are(self) -> None:
        assert NumberField().run_validation(0.05) == 0.05
