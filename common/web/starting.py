"""Start errors in one sentence, and how an installation is told to be started."""

import errno
import os
import shlex
import sys
from pathlib import Path

from django.conf import settings
from django.db.utils import Error as AnyDatabaseError
from django.db.utils import InterfaceError, OperationalError

DISK_FULL = "The disk is full: nothing more can be saved until you free up space."
FULL = {errno.ENOSPC, errno.EDQUOT}
FULL_WORDS = ("disk is full", "no space left on device", "could not extend file", "disk quota exceeded")

UNREACHABLE_WORDS = (
    "connection refused",
    "could not connect",
    "could not translate",
    "timeout",
    "connection to server",
)

# What databases say, in part, and what that means; the first that fits. {place}: file or address.
DATABASE_FAULTS = (
    (FULL_WORDS, DISK_FULL),
    (
        ("not a database", "malformed", "file is encrypted"),
        "{place} is damaged: restore a backup (docs/operations.md, Backup).",
    ),
    (
        ("database is locked",),
        "{place} is in use by another program: stop that program or wait until it is done, then start "
        "Assay again.",
    ),
    (
        ("readonly database", "unable to open database", "disk i/o error"),
        "{place} cannot be opened for writing: check this user’s permissions and the disk.",
    ),
    (
        ("no such table", "no such column", "relation", "column"),
        "There is no installation here yet, or the one here is older than this code. `make run` creates "
        "one in data/run, and `assay run` creates one in your user data folder. To use another, put "
        "ASSAY_DATA=FOLDER in front of the command.",
    ),
    (
        ("authentication failed", "no password supplied", "role"),
        "{place} rejected the username or password: correct them in DATABASE_URL.",
    ),
    (("does not exist",), "{place} has no such database: create it (createdb), or correct DATABASE_URL."),
    (
        UNREACHABLE_WORDS,
        "{place} does not respond: start PostgreSQL there, or correct DATABASE_URL.",
    ),
)


# What a database says that is busy, restarting or out of reach: the same may work in a moment.
AWAY_WORDS = (
    *UNREACHABLE_WORDS,
    "is locked",
    "deadlock detected",
    "could not serialize",
    "too many clients",
    "remaining connection slots",
    "starting up",
    "shutting down",
    "terminating connection",
    "server closed the connection",
    "connection already closed",
    "connection is closed",
    "connection timed out",
)


class CannotStart(SystemExit):
    """Ends the process with one sentence and code 1, wherever the settings are read."""


def cannot_write(path: Path, error: Exception) -> str:
    """Return in words that a file or folder of an installation cannot be used."""
    if is_disk_full(error):
        return f"{path}: {DISK_FULL}"
    reason = getattr(error, "strerror", None) or str(error)
    return (
        f"{path} cannot be used ({reason}). Give this user write access, or set ASSAY_DATA to another folder."
    )


def is_disk_full(error: BaseException) -> bool:
    """Say whether an error of a file or of the database tells that there is no room left."""
    if isinstance(error, OSError):
        return error.errno in FULL
    return isinstance(error, AnyDatabaseError) and any(words in str(error).lower() for words in FULL_WORDS)


def is_database_away(error: BaseException) -> bool:
    """Say whether the database was busy, restarting or out of reach, so that the same may work later."""
    if not isinstance(error, (OperationalError, InterfaceError)):
        return False
    said = str(error).lower()
    return any(words in said for words in AWAY_WORDS)


def explain_database(error: Exception, *, place: str) -> str | None:
    """Return what an error of the database means and what to do; None where it may be a bug of ours."""
    said = str(error).lower()
    for words, sentence in DATABASE_FAULTS:
        if any(word in said for word in words):
            return sentence.format(place=place)
    return None


# The data folder that a way of starting takes by itself.
OWN_FOLDERS = {"make run": "data/run", "make demo": "data/demo"}


def start_of_commands() -> str:
    """Return what stands before a command's name: whose data, by which Python, from the project's folder.

    Without it a command typed in a terminal meets another installation's data, or lacks its libraries.
    """
    command = "assay manage" if settings.IS_WHEEL else f"{_python()} manage.py"
    if not os.environ.get("ASSAY_DATA"):
        return command
    return f"ASSAY_DATA={shlex.quote(_shown_folder())} {command}"


def installation_of(extra: str, *, beside: str = " torch") -> str:
    """Return the command that installs an extra, and what judges of one need beside it."""
    return f"pip install 'assay[{extra}]'{beside}" if settings.IS_WHEEL else f"make {extra}"


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
    """Return what the environment must say, without the values: whoever signed in may read it.

    Addresses may hold passwords, and where the data lie is nobody's business but the operator's.
    """
    is_own_folder = _shown_folder() == OWN_FOLDERS.get(command)
    names = ("DATABASE_URL", "REDIS_URL") if is_own_folder else ("ASSAY_DATA", "DATABASE_URL", "REDIS_URL")
    return [f"{name}=…" for name in names if os.environ.get(name)]


def _python() -> str:
    home, program = Path(settings.BASE_DIR), Path(sys.executable)
    return str(program.relative_to(home)) if program.is_relative_to(home) else "python"


def _shown_folder() -> str:
    home, data = Path(settings.BASE_DIR), Path(settings.DATA_DIR)
    return str(data.relative_to(home) if data.is_relative_to(home) else data)
