"""The gold list question by question, searched and filtered, of 100,000 questions, on both databases."""

import os
import random
import tempfile
import time
from pathlib import Path
from statistics import median

from django.db import connection
from django.test import Client

from annotation.adjudication.models import Decision
from annotation.items.models import DataImport, Question
from annotation.projects.models import Project
from benchmarks.apparatus.databases import both_databases, start_study
from benchmarks.apparatus.processes import run_apart
from benchmarks.apparatus.study import add_answers, add_questions, decide
from common.clock import now
from common.memory import forget_everything

QUESTIONS = 100_000
# How many questions people judged an answer of; what they accepted joined the lists.
JUDGED_SHARE = 0.5
ANSWERS_A_QUESTION = 2
ACCEPTED_SHARE = 0.6
SEED = 11
ROUNDS = 5

ADDRESSES = {
    "first page": "",
    "page 2,000": "page=2000",
    "one data set": "dataset=nq",
    "search: in every question": "search=number",
    "search: in every gold answer": "search=answer",
    "search: in one question of 370": "search=number 77",
    "search: in one question": "search=number 77777",
    "search: in a gold answer": "search=the 4321th",
    "search: an added answer": "search=answer 0 of 987, as",
    "search: nowhere": "search=unheard of",
    "changed": "show=changed",
    "changed, searched": "show=changed&search=number 77",
    "no gold left": "show=empty",
}


def run() -> None:
    """Print how long each list takes, on SQLite and PostgreSQL."""
    with tempfile.TemporaryDirectory() as folder:
        for database, environment in both_databases(Path(folder), name="gold_bench"):
            print(f"\n{database}")
            run_apart("product.gold", "prepare", environment=environment)
            run_apart("product.gold", "measure", environment=environment)


def prepare() -> None:
    """Make the study in the database of the settings."""
    project = start_study("Gold list", slug="gold")
    source = DataImport.objects.create(
        project=project, created_by=project.created_by, created_at=now(), applied_at=now()
    )
    questions = add_questions(project, source, QUESTIONS)
    _judge(project, source, questions)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def _judge(project: Project, source: DataImport, questions: list[Question]) -> None:
    """Let people decide answers to some of the questions; what they accept joins the list."""
    draw = random.Random(SEED)
    judged = [question for question in questions if draw.random() < JUDGED_SHARE]
    candidates = add_answers(project, source, judged, answers_a_question=ANSWERS_A_QUESTION)
    right = [draw.random() < ACCEPTED_SHARE for _ in candidates]
    decide(candidates, right, ending=", as everybody knows")


def measure() -> None:
    """Ask for every list: with nothing kept, after a decision has changed, and again (medians of several)."""
    project = Project.objects.get(slug="gold")
    client = Client(headers={"host": "localhost"})
    client.force_login(project.created_by)
    print(f"load {os.getloadavg()[0]:.1f}; seconds by the clock\n")
    print(f"{'':<36}{'anew':>8}{'changed':>8}{'warm':>8}{'found':>9}")
    for name, query in ADDRESSES.items():
        forget_everything()
        anew, found = _ask(client, query)
        changed = median(_ask_after_a_change(project, client, query) for _ in range(ROUNDS))
        warm = median(_ask(client, query)[0] for _ in range(ROUNDS))
        print(f"{name:<36}{anew:>8.2f}{changed:>8.2f}{warm:>8.2f}{found:>9,}")
    print(f"\nload {os.getloadavg()[0]:.1f}")


def _ask_after_a_change(project: Project, client: Client, query: str) -> float:
    first = Decision.objects.filter(candidate__project=project).order_by("pk")[:1]
    Decision.objects.filter(pk__in=first.values("pk")).update(decided_at=now())
    return _ask(client, query)[0]


def _ask(client: Client, query: str) -> tuple[float, int]:
    """Return how long a list took, and how many questions are on it."""
    start = time.perf_counter()
    response = client.get(f"/api/projects/gold/gold/questions?{query}")
    assert response.status_code == 200, response.content[:500]
    return time.perf_counter() - start, response.json()["count"]
