"""Read runs with their progress, counted from rows."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from celery import current_app
from django.core.cache import cache
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from annotation.gold.selectors import ORIGINAL_VERSION, gold_lists, gold_version
from annotation.items.models import Candidate, GoldAnswer
from annotation.projects.models import Project
from common.errors import NotFound
from judges.protocol import JudgeInput
from judges.registry import display_name
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.rules import NO_GOLD, Pace, pace

ACTIVE_STATES = (JudgeRun.State.QUEUED, JudgeRun.State.RUNNING)
PENDING_STATES = (RunBatch.State.OPEN, RunBatch.State.CLAIMED)
AS_RECORDED = "as-recorded"
PING_SECONDS = 1.0


class RunNotFound(NotFound):
    """The project has no such run."""

    code = "run_not_found"


@dataclass(frozen=True)
class Failure:
    """Why some answers have no verdict, and how many."""

    reason: str
    count: int


class RunProgress(NamedTuple):
    """A run and how far it is; `stale`: its gold list is not the present one."""

    run: JudgeRun
    name: str
    total: int
    done: int
    unscored: int
    failed: int
    pace: Pace
    failures: tuple[Failure, ...]
    stale: bool


def get_run(*, project: Project, public_id: str) -> JudgeRun:
    """Return one run of the project; raises `RunNotFound`."""
    run = project.judge_runs.filter(public_id=public_id).first()
    if run is None:
        raise RunNotFound("This project has no such run.")
    return run


def list_progress(*, project: Project, at: datetime) -> list[RunProgress]:
    """Return every run of the project with its progress, newest first."""
    return _progress_of(project, list(project.judge_runs.order_by("-created_at", "-pk")), at)


def get_progress(*, run: JudgeRun, at: datetime) -> RunProgress:
    """Return one run's progress."""
    return _progress_of(run.project, [run], at)[0]


def _progress_of(project: Project, runs: list[JudgeRun], at: datetime) -> list[RunProgress]:
    judged = _judged_counts(runs)
    sizes = _batch_sizes(runs)
    failures = _failures(runs)
    is_amended = any(run.gold_version not in {ORIGINAL_VERSION, AS_RECORDED} for run in runs)
    current = {ORIGINAL_VERSION, AS_RECORDED, gold_version(project, amended=True) if is_amended else ""}
    return [_progress(run, judged[run.pk], sizes[run.pk], failures[run.pk], current, at) for run in runs]


def _progress(
    run: JudgeRun,
    judged: tuple[int, int, int],
    sizes: dict[str, int],
    failures: list[Failure],
    current: set[str],
    at: datetime,
) -> RunProgress:
    done, unscored, recent = judged
    left = sum(sizes[state] for state in PENDING_STATES)
    failed = sizes[RunBatch.State.FAILED]
    is_active = run.state in ACTIVE_STATES
    return RunProgress(
        run=run,
        name=display_name(run.judge_key),
        total=done + left + failed,
        done=done,
        unscored=unscored,
        failed=failed,
        pace=pace(judged=recent, left=left, started_at=run.started_at, at=at)
        if is_active
        else Pace(None, None),
        failures=tuple(sorted(failures, key=lambda failure: (-failure.count, failure.reason))),
        stale=run.gold_version not in current,
    )


def _judged_counts(runs: list[JudgeRun]) -> dict[int, tuple[int, int, int]]:
    """Return per run: verdicts, of these unscored, and verdicts since it began or was last extended."""
    rows = (
        Verdict.objects.filter(run__in=runs)
        .values_list("run_id")
        .annotate(
            done=Count("pk"),
            unscored=Count("pk", filter=Q(accepted=None)),
            recent=Count("pk", filter=Q(judged_at__gte=F("run__started_at"))),
        )
        .order_by()
    )
    found = {run_id: (done, unscored, recent) for run_id, done, unscored, recent in rows}
    return {run.pk: found.get(run.pk, (0, 0, 0)) for run in runs}


def _batch_sizes(runs: list[JudgeRun]) -> dict[int, dict[str, int]]:
    sizes: dict[int, dict[str, int]] = {run.pk: defaultdict(int) for run in runs}
    rows = (
        RunBatch.objects.filter(run__in=runs).values_list("run_id", "state").annotate(Sum("size")).order_by()
    )
    for run_id, state, size in rows:
        sizes[run_id][state] = size
    return sizes


