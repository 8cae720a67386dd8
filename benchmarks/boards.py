"""The pages that compare, on a large study: points and intervals, warm and after a change, on PostgreSQL."""

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchmarks.databases import scratch_database
from tools.with_services import running_postgres

if TYPE_CHECKING:
    from annotation.items.models import Candidate, DataImport, Question, System
    from annotation.projects.models import Membership, Project

QUESTIONS = 10_000
ANSWERS_A_QUESTION = 10
SYSTEMS = 12
RATERS = 3
# How often each judge says what people say.
JUDGES = {
    "exact_match": 0.75,
    "token_f1": 0.78,
    "containment": 0.83,
    "fuzzy_match": 0.8,
    "bem": 0.86,
    "llm": 0.9,
}
SEED = 5
BATCH = 5_000
PAGES = (
    "leaderboard",
    "judge-board",
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
    """Make a study of 100,000 answers, three raters, six judges and twelve systems."""
    from django.core.management import call_command

    from annotation.accounts.models import User
    from annotation.projects.services import create_project

    call_command("migrate", verbosity=0)
    lead = User.objects.create_user(username="lead")
    project = create_project(lead=lead, name="Large study", slug="large", preset="openqa-eval")
    start = time.perf_counter()
    _fill(project)
    print(f"study made in {time.perf_counter() - start:.0f} s")


def _fill(project: "Project") -> None:
    from annotation.items.models import DataImport, System
    from common.clock import now

    draw = random.Random(SEED)
    source = DataImport.objects.create(
        project=project, created_by=project.created_by, created_at=now(), applied_at=now()
    )
    systems = System.objects.bulk_create(
        System(project=project, data_import=source, name=f"system-{place}", label=f"System {place}")
        for place in range(SYSTEMS)
    )
    questions = _questions(project, source)
    candidates = _candidates(project, source, questions)
    right = [draw.random() < 0.6 for _ in candidates]
    _predictions(source, systems, candidates, draw)
    members = list(_raters(project))
    _votes(project, questions, candidates, right, members, draw)
    _decisions(candidates, right)
    for key, accuracy in JUDGES.items():
        _verdicts(project, key, candidates, right, accuracy=accuracy, draw=draw)


def _questions(project: "Project", source: "DataImport") -> "list[Question]":
    from annotation.items.models import GoldAnswer, Question

    questions = Question.objects.bulk_create(
        (
            Question(
                project=project,
                data_import=source,
                key=str(place),
                key_hash=str(place),
                text=f"{('who', 'when', 'where', 'what', 'how many')[place % 5]} is number {place}",
                position=place,
            )
            for place in range(QUESTIONS)
        ),
        batch_size=BATCH,
    )
    GoldAnswer.objects.bulk_create(
        (
            GoldAnswer(question=question, data_import=source, text=text, position=position)
            for question in questions
            for position, text in enumerate((f"Answer 0 of {question.key}", f"The {question.key}th"))
        ),
        batch_size=BATCH,
    )
    return questions


def _candidates(project: "Project", source: "DataImport", questions: "list[Question]") -> "list[Candidate]":
    from annotation.items.models import Candidate

    return Candidate.objects.bulk_create(
        (
            Candidate(
                project=project,
                question=question,
                data_import=source,
                text=f"Answer {place} of {question.key}" + ", as everybody knows" * (place % 4),
                pool_hash=str(place),
                position=place,
                state="decided",
                wanted=RATERS,
                taken=RATERS,
            )
            for question in questions
            for place in range(ANSWERS_A_QUESTION)
        ),
        batch_size=BATCH,
    )


def _predictions(
    source: "DataImport",
    systems: "list[System]",
    candidates: "list[Candidate]",
    draw: random.Random,
) -> None:
    from annotation.items.models import Prediction

    def rows() -> "Iterator[Prediction]":
        for first in range(0, len(candidates), ANSWERS_A_QUESTION):
            for place, system in enumerate(systems):
                # Every answer is somebody's; the systems beyond give one of them again.
                own = place if place < ANSWERS_A_QUESTION else draw.randrange(ANSWERS_A_QUESTION)
                candidate = candidates[first + own]
                yield Prediction(
                    system=system,
                    question_id=candidate.question_id,
                    candidate=candidate,
                    data_import=source,
                    text=candidate.text,
                )

    Prediction.objects.bulk_create(rows(), batch_size=BATCH)


def _raters(project: "Project") -> "Iterator[Membership]":
    from annotation.accounts.models import User
    from annotation.projects.services import add_member

    for place in range(RATERS):
        user = User.objects.create_user(username=f"rater-{place}")
        yield add_member(project=project, user=user, role="annotator")


def _votes(
    project: "Project",
    questions: "list[Question]",
    candidates: "list[Candidate]",
    right: list[bool],
    members: "list[Membership]",
    draw: random.Random,
) -> None:
    from annotation.assignments.models import Assignment, Sheet
    from annotation.judgments.models import Judgment, JudgmentRevision
    from common.clock import now

    moment = now()
    for slot, rater in enumerate(members, start=1):
        sheets = Sheet.objects.bulk_create(
            (
                Sheet(
                    project=project,
                    question=question,
                    rater=rater,
                    protocol_version=project.protocol,
                    state="submitted",
                    handed_out_at=moment,
                    lease_expires_at=moment,
                    closed_at=moment,
                    seconds=30,
                )
                for question in questions
            ),
            batch_size=BATCH,
        )
        slots = Assignment.objects.bulk_create(
            (
                Assignment(
                    sheet=sheets[place // ANSWERS_A_QUESTION],
                    candidate=candidate,
                    rater=rater,
                    slot=slot,
                    round="first" if slot < RATERS else "tie_break",
                    state="done",
                )
                for place, candidate in enumerate(candidates)
            ),
            batch_size=BATCH,
        )
        judgments = Judgment.objects.bulk_create(
            (
                Judgment(
                    assignment=assignment,
                    candidate_id=assignment.candidate_id,
                    rater=rater,
                    slot=slot,
                    round=assignment.round,
                    label="correct" if is_right != (draw.random() < 0.1) else "incorrect",
                    judged_at=moment,
                )
                for assignment, is_right in zip(slots, right, strict=True)
            ),
            batch_size=BATCH,
        )
        JudgmentRevision.objects.bulk_create(
            (
                JudgmentRevision(
                    judgment=judgment,
                    number=1,
                    action="submit",
                    state="counted",
                    label=judgment.label,
                    seconds=3,
                    protocol_version=project.protocol,
                    at=moment,
                )
                for judgment in judgments
            ),
            batch_size=BATCH,
        )


def _decisions(candidates: "list[Candidate]", right: list[bool]) -> None:
    from annotation.adjudication.models import Decision
    from annotation.gold.models import GoldChange
    from common.clock import now

    moment = now()
    decisions = Decision.objects.bulk_create(
        (
            Decision(
                candidate=candidate,
                number=1,
                label="correct" if is_right else "incorrect",
                source="majority",
                decided_at=moment,
            )
            for candidate, is_right in zip(candidates, right, strict=True)
        ),
        batch_size=BATCH,
    )
    GoldChange.objects.bulk_create(
        (
            GoldChange(
                question_id=candidate.question_id,
                action="added",
                text=candidate.text,
                text_hash=str(candidate.pk),
                rule="accepted",
                decision=decision,
                changed_at=moment,
            )
            for candidate, decision in zip(candidates, decisions, strict=True)
            if decision.label == "correct"
        ),
        batch_size=BATCH,
    )


def _verdicts(
    project: "Project",
    key: str,
    candidates: "list[Candidate]",
    right: list[bool],
    *,
    accuracy: float,
    draw: random.Random,
) -> None:
    from common.clock import now
    from judges.runs.models import JudgeRun, Verdict

    run = JudgeRun.objects.create(
        project=project,
        judge_key=key,
        signature=f"{key}|synthetic",
        signature_hash=key,
        state="finished",
        created_at=now(),
        finished_at=now(),
    )

    def rows() -> "Iterator[Verdict]":
        for candidate, is_right in zip(candidates, right, strict=True):
            accepted = is_right if draw.random() < accuracy else not is_right
            score = draw.random() * 0.5 + 0.5 * accepted
            yield Verdict(run=run, candidate=candidate, accepted=accepted, score=score, judged_at=now())

    Verdict.objects.bulk_create(rows(), batch_size=BATCH)


def measure() -> None:
    """Ask for every page cold, warm and after a change, and print the seconds."""
    from django.test import Client

    from annotation.accounts.models import User

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(username="lead"))
    for page in PAGES:
        times = [_ask(client, page) for _ in range(3)]
        print(f"{page:<50}{times[0]:>8.2f} s cold {min(times[1:]):>8.2f} s warm {_memory():>6.0f} MB")


def _ask(client: object, page: str) -> float:
    start = time.perf_counter()
    response = client.get(f"/api/projects/large/{page}")  # type: ignore[attr-defined]
    assert response.status_code == 200, response.content[:500]
    return time.perf_counter() - start


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    {"prepare": prepare, "measure": measure}[sys.argv[1]]()
