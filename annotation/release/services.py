"""Make exports, and delete projects."""

import glob
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import IO, Any, NamedTuple

from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models import F, Q, QuerySet

from annotation.accounts.models import ApiToken, OutgoingMail, User
from annotation.items.models import DataImport
from annotation.items.selectors import upload_folder
from annotation.judgments.models import Judgment
from annotation.projects.events import ResultsWanted
from annotation.projects.models import Change, Membership, Project
from annotation.release.events import ExportReady
from annotation.release.models import Export
from annotation.release.rules import LeftOut
from annotation.release.selectors.exports import get_export
from annotation.release.selectors.formats import EXPORT_FORMATS, ExportFormat, find_format
from common.clock import now
from common.database.rows import in_chunks, snapshot
from common.errors import Conflict, Invalid, NotFound
from common.events import publish
from common.identifiers import new_public_id
from common.tasks import at_work, enqueue_on_commit, has_died

EXPORT_TASK = "annotation.release.make_export"
# Up to this many rows an export is made within the request.
INLINE_ROWS = 20_000
# Of a writer on another machine; one on this machine is known to be gone at once (`common.tasks`).
LEASE = timedelta(minutes=15)
MOST_ATTEMPTS = 3
FOLDER = "exports"


class UnknownFormat(Invalid):
    """There is no export format of this name."""


class ExportNotFinished(Conflict):
    """The file is not made yet, or making it failed."""


class ExportGone(NotFound):
    """The file was made but is no longer on disk."""


class WrittenFile(NamedTuple):
    """What was written: lines of data or text, bytes, their SHA-256, and what was left out."""

    rows: int
    size: int
    sha256: str
    left_out: LeftOut | None = None


def get_format(key: str) -> ExportFormat:
    """Return the form with this key; raises `UnknownFormat` naming those there are."""
    found = find_format(key)
    if found is None:
        known = ", ".join(form.key for form in EXPORT_FORMATS)
        raise UnknownFormat(f"The export format “{key}” does not exist. Use one of: {known}.")
    return found


def start_export(
    *,
    project: Project,
    format_key: str,
    by: User,
    chosen: Sequence[int] | None = None,
    at: datetime | None = None,
) -> Export:
    """Note an export and make it: a small one before this returns, a large one by a worker.

    chosen: only these answers, by key, in the order of the file. Raises `UnknownFormat`, also where answers
    are chosen for a form that is not made of answers.
    """
    form = get_format(format_key)
    _require_answers(form, chosen)
    if form.require:
        form.require(project=project)
    is_small = (form.count(project) if chosen is None else len(chosen)) <= INLINE_ROWS
    with transaction.atomic():
        export = Export.objects.create(
            project=project,
            format=form.key,
            options={} if chosen is None else {"answers": list(chosen)},
            file_name=form.file_name(project, chosen),
            created_by=by,
            created_at=at or now(),
        )
        if not is_small:
            enqueue_on_commit(EXPORT_TASK, export.pk)
    if is_small:
        make_export(export_id=export.pk)
    return get_export(public_id=export.public_id)


def _require_answers(form: ExportFormat, chosen: Sequence[int] | None) -> None:
    if chosen is not None and form.lines_of is None:
        raise UnknownFormat(
            f"The export format “{form.key}” cannot export selected answers. Choose another format."
        )


def make_export(*, export_id: int, at: datetime | None = None) -> None:
    """Write the file of an export, unless it is made already or somebody else is at it."""
    at = at or now()
    public_id = _claimable(at).filter(pk=export_id).values_list("public_id", flat=True).first()
    # A doorbell that rings again for what somebody died over must not wipe out that sign of it.
    if public_id is None:
        return
    with at_work(exporting_name(public_id)) as is_alone:
        if is_alone and _claim(export_id, at=at):
            _make(Export.objects.select_related("project__protocol").get(pk=export_id))


def exporting_name(public_id: str) -> str:
    """Return what writing an export is called among what is worked on."""
    return f"export-{public_id}"


def _claim(export_id: int, *, at: datetime) -> bool:
    claimed = _claimable(at).filter(pk=export_id)
    return bool(
        claimed.update(state=Export.State.RUNNING, lease_expires_at=at + LEASE, attempts=F("attempts") + 1)
    )


