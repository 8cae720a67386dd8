"""Read how far runs are, what they called and said, and whether anybody does the work."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from celery import current_app
from django.core.cache import cache
from django.db.models import Avg, Count, F, Max, Min, Q, QuerySet, Sum
from kombu.exceptions import OperationalError

from annotation.gold.selectors.ledger import ORIGINAL_VERSION, gold_version
from annotation.projects.models import Organization, Project
from annotation.projects.ports import MonthlySpending
from common.clock import now
from common.errors import NotFound
from judges.connections.models import Connection
from judges.connections.rules.calls import usd_from_pico
from judges.protocol import JudgeInput
from judges.registry import display_name, get_entry
from judges.runs.models import Call, JudgeRun, LastSweep, MonthlySpend, RunBatch, Verdict
from judges.runs.rules import Forecast, Means, Pace, forecast, pace
from judges.runs.selectors.work import (
    ACTIVE_STATES,
    AS_RECORDED,
    PENDING_STATES,
    FollowingNote,
    answers_of_systems,
    find_following_note,
    have_decisions_moved,
    have_heard_moved,
    is_following,
    is_judged_by_people,
    is_outdated,
    judge_inputs,
    member_names,
    unplanned_candidates,
)

LOST = "The worker stopped or took too long during this call. The call counts as paid in full."
PAID = Q(state=Call.State.SETTLED, is_cache_hit=False)


class CallTotals(NamedTuple):
    """What a run asked of its provider. Tokens include those of replies repeated from earlier calls.

    uncounted_cost: what was charged, in pico-USD, for calls whose tokens the provider did not count.
    """

    calls: int = 0
    cache_hits: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    paid_input_tokens: int = 0
    paid_output_tokens: int = 0
    paid_cached_tokens: int = 0
    uncounted_cost: int = 0
    mean_seconds: float | None = None


@dataclass(frozen=True)
class ServedModel:
    """A model as named in the provider’s replies.

    `fingerprint`: empty if the provider sends none. `replies`: the number of its replies that verdicts of
    the run use, including replies reused from earlier calls. `answers`: the number of answers that these
    replies are about. `first_at`, `last_at`: the times of the first and the last of these replies.
    """

    model: str
    fingerprint: str
    replies: int
    answers: int
    first_at: datetime
    last_at: datetime


def find_cached_call(*, connection_id: int, cache_key: str) -> Call | None:
    """Return the call whose reply serves equal requests."""
    replied = Call.objects.filter(PAID, connection=connection_id, cache_key=cache_key, is_counted=True)
    return replied.order_by("pk").first()


def is_out_of_order(*, connection_id: int, calls: int) -> bool:
    """Say whether each of so many calls made last failed; those of workers that died do not count."""
    made = Call.objects.filter(connection=connection_id, is_cache_hit=False).exclude(
        state=Call.State.RESERVED
    )
    last = made.exclude(error=LOST).order_by("-pk").values_list("error", flat=True)[:calls]
    return len(last) == calls and all(last)


def call_totals(runs: list[JudgeRun]) -> dict[int, CallTotals]:
    """Return per run what it asked of its provider."""
    asked = Call.objects.filter(run__in=[run.pk for run in runs if run.connection_id])
    rows = (
        asked.values_list("run_id")
        .annotate(
            made=Count("pk", filter=Q(is_cache_hit=False)),
            hits=Count("pk", filter=Q(is_cache_hit=True)),
            all_input=Sum("input_tokens"),
            all_output=Sum("output_tokens"),
            paid_input=Sum("input_tokens", filter=PAID, default=0),
            paid_output=Sum("output_tokens", filter=PAID, default=0),
            paid_cached=Sum("cached_tokens", filter=PAID, default=0),
            uncounted=Sum("cost", filter=PAID & Q(input_tokens=0), default=0),
            mean_seconds=Avg("seconds", filter=PAID & Q(error="")),
        )
        .order_by()
    )
    return {run_id: CallTotals(*totals) for run_id, *totals in rows}


def served_models(run_ids: Iterable[int]) -> dict[int, list[ServedModel]]:
    """Return per run which models its provider said to have served, those that came first before others.

    A reply that was asked for anew, or whose answer is gone, is behind no verdict, and tells nothing.
    """
    asked = Call.objects.filter(run__in=list(run_ids), state=Call.State.SETTLED, is_counted=True, error="")
    rows = (
        asked.exclude(model="", fingerprint="")
        .exclude(candidate=None)
        .values_list("run_id", "model", "fingerprint")
        .annotate(replies=Count("pk"), answers=Count("candidate", distinct=True))
        .annotate(first_at=Min("created_at"), last_at=Max("created_at"))
        .order_by("first_at", "model", "fingerprint")
    )
    served: dict[int, list[ServedModel]] = defaultdict(list)
    for run_id, *facts in rows:
        served[run_id].append(ServedModel(*facts))
    return served


class UsualReply(NamedTuple):
    """How long a connection's replies are on average, and how long they take."""

    output_tokens: float
    seconds: float


