"""Delete a project with everything in it, once it was archived and taken away."""

from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models, transaction

from annotation.items.models import DataImport
from annotation.judgments.models import Judgment
from annotation.projects.models import Change, Membership, Project
from annotation.release.models import Export
from common.clock import now
from common.database.chunks import in_chunks
from common.errors import Conflict, Invalid
from common.identifiers import new_public_id
from common.tasks import at_work


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
    """Delete an archived project for good: its files, and its rows in every table.

    From one moment to the next nobody is a member any more and its address is free. What is in it goes in
    shares, and is seen to by the sweeper where this process dies over it. `name` is the project's name, typed
    once more. Raises `NotTheName`, `ProjectInUse`, `NotExported`.
    """
    if name.strip() != project.name:
        raise NotTheName(
            "Type the project's name to delete it.",
            details={"fields": {"name": [f"This is not “{project.name}”."]}},
        )
    with transaction.atomic():
        locked = Project.objects.select_for_update().get(pk=project.pk)
        _require_taken_away(locked)
        _hide(locked)
    _carry_out(locked)


def _hide(project: Project) -> None:
    project.deleted_at, project.slug = now(), f"deleted-{new_public_id()}"
    project.save(update_fields=["deleted_at", "slug"])
    project.members.update(state=Membership.State.LEFT)


def sweep_deletions() -> None:
    """Finish deletions that somebody died over."""
    for project in Project.objects.exclude(deleted_at=None).order_by("pk"):
        _carry_out(project)


def _carry_out(project: Project) -> None:
    with at_work(project.slug) as is_alone:
        if is_alone:
            _delete_files(_files(project))
            _delete_rows(project)


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
    """Delete from every table what belongs to the project, a row before everything it points to.

    By the models' foreign keys, so that no step is forgotten and history that is protected from single
    deletions goes too. In chunks, each of which the database finds consistent.
    """
    Project.objects.filter(pk=project.pk).update(protocol=None)
    for model in _pointing_first():
        path = _path_to_project(model)
        _delete_in_chunks(model, **{path or "pk": project.pk})
    # They point to no project, and going makes some.
    _delete_in_chunks(Change, project_id=project.pk)


def _delete_in_chunks(model: type[models.Model], **of_project: int) -> None:
    rows: models.QuerySet[Any] = model._base_manager.filter(**of_project).order_by("pk")
    for chunk in in_chunks(list(rows.values_list("pk", flat=True))):
        some: models.QuerySet[Any] = model._base_manager.filter(pk__in=chunk)
        some._raw_delete(some.db)


@cache
def _pointing_first() -> list[type[models.Model]]:
    """Return the models with rows of projects, each before all that it points to, the project last."""
    ours = [model for label in ("annotation", "judges") for model in apps.get_app_config(label).get_models()]
    owned = [model for model in ours if _path_to_project(model) is not None]
    graph: TopologicalSorter[type[models.Model]] = TopologicalSorter()
    for model in owned:
        # The project's own pointers are taken away before.
        pointed = [] if model is Project else [field.related_model for field in _foreign_keys(model)]
        for other in pointed:
            if other in owned and other is not model:
                graph.add(other, model)
        graph.add(model)
    return list(graph.static_order())


def _foreign_keys(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if field.is_relation]


@cache
def _path_to_project(model: type[models.Model]) -> str | None:
    """Return the longest lookup that leads from the model to its project, or None."""
    if model is Project:
        return "pk"
    paths = [
        f"{field.name}__{path}"
        for field in _foreign_keys(model)
        if not field.null
        for path in [_path_to_project(field.related_model)]
        if path is not None
    ]
    return max(paths, key=lambda path: path.count("__"), default=None)
