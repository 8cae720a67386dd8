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

from annotation.accounts.models import User
from annotation.projects.models import Project
from common.errors import DomainError
from judges.management.commands.create_project import find_lead
from judges.management.report_tables import report_lines
from judges.management.reproduction import (
    report_of,
    report_of_evouna,
    reproduce_evouna,
    reproduce_gpt3qa,
    reproduce_openqa_eval,
)

STUDIES = ("openqa-eval", "evouna", "gpt3qa")
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
        parser.add_argument(
            "path", type=Path, metavar="PATH", help="the folder of its released files; for evouna the file"
        )
        parser.add_argument(
            "--first-rows", default="", metavar="N", help="evouna: take the first N rows of the file only"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object, see docs/formats.md")
        parser.add_argument("--project", default="", metavar="SLUG", help="keep it here under this address")
        parser.add_argument("--lead", default="", metavar="USERNAME", help="who leads the kept project")

    def handle(self, *args: Any, **options: Any) -> None:
        """Reproduce here or in a database of its own."""
        if options["first_rows"] and options["study"] != "evouna":
            raise CommandError("--first-rows is for evouna.", returncode=2)
        if options["first_rows"] and not options["first_rows"].isdecimal():
            raise CommandError("--first-rows takes a number.", returncode=2)
        if options["project"]:
            self._reproduce_here(options)
        else:
            self._reproduce_apart(options)

    def _reproduce_here(self, options: dict[str, Any]) -> None:
        try:
            project = self._reproduced(options, lead=find_lead(options["lead"]))
        except DomainError as error:
            raise CommandError(error.message, returncode=1) from None
        report = report_of_evouna(project) if options["study"] == "evouna" else report_of(project)
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
            return
        for line in report_lines(report):
            self.stdout.write(line)

    def _reproduced(self, options: dict[str, Any], *, lead: User) -> Project:
        path, slug, say = options["path"], options["project"], self.stderr.write
        if options["study"] == "evouna":
            rows = options["first_rows"]
            return reproduce_evouna(path=path, slug=slug, lead=lead, first_rows=rows, say=say)
        reproduce = reproduce_gpt3qa if options["study"] == "gpt3qa" else reproduce_openqa_eval
        return reproduce(folder=path, slug=slug, lead=lead, say=say)

    def _reproduce_apart(self, options: dict[str, Any]) -> None:
        arguments = [options["study"], str(options["path"].resolve()), "--project", "reproduction"]
        if options["first_rows"]:
            arguments += ["--first-rows", options["first_rows"]]
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