def usual_reply(connection: Connection) -> UsualReply:
    """Return how a connection's replies were so far; a short sentence in a second where it has none."""
    found = Call.objects.filter(PAID, connection=connection, error="").aggregate(
        tokens=Avg("output_tokens"), seconds=Avg("seconds")
    )
    if found["tokens"] is None:
        return UsualReply(output_tokens=32.0, seconds=1.0)
    return UsualReply(found["tokens"], found["seconds"])


RATE_REFUSED = "The provider refused the calls because there were too many."


@dataclass(frozen=True)
class ScopePart:
    """A data set or system to which a run can be limited.

    `answers`: the number of its answers. `judged`: the number of these that people judge.
    """

    id: str
    name: str
    answers: int
    judged: int


@dataclass(frozen=True)
class Scopes:
    """How runs of a project can be limited.

    `answers`: the number of all answers. `judged`: the number of these that people judge. `is_sampled`:
    whether people judge only some of the answers.
    """

    answers: int
    judged: int
    is_sampled: bool
    datasets: list[ScopePart]
    systems: list[ScopePart]


class RunNotFound(NotFound):
    """The project has no such run."""


@dataclass(frozen=True)
class Failure:
    """Why some answers have no verdict, and how many."""

    reason: str
    count: int


@dataclass(frozen=True)
class Holdup:
    """Why answers of an active run are waiting, how many, and when the first of them is retried."""

    reason: str
    answers: int
    until: datetime


class Stale(StrEnum):
    """Why a run has to be started again.

    GOLD: its gold list is not the present one, or some of its questions got or lost gold answers since.
    MEMBERS: members of its jury, or the run beside it, spoke since. DECISIONS: people decided more, or
    otherwise, than it was told.
    """

    GOLD = "gold"
    MEMBERS = "members"
    DECISIONS = "decisions"


class RunProgress(NamedTuple):
    """A run and how far it is.

    summary: what its judge does, in a sentence. members: the names of those on its jury. served: the models
    that the provider said to have served; more than one where it changed them meanwhile. rest: what the
    answers beyond its sample are expected to take, once the sample is judged; None for other runs. system:
    what the only system it takes answers of is called, empty for all. follows: whether it judges new answers
    as they arrive.
    """

    run: JudgeRun
    name: str
    summary: str
    total: int
    done: int
    unscored: int
    failed: int
    pace: Pace
    failures: tuple[Failure, ...]
    stale: Stale | None
    calls: CallTotals
    rest: Forecast | None
    holdup: Holdup | None
    members: list[str]
    system: str
    served: list[ServedModel]
    follows: bool
    following_note: FollowingNote | None


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
        summary=get_entry(run.judge_key).summary,
        total=done + left + failed,
        done=done,
        unscored=unscored,
        failed=failed,
        pace=pace(judged=recent, left=left, started_at=run.started_at, at=at)
        if is_active
        else Pace(None, None),
        failures=tuple(sorted(facts.failures[run.pk], key=lambda each: (-each.count, each.reason))),
        stale=_why_stale(run, facts),
        calls=calls,
        rest=_rest(run, done, recent, calls) if run.state == JudgeRun.State.SAMPLED else None,
        holdup=facts.holdups.get(run.pk),
        members=facts.members.get(run.pk, []),
        system=facts.systems.get(run.only_system, run.only_system),
        served=facts.served.get(run.pk, []),
        follows=is_following(run),
        following_note=find_following_note(run),
    )


def _why_stale(run: JudgeRun, facts: _Facts) -> Stale | None:
    if run.gold_version not in facts.current_gold or is_outdated(run):
        return Stale.GOLD
    if have_heard_moved(run):
        return Stale.MEMBERS
    return Stale.DECISIONS if have_decisions_moved(run) else None


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


VERDICTS = {"accepted": True, "rejected": False, "unscored": None}


