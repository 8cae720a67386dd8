"""A Redis and a PostgreSQL of our own, to be stopped, flushed, killed and started again."""

import contextlib
import os
import random
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg2
import redis

from commands import processes
from tests.faults.guard import Guard, Started
from tools import with_services

PATIENCE_SECONDS = 300


def wait_until(is_so: Callable[[], bool], *, what: str) -> None:
    """Look again and again; fail where it does not come true."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)


def lasting_port() -> int:
    """Return a free port that stays free while its server is away.

    Not one of those that the system gives to clients: who tries such a port again and again while
    nobody listens may at last be connected to itself.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class OwnRedis:
    """A queue with the settings of an installation, on a socket of its own."""

    def __init__(self, guard: Guard, *, folder: Path) -> None:
        self._guard = guard
        self._folder = folder
        self._socket = folder / "queue.sock"
        self._process: Started | None = None
        self.url = f"redis+socket://{self._socket}"

    def start(self) -> None:
        """Start it, with whatever it remembers."""
        service = processes.redis_service(socket_path=self._socket, folder=self._folder)
        self._process = self._guard.start(
            service.command, environment=os.environ, folder=self._folder, address=self.url
        )
        wait_until(self._answers, what="Redis")

    def flush(self) -> None:
        """Let it forget everything."""
        self._guard.flush(self.url)

    def kill(self) -> None:
        """Kill it."""
        assert self._process is not None
        self._guard.kill(self._process.pid)

    def _answers(self) -> bool:
        client = redis.Redis(unix_socket_path=str(self._socket))
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()


class OwnPostgres:
    """A cluster on a port of its own, that can be stopped in three ways and started again."""

    def __init__(self, guard: Guard, *, folder: Path) -> None:
        self._guard = guard
        self._folder = folder
        self._owner = with_services.server_owner()
        self._programs = with_services.installed_postgres() or with_services.packaged_postgres(folder)
        self._process: Started | None = None
        self.port = lasting_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self.cluster = folder / "cluster"
        with_services.make_cluster(programs=self._programs, folder=folder, owner=self._owner)

    def start(self) -> None:
        """Start it; what was committed is there again."""
        self._launch()
        wait_until(self._answers, what="PostgreSQL")

    def stop(self) -> None:
        """Stop it at once, as `pg_ctl stop -m immediate` does: every connection breaks off."""
        assert self._process is not None
        self._guard.end(self._process.pid, by=signal.SIGQUIT)

    def kill(self) -> None:
        """Kill it without a word."""
        assert self._process is not None
        self._guard.kill(self._process.pid)

    def _launch(self) -> None:
        owner = self._owner
        self._process = self._guard.start(
            [
                self._programs / "postgres",
                *("-D", self.cluster),
                *("-p", str(self.port), "-k", self._folder),
                # What was written survives the death of every process: only the machine's would lose it.
                *("-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"),
            ],
            environment={"PATH": os.environ["PATH"]},
            folder=self._folder,
            address=self.url,
            user=owner.uid if owner else None,
            group=owner.gid if owner else None,
        )

    def _answers(self) -> bool:
        assert self._process is not None
        if not self._guard.is_running(self._process.pid):
            # After a kill it refuses to start until the last of its old processes is gone.
            self._guard.bury(self._process.pid)
            self._launch()
            return False
        with contextlib.suppress(psycopg2.OperationalError):
            psycopg2.connect(self.url, connect_timeout=5).close()
            return True
        return False


@contextmanager
def own_postgres(*, log: Path) -> Iterator[OwnPostgres]:
    """Make and start a cluster, and end it."""
    with TemporaryDirectory(prefix="assay-pg-") as folder, Guard(log=log) as guard:
        server = OwnPostgres(guard, folder=Path(folder))
        server.start()
        yield server
