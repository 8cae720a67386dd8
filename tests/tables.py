"""The tables as the migrations make them: made once in a test run, and copied by all of its processes."""

import fcntl
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

import psycopg2
from django.db import connection

from tests.settings import RUN_FOLDER

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(RUN_FOLDER)
SERVER = os.environ.get("DATABASE_URL", "")
IS_POSTGRES = SERVER.startswith("postgres")
PATTERN = f"tables_of_{FOLDER.name}"
LOCK, MADE = FOLDER / "tables.lock", FOLDER / "tables.made"


def make_tables() -> None:
    """Make the pattern, unless another process of this run has; meanwhile the others wait."""
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not MADE.exists():
            _migrate()
            MADE.touch()


def _migrate() -> None:
    if IS_POSTGRES:
        # One that failed may have left it half made.
        _drop(PATTERN)
        _execute(f'CREATE DATABASE "{PATTERN}"')
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": _address(PATTERN)},
        check=True,
    )


@contextmanager
def database_with_tables(name: str) -> Iterator[str]:
    """Make a database of this name, empty but for the tables, and return its address; dropped afterwards.

    On SQLite it is a file of the run's folder and goes with that.
    """
    make_tables()
    if not IS_POSTGRES:
        _copy_to(_file(name))
        yield _address(name)
        return
    _execute(f'CREATE DATABASE "{name}" TEMPLATE "{PATTERN}"')
    try:
        yield _address(name)
    finally:
        _drop(name)


def give_tables(path: Path) -> None:
    """Make a SQLite file with the tables; where PostgreSQL is under test there is none to copy."""
    if not IS_POSTGRES:
        make_tables()
        _copy_to(path)


@contextmanager
def tables_for_django() -> Iterator[None]:
    """Let Django's test database, which is about to be made, have the tables and migrate nothing."""
    make_tables()
    if IS_POSTGRES:
        connection.settings_dict["TEST"]["TEMPLATE"] = PATTERN
        yield
        return
    path = _file(f"tests-{os.getpid()}")
    connection.settings_dict["TEST"]["NAME"] = str(path)
    connection.settings_dict["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"
    _copy_to(path)
    # Neither the database nor what its transactions note is in memory: there SQLite walks through all that
    # open savepoints hold at the end of each statement, and tests hold their files' rows in one.
    with patch.object(connection, "_keep_temporary", lambda where: None):
        yield


def drop_pattern() -> None:
    """Take the pattern away, if there is one; on SQLite it goes with the run's folder."""
    if IS_POSTGRES and LOCK.exists():
        _drop(PATTERN)


def _copy_to(place: Path | str) -> None:
    with (
        closing(sqlite3.connect(_file(PATTERN))) as pattern,
        closing(sqlite3.connect(place, uri=True)) as copy,
    ):
        pattern.backup(copy)


def _file(name: str) -> Path:
    return FOLDER / f"{name}.sqlite3"


def _address(name: str) -> str:
    return f"{SERVER.rpartition('/')[0]}/{name}" if IS_POSTGRES else f"sqlite:///{_file(name)}"


def _drop(name: str) -> None:
    _execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _execute(sql: str) -> None:
    with closing(psycopg2.connect(SERVER)) as server:
        server.autocommit = True
        server.cursor().execute(sql)
