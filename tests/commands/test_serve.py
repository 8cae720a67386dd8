"""The command that starts everything: refusals, and nothing left behind."""

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from commands import processes
from tests.commands.endings import has_ended
from tests.tables import give_tables

ROOT = Path(__file__).resolve().parent.parent.parent


class Installation:
    """An installation of its own on SQLite and the embedded queue."""

    def __init__(self, folder: Path, *, has_tables: bool = False) -> None:
        if has_tables:
            (folder / "assay.sqlite3").touch(mode=0o600)
            give_tables(folder / "assay.sqlite3")
        kept = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}
        }
        self.started: list[subprocess.Popen[str]] = []
        self.environment = {**kept, "DJANGO_SETTINGS_MODULE": "config.settings", "ASSAY_DATA": str(folder)}

    def __enter__(self) -> "Installation":
        return self

    def __exit__(self, *error: object) -> None:
        for process in self.started:
            with process:
                process.terminate()

    def serve(self, *, port: int) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.started.append(process)
        return process


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path) as made:
        yield made


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def read_until(process: "subprocess.Popen[str]", wanted: str) -> str:
    """Return what a process says up to a text; its end, or a quarter of an hour, end the waiting too."""
    assert process.stdout is not None
    clock = threading.Timer(900, process.kill)
    clock.start()
    said = ""
    for line in process.stdout:
        said += line
        if wanted in line:
            break
    clock.cancel()
    return said


def wait_until(is_so: Callable[[], bool], *, what: str) -> None:
    """Look again and again; a quarter of an hour in vain is a failure."""
    deadline = time.monotonic() + 900
    while not is_so():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.05)


def member(process: "subprocess.Popen[str]", word: str) -> psutil.Process | None:
    """Return the process with this word in its command, among those that we started."""
    family = psutil.Process(process.pid).children()
    return next((child for child in family if word in child.cmdline()), None)


def last_sweep(folder: Path) -> datetime | None:
    """Return when the sweeper last left its sign."""
    with contextlib.closing(sqlite3.connect(folder / "assay.sqlite3", timeout=60)) as database:
        row = database.execute("SELECT swept_at FROM judges_lastsweep").fetchone()
    return datetime.fromisoformat(f"{row[0]}+00:00") if row else None


@pytest.mark.services
class TestServe:
    def test_a_busy_port_is_refused_in_words(self, installation: Installation, busy_port: int) -> None:
        process = installation.serve(port=busy_port)
        assert f"Port {busy_port} cannot be used" in read_until(process, "PORT=")
        assert process.wait() == 1

    def test_two_at_once_do_not_share_a_port(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        port = free_port()
        folders = [tmp_path_factory.mktemp(name) for name in ("one", "another")]
        with (
            Installation(folders[0], has_tables=True) as one,
            Installation(folders[1], has_tables=True) as another,
        ):
            started = [installation.serve(port=port) for installation in (one, another)]
            # The other is stopped before it has started everything.
            wait_until(lambda: any(each.poll() is not None for each in started), what="one to give up")
            (refused,) = (each for each in started if each.poll() is not None)
            assert f"Port {port} cannot be used" in read_until(refused, "PORT=")

    def test_starts_on_nothing_replaces_whoever_dies_and_leaves_nothing_behind(
        self, tmp_path: Path, installation: Installation
    ) -> None:
        port = free_port()
        process = installation.serve(port=port)
        assert f"http://localhost:{port}" in read_until(process, "Press Ctrl-C to stop")
        refuse_a_second(installation)
        wait_until(lambda: last_sweep(tmp_path) is not None, what="a first sign")
        for word, name in (("beat", "clock"), ("worker", "worker")):
            kill_and_see_replaced(process, tmp_path, word=word, name=name)
        family = psutil.Process(process.pid).children(recursive=True)
        assert len(family) >= 5
        process.send_signal(signal.SIGINT)
        assert "Stopped." in read_until(process, "Stopped.")
        assert process.wait() == 0
        assert [process for process in family if not has_ended(process.pid)] == []


def refuse_a_second(installation: Installation) -> None:
    second = installation.serve(port=free_port())
    assert "already running" in read_until(second, "already running")


def kill_and_see_replaced(process: "subprocess.Popen[str]", folder: Path, *, word: str, name: str) -> None:
    """Let one process die; another must take its place, and the sweeper come round again."""
    killed = member(process, word)
    assert killed is not None
    killed.kill()
    said = f"The {name} process ended with code -9; starting it again."
    assert said in read_until(process, said)
    at = datetime.now(UTC)
    wait_until(lambda: (last_sweep(folder) or at) > at, what="a sign of the new one")


class TestQueue:
    def test_is_the_packaged_server_whatever_is_installed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "redis-server").touch(mode=0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        command = processes.redis_service(socket_path=tmp_path / "socket", folder=tmp_path).command
        assert command[0].endswith("/valkey-server")
        assert os.access(command[0], os.X_OK)
