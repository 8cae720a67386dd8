#!/usr/bin/env python
"""Run Assay's commands."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError, ProgrammingError

    try:
        execute_from_command_line(sys.argv)
    except (OperationalError, ProgrammingError) as error:
        if "no such table" not in str(error) and "does not exist" not in str(error):
            raise
        sys.exit(
            "There is no installation here yet, or it is older than this code. `make run` makes one in "
            "data/run; the demo's is reached with ASSAY_DATA=data/demo in front of the command."
        )
