"""Forget times that nobody can have measured: a client said them, and boards divided by them."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q

IS_TIME = Q(seconds=0) | Q(seconds__gte=1e-6, seconds__lte=86_400)


def forget(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for name in ("Sheet", "JudgmentRevision"):
        rows = apps.get_model("annotation", name).objects.filter(seconds__isnull=False)
        rows.exclude(IS_TIME).update(seconds=None)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0027_sheet_version")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop, elidable=True)]
