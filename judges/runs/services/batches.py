"""A run in batches: add, claim and settle them, and store their verdicts."""

import random
import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, QuerySet

from common.clock import now
from common.database.rows import LARGEST, batched, in_chunks, insert_rows
from common.events import publish
from common.tasks import enqueue_on_commit
from judges import registry
from judges.connections.rules.calls import storable
from judges.protocol import Verdict as JudgeVerdict
from judges.runs.events import RunStopped
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.rules import draw_sample, is_given_up, lease_end, pause_seconds
from judges.runs.selectors.work import (
    ACTIVE_STATES,
    PENDING_STATES,
    answers_in_scope,
    heard_runs,
    next_batches,
    outdated_verdicts,
    sample_room,
    unplanned_candidates,
    verdicts_before_heard,
)

VERDICT_FIELDS = (
    "run",
    "candidate",
    "accepted",
    "score",
    "unscored_reason",
    "raw_reply",
    "flags",
    "judged_at",
)


def store_verdicts(*, run_id: int, verdicts: Mapping[int, JudgeVerdict], at: datetime) -> None:
    """Store a run's verdicts by answer id, inside the caller's transaction."""
    rows = [
        (
            run_id,
            candidate_id,
            said.accepted,
            None if said.score is None else float(said.score),
            said.unscored_reason,
            storable(said.raw_reply),
            ",".join(said.flags),
            at,
        )
        for candidate_id, said in verdicts.items()
    ]
    insert_rows(Verdict, VERDICT_FIELDS, rows)


WORKER_DIED = "The worker stopped or took too long three times."
# So many are looked at together; where many threads take small ones, each tries its own order.
WINDOW = 32


class KeepVerdicts(Protocol):
    """Whoever keeps what a program said, inside the transaction that closes its batch."""

    def __call__(self, *, run_id: int, verdicts: Mapping[int, JudgeVerdict], at: datetime) -> None:
        """Keep it, by answer id."""
        ...


class Claim(NamedTuple):
    """A batch in one worker's hands; `owner` and `attempt` prove that it still is.

    waits, refusals: how many earlier attempts do not count, and how many of them the provider refused.
    """

    batch_id: int
    run_id: int
    candidate_ids: list[int]
    owner: str
    attempt: int
    waits: int = 0
    refusals: int = 0


def claim_batch(*, run_id: int, at: datetime) -> Claim | None:
    """Take the run's next free batch for `ASSAY_RUN_LEASE_SECONDS`; None where none is free.

    A batch whose lease ended is free again, but for one that was tried too often: that one is failed.
    """
    while window := next_batches(run_id=run_id, at=at, most=WINDOW):
        if window[0].size == 1:
            random.shuffle(window)
        for batch in window:
            claim = _claim_or_give_up(batch, at=at)
            if claim is not None:
                return claim
    return None


def _claim_or_give_up(batch: RunBatch, *, at: datetime) -> Claim | None:
    if is_given_up(attempt=batch.attempt, waits=batch.waits):
        _give_up(batch, at=at)
        return None
    return _try_to_claim(batch, at=at)


def _try_to_claim(batch: RunBatch, *, at: datetime) -> Claim | None:
    owner = secrets.token_hex(16)
    # The attempt is the version of the row: whoever else claimed it meanwhile has raised it.
    unchanged = RunBatch.objects.filter(pk=batch.pk, state=batch.state, attempt=batch.attempt)
    is_mine = unchanged.update(
        state=RunBatch.State.CLAIMED,
        owner=owner,
        attempt=batch.attempt + 1,
        lease_expires_at=lease_end(at=at, seconds=settings.ASSAY_RUN_LEASE_SECONDS),
    )
    if not is_mine:
        return None
    queued = JudgeRun.objects.filter(pk=batch.run_id, state=JudgeRun.State.QUEUED)
    queued.update(state=JudgeRun.State.RUNNING, started_at=at)
    return Claim(
        batch_id=batch.pk,
        run_id=batch.run_id,
        candidate_ids=batch.candidate_ids,
        owner=owner,
        attempt=batch.attempt + 1,
        waits=batch.waits,
        refusals=batch.refusals,
    )


def _give_up(batch: RunBatch, *, at: datetime) -> None:
    unchanged = RunBatch.objects.filter(pk=batch.pk, state=batch.state, attempt=batch.attempt)
    unchanged.update(state=RunBatch.State.FAILED, error=WORKER_DIED, finished_at=at)


