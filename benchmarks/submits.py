"""A sheet handed in, with the triggers that count a project's changes and without them, on both databases."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.databases import both_databases
from benchmarks.processes import database_seconds

SHEETS = 40
ANSWERS_A_SHEET = 3
# With and without in turn, as others may be at work.
ROUNDS = 4


class Took(NamedTuple):
    """Median milliseconds of a sheet by the clock, and milliseconds of a core in process and database."""

    clock: float
    process: float
    database: float


def run() -> None:
    """Print what a sheet takes; on PostgreSQL only where one runs on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        for name, environment in both_databases(Path(folder), name="submit_bench"):
            command = [sys.executable, "-m", "benchmarks.submits", name, folder]
            subprocess.run(command, env=environment, check=True)


def measure(database: str, folder: str) -> None:
    """Hand in sheets of so many answers, and print what one took."""
    from django.core.files.base import File
    from django.core.management import call_command

    from annotation.accounts.models import User
    from annotation.items.models import DataImport
    from annotation.items.services import check_import, confirm_import, create_import
    from annotation.projects.services import create_project
    from common import tasks
    from common.database import revisions
    from config.revisions import REVISIONS

    call_command("migrate", verbosity=0)
    tasks._ring = lambda *_args, **_options: None
    lead = User.objects.create_user(username="lead")
    project = create_project(lead=lead, name="bench", preset="openqa-eval")
    path = Path(folder) / "answers.jsonl"
    path.write_text("".join(_lines()), encoding="utf-8")
    with path.open("rb") as file:
        made = create_import(
            project=project, by=lead, files=[File(file, name=path.name)], format_key="generic", options={}
        )
    check_import(import_id=made.pk)
    confirm_import(data_import=DataImport.objects.get(pk=made.pk))
    took: dict[str, list[Took]] = {"with": [], "without": []}
    for number in range(ROUNDS):
        for name in ("with", "without") if number % 2 == 0 else ("without", "with"):
            if name == "with":
                revisions.watch(REVISIONS)
            else:
                revisions.stop_watching()
            took[name].append(_hand_in(project.pk, f"{name}-{number}"))
    for name, rounds in took.items():
        clock, process, server = (median(values) for values in zip(*rounds, strict=True))
        print(
            f"{database:<11}{name:<8} triggers: {clock:.2f} ms a sheet ({process:.2f} of a core in the "
            f"process, {server:.2f} in the database), load {os.getloadavg()[0]:.0f}"
        )


def _lines() -> list[str]:
    return [
        json.dumps(
            {
                "question": f"what is number {place}",
                "answer": str(place),
                "model": f"s{system}",
                "prediction": f"{place} or {system}",
            }
        )
        + "\n"
        for place in range(2 * ROUNDS * SHEETS)
        for system in range(ANSWERS_A_SHEET)
    ]


def _hand_in(project_id: int, username: str) -> Took:
    """Let somebody new judge so many sheets."""
    from annotation.accounts.models import User
    from annotation.assignments.models import Assignment
    from annotation.assignments.services import hand_out
    from annotation.judgments.rules import AnswerGiven
    from annotation.judgments.services import submit_sheet
    from annotation.projects.models import Membership, Project
    from annotation.projects.services import add_member

    project = Project.objects.get(pk=project_id)
    user = User.objects.create_user(username=username)
    rater = add_member(project=project, user=user, role=Membership.Role.ANNOTATOR)
    times, process, server = [], 0.0, 0.0
    for number in range(SHEETS):
        (sheet,) = hand_out(rater=rater)
        given = [
            AnswerGiven(public_id, "correct")
            for public_id in Assignment.objects.filter(sheet=sheet).values_list(
                "candidate__public_id", flat=True
            )
        ]
        start, cpu, used = time.perf_counter(), time.process_time(), database_seconds()
        submit_sheet(
            rater=rater,
            sheet_id=sheet.public_id,
            submission_key=f"{username}-{number}",
            answers=given,
            seconds=5.0,
        )
        times.append(time.perf_counter() - start)
        process += time.process_time() - cpu
        server += database_seconds() - used
    return Took(*(1000 * each for each in (median(times), process / SHEETS, server / SHEETS)))


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    measure(sys.argv[1], sys.argv[2])
