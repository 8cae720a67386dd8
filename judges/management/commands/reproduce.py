"""Reproduce a published study with the product's own way of working."""

import json
import os
import secrets
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from common.errors import DomainError
from judges.management.commands.create_project import find_lead
from judges.management.report_tables import report_lines
from judges.management.reproduction import report_of, reproduce_openqa_eval

STUDIES = ("openqa-eval",)
LEAD = "reproduction"


class Command(BaseCommand):
    """Reproduce a study and print its report."""

    help = (
        "Import a published study's released files, replay the recorded votes through assignment, submission "
        "and decision, amend the gold answers, rescore every system, compare the judges with people, and "
        "print the report under every rule for missing votes. This is done in a database of its own that is "
        "thrown away afterwards, so that an installation is neither needed nor touched; with --project the "
        "study stays in this installation. Exit codes: 0 done, 1 the data cannot be used, 2 usage."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("study", choices=STUDIES, help="which study: %(choices)s")
        parser.add_argument("folder", type=Path, metavar="FOLDER", help="where its released files are")
        parser.add_argument("--json", action="store_true", help="print one JSON object, see docs/formats.md")
        parser.add_argument("--project", default="", metavar="SLUG", help="keep it here under this address")
        parser.add_argument("--lead", default="", metavar="USERNAME", help="who leads the kept project")

    def handle(self, *args: Any, **options: Any) -> None:
        """Reproduce here or in a database of its own."""
        if options["project"]:
            self._reproduce_here(options)
        else:
            self._reproduce_apart(options)

    def _reproduce_here(self, options: dict[str, Any]) -> None:
        try:
            project = reproduce_openqa_eval(
                folder=options["folder"],
                slug=options["project"],
                lead=find_lead(options["lead"]),
                say=self.stderr.write,
            )
        except DomainError as error:
            raise CommandError(error.message, returncode=1) from None
        report = report_of(project)
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
            return
        for line in report_lines(report):
            self.stdout.write(line)

    def _reproduce_apart(self, options: dict[str, Any]) -> None:
        arguments = [options["study"], str(options["folder"].resolve()), "--project", "reproduction"]
        if options["json"]:
            arguments.append("--json")
        with tempfile.TemporaryDirectory(prefix="assay-reproduction-") as folder:
            environment = _environment(Path(folder))
            _manage(environment, "migrate", "--verbosity", "0")
            password = f"{secrets.token_urlsafe(24)}\n"
            _manage(environment, "create_user", LEAD, "--password-stdin", given=password)
            finished = _manage(environment, "reproduce", *arguments)
        self.stdout.write(finished, ending="")


def _environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "ASSAY_DATA": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'assay.sqlite3'}",
        # Everything is done by the one process: a doorbell rung in its own memory wakes nobody.
        "REDIS_URL": "memory://localhost",
    }


def _manage(environment: dict[str, str], *arguments: str, given: str | None = None) -> str:
    """Run another management command there and return what it prints; progress and errors pass through."""
    finished = subprocess.run(  # noqa: S603 - our own program with our own arguments
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments],
        env=environment,
        input=given,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if finished.returncode:
        raise CommandError(f"`{arguments[0]}` did not succeed; see above.", returncode=finished.returncode)
    return finished.stdout
