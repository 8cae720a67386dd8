"""Reproduce a published study with the product's own way of working."""

import json
import os
import secrets
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.accounts.models import User
from annotation.projects.models import Project
from commands.arguments import refusals
from commands.management.commands.create_project import find_lead
from commands.reproduction.efficientqa import difference_from, report_of_efficientqa, reproduce_efficientqa
from commands.reproduction.evouna import report_of_evouna, reproduce_evouna
from commands.reproduction.gpt3qa import report_of_gpt3qa, reproduce_gpt3qa
from commands.reproduction.openqa_eval import report_of_openqa_eval, reproduce_openqa_eval
from commands.reproduction.printing import lines_of_reproduction
from commands.reproduction.steps import Finished, run_command

STUDIES = ("openqa-eval", "evouna", "gpt3qa", "efficientqa")
LEAD = "reproduction"


REPORTS = {
    "openqa-eval": report_of_openqa_eval,
    "evouna": report_of_evouna,
    "gpt3qa": report_of_gpt3qa,
}


class Command(BaseCommand):
    """Reproduce a study and print its report."""

    help = (
        "Import a published study’s released files and replay the recorded votes through assignment, "
        "submission, and decision. Then amend the gold answers, rescore every system, compare the judges "
        "with people, and print the report under every rule for missing votes. For efficientqa, import "
        "the decisions in a released file, export them again, and compare the two files. Uses a temporary "
        "database, so no installation is needed or changed; with --project, the study stays in this "
        "installation. Exit codes: 0 done; 1 the data cannot be used or the export differs from the "
        "released file; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("study", choices=STUDIES, help="which study: %(choices)s")
        parser.add_argument(
            "path",
            type=Path,
            metavar="PATH",
            help="the folder with the study’s released files; for evouna and efficientqa, the file",
        )
        parser.add_argument(
            "--first-rows", default="", metavar="N", help="evouna: use only the first N rows of the file"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object (see docs/formats.md)")
        parser.add_argument(
            "--project",
            default="",
            metavar="SLUG",
            help="keep the study in this installation, at this address",
        )
        parser.add_argument(
            "--lead", default="", metavar="USERNAME", help="with --project: who leads the project"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Reproduce here or in a database of its own."""
        if options["first_rows"] and options["study"] != "evouna":
            raise CommandError("--first-rows works only with evouna.", returncode=2)
        if options["first_rows"] and not options["first_rows"].isdecimal():
            raise CommandError("--first-rows must be a whole number.", returncode=2)
        if options["project"]:
            self._reproduce_here(options)
        else:
            self._reproduce_apart(options)

    def _reproduce_here(self, options: dict[str, Any]) -> None:
        with refusals():
            project = self._reproduced(options, lead=find_lead(options["lead"]))
        if options["study"] == "efficientqa":
            self._compare_release(project, options)
            return
        report = REPORTS[options["study"]](project)
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
            return
        for line in lines_of_reproduction(report):
            self.stdout.write(line)

    def _compare_release(self, project: Project, options: dict[str, Any]) -> None:
        with tempfile.TemporaryDirectory(prefix="assay-release-") as folder:
            exported = Path(folder) / "release.jsonl"
            form = ("--format", "efficientqa-gold", "--output", str(exported), "--json")
            # Another process has nothing but the tables to write from.
            self._require(run_command("export_data", "--project", project.slug, *form))
            report = report_of_efficientqa(project, released=options["path"], exported=exported)
            difference = difference_from(released=options["path"], exported=exported)
        if options["json"]:
            self.stdout.write(json.dumps(report))
        else:
            self.stdout.write("\n".join(f"{name}: {value}" for name, value in report.items()))
        if difference:
            raise CommandError(difference, returncode=1)

    def _reproduced(self, options: dict[str, Any], *, lead: User) -> Project:
        into = {"slug": options["project"], "lead": lead, "say": self.stderr.write}
        if options["study"] == "evouna":
            return reproduce_evouna(path=options["path"], first_rows=options["first_rows"], **into)
        if options["study"] == "efficientqa":
            return reproduce_efficientqa(path=options["path"], **into)
        reproduce = reproduce_gpt3qa if options["study"] == "gpt3qa" else reproduce_openqa_eval
        return reproduce(folder=options["path"], **into)

    def _reproduce_apart(self, options: dict[str, Any]) -> None:
        arguments = [options["study"], str(options["path"].resolve()), "--project", "reproduction"]
        if options["first_rows"]:
            arguments += ["--first-rows", options["first_rows"]]
        if options["json"]:
            arguments.append("--json")
        with tempfile.TemporaryDirectory(prefix="assay-reproduction-") as folder:
            environment = _environment(Path(folder))
            self._require(run_command("migrate", "--verbosity", "0", environment=environment))
            password = f"{secrets.token_urlsafe(24)}\n"
            making = ("create_user", LEAD, "--password-stdin")
            self._require(run_command(*making, environment=environment, given=password))
            finished = run_command("reproduce", *arguments, environment=environment)
        self.stdout.write(finished.printed, ending="")
        self._require(finished)

    def _require(self, finished: Finished) -> None:
        if finished.returncode:
            message = f"`{finished.command}` failed. See the messages above."
            raise CommandError(message, returncode=finished.returncode)


def _environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "ASSAY_DATA": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'assay.sqlite3'}",
        # Everything is done by the one process: a doorbell rung in its own memory wakes nobody.
        "REDIS_URL": "memory://localhost",
    }
