"""How a command of this installation is typed, for pages that name one."""

import os
import shlex
import sys
from pathlib import Path

from django.conf import settings


def start_of_commands() -> str:
    """Return what stands before a command's name: whose data, by which Python, from the project's folder.

    Without it a command typed in a terminal meets another installation's data, or lacks its libraries.
    """
    home = Path(settings.BASE_DIR)
    program = Path(sys.executable)
    python = str(program.relative_to(home)) if program.is_relative_to(home) else "python"
    if not os.environ.get("ASSAY_DATA"):
        return f"{python} manage.py"
    data = Path(settings.DATA_DIR)
    folder = data.relative_to(home) if data.is_relative_to(home) else data
    return f"ASSAY_DATA={shlex.quote(str(folder))} {python} manage.py"
