"""The only hands that stop, flush or kill: they touch nothing that they did not start themselves."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import urlsplit

import redis

from commands.processes import die_with_parent
from tests.faults import forks

WELL_KNOWN_PORTS = {5432, 6379}
DEFAULT_PORTS = {"postgres": 5432, "postgresql": 5432, "redis": 6379, "rediss": 6379}
GIVEN_ADDRESSES = ("DATABASE_URL", "REDIS_URL")
ENDING_SECONDS = 120

Started = subprocess.Popen[bytes] | forks.Forked


class NotOurs(Exception):
    """The process or server was not started here: somebody may need it."""


class Place(NamedTuple):
    """Where a server listens: a port of this machine, or a socket's path."""

    port: int
    path: str


def place_of(url: str) -> Place:
    """Return the place that an address names; the host does not matter, all of them may be this machine."""
    parts = urlsplit(url)
    if "socket" in parts.scheme or not parts.hostname:
        return Place(0, os.path.realpath(parts.path))
    return Place(parts.port or DEFAULT_PORTS.get(parts.scheme, 0), "")


def is_forbidden(place: Place) -> bool:
    """Say whether a place is one that people use: named in our environment, or a well-known port."""
    given = (os.environ.get(name, "") for name in GIVEN_ADDRESSES)
    return place.port in WELL_KNOWN_PORTS or place in {place_of(url) for url in given if url}


def _answers(place: Place) -> bool:
    if not place.port:
        return False
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", place.port)) == 0


class Guard:
    """Starts processes and servers, and ends them; as a context it ends all of them."""

    def __init__(self, *, log: Path) -> None:
        self.log = log
        self._processes: dict[int, Started] = {}
        self._places: dict[Place, int] = {}

    def __enter__(self) -> Self:
        """Begin with nothing."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything that was started."""
        for pid in list(self._processes):
            self.kill(pid)

    def start(
        self,
        command: Sequence[str | Path],
        *,
        environment: Mapping[str, str],
        folder: Path,
        address: str = "",
        user: int | None = None,
        group: int | None = None,
    ) -> Started:
        """Start a process in a session of its own; `address` is where it will listen.

        Raises `NotOurs` where somebody else listens there, or people's servers do.
        """
        if address:
            self._require_free(place_of(address))
        words = [str(word) for word in command]
        program = forks.program_of(words) if user is None else None
        process = (
            self._start_anew(words, environment, folder, user=user, group=group)
            if program is None
            else forks.FORKS.start(program, environment=environment, folder=folder, log=self.log)
        )
        self._processes[process.pid] = process
        if address:
            self._places[place_of(address)] = process.pid
        return process

    def _start_anew(
        self,
        words: list[str],
        environment: Mapping[str, str],
        folder: Path,
        *,
        user: int | None,
        group: int | None,
    ) -> Started:
        with self.log.open("ab") as log:
            return subprocess.Popen(
                words,
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=user,
                group=group,
                extra_groups=[] if user is not None else None,
                preexec_fn=die_with_parent,
            )

    def kill(self, pid: int) -> None:
        """Kill a process of ours and everything it started, without a word."""
        process = self._require_own_process(pid)
        # What it started may outlive it, in its process group.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        process.wait(timeout=ENDING_SECONDS)
        self._wait_for_silence(pid)
        self._forget(pid)

    def crash(self, pid: int) -> None:
        """Kill a process of ours alone, as if it had ended by itself: it stays ours until somebody looks."""
        self._require_own_process(pid).kill()

    def kill_child(self, pid: int, *, chance: random.Random) -> None:
        """Kill one of the processes that a process of ours started itself, if there is any."""
        self._require_own_process(pid)
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
        if children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(chance.choice(children)), signal.SIGKILL)

    def end(self, pid: int, *, by: signal.Signals) -> None:
        """Send a process of ours a signal that ends it, and wait for that."""
        process = self._require_own_process(pid)
        process.send_signal(by)
        process.wait(timeout=ENDING_SECONDS)
        self._forget(pid)

    def bury(self, pid: int) -> None:
        """Forget a process of ours that has ended by itself."""
        self._require_own_process(pid).wait(timeout=ENDING_SECONDS)
        self._forget(pid)

    def flush(self, url: str) -> None:
        """Empty a Redis of ours."""
        self.require_own_server(url)
        client = redis.Redis.from_url(url.replace("redis+socket", "unix"))
        client.flushall()
        client.close()

    def require_own_server(self, url: str) -> None:
        """Raise `NotOurs` unless a process of ours listens at this address."""
        place = place_of(url)
        if is_forbidden(place) or place not in self._places:
            raise NotOurs(f"no server of ours is at {place}")
        self._require_own_process(self._places[place])

    def is_running(self, pid: int) -> bool:
        """Say whether a process of ours has not ended by itself."""
        process = self._require_own_process(pid)
        if isinstance(process, forks.Forked):
            return process.is_running()
        # Without reaping it: so its id stays ours, and nobody else can be given it.
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def _require_own_process(self, pid: int) -> Started:
        process = self._processes.get(pid)
        # One that has ended keeps its id until it is waited for, which forgets it here.
        if process is None:
            raise NotOurs(f"process {pid} was not started here")
        return process

    def _require_free(self, place: Place) -> None:
        if is_forbidden(place):
            raise NotOurs(f"people's servers listen at {place}")
        if _answers(place):
            raise NotOurs(f"somebody listens at port {place.port} already")

    def _wait_for_silence(self, pid: int) -> None:
        # What the process started is dying, too, but may listen for some moments more.
        deadline = time.monotonic() + ENDING_SECONDS
        for place in (place for place, owner in self._places.items() if owner == pid):
            while _answers(place) and time.monotonic() < deadline:
                time.sleep(0.01)

    def _forget(self, pid: int) -> None:
        del self._processes[pid]
        self._places = {place: owner for place, owner in self._places.items() if owner != pid}