def close_batch(
    *,
    claim: Claim,
    verdicts: Mapping[int, JudgeVerdict],
    at: datetime,
    keep: KeepVerdicts = store_verdicts,
    rest: Sequence[int] = (),
) -> bool:
    """Keep a batch's verdicts, by answer id, if the claim still holds; else drop them and return False.

    rest: the answers to which the worker did not come; they are a batch of their own from now on.
    """
    with transaction.atomic():
        parted = _part(claim, rest) if rest else {}
        if not _close(claim, state=RunBatch.State.DONE, finished_at=at, **parted):
            transaction.set_rollback(True)
            return False
        keep(run_id=claim.run_id, verdicts=verdicts, at=at)
    return True


def _part(claim: Claim, rest: Sequence[int]) -> dict[str, object]:
    """Plan the rest, and return what remains of the batch; the run's row comes first, as for all who plan."""
    run = JudgeRun.objects.select_for_update().get(pk=claim.run_id)
    number = (run.batches.aggregate(last=Max("number"))["last"] or 0) + 1
    RunBatch.objects.create(run=run, number=number, candidate_ids=list(rest), size=len(rest))
    judged = [pk for pk in claim.candidate_ids if pk not in set(rest)]
    return {"candidate_ids": judged, "size": len(judged)}


def put_back_batch(*, claim: Claim, reason: str, at: datetime, chance: float) -> None:
    """Let a batch rest and be tried again, or fail it where it was tried too often."""
    if is_given_up(attempt=claim.attempt, waits=claim.waits):
        fail_batch(claim=claim, reason=reason, at=at)
        return
    rest = timedelta(seconds=pause_seconds(attempt=claim.attempt - claim.waits, chance=chance))
    _close(claim, state=RunBatch.State.OPEN, error=reason, not_before=at + rest)


def let_batch_wait(*, claim: Claim, until: datetime | None, is_refused: bool = False) -> None:
    """Put a batch back until then, not counting the attempt; `is_refused`: by the provider's rate limit."""
    _close(
        claim,
        state=RunBatch.State.OPEN,
        not_before=until,
        waits=F("waits") + 1,
        refusals=F("refusals") + int(is_refused),
    )


def renew_lease(*, claim: Claim, at: datetime) -> bool:
    """Hold a batch longer, if it is still ours."""
    return bool(
        _mine(claim).update(lease_expires_at=lease_end(at=at, seconds=settings.ASSAY_RUN_LEASE_SECONDS))
    )


def is_held(*, claim: Claim) -> bool:
    """Say whether a batch is still ours: not once its run was cancelled, or somebody else took it."""
    return _mine(claim).exists()


def fail_batch(*, claim: Claim, reason: str, at: datetime) -> None:
    """Fail a batch for good; the run goes on without it."""
    _close(claim, state=RunBatch.State.FAILED, error=reason, finished_at=at)


def _close(claim: Claim, **changes: object) -> bool:
    return bool(_mine(claim).update(owner="", lease_expires_at=None, **changes))


def _mine(claim: Claim) -> QuerySet[RunBatch]:
    return RunBatch.objects.filter(
        pk=claim.batch_id, owner=claim.owner, attempt=claim.attempt, state=RunBatch.State.CLAIMED
    )


@transaction.atomic
def finish_if_done(run_id: int, *, at: datetime) -> None:
    """End an active run that has no batch left to work on, and gets no more."""
    # The lock comes first: whoever extends the run holds it, and the batches are counted after that.
    extended = JudgeRun.objects.filter(planning_until=None)
    run = extended.select_for_update().filter(pk=run_id, state__in=ACTIVE_STATES).first()
    if run is None or run.batches.filter(state__in=PENDING_STATES).exists():
        return
    failed = run.batches.filter(state=RunBatch.State.FAILED).count()
    run.state = JudgeRun.State.FAILED if failed else _end_state(run)
    run.message = f"Failed batches: {failed}. See the reasons below." if failed else ""
    run.finished_at = at
    run.save(update_fields=["state", "message", "finished_at"])
    publish(RunStopped(run_id=run.pk))


def _end_state(run: JudgeRun) -> str:
    is_sample = run.sample_size is not None and bool(unplanned_candidates(run))
    return JudgeRun.State.SAMPLED if is_sample else JudgeRun.State.FINISHED