class VerdictLine(NamedTuple):
    """A verdict with what the judge was given and what it asked for it."""

    verdict: Verdict
    given: JudgeInput | None
    calls: list[Call]

    @property
    def golds(self) -> list[str]:
        """What the answer was compared with, as it stands now."""
        return [*self.given.golds, *self.given.patterns] if self.given else []

    @property
    def flags(self) -> list[str]:
        """What a person should look at first."""
        return [flag for flag in self.verdict.flags.split(",") if flag]


def find_verdicts(
    *, run: JudgeRun, verdict: str = "", reason: str = "", flag: str = "", search: str = ""
) -> QuerySet[Verdict]:
    """Return a run's verdicts, question by question.

    verdict: one of `VERDICTS`. reason: why unscored. flag: a whole flag. search: words of question or answer.
    """
    found = Verdict.objects.filter(run=run)
    if verdict in VERDICTS:
        found = found.filter(accepted=VERDICTS[verdict])
    if reason:
        found = found.filter(accepted=None, unscored_reason=reason)
    if flag:
        found = found.filter(flags__regex=rf"(^|,){re.escape(flag)}(,|$)")
    if search:
        found = found.filter(
            Q(candidate__text__icontains=search) | Q(candidate__question__text__icontains=search)
        )
    ordered = found.order_by("candidate__question__position", "candidate__question_id", "candidate_id")
    return ordered.select_related("candidate__question")


def describe_verdicts(run: JudgeRun, verdicts: Iterable[Verdict]) -> list[VerdictLine]:
    """Return verdicts with golds and calls."""
    verdicts = list(verdicts)
    ids = [verdict.candidate_id for verdict in verdicts]
    inputs = judge_inputs(run, ids)
    calls: dict[int | None, list[Call]] = defaultdict(list)
    for call in Call.objects.filter(run=run, candidate__in=ids).order_by("created_at", "pk"):
        calls[call.candidate_id].append(call)
    return [
        VerdictLine(verdict, inputs.get(verdict.candidate_id), calls[verdict.candidate_id])
        for verdict in verdicts
    ]


REPLY_SECONDS = 1.0
# The sweeper leaves its sign every five seconds; two that were late are no reason to worry.
LATE_AFTER = timedelta(seconds=15)
REMEMBERED_SECONDS = 5


class Lack(StrEnum):
    """What background work lacks, as far as can be told."""

    NOTHING = ""
    WORKER = "worker"
    CLOCK = "clock"


def is_worker_running() -> bool:
    """Say whether background work is done: that a worker is there and that the clock rings for it."""
    return background_lack() is Lack.NOTHING


def background_lack(*, at: datetime | None = None) -> Lack:
    """Return what background work lacks.

    The sweeper's own row says that clock, queue and worker work. Where it is late the worker is asked, at
    most every five seconds: with all its processes busy it lives, and the sign waits its turn.
    """
    if LastSweep.objects.filter(swept_at__gt=(at or now()) - LATE_AFTER).exists():
        return Lack.NOTHING
    known = cache.get("background-lack")
    if known is None:
        known = _ask_a_worker().value
        cache.set("background-lack", known, timeout=REMEMBERED_SECONDS)
    return Lack(known)


def _ask_a_worker() -> Lack:
    # Loaded when asked: an installation whose queue is no Redis starts without it.
    from redis.exceptions import RedisError

    try:
        asked = current_app.control.inspect(timeout=REPLY_SECONDS, limit=1)
        busy, pools = asked.active(), asked.stats()
    except (OperationalError, RedisError, OSError):
        return Lack.WORKER
    if not busy or not pools:
        return Lack.WORKER
    has_time = any(len(busy.get(name, [])) < pool["pool"]["max-concurrency"] for name, pool in pools.items())
    return Lack.CLOCK if has_time else Lack.NOTHING


def name_month(at: datetime) -> str:
    """Return a month (UTC), such as 2026-11."""
    return at.astimezone(UTC).strftime("%Y-%m")


def reserved_of(month: MonthlySpend) -> int:
    """Return what calls in flight have reserved of an organization's month, in pico-USD."""
    in_flight = Call.objects.filter(charged_to=month, state=Call.State.RESERVED)
    return in_flight.aggregate(total=Sum("reserved"))["total"] or 0


def spending_of(*, organization: Organization) -> MonthlySpending:
    """Return what an organization has spent this month, and reserved for calls in flight."""
    name = name_month(now())
    month = MonthlySpend.objects.filter(organization=organization, month=name).first()
    used = reserved_of(month) + month.spent if month else 0
    cap = organization.monthly_spend_cap
    return MonthlySpending(
        month=name,
        used_usd=format(usd_from_pico(used), "f"),
        limit_usd=None if cap is None else format(usd_from_pico(cap), "f"),
    )