def _make(export: Export) -> None:
    path = Path(FOLDER) / f"{export.public_id}_{Path(export.file_name).name}"
    _delete_parts(settings.DATA_DIR / path)
    try:
        written = write_file(
            project=export.project,
            format_key=export.format,
            path=settings.DATA_DIR / path,
            chosen=export.options.get("answers"),
        )
    except OSError as error:
        # Disk full or not writable: the world failed, so the row says so and a new export may be tried.
        _finish(
            export,
            state=Export.State.FAILED,
            message=f"The server could not write the file: {error.strerror}.",
        )
        return
    except Exception:
        # A bug: tried again it would fail again, so the row says so and the bug comes to light.
        _finish(
            export,
            state=Export.State.FAILED,
            message="Something went wrong on the server, and the file was not created. Export it again. If "
            "it fails again, tell the administrator of this server.",
        )
        raise
    _finish(
        export,
        state=Export.State.FINISHED,
        path=str(path),
        rows=written.rows,
        size=written.size,
        sha256=written.sha256,
    )


def _claimable(at: datetime) -> QuerySet[Export]:
    abandoned = Q(state=Export.State.RUNNING, lease_expires_at__lte=at)
    return Export.objects.filter(Q(state=Export.State.QUEUED) | abandoned)


def _finish(export: Export, **values: object) -> None:
    running = Export.objects.filter(pk=export.pk, state=Export.State.RUNNING)
    with transaction.atomic():
        is_mine = running.update(finished_at=now(), lease_expires_at=None, **values)
        if is_mine and values["state"] == Export.State.FINISHED:
            publish(ExportReady(export_id=export.pk))


def write_file(
    *, project: Project, format_key: str, path: Path, chosen: Sequence[int] | None = None
) -> WrittenFile:
    """Write the project in a form to `path`, which appears whole or not at all.

    chosen: only these answers, by key and in their order. The same state of the project gives the same
    bytes. Raises `UnknownFormat`, `OSError`.
    """
    form = get_format(format_key)
    _require_answers(form, chosen)
    publish(ResultsWanted(project_id=project.pk))
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=_part_prefix(path), delete=False) as file:
        try:
            written = _write(file, form, project, chosen)
        except BaseException:
            os.unlink(file.name)
            raise
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
    return written


def _part_prefix(path: Path) -> str:
    return f".{path.name}."


def _delete_parts(path: Path) -> None:
    """Delete what a writer left who was killed in the middle."""
    for part in path.parent.glob(f"{glob.escape(_part_prefix(path))}*"):
        part.unlink(missing_ok=True)


def _write(
    file: IO[bytes], form: ExportFormat, project: Project, chosen: Sequence[int] | None
) -> WrittenFile:
    """Write row by row as they come out of the database, however many there are."""
    with snapshot():
        seen = Project.objects.select_related("protocol").get(pk=project.pk)
        if form.require:
            form.require(project=seen)
        if form.write:
            form.write(project=seen, file=file)
        elif form.pack:
            form.pack(lines=_lines(form, seen, chosen), file=file)
        else:
            for line in _lines(form, seen, chosen):
                file.write(line.encode())
        size = file.tell()
        # Read again: a zip file goes back to where it has written.
        file.seek(0)
        return WrittenFile(
            rows=form.count(seen) if chosen is None else len(chosen),
            size=size,
            sha256=hashlib.file_digest(file, "sha256").hexdigest(),  # type: ignore[arg-type]
            left_out=form.left_out(seen) if form.left_out else None,
        )


def _lines(form: ExportFormat, project: Project, chosen: Sequence[int] | None) -> Iterator[str]:
    if chosen is None or form.lines_of is None:
        return form.lines(project=project, limit=None)
    return form.lines_of(project=project, limit=None, chosen=chosen)


def preview_lines(*, project: Project, form: ExportFormat) -> list[str]:
    """Return the first lines of a form, at most three, without line ends."""
    if project.protocol is None:
        return []
    lines = form.lines(project=project, limit=3)
    return [line.rstrip("\n") for line, _ in zip(lines, range(3), strict=False)]


def open_export_path(*, export: Export) -> Path:
    """Return where the made file lies; raises `ExportNotFinished`, `ExportGone`."""
    if export.state != Export.State.FINISHED:
        raise ExportNotFinished("This file is not ready. Wait for the status “finished” and try again.")
    path: Path = settings.DATA_DIR / export.path
    if not path.is_file():
        raise ExportGone("This file is no longer on disk. Export it again.")
    return path


