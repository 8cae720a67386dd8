"""A database of its own, real processes working on it, and what they did."""

import json
import os
import sqlite3
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg2
from django.conf import settings

from tests.faults import forks

PROJECT_FOLDER = forks.ROOT


class Arena:
    """One database, filled with open work, on which processes full of clients work at the same time."""

    def __init__(self, *, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self.environment = {
            **os.environ,
            "DATABASE_URL": url,
            "ALLOWED_HOSTS": "testserver",
            "ASSAY_DATA": str(folder / "data"),
        }

    @property
    def database(self) -> str:
        """The database's name, for people."""
        return "SQLite" if self.url.startswith("sqlite") else "PostgreSQL"

    def judge(self, **load: Any) -> list[dict[str, Any]]:
        """Let raters do all the work there is, and return all requests and replies in order of time."""
        self.run("judge", **load)
        entries = [
            json.loads(line)
            for path in sorted(self.folder.glob("client*.jsonl"))
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        return sorted(entries, key=lambda entry: entry["started"])

    def run(self, command: str, **options: Any) -> None:
        """Run a command of `tests.faults.clients` in a process of its own and wait for its end."""
        described = json.dumps({"folder": str(self.folder), **options})
        self.run_program("tests.faults.launch", command, described)

    def run_program(self, *words: str, environment: Mapping[str, str] | None = None) -> None:
        """Run one of our modules in a process of its own and wait for its end."""
        log = self.folder / "programs.log"
        code = forks.run(
            [sys.executable, "-m", *words],
            environment=self.environment if environment is None else environment,
            log=log,
            timeout=1_800,
        )
        assert code == 0, log.read_text(encoding="utf-8", errors="replace")[-4000:]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Read the tables past the product's code."""
        with closing(self.connect()) as database:
            cursor = database.cursor()
            cursor.execute(sql)
            return [tuple(row) for row in cursor.fetchall()]

    def execute(self, sql: str) -> None:
        """Change the tables past the product's code."""
        with closing(self.connect()) as database:
            database.cursor().execute(sql)
            database.commit()

    def connect(self) -> Any:
        if self.url.startswith("sqlite"):
            return sqlite3.connect(self.url.removeprefix("sqlite:///"))
        return psycopg2.connect(self.url)


@contextmanager
def open_arena(folder: Path, *, server: str = "") -> Iterator[Arena]:
    """Make an empty database beside the one under test, or on a server of our own; drop it afterwards."""
    if not server and "postgresql" not in settings.DATABASES["default"]["ENGINE"]:
        yield Arena(url=f"sqlite:///{folder / 'arena.sqlite3'}", folder=folder)
        return
    name = f"test_arena_{uuid.uuid4().hex[:12]}"
    server = server or os.environ["DATABASE_URL"]
    _execute(server, f'CREATE DATABASE "{name}"')
    try:
        yield Arena(url=server.rpartition("/")[0] + "/" + name, folder=folder)
    finally:
        _drop(server, name)


def _drop(server: str, name: str) -> None:
    # WITH (FORCE) ends what a failed test has left running on this database only.
    _execute(server, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def _execute(server: str, sql: str) -> None:
    with closing(psycopg2.connect(server)) as database:
        database.autocommit = True
        database.cursor().execute(sql)
