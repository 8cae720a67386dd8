"""Make files for people to take away; small ones at once, others by a worker."""

import glob
import hashlib
import os
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from annotation.accounts.models import User
from annotation.projects.events import ResultsWanted
from annotation.projects.models import Project
from annotation.release.formats import EXPORT_FORMATS, ExportFormat, find_format
from annotation.release.models import Export
from annotation.release.rules import LeftOut
from common.clock import now
from common.database.snapshots import snapshot
from common.errors import Conflict, Invalid, NotFound
from common.events import publish
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

    code = "unknown_format"


class ExportNotFinished(Conflict):
    """The file is not made yet, or making it failed."""

    code = "export_not_finished"


class ExportGone(NotFound):
    """The file was made but is no longer on disk."""

    code = "export_gone"


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
    path = Path(FOLDER) / f"{export.public_id}_{export.file_name}"
    _delete_parts(settings.DATA_DIR / path)
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
    Export.objects.filter(pk=export.pk, state=Export.State.RUNNING).update(
        finished_at=now(), lease_expires_at=None, **values
    )


def write_file(*, project: Project, format_key: str, path: Path) -> WrittenFile:
    """Write the project in a form to `path`, which appears whole or not at all.

    The same state of the project gives the same bytes. Raises `UnknownFormat`, `OSError`.
    """
    form = get_format(format_key)
    publish(ResultsWanted(project_id=project.pk))
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=_part_prefix(path), delete=False) as file:
        try:
            written = _write_lines(file, form, project)
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


def _write_lines(file: IO[bytes], form: ExportFormat, project: Project) -> WrittenFile:
    """Write line by line as rows come out of the database, however many there are."""
    digest = hashlib.sha256()
    with snapshot():
        seen = Project.objects.select_related("protocol").get(pk=project.pk)
        for line in form.lines(seen, None):
            data = line.encode()
            digest.update(data)
            file.write(data)
        return WrittenFile(
            rows=form.count(seen),
            size=file.tell(),
            sha256=digest.hexdigest(),
            left_out=form.left_out(seen) if form.left_out else None,
        )


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
        message=f"The worker stopped {MOST_ATTEMPTS} times while it wrote this file.",
    )
