"""Run a command of Django's or ours; what keeps it from running is told in one sentence."""

import os
import sys
from collections.abc import Sequence


def run(arguments: Sequence[str]) -> None:
    """Run a command, given as `sys.argv` is; ends the process with a sentence where it cannot start."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings
    from django.core.management import execute_from_command_line
    from django.db.utils import DatabaseError

    from common.web.starting import DISK_FULL, explain_database, is_disk_full

    try:
        execute_from_command_line(list(arguments))
    except DatabaseError as error:
        told = explain_database(error, place=_place(settings.DATABASES["default"]))
        if told is None:
            raise
        sys.exit(told)
    except OSError as error:
        if not is_disk_full(error):
            raise
        sys.exit(f"{error.filename or settings.DATA_DIR}: {DISK_FULL}")


def _place(database: dict[str, object]) -> str:
    if not database.get("HOST"):
        return str(database["NAME"])
    return f"PostgreSQL at {database['HOST']}:{database.get('PORT') or 5432}, {database['NAME']},"
