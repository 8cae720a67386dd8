"""A sheet handed in, with the triggers that count a project's changes and without them, on both databases."""

import os
import tempfile
from pathlib import Path
from statistics import median

from annotation.accounts.models import User
from annotation.assignments.models import Assignment
from annotation.assignments.services.handing_out import hand_out
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.submitting import submit_sheet
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import add_member
from benchmarks.apparatus.databases import both_databases, start_study
from benchmarks.apparatus.inputs import write_answers
from benchmarks.apparatus.processes import Used, run_apart, used
from commands.reproduction.steps import import_files
from common.database import revisions
from config.steps.revisions import REVISIONS

SHEETS = 40
ANSWERS_A_SHEET = 3
# With and without in turn, as others may be at work.
ROUNDS = 4


def run() -> None:
    """Print what a sheet takes; on PostgreSQL only where one runs on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        write_answers(path, questions=2 * ROUNDS * SHEETS, systems=ANSWERS_A_SHEET)
        for name, environment in both_databases(Path(folder), name="submit_bench"):
            run_apart("product.submits", "measure", name, str(path), environment=environment)


def measure(database: str, answers: str) -> None:
    """Hand in sheets of so many answers, and print what one took."""
    project = start_study("bench")
    import_files(project, project.created_by, "generic", [Path(answers)], {})
    took: dict[str, list[Used]] = {"with": [], "without": []}
    for number in range(ROUNDS):
        for name in ("with", "without") if number % 2 == 0 else ("without", "with"):
            if name == "with":
                revisions.watch(REVISIONS)
            else:
                revisions.stop_watching()
            took[name].append(_hand_in(project.pk, f"{name}-{number}"))
    for name, rounds in took.items():
        clock, process, server = (1000 * median(values) for values in zip(*rounds, strict=True))
        print(
            f"{database:<11}{name:<8} triggers: {clock:.2f} ms a sheet ({process:.2f} of a core in the "
            f"process, {server:.2f} in the database), load {os.getloadavg()[0]:.0f}"
        )


def _hand_in(project_id: int, username: str) -> Used:
    """Let somebody new judge so many sheets; return the median of the clock, and the means of the others."""
    project = Project.objects.get(pk=project_id)
    user = User.objects.create_user(username=username)
    rater = add_member(project=project, user=user, role=Membership.Role.ANNOTATOR)
    took = []
    for number in range(SHEETS):
        (sheet,) = hand_out(rater=rater)
        slots = Assignment.objects.filter(sheet=sheet)
        given = [
            AnswerGiven(public_id, "correct")
            for public_id in slots.values_list("candidate__public_id", flat=True)
        ]
        start = used()
        submit_sheet(
            rater=rater,
            sheet_id=sheet.public_id,
            submission_key=f"{username}-{number}",
            answers=given,
            seconds=5.0,
        )
        took.append(used().since(start))
    clocks, processes, servers = zip(*took, strict=True)
    return Used(median(clocks), sum(processes) / SHEETS, sum(servers) / SHEETS)
