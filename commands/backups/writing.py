"""Write a backup: every row of one moment, then the files."""

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from commands.backups.files import stored_paths
from commands.backups.manifest import (
    FILES,
    FORMAT,
    FORMAT_VERSION,
    README_TEXT,
    Manifest,
    Part,
    StoredFile,
    file_name,
    rows_name,
)
from commands.backups.manifest import Table as TableEntry
from commands.backups.progress import Progress, Tell
from commands.backups.tables import State, Table, last_migrations, unknown_migrations
from common.clock import now
from common.database.rows import snapshot
from common.encryption.vault import marks_of_secrets
from common.errors import Conflict
from common.identifiers import VERSION
from judges.bundles.rules import MANIFEST, README, time_text
from judges.bundles.services.writing import new_entry, write_lines


class NothingToBackUp(Conflict):
    """The database has no tables."""


class NewerDatabase(Conflict):
    """The database was migrated by a newer version."""


class Written(NamedTuple):
    """What came to be in a backup; missing: files that rows point at and that are not there."""

    rows: int
    tables: int
    files: int
    missing: int
    bytes: int


def write_backup(*, path: Path, tell: Tell) -> Written:
    """Write a backup to `path`, which appears whole or not at all, and which only this user may read.

    Raises `NothingToBackUp`, `NewerDatabase`, `OSError`.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        try:
            written = _write(file, tell)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.unlink(file.name)
            raise
        size = file.tell()
    os.replace(file.name, path)
    return written._replace(bytes=size)


def _write(file: IO[bytes], tell: Tell) -> Written:
    progress, folder = Progress(tell), Path(settings.DATA_DIR)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(new_entry(README), README_TEXT)
        with snapshot():
            # As the database is, which may not be migrated yet to what this version asks for.
            loader = MigrationLoader(connection)
            _require_readable(loader)
            migrations, made_at = last_migrations(loader), now()
            state = State(loader, [(app, name) for app, names in migrations.items() for name in names])
            tables = {
                label: _write_rows(archive, table, progress, tell) for label, table in state.kept.items()
            }
            paths, missing = stored_paths(state, folder=folder)
        stored = [found for each in paths if (found := _write_file(archive, folder, each, progress))]
        with archive.open(new_entry(FILES), "w", force_zip64=True) as out:
            files = write_lines((f"{each.model_dump_json()}\n" for each in stored), out)
        manifest = Manifest(
            format=FORMAT,
            format_version=FORMAT_VERSION,
            assay=VERSION,
            made_at=time_text(made_at) or "",
            migrations=migrations,
            secret_keys=marks_of_secrets(),
            tables=tables,
            files=Part(**files._asdict()),
        )
        archive.writestr(new_entry(MANIFEST), manifest.model_dump_json(indent=2) + "\n")
    rows = sum(table.rows for table in tables.values())
    return Written(rows, len(tables), len(stored), missing + len(paths) - len(stored), 0)


def _require_readable(loader: MigrationLoader) -> None:
    if not loader.applied_migrations:
        raise NothingToBackUp("The database has no tables yet, so there is nothing to back up.")
    if unknown := unknown_migrations(loader):
        raise NewerDatabase(
            f"The tables of this database ({', '.join(unknown)}) were changed by a version of Assay newer "
            f"than {VERSION}. Make the backup with the newer version."
        )


def _write_rows(archive: zipfile.ZipFile, table: Table, progress: Progress, tell: Tell) -> TableEntry:
    with archive.open(new_entry(rows_name(table.label)), "w", force_zip64=True) as out:
        entry = write_lines(_lines(table, progress), out)
    if entry.rows:
        tell(f"{table.label}: {entry.rows:,} rows")
    return TableEntry(**entry._asdict(), columns=table.columns, last_key=table.last_key())


def _lines(table: Table, progress: Progress) -> Iterator[str]:
    for number, row in enumerate(table.rows(), start=1):
        text = json.dumps(row, ensure_ascii=False, allow_nan=False)
        try:
            text.encode()
        except UnicodeEncodeError:
            text = json.dumps(row, allow_nan=False)
        yield text + "\n"
        progress.note(table.label, number)


def _write_file(archive: zipfile.ZipFile, folder: Path, path: str, progress: Progress) -> StoredFile | None:
    """Write a stored file; None where somebody has deleted it meanwhile."""
    digest, size = hashlib.sha256(), 0
    try:
        file = (folder / path).open("rb")
    except FileNotFoundError:
        return None
    with file, archive.open(new_entry(file_name(path)), "w", force_zip64=True) as out:
        while piece := file.read(1 << 20):
            digest.update(piece)
            out.write(piece)
            size += len(piece)
            progress.note(path, size)
    return StoredFile(path=path, bytes=size, sha256=digest.hexdigest())
