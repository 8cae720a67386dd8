"""The pages that compare, on a large study: points and intervals, warm and after a change, on PostgreSQL."""

import os
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from django.test import Client

from benchmarks.databases import scratch_database
from tools.with_services import running_postgres

if TYPE_CHECKING:
    from annotation.projects.models import Project

PAGES = (
    "leaderboard",
    "judge-board",
    "judge-board/intervals",
    "judge-board/pairs",
    "judge-board/strategies",
    "agreement?intervals=false",
    "agreement",
    "agreement/slices?by=question_type&intervals=false",
    "agreement/slices?by=exact_match&intervals=false",
    "agreement/slices?by=system&intervals=false",
    "agreement/slices?by=week&intervals=false",
    "agreement/slices?by=question_type",
    "overview",
)


def run() -> None:
    """Print how long each page's figures take; skipped without PostgreSQL."""
    server = running_postgres()
    if server is None:
        print("skipped: no PostgreSQL runs on this machine")
        return
    with scratch_database(server, "boards_bench") as url:
        environment = {**os.environ, "DATABASE_URL": url}
        # Processes of their own, so that measuring does not inherit what making the study took.
        for step in ("prepare", "measure"):
            subprocess.run([sys.executable, "-m", "benchmarks.boards", step], env=environment, check=True)


def prepare() -> None:
    """Make the study in the database of the settings."""
    from benchmarks.study import make_study

    start = time.perf_counter()
    make_study()
    print(f"study made in {time.perf_counter() - start:.0f} s")


def measure() -> None:
    """Ask for every page at first, warm and after a decision has changed, and print the seconds."""
    from annotation.projects.models import Project

    project = Project.objects.get(slug="large")
    client = Client(headers={"host": "localhost"})
    client.force_login(project.created_by)
    for page in PAGES:
        first, *warm = (_ask(client, page) for _ in range(3))
        _change_a_decision(project)
        changed = _ask(client, page)
        print(
            f"{page:<50}{first:>8.2f} s first{min(warm):>8.2f} s warm{changed:>8.2f} s after a change"
            f"{_memory():>6.0f} MB"
        )


def _change_a_decision(project: "Project") -> None:
    from annotation.adjudication.models import Decision
    from annotation.adjudication.services import decide_answer

    last = Decision.objects.filter(candidate__project=project, is_current=True).order_by("pk").first()
    assert last is not None
    label = "incorrect" if last.label == "correct" else "correct"
    decide_answer(
        project=project,
        candidate_id=last.candidate.public_id,
        by=project.created_by,
        label=label,
        reason="Measured after a change.",
    )


def _ask(client: Client, page: str) -> float:
    start = time.perf_counter()
    response = client.get(f"/api/projects/large/{page}")
    assert response.status_code == 200, response.content[:500]
    return time.perf_counter() - start


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    {"prepare": prepare, "measure": measure}[sys.argv[1]]()
