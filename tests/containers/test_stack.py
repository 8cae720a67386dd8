"""The compose stack without Docker: its commands, in a folder like the image's, on servers of their own."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2
import psycopg2
import pytest

from commands.processes import packaged_queue
from tests.containers import compose, image
from tests.faults.guard import Guard
from tests.faults.servers import OwnPostgres, lasting_port, wait_until

PASSWORD = "not in @ an / address #"
FILLED_IN = {"SECRET_KEY": "a long random text of this test", "POSTGRES_PASSWORD": PASSWORD}
LEAD = {"username": "lea", "password": "a-long-pass-phrase"}
ROWS = '{"question": "Who wrote Emma?", "golds": ["Jane Austen"]}\n'


class Stack:
    """What compose starts, as processes of this machine: names of hosts and folders are translated."""

    def __init__(self, guard: Guard, *, folder: Path) -> None:
        self.guard = guard
        self._kept: dict[str, int] = {}
        self.read = compose.read(compose.example(**FILLED_IN))["services"]
        self.postgres = OwnPostgres(guard, folder=self._folder(folder, "postgres"))
        self.redis_port, self.web_port = lasting_port(), lasting_port()
        self.folders = {
            name: self._folder(folder, name.strip("/")) for name in ("/app", "/data", "/tmp", "/home/assay")
        }
        self._hosts = {
            "postgres:5432": f"127.0.0.1:{self.postgres.port}",
            "redis:6379": f"127.0.0.1:{self.redis_port}",
            "127.0.0.1:8000": f"127.0.0.1:{self.web_port}",
            "0.0.0.0": "127.0.0.1",
        }
        self._paths = {"/opt/venv": sys.prefix, **{name: str(path) for name, path in self.folders.items()}}
        image.lay_out(self.folders["/app"])

    def _folder(self, folder: Path, name: str) -> Path:
        made = folder / name
        made.mkdir(parents=True)
        return made

    def here(self, text: str) -> str:
        """Return what stands in a container as it is on this machine."""
        hosts, paths = ("|".join(map(re.escape, places)) for places in (self._hosts, self._paths))
        places = self._hosts | self._paths
        return re.sub(rf"{hosts}|^(?:{paths})(?=[/:]|$)", lambda found: places[found[0]], text)

    def environment(self, name: str) -> dict[str, str]:
        """Return all that a process of a service has as environment: nothing of this test's own."""
        given: Mapping[str, str] = {**image.environment(), **self.read[name]["environment"]}
        translated = {key: self.here(value) for key, value in given.items()}
        path = translated["PATH"].replace("$PATH", os.defpath)
        return {**translated, "PATH": path, "HOME": str(self.folders["/home/assay"])}

    def command(self, name: str) -> list[str]:
        """Return what a service runs."""
        words = [self.here(word) for word in self.read[name].get("command", image.command())]
        return [*words, "--port", str(self.web_port)] if name == "web" else words

    def start_servers(self) -> None:
        """Start PostgreSQL, with the account of its image, which needs its password; and Redis."""
        known = self.read["postgres"]["environment"]
        rules = self.postgres.cluster / "pg_hba.conf"
        asks = f"host {known['POSTGRES_DB']} {known['POSTGRES_USER']} 127.0.0.1/32 scram-sha-256\n"
        rules.write_text(asks + rules.read_text(encoding="utf-8"), encoding="utf-8")
        self.postgres.start()
        for statement in (
            f"CREATE ROLE {known['POSTGRES_USER']} LOGIN PASSWORD '{known['POSTGRES_PASSWORD']}'",
            f"CREATE DATABASE {known['POSTGRES_DB']} OWNER {known['POSTGRES_USER']}",
        ):
            self._execute(statement)
        program, *options = self.read["redis"]["command"]
        self.guard.start(
            [
                shutil.which(program) or packaged_queue(),
                *options,
                *("--port", str(self.redis_port), "--bind", "127.0.0.1", "--dir", self.folders["/tmp"]),
            ],
            environment={"PATH": os.defpath},
            folder=self.folders["/tmp"],
            address=f"redis://127.0.0.1:{self.redis_port}",
        )

    def _execute(self, statement: str) -> None:
        with contextlib.closing(psycopg2.connect(self.postgres.url)) as database:
            database.autocommit = True
            database.cursor().execute(statement)

    def start(self) -> None:
        """Start all services of ours, those first that others wait for to end."""
        self.start_servers()
        ours = [name for name, service in self.read.items() if service["image"] == "assay"]
        for name in sorted(ours, key=lambda name: self.read[name]["restart"] != "no"):
            process = self.guard.start(
                self.command(name), environment=self.environment(name), folder=self.folders["/app"]
            )
            if self.read[name]["restart"] == "no":
                assert process.wait(timeout=300) == 0, self.said()
            else:
                self._kept[name] = process.pid

    def wait_until(self, is_so: Callable[[], bool], *, what: str) -> None:
        """Look again and again; fail where it does not come true, or a service ends."""

        def is_so_and_nobody_ended() -> bool:
            ended = [name for name, pid in self._kept.items() if not self.guard.is_running(pid)]
            assert ended == [], self.said()
            return is_so()

        wait_until(is_so_and_nobody_ended, what=what)

    def run(self, name: str, *command: str, standard_input: str = "") -> "subprocess.CompletedProcess[str]":
        """Run a command in a service's container, as `docker compose exec` does."""
        return subprocess.run(
            [self.here(word) for word in command],
            cwd=self.folders["/app"],
            env=self.environment(name),
            input=standard_input,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def files(self) -> dict[Path, float]:
        """Return the files of folders that cannot be written in a container, with when they changed."""
        places = (self.folders["/app"], self.folders["/home/assay"])
        found = (file for place in places for file in place.rglob("*") if file.is_file())
        return {file: file.stat().st_mtime for file in found}

    def health(self) -> tuple[int, dict[str, str]]:
        """Return what `/healthz` says; 0 where nobody answers."""
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=20) as reply:
                return reply.status, json.load(reply)["checks"]
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)["checks"]
        except OSError:
            return 0, {}

    @property
    def address(self) -> str:
        """Where the web server is reached."""
        return f"http://127.0.0.1:{self.web_port}"

    def swept_at(self) -> datetime | None:
        """Return when the clock last rang, the queue passed it on, and a worker wrote it down."""
        url = self.postgres.url.removesuffix("postgres") + self.read["postgres"]["environment"]["POSTGRES_DB"]
        with contextlib.closing(psycopg2.connect(url)) as database, database.cursor() as cursor:
            cursor.execute("SELECT swept_at FROM judges_lastsweep")
            row = cursor.fetchone()
        return row[0] if row else None

    def said(self) -> str:
        """Return the end of what the processes said."""
        return self.guard.log.read_text(encoding="utf-8", errors="replace")[-4_000:]


