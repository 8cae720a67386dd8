"""Drop the index of a foreign key that another index or unique constraint begins with."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AlterField
from django.db.migrations.state import ProjectState
from django.db.models import Field, Model


class DropIndex(AlterField):
    """An `AlterField` to `db_index=False` alone: without it Django has SQLite copy the whole table."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, _: ProjectState, to_state: ProjectState
    ) -> None:
        """Drop it."""
        model, field = self._find(app_label, to_state)
        # Typed for Django's own use only.
        editor: Any = schema_editor
        named = {index.name for index in model._meta.indexes}
        found = editor._constraint_names(model, [field.column], index=True, unique=False, exclude=named)
        for name in found:
            editor.execute(editor._delete_index_sql(model, name))

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, _: ProjectState, to_state: ProjectState
    ) -> None:
        """Make it again."""
        model, field = self._find(app_label, to_state)
        editor: Any = schema_editor
        editor.execute(editor._create_index_sql(model, fields=[field]))

    def _find(self, app_label: str, state: ProjectState) -> "tuple[type[Model], Field[Any, Any]]":
        model = state.apps.get_model(app_label, self.model_name)
        return model, model._meta.get_field(self.name)
