"""The guard refuses whatever was not started through it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.faults.guard import Guard, NotOurs
from tests.faults.servers import OwnRedis, lasting_port

SLEEP = (sys.executable, "-c", "import time; time.sleep(600)")


@pytest.fixture
def guard(tmp_path: Path) -> Iterator[Guard]:
    with Guard(log=tmp_path / "log") as made:
        yield made


@pytest.fixture
def port() -> int:
    """Where nobody listens."""
    return lasting_port()


@pytest.mark.services
class TestProcesses:
    # Named, since two test processes must collect the same tests.
    @pytest.mark.parametrize(
        "pid", [0, -1, 1, os.getpid(), os.getppid()], ids=["group", "all", "init", "own", "parent"]
    )
    def test_that_were_not_started_here_are_let_alone(self, guard: Guard, pid: int) -> None:
        for act in (guard.kill, guard.crash, guard.bury, lambda pid: guard.end(pid, by=signal.SIGQUIT)):
            with pytest.raises(NotOurs):
                act(pid)

    def test_of_a_neighbor_are_let_alone(self, guard: Guard) -> None:
        with subprocess.Popen(SLEEP) as neighbor:
            with pytest.raises(NotOurs):
                guard.kill(neighbor.pid)
            assert neighbor.poll() is None
            neighbor.kill()

    def test_that_were_started_here_are_killed_once(self, guard: Guard, tmp_path: Path) -> None:
        process = guard.start(SLEEP, environment=os.environ, folder=tmp_path)
        assert guard.is_running(process.pid)
        guard.kill(process.pid)
        assert process.returncode == -signal.SIGKILL
        with pytest.raises(NotOurs):
            guard.kill(process.pid)

    def test_all_end_with_the_guard(self, tmp_path: Path) -> None:
        with Guard(log=tmp_path / "log") as guard:
            process = guard.start(SLEEP, environment=os.environ, folder=tmp_path)
        assert process.returncode == -signal.SIGKILL


@pytest.mark.services
class TestServers:
    @pytest.mark.parametrize(
        "url",
        [
            "redis://127.0.0.1:6379/9",
            "redis://localhost/0",
            "redis://[::1]:6379/0",
            "postgres://postgres@127.0.0.1:5432/postgres",
            "postgres://postgres@localhost/postgres",
            "redis://127.0.0.1:1/0",
            "redis+socket:///nowhere/queue.sock",
        ],
    )
    def test_that_were_not_started_here_are_not_flushed(self, guard: Guard, url: str) -> None:
        with pytest.raises(NotOurs):
            guard.flush(url)

    @pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
    def test_that_the_environment_names_are_neither_flushed_nor_started(
        self, guard: Guard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, port: int, name: str, host: str
    ) -> None:
        monkeypatch.setenv(name, f"any://127.0.0.1:{port}/0")
        address = f"redis://{host}:{port}/3"
        with pytest.raises(NotOurs):
            guard.flush(address)
        with pytest.raises(NotOurs):
            guard.start(SLEEP, environment=os.environ, folder=tmp_path, address=address)

    def test_that_became_somebody_elses_are_not_flushed(
        self, guard: Guard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, port: int
    ) -> None:
        address = f"redis://127.0.0.1:{port}/0"
        guard.start(SLEEP, environment=os.environ, folder=tmp_path, address=address)
        guard.require_own_server(address)
        monkeypatch.setenv("REDIS_URL", address)
        with pytest.raises(NotOurs):
            guard.flush(address)

    def test_that_listen_already_are_not_taken_over(self, guard: Guard, tmp_path: Path) -> None:
        import socket

        with socket.create_server(("127.0.0.1", 0)) as neighbor:
            port = neighbor.getsockname()[1]
            with pytest.raises(NotOurs):
                guard.start(
                    SLEEP, environment=os.environ, folder=tmp_path, address=f"redis://127.0.0.1:{port}"
                )

    def test_of_our_own_are_flushed_until_they_are_stopped(self, guard: Guard, short_folder: Path) -> None:
        server = OwnRedis(guard, folder=short_folder)
        server.start()
        with redis.Redis(unix_socket_path=str(short_folder / "queue.sock")) as client:
            client.set("a", "b")
            server.flush()
            assert client.keys() == []
        server.kill()
        with pytest.raises(NotOurs):
            server.flush()
