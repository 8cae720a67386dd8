"""Write a whole project to one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from commands.arguments import find_project, refusals, write_release


class Command(BaseCommand):
    """Back a project up, or take it along."""

    help = (
        "Save a project, including all work by people and judges, to one file. The command "
        "“restore” recreates the project from this file, on this or another server, with any "
        "database. The file does not contain passwords, API tokens, connections’ keys, or uploaded "
        "files. Exit codes: 0 done; 1 there is no such project, it is being changed, or the file "
        "cannot be written."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("project", metavar="PROJECT", help="the project’s address (slug)")
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to write, such as nq301.zip")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file and say how large it is."""
        project = find_project(options["project"])
        with refusals():
            written = write_release(project, format_key="bundle", path=options["file"])
        self.stdout.write(f"{options['file']}: {written.size:,} bytes, {written.sha256}")