def _failures(runs: list[JudgeRun]) -> dict[int, list[Failure]]:
    failures: dict[int, list[Failure]] = defaultdict(list)
    unscored = Verdict.objects.filter(run__in=runs, accepted=None).values_list("run_id", "unscored_reason")
    for run_id, reason, count in unscored.annotate(Count("pk")).order_by():
        failures[run_id].append(Failure(reason, count))
    failed = RunBatch.objects.filter(run__in=runs, state=RunBatch.State.FAILED).values_list("run_id", "error")
    for run_id, reason, count in failed.annotate(Sum("size")).order_by():
        failures[run_id].append(Failure(reason, count))
    return failures


def claimable_batches(*, at: datetime) -> QuerySet[RunBatch]:
    """Return the batches of active runs that a worker may take now: open ones, or with an ended lease."""
    is_rested = Q(not_before=None) | Q(not_before__lte=at)
    is_free = Q(state=RunBatch.State.OPEN) & is_rested
    is_abandoned = Q(state=RunBatch.State.CLAIMED, lease_expires_at__lte=at)
    return RunBatch.objects.filter(is_free | is_abandoned, run__state__in=ACTIVE_STATES).order_by(
        "number", "pk"
    )


def unplanned_candidates(run: JudgeRun) -> list[int]:
    """Return the project's answers that have neither verdict nor place in a batch, question by question."""
    # Batches before verdicts: one that is settled in between is left out twice rather than planned again.
    waiting = RunBatch.objects.filter(run=run).exclude(state=RunBatch.State.DONE)
    planned = {pk for ids in waiting.values_list("candidate_ids", flat=True) for pk in ids}
    judged = Verdict.objects.filter(run=run).values("candidate_id")
    candidates = Candidate.objects.filter(project=run.project_id).exclude(pk__in=judged)
    ordered = candidates.order_by("question__position", "question_id", "pk").values_list("pk", flat=True)
    return [pk for pk in ordered if pk not in planned]


def outdated_verdicts(run: JudgeRun) -> QuerySet[Verdict]:
    """Return verdicts given before the gold answers of their question came in, or before they left again."""
    golds = GoldAnswer.objects.filter(question=OuterRef("candidate__question"))
    came_later = Exists(golds.filter(data_import__applied_at__gt=OuterRef("judged_at")))
    left_again = ~Exists(golds) & ~Q(unscored_reason=NO_GOLD)
    return Verdict.objects.filter(came_later | left_again, run=run)


def judge_inputs(run: JudgeRun, candidate_ids: Iterable[int]) -> dict[int, JudgeInput]:
    """Return what the judge gets of each answer that still exists, by the answer's id, in order."""
    rows = list(
        Candidate.objects.filter(pk__in=list(candidate_ids), project=run.project_id)
        .order_by("question__position", "question_id", "pk")
        .values_list("pk", "question_id", "question__text", "text")
    )
    question_ids = {question_id for _, question_id, _, _ in rows}
    lists = gold_lists(run.project, run.gold_version != ORIGINAL_VERSION, question_ids=question_ids)
    patterns = _patterns(question_ids)
    return {
        pk: JudgeInput(
            question=question,
            answer=answer,
            golds=tuple(text for text in lists[question_id] if text not in patterns[question_id]),
            patterns=tuple(text for text in lists[question_id] if text in patterns[question_id]),
        )
        for pk, question_id, question, answer in rows
    }


def _patterns(question_ids: set[int]) -> dict[int, set[str]]:
    patterns: dict[int, set[str]] = defaultdict(set)
    rows = GoldAnswer.objects.filter(question__in=question_ids, kind=GoldAnswer.Kind.REGEX)
    for question_id, text in rows.values_list("question_id", "text"):
        patterns[question_id].add(text)
    return patterns


def is_worker_running() -> bool:
    """Say whether any worker answers; asked at most every five seconds."""
    known: bool | None = cache.get("worker-running")
    if known is None:
        known = _does_a_worker_answer()
        cache.set("worker-running", known, timeout=5)
    return known


def _does_a_worker_answer() -> bool:
    try:
        return bool(current_app.control.inspect(timeout=PING_SECONDS, limit=1).ping())
    except (OperationalError, RedisError, OSError):
        return False
