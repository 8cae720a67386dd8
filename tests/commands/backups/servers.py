"""Servers of our own: a database, a data folder and a secret key, used by processes of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg2

from commands.processes import die_with_parent
from tests import tables
from tests.tables import IS_POSTGRES, SERVER, database_with_tables, give_tables

ROOT = Path(__file__).resolve().parents[3]
EXPORTS = """
import json, sys, django
django.setup()
from pathlib import Path
from annotation.projects.models import Project
from tests.judges.bundles.factories import hashes
folder = Path(sys.argv[1])
print(json.dumps({each.slug: hashes(each, folder / each.slug) for each in Project.objects.all()}))
"""


class Server(NamedTuple):
    """A server that nobody has started."""

    address: str
    folder: Path
    secret: str = "one secret key for all, as long as Django asks for: fifty"

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start Python with this server's environment."""
        environment = {**os.environ, "DATABASE_URL": self.address, "ASSAY_DATA": str(self.folder)}
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={
                **environment,
                "SECRET_KEY": self.secret,
                "DJANGO_SETTINGS_MODULE": "config.settings",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=die_with_parent,
        )

    def run(self, program: str, *arguments: str) -> str:
        """Run a program and return what it prints."""
        return self._done("-c", program, *arguments)

    def manage(self, *arguments: str) -> str:
        """Run a command and return what it prints."""
        return self._done("manage.py", *arguments)

    def assay(self, *arguments: str) -> str:
        """Run the command of a wheel and return what it prints."""
        return self._done("-m", "assay", *arguments)

    def refusal(self, *arguments: str) -> str:
        """Run a command that must be refused, and return why."""
        process = self.start("manage.py", *arguments)
        _, told = process.communicate()
        assert process.returncode == 1, told
        return told

    def exports(self, folder: Path) -> dict[str, dict[str, str]]:
        """Return the SHA-256 of every export of every project."""
        found: dict[str, dict[str, str]] = json.loads(self.run(EXPORTS, str(folder)))
        return found

    def _done(self, *arguments: str) -> str:
        process = self.start(*arguments)
        out, told = process.communicate()
        assert process.returncode == 0, told
        return out


def sqlite_server(folder: Path, **options: Any) -> Server:
    """Return a server on SQLite without tables."""
    folder.mkdir(exist_ok=True)
    return Server(f"sqlite:///{folder / 'assay.sqlite3'}", folder, **options)


def sqlite_with_tables(folder: Path) -> Server:
    """Return a server on SQLite with empty tables."""
    server = sqlite_server(folder)
    give_tables(folder / "assay.sqlite3")
    if IS_POSTGRES:
        server.manage("migrate", "--verbosity", "0")
    return server


@contextmanager
def server_with_tables(folder: Path, name: str) -> Iterator[Server]:
    """Make a server on the database under test, with empty tables."""
    folder.mkdir(exist_ok=True)
    with database_with_tables(f"{tables.PATTERN}_{name}") as address:
        yield Server(address, folder)


@contextmanager
def server_without_tables(folder: Path, name: str) -> Iterator[Server]:
    """Make a server on the database under test, without tables."""
    if not IS_POSTGRES:
        yield sqlite_server(folder)
        return
    folder.mkdir(exist_ok=True)
    database = f"{tables.PATTERN}_{name}"
    with closing(psycopg2.connect(SERVER)) as server:
        server.autocommit = True
        server.cursor().execute(f'CREATE DATABASE "{database}"')
        try:
            yield Server(f"{SERVER.rpartition('/')[0]}/{database}", folder)
        finally:
            server.cursor().execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')
