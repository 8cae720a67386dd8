"""Delete a project with everything in it, once it was archived and taken away."""

from functools import cache, partial
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models, transaction

from annotation.items.models import DataImport
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.release.models import Export
from common.errors import Conflict, Invalid


class NotTheName(Invalid):
    """What was typed to confirm is not the project's name."""

    code = "not_the_name"


class ProjectInUse(Conflict):
    """Only an archived project is deleted: in any other somebody may be at work."""

    code = "project_in_use"


class NotExported(Conflict):
    """People judged answers here, and nothing of it was exported since the project was archived."""

    code = "not_exported"


def delete_project(*, project: Project, name: str) -> None:
    """Delete an archived project for good: its rows in every table, then its files.

    `name` is the project's name, typed once more. Raises `NotTheName`, `ProjectInUse`, `NotExported`.
    """
    if name.strip() != project.name:
        raise NotTheName(
            "Type the project's name to delete it.",
            details={"fields": {"name": [f"This is not “{project.name}”."]}},
        )
    with transaction.atomic():
        locked = Project.objects.select_for_update().get(pk=project.pk)
        _require_taken_away(locked)
        files = _files(locked)
        _delete_rows(locked)
        transaction.on_commit(partial(_delete_files, files))


def _require_taken_away(project: Project) -> None:
    if project.state != Project.State.ARCHIVED:
        raise ProjectInUse("Archive the project first. Then nobody can be at work in it.")
    exports = project.exports.filter(state=Export.State.FINISHED, created_at__gte=project.archived_at)
    if Judgment.objects.filter(assignment__sheet__project=project).exists() and not exports.exists():
        raise NotExported("Export the votes first: the project was judged, and nothing was exported since.")


def _files(project: Project) -> list[Path]:
    exported = project.exports.exclude(path="").values_list("path", flat=True)
    imported = [
        file["path"]
        for files in DataImport.objects.filter(project=project).values_list("files", flat=True)
        for file in files
    ]
    return [settings.DATA_DIR / path for path in [*exported, *imported] if path]


def _delete_files(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _delete_rows(project: Project) -> None:
    """Delete from every table what belongs to the project, from the leaves to the root.

    By the models' foreign keys, so that no step is forgotten and history that is protected from single
    deletions goes too.
    """
    Project.objects.filter(pk=project.pk).update(protocol=None)
    ours = [model for label in ("annotation", "judges") for model in apps.get_app_config(label).get_models()]
    paths = [(path, model) for model in ours if (path := _path_to_project(model)) is not None]
    for path, model in sorted(paths, key=lambda found: -found[0].count("__")):
        rows: models.QuerySet[Any] = model._base_manager.filter(**{path: project.pk})
        rows._raw_delete(rows.db)


@cache
def _path_to_project(model: type[models.Model]) -> str | None:
    """Return the longest lookup that leads from the model to its project, or None.

    The longest, so that a row goes before everything it points to.
    """
    if model is Project:
        return "pk"
    paths = [
        f"{field.name}__{path}"
        for field in model._meta.concrete_fields
        if field.is_relation and not field.null
        for path in [_path_to_project(field.related_model)]
        if path is not None
    ]
    return max(paths, key=lambda path: path.count("__"), default=None)
