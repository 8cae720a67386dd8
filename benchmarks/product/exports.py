"""Exports of votes, as a worker writes them, on both databases: seconds and memory."""

import os
import random
import tempfile
from pathlib import Path

from django.db import connection

from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.release.selectors.formats import EXPORT_FORMATS
from annotation.release.services import write_file
from benchmarks.apparatus.databases import both_databases, start_study
from benchmarks.apparatus.processes import forget_peak_memory, peak_memory, run_apart, used
from benchmarks.apparatus.study import ANSWERS_A_QUESTION, RATERS, SEED, make_votes

VOTES = ("100000",)


def run(*votes: str) -> None:
    """Print what each form took; `python -m benchmarks exports --votes 1000000` for another size."""
    for count in votes[1:] or VOTES:
        with tempfile.TemporaryDirectory() as folder:
            for name, environment in both_databases(Path(folder), name="export_bench"):
                run_apart("product.exports", "prepare", count, environment=environment)
                run_apart("product.exports", "measure", name, folder, environment=environment)


def prepare(votes: str) -> None:
    """Make a study of about as many votes in the database of the settings."""
    questions = -(-int(votes) // (ANSWERS_A_QUESTION * RATERS))
    make_votes(start_study("Exports", slug="exports"), questions, random.Random(SEED))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def measure(database: str, folder: str) -> None:
    """Write the study in every form, and print seconds, sizes and the memory beyond the process itself."""
    project = Project.objects.get(slug="exports")
    for form in EXPORT_FORMATS:
        forget_peak_memory()
        before, start = peak_memory(), used()
        written = write_file(project=project, format_key=form.key, path=Path(folder) / form.key)
        took = used().since(start)
        print(
            f"{database:<11}{form.key:<20}{Judgment.objects.count():>10,} votes, "
            f"{written.rows:>9,} {form.unit}s, {written.size / 1e6:>6.1f} MB in {took.clock:>5.1f} s "
            f"({took.process:.1f} s of a core in the process, {took.database:.1f} in the database), "
            f"{peak_memory() - before:.0f} MB beyond the process, load {os.getloadavg()[0]:.0f}"
        )
