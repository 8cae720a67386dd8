"""What is put under load: a platform that runs, with work for raters who are signed in."""

import csv
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count, groupby
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import psycopg2

NQ301 = Path(__file__).resolve().parents[3] / "shared" / "data" / "openqa-eval" / "NQ301_human.tsv"
START_SECONDS = 240
STOP_SECONDS = 20
RATERS_AN_ANSWER = 2


class Item(NamedTuple):
    """A question with its answers: a sheet."""

    question: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Platform:
    """A platform at work. `database`: address of its PostgreSQL, empty for any other.

    `people`: what each rater's `Rater` is given, among it the headers of requests. `count_over`: how many
    items have more judgments than raters were wanted.
    """

    name: str
    module: str
    url: str
    process: int
    people: list[dict[str, Any]]
    count_over: Callable[[], int]
    database: str = ""


class Meter(NamedTuple):
    """Seconds of a core that the platform and its database have used so far, each by process."""

    server: dict[int, float]
    database: dict[int, float]

    def since(self, start: "Meter") -> tuple[float, float]:
        """Return what server and database used from then on; of a process that ended, nothing."""
        return _growth(self.server, start.server), _growth(self.database, start.database)


def _growth(end: dict[int, float], start: dict[int, float]) -> float:
    return sum(seconds - start.get(process, 0.0) for process, seconds in end.items())


def read_meter(platform: Platform) -> Meter:
    """Read what the platform used: its processes, and PostgreSQL's that serve its database."""
    root = psutil.Process(platform.process)
    return Meter(
        _seconds([platform.process, *(child.pid for child in root.children(recursive=True))]),
        _seconds(_backends(platform.database)) if platform.database else {},
    )


def _seconds(processes: Sequence[int]) -> dict[int, float]:
    used = {}
    for process in processes:
        try:
            times = psutil.Process(process).cpu_times()
        except psutil.NoSuchProcess:
            continue
        used[process] = times.user + times.system
    return used


def _backends(url: str) -> list[int]:
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return [process for (process,) in cursor.fetchall()]


def query(database: str, sql: str) -> int:
    """Return the one number that a query finds in PostgreSQL, or in a file of SQLite."""
    connect = psycopg2.connect if database.startswith("postgres") else sqlite3.connect
    with closing(connect(database)) as connection, closing(connection.cursor()) as cursor:
        cursor.execute(sql)
        return int(cursor.fetchall()[0][0])


def read_items(answers: int, *, single: bool) -> list[Item]:
    """Return so many answers on sheets as they come, or each on one of its own.

    NQ301's questions and answers over and over where its file is present, made-up ones elsewhere.
    """
    items = _as_they_come()
    if single:
        items = [
            Item(f"{item.question} [{place}]", (answer,))
            for item in items
            for place, answer in enumerate(item.answers)
        ]
    rounds = (
        item if number == 0 else Item(f"{item.question} ({number})", item.answers)
        for number in count()
        for item in items
    )
    found, left = [], answers
    while left > 0:
        item = next(rounds)
        found.append(Item(item.question, item.answers[:left]))
        left -= len(found[-1].answers)
    return found


def _as_they_come() -> list[Item]:
    if not NQ301.is_file():
        return [
            Item(f"what is river number {number}", tuple(f"It is the Danube {place}." for place in range(5)))
            for number in range(300)
        ]
    with NQ301.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Item(question, tuple(row["Model answer"] for row in found))
        for question, found in groupby(rows, key=lambda row: row["Question"])
    ]


@contextmanager
def started(
    command: Sequence[str | Path], *, port: int, log: Path, environment: Mapping[str, str], folder: Path
) -> Iterator[int]:
    """Start a server in a session of its own, wait until it answers, yield its process, and end it."""
    with log.open("w") as file:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=file,
            stderr=file,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            _wait_for_port(port, process, log)
            yield process.pid
        finally:
            _end(process)


def _wait_for_port(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{process.args!s:.100} did not come up:\n{log.read_text()[-2_000:]}")


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
        _, left = psutil.wait_procs([psutil.Process(process.pid), *children], timeout=STOP_SECONDS)
        for each in left:
            each.kill()
        process.wait()
