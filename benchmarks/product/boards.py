"""The pages that compare, on a large study: points and intervals, warm and after a change, on PostgreSQL."""

import os
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db import connection
from django.test import Client

from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer
from annotation.judgments.models import Judgment
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.revising import edit_judgment
from annotation.judgments.services.settling import settle_due
from annotation.projects.models import Project
from benchmarks.apparatus.databases import postgres_only
from benchmarks.apparatus.processes import Used, forget_peak_memory, peak_memory, run_apart, used
from benchmarks.apparatus.study import make_study
from benchmarks.product.boards_pages import PAGES, Page
from common.memory import forget_everything

ROUNDS = 3


class Cost(NamedTuple):
    """What a request took: seconds by the clock, and of a core in this process and in the database."""

    clock: float
    cpu: float

    def __str__(self) -> str:
        """Return both in columns."""
        return f"{self.clock:>7.2f}{self.cpu:>7.2f}"


def run() -> None:
    """Print how long each page's figures take; skipped without PostgreSQL."""
    for environment in postgres_only("boards_bench"):
        run_apart("product.boards", "prepare", environment=environment)
        run_apart("product.boards", "measure", environment=environment)


def prepare() -> None:
    """Make the study in the database of the settings."""
    start = time.perf_counter()
    make_study()
    with connection.cursor() as cursor:
        # As autovacuum does within minutes of an import; without it queries are planned blindly.
        cursor.execute("VACUUM ANALYZE")
    print(f"study made in {time.perf_counter() - start:.0f} s")


def measure(wanted: str = "") -> None:
    """Ask for every page whose address has this in it, and print the least of several rounds.

    anew: nothing is kept, as after a start or an import. warm: nothing has changed. changed: a decision and
    a vote have. Each in seconds by the clock and of a core; then the peak memory of the process.
    """
    project = Project.objects.get(slug="large")
    client = Client(headers={"host": "localhost"})
    client.force_login(project.created_by)
    names = _names(project)
    load = os.getloadavg()[0]
    print(f"load {load:.0f}; seconds by the clock, and of a core in the process and the database\n")
    print(f"{'':<58}{'anew':>14}{'warm':>14}{'changed':>14}{'MB':>6}{'kB':>6}")
    for page in PAGES:
        if wanted in page.address:
            _measure(client, project, page, names)
    print(f"\nload {os.getloadavg()[0]:.0f}")
    print(f"one process that has served them all: {_serve_all(client, names, wanted):.0f} MB at most")


def _serve_all(client: Client, names: Mapping[str, str], wanted: str) -> float:
    """Return the peak memory of asking for one page after the other with all kept that is kept."""
    forget_everything()
    forget_peak_memory()
    for page in PAGES:
        if wanted in page.address:
            _ask(client, page.address.format(**names))
    return peak_memory()


def _measure(client: Client, project: Project, page: Page, names: Mapping[str, str]) -> None:
    address, before = page.address.format(**names), page.after.format(**names)
    forget_everything()
    forget_peak_memory()
    size = _ask(client, before) if before else 0
    start = used()
    size = _ask(client, address)
    anew = _cost(used().since(start))
    warm = _least(_timed(client, address) for _ in range(ROUNDS))
    changed = _least(_after_a_change(client, project, address, before) for _ in range(ROUNDS - 1))
    kind = "intervals" if page.after else ""
    print(f"{page.address:<48}{kind:<10}{anew}{warm}{changed}{peak_memory():>6.0f}{size / 1024:>6.0f}")


def _after_a_change(client: Client, project: Project, address: str, before: str) -> Cost:
    _change_a_decision(project)
    _change_a_vote(project)
    if before:
        _ask(client, before)
    return _timed(client, address)


def _timed(client: Client, address: str) -> Cost:
    start = used()
    _ask(client, address)
    return _cost(used().since(start))


def _least(costs: Iterable[Cost]) -> Cost:
    return Cost(*map(min, zip(*costs, strict=True)))


def _cost(took: Used) -> Cost:
    return Cost(took.clock, took.process + took.database)


def _names(project: Project) -> dict[str, str]:
    """Return the public ids that stand in addresses."""
    return {
        "run": project.judge_runs.filter(judge_key="llm").latest("pk").public_id,
        "round": project.tagging_rounds.earliest("pk").public_id,
        "rater": project.members.filter(role="annotator").earliest("pk").public_id,
        "answer": project.candidates.earliest("pk").public_id,
    }


def _change_a_decision(project: Project) -> None:
    last = Decision.objects.current().filter(candidate__project=project).order_by("pk").first()
    assert last is not None
    label = "incorrect" if last.label == "correct" else "correct"
    decide_answer(
        project=project,
        candidate_id=last.candidate.public_id,
        by=project.created_by,
        label=label,
        reason="Measured after a change.",
    )


def _change_a_vote(project: Project) -> None:
    last = (
        Judgment.objects.filter(candidate__project=project, round="first")
        .select_related("rater", "candidate", "assignment__sheet")
        .latest("pk")
    )
    label = "incorrect" if last.label == "correct" else "correct"
    edit_judgment(
        rater=last.rater,
        sheet_id=last.assignment.sheet.public_id,
        given=AnswerGiven(id=last.candidate.public_id, label=label),
        seen_at=last.judged_at,
    )
    settle_due(project_id=project.pk)


def _ask(client: Client, address: str) -> int:
    """Return how many bytes came."""
    whole = address if address.startswith("/") else f"/api/projects/large/{address}"
    response = client.get(whole)
    assert response.status_code == 200, (whole, response.content[:500])
    return len(response.content)