@pytest.fixture
def stack() -> Iterator[Stack]:
    if not (image.BUILT_PAGES / "index.html").is_file():
        pytest.skip("the pages are not built: make build")
    with tempfile.TemporaryDirectory(prefix="assay-stack-") as name:
        folder = Path(name)
        # PostgreSQL's owner must find its cluster in it.
        folder.chmod(0o755)
        with Guard(log=folder / "log") as guard:
            yield Stack(guard, folder=folder)


class Lead(httpx2.Client):
    """Who signs in as the browser does."""

    def __init__(self, stack: Stack) -> None:
        super().__init__(base_url=stack.address, timeout=60)
        self.write("/api/session", json=LEAD)

    def write(self, address: str, **content: Any) -> Any:
        """Send a change, and return the reply."""
        token = self.get("/api/session").json()["csrf_token"]
        reply = self.post(address, headers={"X-CSRFToken": token}, **content)
        assert reply.is_success, reply.text
        return reply.json()


@pytest.mark.services
class TestStack:
    def test_works_and_says_so_until_its_database_is_away(self, stack: Stack) -> None:
        before = stack.files()
        stack.start()
        stack.wait_until(lambda: stack.health()[0] == 200, what="a healthy stack")
        assert set(stack.health()[1].values()) == {"ok"}
        # What docs/operations.md and the file's head say next.
        made = stack.run(
            "web",
            *("python", "manage.py", "create_user", LEAD["username"], "--password-stdin"),
            standard_input=LEAD["password"],
        )
        assert made.returncode == 0, made.stderr
        with contextlib.closing(Lead(stack)) as lead:
            project = lead.write("/api/projects", json={"name": "Small", "preset": "evouna"})
            imports = f"/api/projects/{project['slug']}/imports"
            brought = lead.write(imports, files={"files": ("rows.jsonl", ROWS)})
            stack.wait_until(
                lambda: lead.get(f"{imports}/{brought['id']}").json()["state"] != "checking",
                what="the worker to read the file that the web server took",
            )
            assert lead.get(f"{imports}/{brought['id']}").json()["state"] == "ready"
        stack.wait_until(lambda: stack.swept_at() is not None, what="the clock")
        for name in ("web", "worker", "sweeper"):
            _, *test = stack.read[name]["healthcheck"]["test"]
            assert stack.run(name, *test).returncode == 0, name
        # Containers may write only into /data and /tmp.
        assert stack.files() == before
        stack.postgres.stop()

        def is_without_database() -> bool:
            status, parts = stack.health()
            is_away = parts.get("database") == "cannot be reached"
            # Of the same reply: each web process looks every five seconds at most, so the next may be older.
            assert not is_away or status == 503
            return is_away

        wait_until(is_without_database, what="the database's end to be noticed")
