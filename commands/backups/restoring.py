"""Restore a server from a backup, into a database that is empty: all of it, or no row.

All rows are inserted in one transaction, so whatever ends the process before its end leaves a database
without rows, and the same command can be given again. Files come before: one that is there stays.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple

from django.conf import settings
from django.core.management import call_command
from django.db import DataError, IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from commands.backups.manifest import Manifest, StoredFile, rows_name
from commands.backups.progress import Progress, Tell
from commands.backups.reading import Backup, free_paths
from commands.backups.tables import LEFT_OUT, MADE_WITH_TABLES, State, Table
from commands.processes import lock_folder
from common.clock import microseconds, now
from common.database.revisions import stop_watching
from common.database.rows import insert_rows
from common.encryption.vault import marks_of_secrets
from common.errors import Conflict, Invalid
from common.identifiers import VERSION
from judges.bundles.rules import Damaged

# Counts changes by numbers that must not come again: see `annotation.projects.models.Change`.
CHANGES = "annotation.change"
# Bytes that are to stay free on the disk of the data folder.
LEAST_FREE = 100_000_000


class UnusableBackup(Invalid):
    """The file is damaged or none of ours; the message names part and line."""


class OtherVersion(Conflict):
    """The backup has tables that this version, or this database, does not have."""


class NotEmpty(Conflict):
    """The database has rows, or tables of something else."""


class NoRoom(Conflict):
    """The stored files do not fit on the disk."""


class Restored(NamedTuple):
    """What was restored; is_readable: this server's secret key reads the secrets in it."""

    manifest: Manifest
    rows: int
    files: int
    is_readable: bool


def check_backup(*, file: IO[bytes], tell: Tell) -> Restored:
    """Read a backup from end to end, and write nothing; raises `UnusableBackup`."""
    try:
        backup = Backup(file)
        backup.check(Progress(tell))
    except Damaged as error:
        raise UnusableBackup(f"The backup is damaged: {error}") from None
    return _restored(backup)


def restore_backup(*, file: IO[bytes], tell: Tell) -> Restored:
    """Restore a backup into this database and data folder, then migrate it to this version.

    Raises `UnusableBackup`, `OtherVersion`, `NotEmpty` and `NoRoom`, all before anything is written but the
    first where the database itself refuses a row; then no row is there.
    """
    folder = Path(settings.DATA_DIR)
    with lock_folder(folder):
        try:
            return _restore(Backup(file), folder, tell)
        except Damaged as error:
            raise UnusableBackup(f"The backup cannot be restored: {error}") from None


def _restored(backup: Backup) -> Restored:
    manifest = backup.manifest
    rows = sum(table.rows for table in manifest.tables.values())
    is_readable = set(manifest.secret_keys) <= set(marks_of_secrets())
    return Restored(manifest, rows, len(backup.files), is_readable)


def _restore(backup: Backup, folder: Path, tell: Tell) -> Restored:
    progress = Progress(tell)
    executor = MigrationExecutor(connection)
    _require_known(executor.loader, backup.manifest)
    state = State(executor.loader, backup.manifest.nodes)
    _require_same_tables(backup.manifest, state)
    _require_empty(executor.loader, state)
    _require_not_newer(executor, backup.manifest)
    tell("Checking the file …")
    backup.check(progress)
    missing = free_paths(backup.files, folder=folder)
    _require_room(missing, folder)

    tell("Creating the tables …")
    # SQLite makes no table anew that a trigger of another mentions; the last migrate makes them again.
    stop_watching()
    executor.migrate(backup.manifest.nodes)
    for stored in missing:
        _restore_file(backup, stored, folder)
    # The models of a state that was migrated are another's than those of the plan.
    _insert(backup, State(MigrationLoader(connection), backup.manifest.nodes), progress, tell)
    tell("Migrating to this version …")
    call_command("migrate", verbosity=0, interactive=False)
    _count_rows()
    return _restored(backup)


def _require_known(loader: MigrationLoader, manifest: Manifest) -> None:
    unknown = [f"{app}.{name}" for app, name in manifest.nodes if (app, name) not in loader.graph.nodes]
    if unknown:
        raise OtherVersion(
            f"This version of Assay ({VERSION}) does not know the tables of this backup "
            f"({', '.join(unknown)[:200]}). Install Assay {manifest.assay[:20]}, which wrote it, or a later "
            "version, and restore with that."
        )


def _require_same_tables(manifest: Manifest, state: State) -> None:
    """Raise `Damaged` unless the backup has exactly the tables and columns that its migrations make."""
    for label in manifest.tables.keys() ^ state.kept.keys():
        lacks = label in state.kept
        raise Damaged(
            f"it {'lacks' if lacks else 'has'} the table {label[:100]!r}, but the version of Assay that "
            f"wrote it {'has' if lacks else 'does not have'} this table."
        )
    for label, table in state.kept.items():
        if manifest.tables[label].columns != table.columns:
            raise Damaged(
                f"the columns of the table {label} do not match the version of Assay that wrote the backup."
            )


