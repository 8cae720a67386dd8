"""Run another management command in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import NamedTuple

from django.conf import settings


class Finished(NamedTuple):
    """A command that came to its end, and what it printed."""

    command: str
    returncode: int
    printed: str


def run_command(
    *arguments: str, environment: Mapping[str, str] | None = None, given: str | None = None
) -> Finished:
    """Run a management command, with `given` as its input; progress and errors pass through."""
    finished = subprocess.run(  # noqa: S603 - our own program with our own arguments
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments],
        env=os.environ if environment is None else environment,
        input=given,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return Finished(command=arguments[0], returncode=finished.returncode, printed=finished.stdout)
