"""Write a project to a file."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from annotation.release.selectors.formats import EXPORT_FORMATS
from annotation.release.services import WrittenFile
from commands.arguments import find_project, write_release


class Command(BaseCommand):
    """Export a project in one of the forms."""

    help = (
        "Export a project’s data, such as its gold answers or votes, to a file. A project that "
        "has not changed always gives an identical file. Exit codes: 0 done; 1 there is no such project or "
        "the file cannot be written; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project’s address (slug)")
        parser.add_argument(
            "--format",
            required=True,
            choices=[form.key for form in EXPORT_FORMATS],
            metavar="F",
            help=", ".join(form.key for form in EXPORT_FORMATS),
        )
        parser.add_argument("--output", required=True, type=Path, metavar="PATH", help="the file to write")
        parser.add_argument(
            "--json", action="store_true", help="print as JSON: rows, size, SHA-256, and what was left out"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file and say what is in it."""
        project = find_project(options["project"])
        written = write_release(project, format_key=options["format"], path=options["output"])
        if options["json"]:
            self.stdout.write(json.dumps({"path": str(options["output"]), **_as_json(written)}))
        else:
            self.stdout.write(
                f"{options['output']}: {written.rows:,} rows, {written.size:,} bytes, {written.sha256}"
            )
            if written.left_out:
                self.stdout.write(
                    "Added answers left out because exact match treats them as equal to an original gold "
                    f"answer ({written.left_out.equal_to_gold:,}) or another added answer "
                    f"({written.left_out.equal_to_addition:,})."
                )


def _as_json(written: WrittenFile) -> dict[str, Any]:
    """Return what was written; what was left out only of forms that leave anything out."""
    found = written._asdict()
    left_out = found.pop("left_out")
    return {**found, "left_out": asdict(left_out)} if left_out is not None else found
