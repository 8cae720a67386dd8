"""Count every published number again from stored votes and verdicts, and say where one differs."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.projects.events import ResultsWanted
from annotation.projects.models import Project
from annotation.release.rules import count_of
from commands.arguments import find_project, refusals
from common.events import publish
from judges.verification.rules.differences import Number
from judges.verification.rules.study import StoredStudy, gather, read_lines
from judges.verification.rules.verifying import Findings, verify
from judges.verification.selectors import read_report, study_rows

SHOWN = 20


class Command(BaseCommand):
    """Recount a study."""

    help = (
        "Recompute every number in a project’s report from its stored votes and verdicts, with independent "
        "code. Print each number that differs from the one shown in the application or in a file written by "
        "`report --json`. Exit codes: 0 all agree; 1 something differs or cannot be read; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        stored = parser.add_mutually_exclusive_group(required=True)
        stored.add_argument(
            "--project", metavar="SLUG", help="recompute from the stored data of this project"
        )
        stored.add_argument(
            "--study",
            type=Path,
            metavar="FILE",
            help="recompute from a file written by `export_data --format study-jsonl`; "
            "requires --report and cannot be combined with --project",
        )
        parser.add_argument(
            "--report", type=Path, metavar="FILE", help="the numbers to verify, from `report --json`"
        )
        parser.add_argument("--json", action="store_true", help="print the result as one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Verify, and end with 1 where anything differs."""
        if options["study"] and not options["report"]:
            raise CommandError("--study needs --report: the numbers to verify.", returncode=2)
        study, report = _read(options)
        found = verify(study, report)
        for line in [_as_json(found)] if options["json"] else _lines(found):
            self.stdout.write(line)
        if not found.all_agree:
            raise CommandError(_verdict(found), returncode=1)


def _read(options: Mapping[str, Any]) -> tuple[StoredStudy, dict[str, Any]]:
    if options["study"]:
        with refusals():
            return gather(read_lines(_text(options["study"]).splitlines())), _report(options["report"])
    project = find_project(options["project"])
    publish(ResultsWanted(project_id=project.pk))
    # As it is now: settling may have changed what was read before.
    project = Project.objects.select_related("protocol").get(pk=project.pk)
    report = _report(options["report"]) if options["report"] else read_report(project)
    return gather(study_rows(project)), report


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.", returncode=1) from None
    except UnicodeDecodeError:
        raise CommandError(f"{path} is not UTF-8 text.", returncode=1) from None


def _report(path: Path) -> dict[str, Any]:
    try:
        report = json.loads(_text(path))
    except ValueError as error:
        raise CommandError(f"{path} is not JSON: {error}.", returncode=1) from None
    if not isinstance(report, dict) or "systems" not in report:
        raise CommandError(f"{path} is not a report from `report --json`.", returncode=1)
    return report


def _as_json(found: Findings) -> str:
    return json.dumps(found.to_json(), ensure_ascii=False)


def _lines(found: Findings) -> list[str]:
    lines = [
        f"{each.place}: shown {_number(each.shown)}, recomputed {_number(each.recounted)}"
        for each in found.numbers.differences
    ]
    lines += [
        f"{each.place}: stored as “{each.stored}” but recomputed as “{each.comes_to}”"
        for each in found.labels
    ]
    lines.append(
        f"{count_of(found.numbers.compared, 'number')} recomputed, {count_of(len(lines), 'difference')}."
    )
    if missing := found.numbers.not_recounted:
        lines.append(f"{count_of(len(missing), 'number')} could not be recomputed:")
        lines += [f"  {place}" for place in missing[:SHOWN]]
        if len(missing) > SHOWN:
            lines.append(f"  … and {len(missing) - SHOWN:,} more; --json lists all.")
    return lines


def _number(value: Number) -> str:
    return "nothing" if value is None else repr(value)


def _verdict(found: Findings) -> str:
    return f"{count_of(len(found.numbers.differences) + len(found.labels), 'difference')}."
