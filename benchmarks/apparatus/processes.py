"""Processes of their own for what must not inherit what another kept, and what one and the database used."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple


def set_up_django() -> None:
    """Let the models be imported."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


def run_apart(section: str, function: str, *arguments: str, environment: Mapping[str, str]) -> None:
    """Call a section's function in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.apparatus.processes", section, function, *arguments]
    subprocess.run(command, env=environment, check=True)


class Used(NamedTuple):
    """Seconds by the clock, and of a core in this process and in the database."""

    clock: float
    process: float
    database: float

    def since(self, start: "Used") -> "Used":
        """Return what was used from then on."""
        return Used(*(end - begin for end, begin in zip(self, start, strict=True)))


def used() -> Used:
    """Return what was used so far."""
    return Used(time.perf_counter(), time.process_time(), _database_seconds())


def _database_seconds() -> float:
    """Return what the database used for our connection; other work on the machine is not in it."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        process = Path(f"/proc/{cursor.fetchone()[0]}/stat")
    if not process.is_file():
        return 0.0
    user, system = process.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def forget_peak_memory() -> None:
    """Let the peak begin at what is used now; where the system cannot, it stays that of the process."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return


def peak_memory() -> float:
    """Return the largest resident size in MB since it was last forgotten."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    set_up_django()
    getattr(import_module(f"benchmarks.{sys.argv[1]}"), sys.argv[2])(*sys.argv[3:])
