"""Processes of ours that are forked from one that has started Django, which takes each a second otherwise.

`python -m tests.faults.forks` is that process: it reads on its standard input what to start, a line of JSON
each. A forked one has the environment, the settings and the place that it would have if it were started
anew; only the modules are loaded already, so what reads the environment as it is loaded is not among them.
"""

import atexit
import json
import os
import re
import runpy
import signal
import subprocess
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from commands.processes import die_with_parent

ROOT = Path(__file__).resolve().parent.parent.parent
PAUSE_SECONDS = 0.01
# What Python runs of ours; all else is started as it is.
MODULES = {"celery", "tests.faults.filing", "tests.faults.judging", "tests.faults.launch"}
# What most of them load, but for what reads the environment as it is loaded.
LOADED = (
    *("celery.__main__", "celery.apps.beat", "celery.apps.worker", "celery.bin.celery"),
    *("celery.concurrency.prefork", "celery.fixups.django", "kombu.transport.redis"),
    *("annotation.items.tasks", "annotation.release.tasks", "judges.prejudging.tasks", "judges.runs.tasks"),
    *("config.urls", "tests.faults.beside", "tests.faults.clients", "tests.faults.crowd"),
    "tests.faults.prejudging",
)
SETTINGS = ("tests.settings", "config.settings")


class Program(NamedTuple):
    """A module that Python runs, its arguments, and how warnings to leave out begin."""

    module: str
    arguments: list[str]
    ignored: list[str]


def program_of(command: Sequence[str]) -> Program | None:
    """Return what a command has Python run, if that is a module which can be forked."""
    words = list(command)
    if not words or words.pop(0) != sys.executable:
        return None
    ignored = []
    while words[:1] == ["-W"] and words[1].startswith("ignore:"):
        ignored.append(words[1].removeprefix("ignore:"))
        del words[:2]
    if len(words) < 2 or words[0] != "-m" or words[1] not in MODULES:
        return None
    return Program(words[1], words[2:], ignored)


class Forked:
    """A process in a session of its own, which keeps its id until it is waited for, as `Popen` has it."""

    def __init__(self, forks: "Forks", pid: int) -> None:
        self._forks = forks
        self.pid = pid
        self.returncode: int | None = None

    def is_running(self) -> bool:
        """Say whether it has not ended."""
        return self.returncode is None and not self._forks.ask({"has_ended": self.pid})

    def wait(self, timeout: float) -> int:
        """Wait for its end and return its code; raises `subprocess.TimeoutExpired`."""
        deadline = time.monotonic() + timeout
        while self.is_running():
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(PAUSE_SECONDS)
        if self.returncode is None:
            self.returncode = int(self._forks.ask({"code_of": self.pid}))
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it was waited for."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it alone, without a word."""
        self.send_signal(signal.SIGKILL)


class Forks:
    """Speaks with the process that forks; started when it is first asked, ended with the tests."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: subprocess.Popen[bytes] | None = None

    def start(self, program: Program, *, environment: Mapping[str, str], folder: Path, log: Path) -> Forked:
        """Start a process that writes what it says to the end of a file."""
        asked = {
            "start": program._asdict(),
            "environment": dict(environment),
            "folder": str(folder),
            "log": str(log),
        }
        return Forked(self, int(self.ask(asked)))

    def ask(self, asked: Mapping[str, Any]) -> Any:
        """Send one request and return the reply."""
        with self._lock:
            self._server = self._server or self._open()
            assert self._server.stdin is not None
            assert self._server.stdout is not None
            self._server.stdin.write(json.dumps(asked).encode() + b"\n")
            self._server.stdin.flush()
            return json.loads(self._server.stdout.readline())

    def _open(self) -> subprocess.Popen[bytes]:
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.forks"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=die_with_parent,
        )
        atexit.register(self._close, server)
        return server

    @staticmethod
    def _close(server: subprocess.Popen[bytes]) -> None:
        server.kill()
        server.wait()


FORKS = Forks()


def run(command: Sequence[str], *, environment: Mapping[str, str], log: Path, timeout: float) -> int:
    """Run one of our commands to its end, and return its code; what it says is added to a file."""
    program = program_of(command)
    assert program is not None, command
    started = FORKS.start(program, environment=environment, folder=ROOT, log=log)
    try:
        return started.wait(timeout)
    finally:
        if started.is_running():
            os.killpg(started.pid, signal.SIGKILL)


def serve() -> dict[str, Any]:
    """Answer requests, as long as they come; return in each forked process what it is to be."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        if "start" in asked:
            reply: Any = _fork(replies.fileno())
            if reply is None:
                return dict(asked)
        elif "has_ended" in asked:
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            reply = os.waitid(os.P_PID, asked["has_ended"], options) is not None
        else:
            reply = os.waitstatus_to_exitcode(os.waitpid(asked["code_of"], 0)[1])
        replies.write(json.dumps(reply).encode() + b"\n")
        replies.flush()
    # Nobody asks any more: the tests are over.
    os._exit(0)


def _fork(replies: int) -> int | None:
    """Return the new process's id, once it leads a group of its own; None in that process."""
    leads, tells = os.pipe()
    if child := os.fork():
        os.close(tells)
        os.read(leads, 1)
        os.close(leads)
        return child
    os.setsid()
    die_with_parent()
    for number in (leads, replies):
        os.close(number)
    os.write(tells, b"1")
    os.close(tells)
    return None


def become(asked: Mapping[str, Any]) -> None:
    """Be the process that was asked for, in this one."""
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    for number, path, flags in (
        (0, os.devnull, os.O_RDONLY),
        (1, asked["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND),
    ):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    os.dup2(1, 2)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for as long as the process lasts
    program = Program(**asked["start"])
    for message in program.ignored:
        warnings.filterwarnings("ignore", message=re.escape(message))
    _forget_settings()
    sys.argv = [program.module, *program.arguments]
    runpy.run_module(program.module, run_name="__main__", alter_sys=True)


def _forget_settings() -> None:
    """Have everything that was made from settings made anew, from this environment."""
    from django.conf import settings
    from django.core.cache import caches
    from django.db import connections
    from django.utils.functional import empty

    for name in SETTINGS:
        sys.modules.pop(name, None)
    settings._wrapped = empty
    for handler in (connections, caches):
        vars(handler).pop("settings", None)
        handler.__init__()


def load() -> None:
    """Start Django, and load what most of the processes need."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    for name in LOADED:
        import_module(name)


if __name__ == "__main__":
    load()
    try:
        become(serve())
    except Exception:
        traceback.print_exc()
        sys.exit(1)
