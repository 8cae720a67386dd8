"""Make files for people to take away; small ones at once, others by a worker."""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet

from annotation.accounts.models import User
from annotation.projects.models import Project
from annotation.release.formats import EXPORT_FORMATS, ExportFormat, find_format
from annotation.release.models import Export
from common.clock import now
from common.errors import Conflict, Invalid, NotFound
from common.tasks import enqueue_on_commit

EXPORT_TASK = "annotation.release.make_export"
# Up to this many rows an export is made within the request.
INLINE_ROWS = 20_000
LEASE = timedelta(minutes=15)
FOLDER = "exports"


class UnknownFormat(Invalid):
    """There is no export format of this name."""

    code = "unknown_format"


class ExportNotFinished(Conflict):
    """The file is not made yet, or making it failed."""

    code = "export_not_finished"


class ExportGone(NotFound):
    """The file was made but is no longer on disk."""

    code = "export_gone"


class WrittenFile(NamedTuple):
    """What was written: lines of data or text, bytes, and their SHA-256."""

    rows: int
    size: int
    sha256: str


def get_format(key: str) -> ExportFormat:
    """Return the form with this key; raises `UnknownFormat` naming those there are."""
    found = find_format(key)
    if found is None:
        known = ", ".join(form.key for form in EXPORT_FORMATS)
        raise UnknownFormat(f"There is no export format “{key}”. There are: {known}.")
    return found


def start_export(*, project: Project, format_key: str, by: User, at: datetime | None = None) -> Export:
    """Note an export and make it: a small one before this returns, a large one by a worker.

    Raises `UnknownFormat`.
    """
    form = get_format(format_key)
    is_small = form.count(project) <= INLINE_ROWS
    with transaction.atomic():
        export = Export.objects.create(
            project=project,
            format=form.key,
            file_name=form.file_name(project),
            created_by=by,
            created_at=at or now(),
        )
        if not is_small:
            enqueue_on_commit(EXPORT_TASK, export.pk)
    if is_small:
        make_export(export_id=export.pk)
    export.refresh_from_db()
    return export


def make_export(*, export_id: int, at: datetime | None = None) -> None:
    """Write the file of an export, unless it is made already or somebody else is at it."""
    at = at or now()
    claimed = (
        _claimable(at).filter(pk=export_id).update(state=Export.State.RUNNING, lease_expires_at=at + LEASE)
    )
    if not claimed:
        return
    export = Export.objects.select_related("project__protocol").get(pk=export_id)
    path = Path(FOLDER) / f"{export.public_id}_{export.file_name}"
    try:
        written = write_file(project=export.project, format_key=export.format, path=settings.DATA_DIR / path)
    except OSError as error:
        # Disk full or not writable: the world failed, so the row says so and a new export may be tried.
        _finish(
            export, state=Export.State.FAILED, message=f"The file could not be written: {error.strerror}."
        )
        return
    except Exception:
        # A bug: tried again it would fail again, so the row says so and the bug comes to light.
        _finish(export, state=Export.State.FAILED, message="The file could not be made, by our fault.")
        raise
    _finish(export, state=Export.State.FINISHED, path=str(path), **written._asdict())


def _claimable(at: datetime) -> QuerySet[Export]:
    abandoned = Q(state=Export.State.RUNNING, lease_expires_at__lte=at)
    return Export.objects.filter(Q(state=Export.State.QUEUED) | abandoned)


def _finish(export: Export, **values: object) -> None:
    Export.objects.filter(pk=export.pk, state=Export.State.RUNNING).update(
        finished_at=now(), lease_expires_at=None, **values
    )


def write_file(*, project: Project, format_key: str, path: Path) -> WrittenFile:
    """Write the project in a form to `path`, which appears whole or not at all.

    The same state of the project gives the same bytes. Raises `UnknownFormat`, `OSError`.
    """
    form = get_format(format_key)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        digest = hashlib.sha256()
        try:
            for line in _snapshot_lines(form, project):
                data = line.encode()
                digest.update(data)
                file.write(data)
            size = file.tell()
        except BaseException:
            os.unlink(file.name)
            raise
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
    return WrittenFile(rows=form.count(project), size=size, sha256=digest.hexdigest())


def _snapshot_lines(form: ExportFormat, project: Project) -> Iterator[str]:
    with _snapshot():
        # Every reader loads its rows before the first line, so only reading happens inside.
        yield from list(form.lines(project, None))


@contextmanager
def _snapshot() -> Iterator[None]:
    """Let all queries see the same state of the database."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def preview_lines(*, project: Project, form: ExportFormat) -> list[str]:
    """Return the first lines of a form, at most three, without line ends."""
    if project.protocol is None:
        return []
    lines = form.lines(project, 3)
    return [line.rstrip("\n") for line, _ in zip(lines, range(3), strict=False)]


def open_export_path(*, export: Export) -> Path:
    """Return where the made file lies; raises `ExportNotFinished`, `ExportGone`."""
    if export.state != Export.State.FINISHED:
        raise ExportNotFinished("This file is not ready. Wait until its state is “finished”.")
    path: Path = settings.DATA_DIR / export.path
    if not path.is_file():
        raise ExportGone("This file is no longer on disk. Make the export again.")
    return path


def ring_for_open_exports(*, at: datetime | None = None) -> int:
    """Ask for every export that nobody is making, and return how many there are."""
    waiting = list(_claimable(at or now()).order_by("pk").values_list("pk", flat=True))
    for export_id in waiting:
        enqueue_on_commit(EXPORT_TASK, export_id)
    return len(waiting)
