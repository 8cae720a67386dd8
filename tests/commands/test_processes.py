"""Processes of an installation: kept running, and none left behind."""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import processes
from common.web.starting import CannotStart
from tests.commands.endings import has_ended

# A process with a child of its own, which tells both of their ids.
FAMILY = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(sys.argv[1], "a") as file:
    file.write(f"{child.pid}\\n")
time.sleep(600)
"""
# Says when it can be asked to end, and, so many seconds after it was, that it has.
SLOW_TO_END = """
import signal, sys, threading
name, seconds, notes = sys.argv[1], float(sys.argv[2]), sys.argv[3]
ended = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: ended.set())
with open(notes, "a") as file:
    file.write("0\\n")
ended.wait()
threading.Event().wait(seconds)
with open(notes, "a") as file:
    file.write(f"{name}\\n")
"""


@pytest.fixture
def supervisor() -> Iterator[processes.Supervisor]:
    made = processes.Supervisor(environment=os.environ, tell=lambda message: None)
    yield made
    made.stop()


def family(notes: Path) -> processes.Service:
    return processes.Service(name="family", command=(sys.executable, "-c", FAMILY, str(notes)))


def wait_for_lines(path: Path, count: int) -> list[int]:
    ticking = threading.Event()
    for _ in range(2_400):
        lines = path.read_text().split() if path.exists() else []
        if len(lines) >= count:
            return [int(line) for line in lines]
        ticking.wait(0.05)
    raise AssertionError(f"{path} never had {count} lines")


class TestHoldPort:
    def test_refuses_a_port_in_use(self) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            with pytest.raises(CannotStart):
                processes.hold_port(host="127.0.0.1", port=taken.getsockname()[1])

    def test_refuses_a_number_that_is_no_port(self) -> None:
        with pytest.raises(CannotStart):
            processes.hold_port(host="127.0.0.1", port=70_000)

    def test_refuses_what_another_holds_before_its_web_server_listens(self) -> None:
        with processes.hold_port(host="127.0.0.1", port=0) as held:
            port = held.getsockname()[1]
            with pytest.raises(CannotStart):
                processes.hold_port(host="127.0.0.1", port=port)
        processes.hold_port(host="127.0.0.1", port=port).close()

    def test_lets_our_web_server_listen(self) -> None:
        with processes.hold_port(host="127.0.0.1", port=0) as held, socket.socket() as web:
            web.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            web.bind(held.getsockname())
            web.listen()
            with socket.create_connection(held.getsockname(), timeout=60):
                web.accept()[0].close()


class TestLockFolder:
    def test_one_process_at_a_time(self, tmp_path: Path) -> None:
        with processes.lock_folder(tmp_path), pytest.raises(CannotStart):
            processes.lock_folder(tmp_path)
        processes.lock_folder(tmp_path).close()


@pytest.mark.services
class TestSupervisor:
    def test_stops_the_children_of_its_processes_as_well(
        self, supervisor: processes.Supervisor, tmp_path: Path
    ) -> None:
        supervisor.start(family(tmp_path / "notes"))
        (child,) = wait_for_lines(tmp_path / "notes", 1)
        supervisor.stop()
        assert has_ended(child)

    def test_ends_what_others_need_after_them(self, supervisor: processes.Supervisor, tmp_path: Path) -> None:
        notes = tmp_path / "notes"
        for count, (name, seconds) in enumerate([("1", "0"), ("2", "0.3")], start=1):
            command = (sys.executable, "-c", SLOW_TO_END, name, seconds, str(notes))
            supervisor.start(processes.Service(name=name, command=command))
            wait_for_lines(notes, count)
        supervisor.stop()
        assert wait_for_lines(notes, 4) == [0, 0, 2, 1]

    def test_starts_again_what_ends_by_itself(
        self, supervisor: processes.Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(processes, "RESTART_PAUSE_SECONDS", 0.01)
        supervisor.start(family(tmp_path / "notes"))
        wait_for_lines(tmp_path / "notes", 1)
        watching = threading.Thread(target=supervisor.watch)
        watching.start()
        (process,) = supervisor.running.values()
        process.kill()
        first, second = wait_for_lines(tmp_path / "notes", 2)
        supervisor.stop_soon()
        watching.join()
        supervisor.stop()
        assert has_ended(first)
        assert has_ended(second)

    def test_stops_waiting_for_a_port_when_it_is_told_to(self, supervisor: processes.Supervisor) -> None:
        supervisor.stop_soon()
        assert supervisor.wait_for_port(host="127.0.0.1", port=1) is False
