"""What this process and the database used."""

import os
from pathlib import Path


def database_seconds() -> float:
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
