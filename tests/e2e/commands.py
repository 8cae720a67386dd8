"""Run management commands, one a line, in one process: for each alone Django would start anew."""

import io
import json
import sys
import traceback
from contextlib import redirect_stdout
from unittest.mock import patch

import django


def main() -> None:
    """Run what is asked for until nothing more is, and answer with what it printed or why it failed."""
    django.setup()
    from django.core.management import call_command
    from django.db import close_old_connections

    for line in sys.stdin:
        asked = json.loads(line)
        printed, error = io.StringIO(), ""
        try:
            with patch("sys.stdin", io.StringIO(asked["text_in"])), redirect_stdout(printed):
                call_command(*asked["arguments"])
        except (Exception, SystemExit):
            error = traceback.format_exc()
        close_old_connections()
        print(json.dumps({"printed": printed.getvalue(), "error": error}), flush=True)


if __name__ == "__main__":
    main()
