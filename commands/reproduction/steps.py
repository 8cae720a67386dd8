"""What all reproductions share: make a project, import, run judges, print."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.files.base import File

from analysis.raters.agreement import MissingVotes
from annotation.accounts.models import User
from annotation.items.models import DataImport
from annotation.items.services.applying import confirm_import
from annotation.items.services.uploads import check_import, create_import
from annotation.projects.models import Project
from common.errors import Invalid
from judges.comparison.selectors.report import build_report
from judges.runs.selectors.work import ACTIVE_STATES
from judges.runs.services.worker import work_on_run


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


Say = Callable[[str], None]
BATCHES_AT_ONCE = 1_000


class FilesMissing(Invalid):
    """The folder is not the one the study's authors released."""


class ImportFailed(Invalid):
    """A file of the study could not be brought in."""


def import_files(
    project: Project, by: User, format_key: str, paths: Iterable[Path], options: dict[str, Any]
) -> None:
    """Check files and bring them in, here and now, whatever their size; raises `ImportFailed`."""
    with ExitStack() as stack:
        files = [File(stack.enter_context(path.open("rb")), name=path.name) for path in paths]
        data_import = create_import(
            project=project, by=by, files=files, format_key=format_key, options=options
        )
    check_import(import_id=data_import.pk)
    data_import.refresh_from_db()
    if data_import.state == DataImport.State.READY:
        data_import = confirm_import(data_import=data_import, in_background=False)
    if data_import.state != DataImport.State.APPLIED:
        raise ImportFailed(_why(data_import), details={"problems": data_import.problems})


def _why(data_import: DataImport) -> str:
    names = ", ".join(file["name"] for file in data_import.files)
    first = next(iter(data_import.problems), None)
    place = f" Line {first['line']}: {first['message']}" if first else ""
    return f"{names} could not be imported. {data_import.message}{place}"


def run_open_judges(project: Project) -> None:
    """Work through every run of the project that waits, in this process."""
    for run in project.judge_runs.filter(state__in=ACTIVE_STATES).order_by("pk"):
        while work_on_run(run_id=run.pk, batches=BATCHES_AT_ONCE):
            pass


def report_of(project: Project) -> dict[str, Any]:
    """Return the project's report under every rule for missing votes."""
    return build_report(project=project, rules=list(MissingVotes))