WORK_TASK = "judges.runs.work"
# What a person (or the cap) stopped goes on only when it is started or resumed.
STOPPED_STATES = (JudgeRun.State.CANCELLED, JudgeRun.State.PAUSED)
# Far more than a chunk takes. Whoever plans for longer without a sign is dead, and the sweeper plans on.
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
    """Plan what was begun, chunk by chunk, and return the run as it is then.

    Each chunk is a transaction of its own, and can be repeated: whoever dies over it is followed by the
    sweeper. token: None where somebody else has begun anew. forgets: verdicts given before their gold
    answers came in are given anew.
    """
    run.refresh_from_db()
    if token is None:
        return run
    if heard_runs(run):
        _forget(verdicts_before_heard(run))
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
    for chunk in in_chunks(list(verdicts.order_by("pk").values_list("pk", flat=True))):
        # Asked again: it may have been given anew by now.
        verdicts.filter(pk__in=chunk).delete()


def _drop_outside(run: JudgeRun) -> None:
    """Drop what waits and may be outside of the scope; what else was in it is planned again.

    What a worker has in hand is finished.
    """
    inside = set(answers_in_scope(run).values_list("pk", flat=True))
    waiting = run.batches.filter(state__in=(RunBatch.State.OPEN, RunBatch.State.FAILED))
    outside = [pk for pk, ids in waiting.values_list("pk", "candidate_ids") if not inside.issuperset(ids)]
    for chunk in in_chunks(outside):
        waiting.filter(pk__in=chunk).delete()


def _plan(run: JudgeRun, token: datetime) -> datetime | None:
    """Plan what has neither verdict nor batch; return the new token, None where it is somebody else's."""
    ids = unplanned_candidates(run)
    if run.sample_size is not None:
        ids = draw_sample(ids, size=sample_room(run, unplanned=len(ids)), seed=run.sample_seed)
    held: datetime | None = token
    for chunk in in_chunks(list(batched(ids, _batch_size(run)))):
        held = _add_chunk(run, held, chunk) if held else None
    return held


@transaction.atomic
def _add_chunk(run: JudgeRun, token: datetime, chunk: Sequence[Sequence[int]]) -> datetime | None:
    renewed = _renewed(run, token)
    if renewed is not None:
        _add(run, chunk)
        _go_on(run)
    return renewed


def _renewed(run: JudgeRun, token: datetime) -> datetime | None:
    """Hold the run for another chunk; None where somebody else does."""
    renewed = _later_than(token)
    # First, as it locks the row: who begins anew waits for this chunk, and reads what is left after it.
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


def reopen_in_chunks(run: JudgeRun, batch_ids: Sequence[int], *, token: datetime) -> datetime | None:
    """Let failed batches begin anew, each chunk with a doorbell; return the new token, as `_plan` does."""
    held: datetime | None = token
    for chunk in in_chunks(batch_ids):
        held = _reopen_chunk(run, held, chunk) if held else None
    return held


@transaction.atomic
def _reopen_chunk(run: JudgeRun, token: datetime, chunk: Sequence[int]) -> datetime | None:
    renewed = _renewed(run, token)
    if renewed is not None:
        reopen(failed_batches(run).filter(pk__in=chunk))
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
    _add(run, batched(ids, _batch_size(run)))


def _batch_size(run: JudgeRun) -> int:
    # A call is paid for one answer, so one answer is what a worker takes.
    return 1 if run.connection_id else registry.get_entry(run.judge_key).batch_size


def _add(run: JudgeRun, batches: Iterable[Sequence[int]]) -> None:
    last = run.batches.order_by("-number").values_list("number", flat=True).first() or 0
    RunBatch.objects.bulk_create(
        [
            RunBatch(run=run, number=number, candidate_ids=list(ids), size=len(ids))
            for number, ids in enumerate(batches, start=last + 1)
        ],
        batch_size=LARGEST,
    )


def queue_run(run: JudgeRun) -> None:
    """Let workers take up an open run; its row is locked by the caller."""
    if run.state != JudgeRun.State.RUNNING:
        run.state = JudgeRun.State.QUEUED
        run.started_at = run.finished_at = None
        run.message = ""
        run.save(update_fields=["state", "started_at", "finished_at", "message"])
    enqueue_on_commit(WORK_TASK, run.pk)
