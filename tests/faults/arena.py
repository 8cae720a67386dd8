"""A database of its own, real processes working on it, and what they did."""

import json
import os
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

import psycopg2
from django.conf import settings

PROJECT_FOLDER = Path(__file__).resolve().parent.parent.parent


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
        self.is_broken = False

    def seed(self, *, questions: int, answers: int, raters: int, is_broken: bool = False) -> None:
        """Make the tables and the work; a broken arena has neither constraints nor locks."""
        self.is_broken = is_broken
        self.run("seed", questions=questions, answers=answers, raters=raters, is_broken=is_broken)

    def judge(self, *, raters: int, tabs: int, processes: int) -> list[dict[str, Any]]:
        """Let every rater work in as many tabs, and return all requests and replies in order of time.

        Afterwards every rater comes once more, one after the other: somebody may have left while a
        colleague's last act opened an answer again.
        """
        clients = [(f"client{r}-{tab}", f"rater{r}") for r in range(raters) for tab in range(tabs)]
        shares = [clients[number::processes] for number in range(processes)]
        self.run_all("judge", [{"clients": share} for share in shares])
        self.run("finish", clients=[(f"client-last{r}", f"rater{r}") for r in range(raters)])
        entries = [
            json.loads(line)
            for path in sorted(self.folder.glob("client*.jsonl"))
            for line in path.read_text(encoding="utf-8").splitlines()
        ]
        return sorted(entries, key=lambda entry: entry["started"])

    def run(self, command: str, **options: Any) -> None:
        """Run one process and wait for it."""
        self.run_all(command, [options])

    def run_all(self, command: str, several: list[dict[str, Any]]) -> None:
        """Run several processes at the same time and wait for all of them."""
        log = self.folder / "processes.log"
        with log.open("a", encoding="utf-8") as file:
            running = [self._start(command, file, options) for options in several]
            codes = [process.wait(timeout=900) for process in running]
        assert not any(codes), log.read_text(encoding="utf-8")[-4000:]

    def _start(self, command: str, file: IO[str], options: dict[str, Any]) -> "subprocess.Popen[bytes]":
        options = {"folder": str(self.folder), "is_broken": self.is_broken, **options}
        return subprocess.Popen(
            [sys.executable, "-m", "tests.faults.launch", command, json.dumps(options)],
            cwd=PROJECT_FOLDER,
            env=self.environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Read the tables past the product's code."""
        with closing(self.connect()) as database:
            cursor = database.cursor()
            cursor.execute(sql)
            return [tuple(row) for row in cursor.fetchall()]

    def connect(self) -> Any:
        if self.url.startswith("sqlite"):
            return sqlite3.connect(self.url.removeprefix("sqlite:///"))
        return psycopg2.connect(self.url)


@contextmanager
def open_arena(folder: Path) -> Iterator[Arena]:
    """Make an empty database beside the one under test, and drop it afterwards."""
    if "postgresql" not in settings.DATABASES["default"]["ENGINE"]:
        yield Arena(url=f"sqlite:///{folder / 'arena.sqlite3'}", folder=folder)
        return
    name = f"test_arena_{uuid.uuid4().hex[:12]}"
    server = os.environ["DATABASE_URL"]
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
