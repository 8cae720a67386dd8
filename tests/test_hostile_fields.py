"""No column that holds text is forgotten by the study in which every text is hostile."""

from django.apps import apps
from django.db import models

from tests.e2e.hostile_fields import EXEMPT, NOWHERE, STRUCTURES, TEXTS
from tests.e2e.hostile_pages import SHOWN

Column = tuple[type[models.Model], str]


def text_columns() -> set[Column]:
    """Return every column that can hold text of anybody's choosing."""
    found = (models.CharField, models.TextField, models.JSONField)
    return {
        (model, field.name)
        for context in ("annotation", "judges")
        for model in apps.get_app_config(context).get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, found) and not field.choices and field.name != "public_id"
    }


def columns_of(*lists: dict[type[models.Model], tuple[str, ...]]) -> list[Column]:
    return [(model, field) for listed in lists for model, fields in listed.items() for field in fields]


def names_of(texts: dict[type[models.Model], tuple[str, ...]]) -> set[str]:
    return {f"{model.__name__}.{field}" for model, field in columns_of(texts)}


class TestFields:
    def test_each_is_hostile_in_the_study_or_exempted_with_a_reason(self) -> None:
        structures = {model: tuple(fields) for model, fields in STRUCTURES.items()}
        exempt = {model: tuple(fields) for model, fields in EXEMPT.items()}
        listed = columns_of(TEXTS, structures, exempt)
        assert set(listed) == text_columns()
        assert len(listed) == len(set(listed))

    def test_each_hostile_text_is_looked_for_on_a_page_or_said_to_be_on_none(self) -> None:
        parts = {name for fields in STRUCTURES.values() for names in fields.values() for name in names}
        assert names_of(TEXTS) | parts == SHOWN | set(NOWHERE)
        assert not SHOWN & set(NOWHERE)
