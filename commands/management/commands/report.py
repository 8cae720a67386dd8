"""Print how far raters agree, how systems score, and how judges compare with people."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.raters.agreement import MissingVotes
from annotation.projects.events import ResultsWanted
from commands.arguments import find_project, refusals, write_release
from commands.report_tables import report_lines
from common.events import publish
from judges.release.selectors import read_published

HTML = "report-html"


class Command(BaseCommand):
    """Print a project's report."""

    help = (
        "Print agreement (under one rule for missing votes), a ranking of systems by score, and a "
        "comparison of judges with people. Exit codes: 0 done; 1 there is no such project or the file "
        "cannot be written; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project’s address (slug)")
        parser.add_argument(
            "--missing-votes",
            choices=[rule.value for rule in MissingVotes],
            default=MissingVotes.OWN_CATEGORY.value,
            help="how a missing first-round vote counts (default: %(default)s)",
        )
        parser.add_argument(
            "--gold-version",
            default="",
            metavar="VERSION",
            help=(
                "also score systems by exact match with this version of the gold list: original, the "
                "number or ID of a change in the ledger, a date, or a time (not with --html)"
            ),
        )
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="print one JSON object (see docs/formats.md)")
        form.add_argument(
            "--html",
            type=Path,
            metavar="PATH",
            help="write the whole report to one file (see docs/reports.md)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the report."""
        project = find_project(options["project"])
        if path := options["html"]:
            written = write_release(project, format_key=HTML, path=path)
            self.stdout.write(f"{path}: {written.size:,} bytes, {written.sha256}")
            return
        publish(ResultsWanted(project_id=project.pk))
        with refusals():
            report = read_published(
                project=project,
                rules=[MissingVotes(options["missing_votes"])],
                gold=options["gold_version"],
            )
        if options["json"]:
            self.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False))
            return
        for line in report_lines(report):
            self.stdout.write(line)
