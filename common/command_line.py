"""How a command of this installation is typed, for pages that name one."""

import os
import shlex
import sys
from pathlib import Path

from django.conf import settings

# The data folder that a way of starting takes by itself.
OWN_FOLDERS = {"make run": "data/run", "make demo": "data/demo"}


def start_of_commands() -> str:
    """Return what stands before a command's name: whose data, by which Python, from the project's folder.

    Without it a command typed in a terminal meets another installation's data, or lacks its libraries.
    """
    python = _python()
    if not os.environ.get("ASSAY_DATA"):
        return f"{python} manage.py"
    return f"ASSAY_DATA={shlex.quote(_shown_folder())} {python} manage.py"


def start_of_background() -> str:
    """Return what starts the processes of this installation, for pages that miss a worker.

    Whoever started the server says it (`ASSAY_STARTED_WITH`); else it is the worker's own command.
    """
    started_with = os.environ.get("ASSAY_STARTED_WITH", "")
    if started_with and started_with not in OWN_FOLDERS:
        return started_with
    command = started_with or f"{_python()} -m celery --app config worker --beat"
    return " ".join([*_environment_of(command), command])


def _environment_of(command: str) -> list[str]:
    """Return what the environment must say; addresses without their values, which may hold passwords."""
    named = [f"{name}=…" for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)]
    if not os.environ.get("ASSAY_DATA") or _shown_folder() == OWN_FOLDERS.get(command):
        return named
    return [f"ASSAY_DATA={shlex.quote(_shown_folder())}", *named]


def _python() -> str:
    home, program = Path(settings.BASE_DIR), Path(sys.executable)
    return str(program.relative_to(home)) if program.is_relative_to(home) else "python"


def _shown_folder() -> str:
    home, data = Path(settings.BASE_DIR), Path(settings.DATA_DIR)
    return str(data.relative_to(home) if data.is_relative_to(home) else data)
