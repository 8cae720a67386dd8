"""A worker on the lexical judges' runs: answers a second with the verdicts written, and its memory."""

import os
import resource
import subprocess
import sys
import time
from collections import deque
from itertools import cycle, islice
from typing import TYPE_CHECKING

from benchmarks.databases import scratch_database
from benchmarks.processes import database_seconds
from judges.protocol import JudgeInput
from tools.with_services import running_postgres

if TYPE_CHECKING:
    from annotation.items.models import Candidate, Question

DATABASE = "lexical_bench"
SIZES = (20_000, 100_000)
ANSWERS_A_QUESTION = 5


def run() -> None:
    """Print for a smaller and a larger study how long one worker took; skipped without PostgreSQL."""
    server = running_postgres()
    if server is None:
        print("skipped: no PostgreSQL runs on this machine")
        return
    with scratch_database(server, DATABASE) as url:
        environment = {**os.environ, "DATABASE_URL": url}
        for size in SIZES:
            # Processes of their own, so that neither inherits what making the study took.
            for step in ("prepare", "work"):
                subprocess.run(
                    [sys.executable, "-m", "benchmarks.runs", step, str(size)], env=environment, check=True
                )


def prepare(size: int) -> None:
    """Make a study of so many answers, and start the lexical judges that start by themselves."""
    from django.core.management import call_command

    from annotation.accounts.models import User
    from annotation.projects.services import create_project
    from common import tasks
    from judges.runs.services import extend_lexical_runs

    call_command("migrate", verbosity=0)
    lead, _ = User.objects.get_or_create(username="lead")
    project = create_project(lead=lead, name=f"Study of {size}", preset="openqa-eval")
    _fill(project.pk, size)
    # Nobody listens here for rings; `work` takes up whatever is open.
    tasks._ring = lambda *_args, **_options: None
    start = time.perf_counter()
    extend_lexical_runs(project_id=project.pk)
    print(f"{size:>9,} answers: three runs planned in {time.perf_counter() - start:.1f} s")


def _fill(project_id: int, size: int) -> None:
    from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
    from annotation.projects.models import Project
    from benchmarks.inputs import read_inputs
    from common.clock import now

    project = Project.objects.get(pk=project_id)
    data_import = DataImport.objects.create(
        project=project, created_by=project.created_by, created_at=now(), applied_at=now()
    )
    inputs = list(islice(cycle(read_inputs()), size))
    firsts = inputs[::ANSWERS_A_QUESTION]
    questions = Question.objects.bulk_create(
        Question(
            project=project,
            data_import=data_import,
            key=str(place),
            key_hash=str(place),
            text=item.question,
            position=place,
        )
        for place, item in enumerate(firsts)
    )
    GoldAnswer.objects.bulk_create(
        GoldAnswer(question=question, data_import=data_import, text=text, position=position)
        for question, item in zip(questions, firsts, strict=True)
        for position, text in enumerate(dict.fromkeys(item.golds))
    )
    Candidate.objects.bulk_create(
        [
            _candidate(place, item, questions[place // ANSWERS_A_QUESTION])
            for place, item in enumerate(inputs)
        ],
        batch_size=5_000,
    )


def _candidate(place: int, item: JudgeInput, question: "Question") -> "Candidate":
    from annotation.items.models import Candidate

    return Candidate(
        question=question,
        project_id=question.project_id,
        data_import_id=question.data_import_id,
        text=item.answer,
        pool_hash=str(place),
    )


def work(size: int) -> None:
    """Work on whatever is open as one worker does, ring by ring, and print what it took."""
    from common import tasks
    from judges.runs.models import JudgeRun, Verdict
    from judges.runs.services import work_on_run
    from judges.runs.tasks import BATCHES_A_CALL

    rings: deque[int] = deque(
        JudgeRun.objects.filter(state="queued").values_list("pk", flat=True).order_by("pk")
    )
    runs = list(rings)
    tasks._ring = lambda _name, args, **_options: rings.append(args[0])
    begin = _memory()
    start, cpu, server = time.perf_counter(), time.process_time(), database_seconds()
    while rings:
        work_on_run(run_id=rings.popleft(), batches=BATCHES_A_CALL)
    took, cpu = time.perf_counter() - start, time.process_time() - cpu
    server = database_seconds() - server
    written = Verdict.objects.filter(run__in=runs).count()
    print(
        f"{size:>9,} answers: {written:,} verdicts of {len(runs)} judges in {took:.1f} s "
        f"({cpu:.1f} s of a core in the worker, {server:.1f} in the database), "
        f"{written / took:,.0f} a second; "
        f"peak memory {_memory():.0f} MB ({begin:.0f} MB at the start)"
    )


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    {"prepare": prepare, "work": work}[sys.argv[1]](int(sys.argv[2]))