def _require_empty(loader: MigrationLoader, state: State) -> None:
    there = set(connection.introspection.table_names())
    today = State(loader, loader.graph.leaf_nodes())
    # People and projects come first.
    kept = (*state.kept.values(), *today.kept.values())
    tables = {table.name: table for table in (*kept, *today.all, *state.all)}
    if others := sorted(there - tables.keys() - {"django_migrations"}):
        raise NotEmpty(
            f"The database has tables that are not Assay’s: {', '.join(others[:5])}. Restore into a separate "
            "database that only Assay uses."
        )
    ignored = {*LEFT_OUT, *MADE_WITH_TABLES}
    filled = [
        f"{count:,} in {name}"
        for name, table in tables.items()
        if name in there and table.label not in ignored and (count := _count(name))
    ]
    if filled:
        raise NotEmpty(
            f"The database is not empty: it has rows ({', '.join(filled[:8])}{', …' if filled[8:] else ''}). "
            f"A backup can be restored only into an empty database. {_another_database()}"
        )


def _count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - a table's name
        ((count,),) = cursor.fetchall()
    return int(count)


def _another_database() -> str:
    name = settings.DATABASES["default"]["NAME"]
    if connection.vendor == "sqlite":
        return (
            f"Move {name} somewhere else, along with the -wal and -shm files next to it, or set ASSAY_DATA "
            "to another folder."
        )
    return "Create one (createdb) and name it in DATABASE_URL."


def _require_not_newer(executor: MigrationExecutor, manifest: Manifest) -> None:
    if any(is_backwards for _, is_backwards in executor.migration_plan(manifest.nodes)):
        raise OtherVersion(
            f"The backup comes from an earlier version ({manifest.assay[:20]}) than the tables of this "
            "database. Restore it into a database that has no tables yet; its tables are then upgraded. "
            f"{_another_database()}"
        )


def _require_room(files: Sequence[StoredFile], folder: Path) -> None:
    needed, free = sum(stored.bytes for stored in files), shutil.disk_usage(folder).free
    if needed > free - LEAST_FREE:
        raise NoRoom(
            f"The stored files need {needed:,} bytes; the disk that holds {folder} has {free:,} bytes free."
        )


def _restore_file(backup: Backup, stored: StoredFile, folder: Path) -> None:
    path = folder / stored.path
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # One that was killed may have left it; nobody else is at work in this folder.
    part = path.with_name(f".{path.name[:200]}.part")
    with part.open("wb") as file:
        for piece in backup.pieces(stored):
            file.write(piece)
    os.replace(part, path)


def _insert(backup: Backup, state: State, progress: Progress, tell: Tell) -> None:
    try:
        with transaction.atomic():
            _empty(state)
            for place, (label, table) in enumerate(state.kept.items()):
                if place == state.settled_after and connection.vendor == "postgresql":
                    # Otherwise PostgreSQL remembers every row until the end, to look at what it points to.
                    with connection.cursor() as cursor:
                        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                _fill(backup, table, progress)
                if table.has_sequence:
                    table.give_keys_after(backup.manifest.tables[label].last_key or 0)
                if rows := backup.manifest.tables[label].rows:
                    tell(f"{label}: {rows:,} rows")
            _number_changes_anew(state)
    except IntegrityError:
        raise Damaged("rows point to rows that are missing.") from None


def _empty(state: State) -> None:
    """Take away what a database without content has."""
    for table in reversed(state.all):
        if table.label in LEFT_OUT:
            table.model._base_manager.all()._raw_delete(connection.alias)
    for label in reversed(MADE_WITH_TABLES):
        state.kept[label].model._base_manager.all()._raw_delete(connection.alias)


def _fill(backup: Backup, table: Table, progress: Progress) -> None:
    total, done = backup.manifest.tables[table.label].rows, 0
    for chunk in backup.chunks(table.label, table.reader()):
        try:
            insert_rows(table.model, table.columns, chunk)
        except (IntegrityError, DataError) as error:
            raise Damaged(
                f"the database rejects a row in lines {done + 1:,} to {done + len(chunk):,} "
                f"({str(error).splitlines()[0][:200]}).",
                part=rows_name(table.label),
            ) from None
        done += len(chunk)
        progress.note(table.label, done, total)


def _number_changes_anew(state: State) -> None:
    changes = next((table for table in state.all if table.label == CHANGES), None)
    if changes is not None and connection.vendor == "postgresql":
        changes.give_keys_after(microseconds(now()))


def _count_rows() -> None:
    """Let PostgreSQL know how large the tables are now; SQLite goes by its indexes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for name in connection.introspection.table_names():
                cursor.execute(f"ANALYZE {connection.ops.quote_name(name)}")
