"""The command that starts everything: refusals, and nothing left behind."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.judges.management.endings import has_ended

ROOT = Path(__file__).resolve().parent.parent.parent.parent


class Installation:
    """An installation of its own on SQLite and the embedded queue."""

    def __init__(self, folder: Path) -> None:
        kept = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}
        }
        self.started: list[subprocess.Popen[str]] = []
        self.environment = {**kept, "DJANGO_SETTINGS_MODULE": "config.settings", "ASSAY_DATA": str(folder)}

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
    made = Installation(tmp_path)
    yield made
    for process in made.started:
        with process:
            process.terminate()


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


@pytest.mark.services
class TestServe:
    def test_a_busy_port_is_refused_in_words(self, installation: Installation, busy_port: int) -> None:
        process = installation.serve(port=busy_port)
        assert f"Port {busy_port} cannot be used" in read_until(process, "PORT=")
        assert process.wait() == 1

    def test_a_signal_stops_everything_and_leaves_nothing_behind(self, installation: Installation) -> None:
        port = free_port()
        process = installation.serve(port=port)
        assert f"http://localhost:{port}" in read_until(process, "Ctrl-C stops everything")
        family = psutil.Process(process.pid).children(recursive=True)
        assert len(family) >= 4
        second = installation.serve(port=free_port())
        assert "already running" in read_until(second, "already running")
        process.send_signal(signal.SIGINT)
        assert "Stopped." in read_until(process, "Stopped.")
        assert process.wait() == 0
        assert [process for process in family if not has_ended(process.pid)] == []
