"""The command that starts everything: refusals, and nothing left behind."""

import contextlib
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

ROOT = Path(__file__).resolve().parent.parent.parent.parent


class Installation:
    """An installation of its own on SQLite and the embedded queue."""

    def __init__(self, folder: Path) -> None:
        kept = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}
        }
        self.environment = {**kept, "DJANGO_SETTINGS_MODULE": "config.settings", "ASSAY_DATA": str(folder)}

    def serve(self, *, port: int) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


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
    """Return what a process says up to a text; its end, or a minute, ends the waiting too."""
    assert process.stdout is not None
    clock = threading.Timer(60, process.kill)
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
        with installation.serve(port=busy_port) as process:
            said = read_until(process, "PORT=")
        assert f"Port {busy_port} cannot be used" in said
        assert process.returncode == 1

    def test_a_signal_stops_everything_and_leaves_nothing_behind(self, installation: Installation) -> None:
        port = free_port()
        with installation.serve(port=port) as process:
            assert f"http://localhost:{port}" in read_until(process, "Ctrl-C stops everything")
            family = psutil.Process(process.pid).children(recursive=True)
            assert len(family) >= 4
            with installation.serve(port=free_port()) as second:
                assert "already running" in read_until(second, "already running")
            process.send_signal(signal.SIGINT)
            assert "Stopped." in read_until(process, "Stopped.")
        assert process.returncode == 0
        assert [member for member in family if is_running(member)] == []


def is_running(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False
