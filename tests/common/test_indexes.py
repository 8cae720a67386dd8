"""No index says what another begins with, and a migration drops one without copying its table."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Model, UniqueConstraint

from annotation.items.models import Candidate
from common.database.indexes import DropIndex

OURS = [model for model in apps.get_models() if model.__module__.startswith(("annotation.", "judges."))]


def first_fields(model: type[Model]) -> Iterator[str]:
    for index in model._meta.indexes:
        if index.condition is None and index.fields:
            yield index.fields[0].removeprefix("-")
    for constraint in model._meta.constraints:
        if isinstance(constraint, UniqueConstraint) and constraint.condition is None and constraint.fields:
            yield constraint.fields[0]


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_no_key_has_an_index_that_another_begins_with(model: type[Model]) -> None:
    firsts = set(first_fields(model))
    # Typed without what says whether a field has an index.
    fields: list[Any] = list(model._meta.local_concrete_fields)
    twice = [field.name for field in fields if field.db_index and not field.unique and field.name in firsts]
    assert not twice, f"db_index=False for {', '.join(twice)}: every insert writes each index."


def own_indexes() -> list[str]:
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Candidate._meta.db_table)
    return [
        name
        for name, each in found.items()
        if each["columns"] == ["question_id"] and each["index"] and not each["unique"]
    ]


@pytest.mark.django_db
def test_an_index_is_dropped_and_made_again() -> None:
    assert own_indexes() == []
    operation = DropIndex("candidate", "question", Candidate._meta.get_field("question"))
    state: Any = SimpleNamespace(apps=apps)
    editor: Any = connection.schema_editor()
    editor.deferred_sql = []
    operation.database_backwards("annotation", editor, state, state)
    assert len(own_indexes()) == 1
    operation.database_forwards("annotation", editor, state, state)
    assert own_indexes() == []
