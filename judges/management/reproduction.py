"""Reproduce a published study from its released files, the way a team would work through the product."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from django.core.files.base import File

from analysis.agreement import MissingVotes
from annotation.accounts.models import User
from annotation.items.models import DataImport
from annotation.items.services import check_import, confirm_import, create_import, set_sample
from annotation.projects.models import Project
from annotation.projects.services import create_project
from common.errors import Invalid
from judges.comparison.selectors import build_report
from judges.runs.selectors import ACTIVE_STATES
from judges.runs.services import work_on_run

Say = Callable[[str], None]
BATCHES_AT_ONCE = 1_000


class FilesMissing(Invalid):
    """The folder is not the one the study's authors released."""

    code = "files_missing"


class ImportFailed(Invalid):
    """A file of the study could not be brought in."""

    code = "import_failed"


class StudyFiles(NamedTuple):
    """The released files of OpenQA-eval: people's votes, systems' outputs, and recorded verdicts."""

    votes: Path
    outputs: list[Path]
    verdicts: list[Path]


def find_openqa_eval_files(folder: Path) -> StudyFiles:
    """Return the files of the study; raises `FilesMissing` naming what is not there."""
    votes = folder / "NQ301_human.tsv"
    outputs = sorted((folder / "model_outputs").glob("*.jsonl"))
    verdicts = [path for path in sorted(folder.glob("NQ301_*.tsv")) if path != votes]
    missing = [
        name
        for name, found in (("NQ301_human.tsv", votes.is_file()), ("model_outputs/*.jsonl", bool(outputs)))
        if not found
    ]
    if missing:
        raise FilesMissing(f"{folder} lacks {' and '.join(missing)}.")
    return StudyFiles(votes=votes, outputs=outputs, verdicts=verdicts)


def reproduce_openqa_eval(*, folder: Path, slug: str, lead: User, say: Say = lambda _: None) -> Project:
    """Make a project of the NQ301 study of Kamalloo et al. 2023 and return it, judged and decided.

    The rows of the human file are the answers that people judge, each row one answer as typed. Its votes
    are replayed through assignment, submission and decision; the systems' outputs are linked to these
    answers and scored on all their questions; recorded verdicts come from the other files, and the lexical
    judges run here. Raises `FilesMissing`, `ImportFailed`, `SlugTaken`.
    """
    files = find_openqa_eval_files(folder)
    project = create_project(lead=lead, name="NQ301 (OpenQA-eval)", preset="openqa-eval", slug=slug)
    say("Replaying the votes …")
    _import(project, lead, "openqa-eval-votes", [files.votes], {"keep_duplicate_rows": "yes"})
    # The judged questions are the sample; those that only the outputs have stay outside it.
    judged = project.questions.order_by("position").values_list("text", flat=True)
    set_sample(project=project, method=Project.SampleMethod.QUESTIONS, questions=list(judged))
    say(f"Importing the answers of {len(files.outputs)} systems …")
    _import(project, lead, "openqa-eval-outputs", files.outputs, {"candidates": "votes"})
    for path in files.verdicts:
        say(f"Importing the verdicts of {path.name} …")
        _import(project, lead, "openqa-eval-verdicts", [path], {})
    say("Running the lexical judges …")
    run_open_judges(project)
    return project


def _import(
    project: Project, by: User, format_key: str, paths: Iterable[Path], options: dict[str, Any]
) -> None:
    with ExitStack() as stack:
        files = [File(stack.enter_context(path.open("rb")), name=path.name) for path in paths]
        data_import = create_import(
            project=project, by=by, files=files, format_key=format_key, options=options
        )
    # Here and now, whatever the size: nobody waits for a worker.
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
