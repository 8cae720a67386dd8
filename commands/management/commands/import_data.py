"""Import files into a project from the command line."""

import json
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.management.base import BaseCommand, CommandError

from annotation.items.api import ImportSerializer
from annotation.items.formats.columns import BadMapping, parse_mapping
from annotation.items.formats.registry import FORMATS
from annotation.items.models import DataImport
from annotation.items.services.applying import confirm_import
from annotation.items.services.uploads import check_import, create_import, discard_import
from annotation.projects.models import Project
from annotation.projects.services.making import set_cleaning
from commands.arguments import find_project, refusals


class Command(BaseCommand):
    """Check files and, unless --dry-run, import them as a whole or not at all."""

    help = (
        "Check files and import all of them or none. Lists problems by file and line. Exit codes: 0 "
        "done; 1 the data cannot be imported; 2 usage error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the arguments."""
        parser.add_argument("files", nargs="+", metavar="FILE", help="the files to import together")
        parser.add_argument("--project", required=True, metavar="SLUG", help="the project’s address (slug)")
        parser.add_argument(
            "--format",
            default="",
            choices=["", *FORMATS],
            help="the files’ format (default: recognized by content)",
            metavar="F",
        )
        parser.add_argument(
            "--system",
            default="",
            metavar="NAME",
            help="the system that gave the answers (default: the file’s name)",
        )
        parser.add_argument(
            "--map", action="append", default=[], metavar="COLUMN=MEANING", help="what a column means"
        )
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the format"
        )
        parser.add_argument(
            "--cleaning",
            default="",
            choices=["", *Project.Cleaning.values],
            help="what to remove from answers before they are judged, for a project that has no answers yet",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="show what would happen without changing anything"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, report, import."""
        before = Project.objects.filter(slug=options["project"]).values_list("cleaning", flat=True).first()
        data_import = self._checked(options)
        with refusals():
            if data_import.state == DataImport.State.READY and not options["dry_run"]:
                confirm_import(data_import=data_import, in_background=False)
        self._report(data_import, as_json=options["json"])
        state = data_import.state
        if options["dry_run"] or state == DataImport.State.REFUSED:
            discard_import(data_import=data_import)
            # Nothing came in, so nothing is changed.
            set_cleaning(project=data_import.project, cleaning=before or data_import.project.cleaning)
        if state in {DataImport.State.REFUSED, DataImport.State.FAILED}:
            raise CommandError(f"Nothing was imported. {data_import.message}", returncode=1)

    def _checked(self, options: dict[str, Any]) -> DataImport:
        project = find_project(options["project"])
        try:
            with refusals(), ExitStack() as stack:
                set_cleaning(project=project, cleaning=options["cleaning"] or project.cleaning)
                data_import = create_import(
                    project=project,
                    by=project.created_by,
                    files=[_opened(stack, Path(path)) for path in options["files"]],
                    format_key=options["format"],
                    options=_format_options(options),
                )
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.", returncode=1) from None
        # Large files are left to a worker by pages; here somebody waits.
        check_import(import_id=data_import.pk)
        data_import.refresh_from_db()
        return data_import

    def _report(self, data_import: DataImport, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(ImportSerializer(data_import).data, ensure_ascii=False))
            return
        for problem in data_import.problems:
            place = f"{problem['file']}:{problem['line']}" if problem["line"] else _file_of(problem)
            self.stderr.write(f"{place}: {problem['severity']}: {problem['message']}")
        if data_import.problem_count > len(data_import.problems):
            more = data_import.problem_count - len(data_import.problems)
            self.stderr.write(f"… and {more:,} more. The first message for each kind of problem:")
            for cause in data_import.causes:
                self.stderr.write(
                    f"{cause['count']:,} × {_file_of(cause)}: {cause['severity']}: {cause['message']}"
                )
        counts = ", ".join(
            f"{count:,} {name.replace('_', ' ')}"
            for name, count in sorted(data_import.counts.items())
            if count
        )
        self.stdout.write(f"{data_import.format}: {data_import.state}: {counts or 'nothing new'}.")


def _file_of(problem: dict[str, Any]) -> str:
    return problem["file"] or "all files"


def _opened(stack: ExitStack, path: Path) -> Any:
    return File(stack.enter_context(path.open("rb")), name=path.name)


def _format_options(options: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for pair in options["option"]:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CommandError(f"--option must be NAME=VALUE, but “{pair}” has no equals sign.", returncode=2)
        given[name] = value
    if options["system"]:
        given["system"] = options["system"]
    if options["map"]:
        try:
            given["map"] = parse_mapping(options["map"])
        except BadMapping as error:
            raise CommandError(str(error), returncode=2) from None
    return given
