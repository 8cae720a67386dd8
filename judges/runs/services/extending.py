"""Extend runs: plan batches for what is new, in shares, so that nobody waits long for the write lock."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from common.clock import now
from common.shares import in_shares
from common.tasks import enqueue_on_commit
from judges import registry
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.rules import draw_sample, split_into_batches
from judges.runs.selectors import (
    ACTIVE_STATES,
    answers_in_scope,
    outdated_verdicts,
    sample_room,
    unplanned_candidates,
)
from judges.runs.selectors.juries import is_jury, unheard_verdicts
from judges.runs.services.batches import finish_if_done

WORK_TASK = "judges.runs.work"
# What a person (or the cap) stopped goes on only when it is started or resumed.
STOPPED_STATES = (JudgeRun.State.CANCELLED, JudgeRun.State.PAUSED)
# Rows written or dropped at a time: some 50 ms of processor time on SQLite.
SHARE = 1_000
# Far more than a share takes. Whoever plans for longer without a sign is dead, and the sweeper plans on.
PLANNING = timedelta(minutes=1)


def extend_run(run: JudgeRun, *, at: datetime, goes_on: bool = False) -> JudgeRun:
    """Plan batches for what the run has not judged.

    goes_on: a run that was stopped works again, what failed is tried again, and what was judged before
    its gold answers came in is judged again.
    """
    with transaction.atomic():
        token = begin_extending(run, goes_on=goes_on)
    return carry_out(run, token=token, at=at, forgets=goes_on)


def begin_extending(run: JudgeRun, *, goes_on: bool) -> datetime:
    """Note in the run's row that it is being extended, inside the caller's transaction.

    Returns what `carry_out` proves with that nobody has begun anew or cancelled the run since. Until it is
    carried out the run does not end, however soon its batches are judged.
    """
    run = JudgeRun.objects.select_for_update().get(pk=run.pk)
    reopened = _take_up_again(run) if goes_on and run.state not in ACTIVE_STATES else 0
    run.planning_until = token = _later_than(run.planning_until)
    run.save(update_fields=["planning_until"])
    if goes_on if run.state in STOPPED_STATES else reopened:
        queue_run(run)
    return token


def carry_out(run: JudgeRun, *, token: datetime | None, at: datetime, forgets: bool) -> JudgeRun:
    """Plan what was begun, share by share, and return the run as it is then.

    Each share is a transaction of its own, and can be repeated: whoever dies over it is followed by the
    sweeper. token: None where somebody else has begun anew. forgets: verdicts given before their gold
    answers came in are given anew.
    """
    run.refresh_from_db()
    if token is None:
        return run
    if is_jury(run):
        _forget(unheard_verdicts(run))
    if forgets:
        _forget(outdated_verdicts(run))
    if run.only_judged or run.only_dataset or run.only_system:
        _drop_outside(run)
    held = _plan(run, token)
    if held is not None and _is_mine(run, held).update(planning_until=None):
        finish_if_done(run.pk, at=at)
    run.refresh_from_db()
    return run


def plan_on(*, at: datetime) -> None:
    """Extend the runs over whose extension somebody has died."""
    for run in JudgeRun.objects.filter(planning_until__lte=at).order_by("pk"):
        extend_run(run, at=at)


def _later_than(token: datetime | None) -> datetime:
    until = now() + PLANNING
    return max(until, token + timedelta(microseconds=1)) if token else until


def _is_mine(run: JudgeRun, token: datetime) -> QuerySet[JudgeRun]:
    return JudgeRun.objects.filter(pk=run.pk, planning_until=token)


def _forget(verdicts: QuerySet[Verdict]) -> None:
    for share in in_shares(list(verdicts.order_by("pk").values_list("pk", flat=True)), of=SHARE):
        # Asked again: it may have been given anew by now.
        verdicts.filter(pk__in=share).delete()


def _drop_outside(run: JudgeRun) -> None:
    """Drop what waits and may be outside of the scope; what else was in it is planned again.

    What a worker has in hand is finished.
    """
    inside = set(answers_in_scope(run).values_list("pk", flat=True))
    waiting = run.batches.filter(state__in=(RunBatch.State.OPEN, RunBatch.State.FAILED))
    outside = [pk for pk, ids in waiting.values_list("pk", "candidate_ids") if not inside.issuperset(ids)]
    for share in in_shares(outside, of=SHARE):
        waiting.filter(pk__in=share).delete()


def _plan(run: JudgeRun, token: datetime) -> datetime | None:
    """Plan what has neither verdict nor batch; return the new token, None where it is somebody else's."""
    ids = unplanned_candidates(run)
    if run.sample_size is not None:
        ids = draw_sample(ids, size=sample_room(run, unplanned=len(ids)), seed=run.sample_seed)
    held: datetime | None = token
    for share in in_shares(split_into_batches(ids, size=_batch_size(run)), of=SHARE):
        held = _add_share(run, held, share) if held else None
    return held


