"""A worker on the lexical judges' runs: answers a second with the verdicts written, and its memory."""

import time
from collections import deque
from itertools import cycle, islice

from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.projects.models import Project
from benchmarks.apparatus.databases import postgres_only, start_study
from benchmarks.apparatus.inputs import read_inputs
from benchmarks.apparatus.processes import peak_memory, run_apart, used
from common import tasks
from common.clock import now
from judges.runs.models import JudgeRun, Verdict
from judges.runs.services.control import extend_runs
from judges.runs.services.worker import work_on_run
from judges.runs.tasks import BATCHES_A_CALL

SIZES = (20_000, 100_000)
ANSWERS_A_QUESTION = 5


def run() -> None:
    """Print for a smaller and a larger study how long one worker took; skipped without PostgreSQL."""
    for environment in postgres_only("lexical_bench"):
        for size in map(str, SIZES):
            run_apart("judges.runs", "prepare", size, environment=environment)
            run_apart("judges.runs", "work", size, environment=environment)


def prepare(size: str) -> None:
    """Make a study of so many answers, and start the lexical judges that start by themselves."""
    project = start_study(f"Study of {size}")
    _fill(project, int(size))
    start = time.perf_counter()
    extend_runs(project_id=project.pk)
    print(f"{int(size):>9,} answers: three runs planned in {time.perf_counter() - start:.1f} s")


def _fill(project: Project, size: int) -> None:
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
        (
            Candidate(
                question=questions[place // ANSWERS_A_QUESTION],
                project=project,
                data_import=data_import,
                text=item.answer,
                pool_hash=str(place),
            )
            for place, item in enumerate(inputs)
        ),
        batch_size=5_000,
    )


def work(size: str) -> None:
    """Work on whatever is open as one worker does, ring by ring, and print what it took."""
    rings: deque[int] = deque(
        JudgeRun.objects.filter(state="queued").values_list("pk", flat=True).order_by("pk")
    )
    runs = list(rings)
    tasks._ring = lambda _name, args, **_options: rings.append(args[0])
    begin, start, heard = peak_memory(), used(), 0
    while rings:
        heard += 1
        work_on_run(run_id=rings.popleft(), batches=BATCHES_A_CALL)
    took = used().since(start)
    written = Verdict.objects.filter(run__in=runs).count()
    print(
        f"{int(size):>9,} answers: {written:,} verdicts of {len(runs)} judges in {took.clock:.1f} s "
        f"({took.process:.1f} s of a core in the worker, {took.database:.1f} in the database), "
        f"{written / took.clock:,.0f} a second; {heard} messages; "
        f"peak memory {peak_memory():.0f} MB ({begin:.0f} MB at the start)"
    )
