"""Claim batches and settle them: exactly one owner at a time, and only the owner's verdicts count."""

import random
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, QuerySet

from judges.protocol import Verdict as JudgeVerdict
from judges.runs.models import JudgeRun, RunBatch
from judges.runs.rules import is_given_up, lease_end, pause_seconds
from judges.runs.selectors import (
    ACTIVE_STATES,
    PENDING_STATES,
    next_batches,
    unplanned_candidates,
)
from judges.runs.services.storing import store_verdicts

WORKER_DIED = "The worker died or took too long, three times."
# So many are looked at together; where many hands take small ones, each tries its own order.
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


def settle_batch(
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
    run.message = f"{failed} batches failed; see the reasons." if failed else ""
    run.finished_at = at
    run.save(update_fields=["state", "message", "finished_at"])


def _end_state(run: JudgeRun) -> str:
    is_sample = run.sample_size is not None and bool(unplanned_candidates(run))
    return JudgeRun.State.SAMPLED if is_sample else JudgeRun.State.FINISHED
