"""Read runs with their progress, counted from rows."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, F, Min, Q, Sum

from annotation.gold.selectors import ORIGINAL_VERSION, gold_version
from annotation.projects.models import Project
from common.errors import NotFound
from judges.registry import display_name
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.rules import Forecast, Means, Pace, forecast, pace
from judges.runs.selectors.calls import CallTotals, ServedModel, call_totals, served_models
from judges.runs.selectors.juries import is_jury_stale, member_names
from judges.runs.selectors.work import (
    ACTIVE_STATES,
    AS_RECORDED,
    PENDING_STATES,
    answers_of_systems,
    is_judged_by_people,
    is_outdated,
    unplanned_candidates,
)

RATE_REFUSED = "The provider refused them, since there were too many calls."


@dataclass(frozen=True)
class ScopePart:
    """A data set or system that a run can be limited to, with its answers and those of them people judge."""

    id: str
    name: str
    answers: int
    judged: int


@dataclass(frozen=True)
class Scopes:
    """What runs of a project can be limited to; is_sampled: people judge a part of the answers."""

    answers: int
    judged: int
    is_sampled: bool
    datasets: list[ScopePart]
    systems: list[ScopePart]


class RunNotFound(NotFound):
    """The project has no such run."""

    code = "run_not_found"


@dataclass(frozen=True)
class Failure:
    """Why some answers have no verdict, and how many."""

    reason: str
    count: int


@dataclass(frozen=True)
class Holdup:
    """Why answers of a run at work wait, how many, and when the first of them is tried again."""

    reason: str
    answers: int
    until: datetime


class RunProgress(NamedTuple):
    """A run and how far it is.

    stale: its gold list is not the present one, some of its questions got or lost gold answers since, or
    members of its jury spoke since. members: the names of those on its jury. served: the models that the
    provider said to have served; more than one where it changed them meanwhile. rest: what the answers beyond
    its sample are expected to take, once the sample is judged; None for other runs. system: what the only
    system it takes answers of is called, empty for all.
    """

    run: JudgeRun
    name: str
    total: int
    done: int
    unscored: int
    failed: int
    pace: Pace
    failures: tuple[Failure, ...]
    stale: bool
    calls: CallTotals
    rest: Forecast | None
    holdup: Holdup | None
    members: list[str]
    system: str
    served: list[ServedModel]


def get_run(*, project: Project, public_id: str) -> JudgeRun:
    """Return one run of the project; raises `RunNotFound`."""
    run = project.judge_runs.select_related("connection").filter(public_id=public_id).first()
    if run is None:
        raise RunNotFound("This project has no such run.")
    return run


def list_scopes(*, project: Project) -> Scopes:
    """Return what a run can be limited to."""
    answers = answers_of_systems(project_id=project.pk)
    counts = {
        "answers": Count("pk", distinct=True),
        "judged": Count("pk", filter=is_judged_by_people(), distinct=True),
    }
    whole = answers.aggregate(**counts)
    datasets = answers.exclude(question__dataset="").values_list("question__dataset").annotate(**counts)
    systems = answers.filter(predictions__isnull=False).values_list(
        "predictions__system__public_id", "predictions__system__label"
    )
    return Scopes(
        **whole,
        is_sampled=0 < whole["judged"] < whole["answers"],
        datasets=[ScopePart(name, name, *sizes) for name, *sizes in datasets.order_by("question__dataset")],
        systems=[
            ScopePart(*row) for row in systems.annotate(**counts).order_by("predictions__system__label")
        ],
    )


def list_progress(*, project: Project, at: datetime) -> list[RunProgress]:
    """Return every run of the project that gives verdicts, with its progress, newest first."""
    runs = project.judge_runs.filter(purpose=JudgeRun.Purpose.VERDICTS).select_related("connection")
    runs = runs.order_by("-created_at", "-pk")
    return _progress_of(project, list(runs), at)


def get_progress(*, run: JudgeRun, at: datetime) -> RunProgress:
    """Return one run's progress."""
    return _progress_of(run.project, [run], at)[0]


class _Facts(NamedTuple):
    """What was read of several runs at once, by run."""

    judged: dict[int, tuple[int, int, int]]
    sizes: dict[int, dict[str, int]]
    failures: dict[int, list[Failure]]
    calls: dict[int, CallTotals]
    holdups: dict[int, Holdup]
    members: dict[int, list[str]]
    served: dict[int, list[ServedModel]]
    systems: dict[str, str]
    current_gold: set[str]