def ring_for_open_exports(*, at: datetime | None = None) -> int:
    """Ask for every export that nobody is making, and return how many there are."""
    _free_dead()
    waiting = list(_claimable(at or now()).order_by("pk").values_list("pk", flat=True))
    for export_id in waiting:
        enqueue_on_commit(EXPORT_TASK, export_id)
    return len(waiting)


def _free_dead() -> None:
    """Let exports whose writer died on this machine be begun again at once, long before their lease ends."""
    for export in Export.objects.filter(state=Export.State.RUNNING).order_by("pk"):
        if has_died(exporting_name(export.public_id)):
            # The same lease: the writer had not ended it when it was looked for.
            same = Export.objects.filter(
                pk=export.pk, state=Export.State.RUNNING, lease_expires_at=export.lease_expires_at
            )
            _give_up(same) if export.attempts >= MOST_ATTEMPTS else _queue_again(same)


def _queue_again(exports: QuerySet[Export]) -> None:
    exports.update(state=Export.State.QUEUED, lease_expires_at=None)


def _give_up(exports: QuerySet[Export]) -> None:
    exports.update(
        state=Export.State.FAILED,
        lease_expires_at=None,
        finished_at=now(),
        message=f"The worker stopped {MOST_ATTEMPTS} times while writing this file. Export it again.",
    )


class NotTheName(Invalid):
    """What was typed to confirm is not the project's name."""


class ProjectInUse(Conflict):
    """Only an archived project is deleted: in any other somebody may be at work."""


class NotExported(Conflict):
    """People judged answers here, and nothing of it was exported since the project was archived."""


def delete_project(*, project: Project, name: str) -> None:
    """Delete an archived project for good: its files, and its rows in every table.

    From one moment to the next nobody is a member any more and its address is free. What is in it goes in
    shares, and is seen to by the sweeper where this process dies over it. `name` is the project's name, typed
    once more. Raises `NotTheName`, `ProjectInUse`, `NotExported`.
    """
    if name.strip() != project.name:
        raise NotTheName(
            "To delete the project, type its name.",
            details={"fields": {"name": [f"Type “{project.name}” to confirm."]}},
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
    """Finish deletions that somebody died over, or that others wrote into."""
    for project in Project.objects.exclude(deleted_at=None).order_by("pk"):
        _carry_out(project)


def _carry_out(project: Project) -> None:
    with at_work(project.slug) as is_alone:
        if is_alone:
            _delete_files(_files(project))
            # A request that was let in before may still write a row of it; the sweeper begins again.
            with suppress(IntegrityError):
                _delete_rows(project)


def _require_taken_away(project: Project) -> None:
    if project.state != Project.State.ARCHIVED:
        raise ProjectInUse("Archive the project first, so that nobody can work in it.")
    exports = project.exports.filter(
        state=Export.State.FINISHED, created_at__gte=project.archived_at, options={}
    )
    if Judgment.objects.filter(assignment__sheet__project=project).exists() and not exports.exists():
        raise NotExported("Export the votes first: nothing has been exported since the project was archived.")


def _files(project: Project) -> list[Path]:
    """Return the files of a project's exports, and the folders of its uploads, which hold copies besides."""
    exported = project.exports.exclude(path="").values_list("path", flat=True)
    imported = DataImport.objects.filter(project=project).values_list("public_id", flat=True)
    return [*(settings.DATA_DIR / path for path in exported), *map(upload_folder, imported)]


def _delete_files(paths: list[Path]) -> None:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _delete_rows(project: Project) -> None:
    """Delete from every table what belongs to the project, a row before everything it points to.

    By the models' foreign keys, so that no step is forgotten and history that is protected from single
    deletions goes too. In chunks, each of which the database finds consistent.
    """
    Project.objects.filter(pk=project.pk).update(protocol=None)
    # Tokens of one project belong to people; the others point to none.
    _delete_in_chunks(ApiToken, project_id=project.pk)
    # Messages stay, as they count for whoever sent them: a new project is no way to send more.
    OutgoingMail.objects.filter(project=project).update(project=None)
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