@transaction.atomic
def _add_share(run: JudgeRun, token: datetime, share: Sequence[Sequence[int]]) -> datetime | None:
    renewed = _renewed(run, token)
    if renewed is not None:
        _add(run, share)
        _go_on(run)
    return renewed


def _renewed(run: JudgeRun, token: datetime) -> datetime | None:
    """Hold the run for another share; None where somebody else does."""
    renewed = _later_than(token)
    # First, as it locks the row: who begins anew waits for this share, and reads what is left after it.
    if not _is_mine(run, token).update(planning_until=renewed):
        return None
    run.refresh_from_db()
    return renewed


def _go_on(run: JudgeRun) -> None:
    if run.state not in STOPPED_STATES:
        queue_run(run)


def _take_up_again(run: JudgeRun) -> int:
    let_waiting_end(run)
    return reopen(failed_batches(run))


def let_waiting_end(run: JudgeRun) -> None:
    """Let no batch wait any longer, and forget how often the provider refused it."""
    waiting = run.batches.filter(state=RunBatch.State.OPEN).exclude(not_before=None, refusals=0)
    waiting.update(not_before=None, refusals=0)


def failed_batches(run: JudgeRun, *, reason: str | None = None) -> QuerySet[RunBatch]:
    """Return batches that failed, for one reason or any."""
    failed = run.batches.filter(state=RunBatch.State.FAILED)
    return failed if reason is None else failed.filter(error=reason)


def reopen_in_shares(run: JudgeRun, batch_ids: Sequence[int], *, token: datetime) -> datetime | None:
    """Let failed batches begin anew, each share with a doorbell; return the new token, as `_plan` does."""
    held: datetime | None = token
    for share in in_shares(batch_ids, of=SHARE):
        held = _reopen_share(run, held, share) if held else None
    return held


@transaction.atomic
def _reopen_share(run: JudgeRun, token: datetime, share: Sequence[int]) -> datetime | None:
    renewed = _renewed(run, token)
    if renewed is not None:
        reopen(failed_batches(run).filter(pk__in=share))
        _go_on(run)
    return renewed


def reopen(failed: QuerySet[RunBatch]) -> int:
    """Let failed batches begin from their first attempt; return how many."""
    return failed.update(
        state=RunBatch.State.OPEN,
        # Every attempt so far is forgiven; the version of the row still only grows.
        waits=F("attempt"),
        refusals=0,
        owner="",
        not_before=None,
        error="",
    )


def add_batches(run: JudgeRun, ids: Sequence[int]) -> None:
    """Plan batches for these answers, inside the caller's transaction."""
    _add(run, split_into_batches(ids, size=_batch_size(run)))


def _batch_size(run: JudgeRun) -> int:
    # A call is paid for one answer, so one answer is what a worker takes.
    return 1 if run.connection_id else registry.get_entry(run.judge_key).batch_size


def _add(run: JudgeRun, shares: Sequence[Sequence[int]]) -> None:
    last = run.batches.order_by("-number").values_list("number", flat=True).first() or 0
    RunBatch.objects.bulk_create(
        [
            RunBatch(run=run, number=number, candidate_ids=list(ids), size=len(ids))
            for number, ids in enumerate(shares, start=last + 1)
        ],
        batch_size=SHARE,
    )


def queue_run(run: JudgeRun) -> None:
    """Let workers take up an open run; its row is locked by the caller."""
    if run.state != JudgeRun.State.RUNNING:
        run.state = JudgeRun.State.QUEUED
        run.started_at = run.finished_at = None
        run.message = ""
        run.save(update_fields=["state", "started_at", "finished_at", "message"])
    enqueue_on_commit(WORK_TASK, run.pk)