def _progress_of(project: Project, runs: list[JudgeRun], at: datetime) -> list[RunProgress]:
    is_amended = any(run.gold_version not in {ORIGINAL_VERSION, AS_RECORDED} for run in runs)
    facts = _Facts(
        judged=_judged_counts(runs),
        sizes=_batch_sizes(runs),
        failures=_failures(runs),
        calls=call_totals(runs),
        holdups=_holdups(runs, at),
        members=member_names(project, runs),
        served=served_models(run.pk for run in runs if run.connection_id),
        systems=dict(
            project.systems.filter(public_id__in={run.only_system for run in runs} - {""}).values_list(
                "public_id", "label"
            )
        ),
        current_gold={
            ORIGINAL_VERSION,
            AS_RECORDED,
            gold_version(project, amended=True) if is_amended else "",
        },
    )
    return [_progress(run, facts, at) for run in runs]


def _progress(run: JudgeRun, facts: _Facts, at: datetime) -> RunProgress:
    done, unscored, recent = facts.judged[run.pk]
    if run.purpose != JudgeRun.Purpose.VERDICTS:
        done = facts.sizes[run.pk][RunBatch.State.DONE]
    sizes, calls = facts.sizes[run.pk], facts.calls.get(run.pk, CallTotals())
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
        failures=tuple(sorted(facts.failures[run.pk], key=lambda each: (-each.count, each.reason))),
        stale=run.gold_version not in facts.current_gold or is_jury_stale(run) or is_outdated(run),
        calls=calls,
        rest=_rest(run, done, recent, calls) if run.state == JudgeRun.State.SAMPLED else None,
        holdup=facts.holdups.get(run.pk),
        members=facts.members.get(run.pk, []),
        system=facts.systems.get(run.only_system, run.only_system),
        served=facts.served.get(run.pk, []),
    )


def _rest(run: JudgeRun, done: int, recent: int, calls: CallTotals) -> Forecast | None:
    """Return what the rest takes if it is like the sample: by tokens, since replies may be repeated.

    What was charged without a count of tokens is charged again. The time of an answer is that of the
    `recent` ones, judged since the run last went on; it may have gone on with nothing left to judge.
    """
    if not done:
        return None
    prices = (run.connection.input_price, run.connection.output_price) if run.connection else (0, 0)
    counted_cost = calls.input_tokens * prices[0] + calls.output_tokens * prices[1]
    seconds = None
    if recent and run.started_at and run.finished_at:
        seconds = (run.finished_at - run.started_at).total_seconds() / recent
    means = Means(
        cost=(counted_cost + calls.uncounted_cost) / done,
        input_tokens=calls.input_tokens / done,
        output_tokens=calls.output_tokens / done,
        seconds=seconds,
    )
    return forecast(answers=len(unplanned_candidates(run)), means=means)


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


def _holdups(runs: list[JudgeRun], at: datetime) -> dict[int, Holdup]:
    """Return by run what was said when answers were last put back; the commonest reason where several."""
    rows = (
        RunBatch.objects.filter(
            run__in=[run for run in runs if run.state in ACTIVE_STATES],
            state=RunBatch.State.OPEN,
            not_before__gt=at,
        )
        .exclude(error="", refusals=0)
        .values_list("run_id", "error")
        .annotate(Sum("size"), Min("not_before"))
        .order_by("size__sum")
    )
    return {run_id: Holdup(reason or RATE_REFUSED, answers, until) for run_id, reason, answers, until in rows}


def _failures(runs: list[JudgeRun]) -> dict[int, list[Failure]]:
    failures: dict[int, list[Failure]] = defaultdict(list)
    unscored = Verdict.objects.filter(run__in=runs, accepted=None).values_list("run_id", "unscored_reason")
    for run_id, reason, count in unscored.annotate(Count("pk")).order_by():
        failures[run_id].append(Failure(reason, count))
    failed = RunBatch.objects.filter(run__in=runs, state=RunBatch.State.FAILED).values_list("run_id", "error")
    for run_id, reason, count in failed.annotate(Sum("size")).order_by():
        failures[run_id].append(Failure(reason, count))
    return failures
