"""Pause, resume, retry and cancel runs."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from common.clock import now
from common.database.shares import in_shares
from common.errors import Conflict
from judges import registry
from judges.runs.models import Call, JudgeRun, RunBatch, Verdict
from judges.runs.selectors import ACTIVE_STATES, PENDING_STATES, has_gold_moved
from judges.runs.services.batches import (
    begin_extending,
    carry_out,
    failed_batches,
    finish_if_done,
    let_waiting_end,
    queue_run,
    reopen,
    reopen_in_shares,
)
from judges.runs.services.starting import set_cap

# Batches dropped at a time.
SHARE = 1_000
PAUSED_BY_HAND = "Paused. Let it go on whenever you like."


class RunIsOver(Conflict):
    """The run is not at work, so there is nothing to stop."""

    code = "run_is_over"


class RunNotPaused(Conflict):
    """The run is not paused, so there is nothing to resume."""

    code = "run_not_paused"


class NotRepeatable(Conflict):
    """The answers cannot be judged again: a file holds the verdicts, or the gold list is another."""

    code = "not_repeatable"


class NothingFailed(Conflict):
    """No part of the run failed, so there is nothing to try again."""

    code = "nothing_failed"


def pause_run(*, run: JudgeRun) -> JudgeRun:
    """Let no worker begin anything more; what one has in hand is finished. Raises `RunIsOver`."""
    if not pause_at_once(run_id=run.pk, reason=PAUSED_BY_HAND):
        raise RunIsOver("This run is not at work.")
    run.refresh_from_db()
    return run


def pause_at_once(*, run_id: int, reason: str) -> bool:
    """Pause a run at work, saying why; the first reason stays. False where it was not at work."""
    active = JudgeRun.objects.filter(pk=run_id, state__in=ACTIVE_STATES)
    return bool(active.update(state=JudgeRun.State.PAUSED, message=reason))


@transaction.atomic
def resume_run(
    *, run: JudgeRun, changes: Mapping[str, int | None] | None = None, at: datetime | None = None
) -> JudgeRun:
    """Let a paused run go on; raises `RunNotPaused`, `CapTooLow`.

    changes: a new `spend_cap` in pico-USD, None for no cap of the run's own; left out, it stays.
    """
    run = JudgeRun.objects.select_for_update().get(pk=run.pk)
    if run.state != JudgeRun.State.PAUSED:
        raise RunNotPaused("This run is not paused.")
    if changes:
        set_cap(run=run, **changes)
    let_waiting_end(run)
    queue_run(run)
    finish_if_done(run.pk, at=at or now())
    run.refresh_from_db()
    return run


def retry_failed(*, run: JudgeRun, reason: str | None = None, at: datetime | None = None) -> JudgeRun:
    """Judge again what has no verdict: all of it, or what shares one reason.

    Raises `NotRepeatable` and `NothingFailed`; then everything stays as it was.
    Failed batches begin from their first attempt. Answers that a model's reply left unscored are asked
    anew; other judges would say the same again, and are only asked where a reason is given. In shares: where
    this process dies over it, what is left stays failed or unscored, and can be judged again.
    """
    run.refresh_from_db()
    if run.purpose != JudgeRun.Purpose.VERDICTS:
        return _retry_batches(run, reason)
    _require_repeatable(run)
    failed = list(failed_batches(run, reason=reason).order_by("pk").values_list("pk", flat=True))
    unscored = _unscored(run, reason) if reason is not None or run.connection_id else []
    if not failed and not unscored:
        raise NothingFailed("No part of this run failed.")
    with transaction.atomic():
        token = begin_extending(run, goes_on=False)
        queue_run(JudgeRun.objects.select_for_update().get(pk=run.pk))
    for share in in_shares(unscored, of=SHARE):
        _forget_unscored(run, share)
    held = reopen_in_shares(run, failed, token=token)
    return carry_out(run, token=held, at=at or now(), forgets=True)


@transaction.atomic
def _retry_batches(run: JudgeRun, reason: str | None) -> JudgeRun:
    """Ask again what was never answered; a reply that proposes nothing stands. No round has many batches."""
    run = JudgeRun.objects.select_for_update().get(pk=run.pk)
    if not reopen(failed_batches(run, reason=reason)):
        raise NothingFailed("No part of this run failed.")
    queue_run(run)
    return run


def _require_repeatable(run: JudgeRun) -> None:
    if not registry.get_entry(run.judge_key).is_startable:
        raise NotRepeatable(
            "These verdicts stand as their file brought them; there is no judge to ask again."
        )
    if has_gold_moved(run):
        raise NotRepeatable("The gold list has changed. Start the judge again to judge by the new one.")


def _unscored(run: JudgeRun, reason: str | None) -> list[int]:
    """Return the answers that have a verdict and no score, for one reason or any."""
    unscored = Verdict.objects.filter(run=run, accepted=None)
    if reason is not None:
        unscored = unscored.filter(unscored_reason=reason)
    return list(unscored.order_by("candidate_id").values_list("candidate_id", flat=True))


@transaction.atomic
def _forget_unscored(run: JudgeRun, candidate_ids: Sequence[int]) -> None:
    _ask_anew(run, candidate_ids)
    Verdict.objects.filter(run=run, accepted=None, candidate__in=candidate_ids).delete()


def _ask_anew(run: JudgeRun, candidate_ids: Sequence[int]) -> None:
    """Let no earlier reply serve for these answers: it is what could not be scored."""
    own = Call.objects.filter(run=run, candidate__in=candidate_ids)
    keys = own.values_list("cache_key", flat=True).distinct()
    replied = Call.objects.filter(connection=run.connection_id, state=Call.State.SETTLED, is_counted=True)
    replied.filter(cache_key__in=list(keys)).update(is_counted=False)


def cancel_run(*, run: JudgeRun, at: datetime | None = None) -> JudgeRun:
    """Stop a run; verdicts stay, and what a worker has in hand is dropped. Raises `RunIsOver`."""
    active = JudgeRun.objects.filter(pk=run.pk, state__in=(*ACTIVE_STATES, JudgeRun.State.PAUSED))
    if not active.update(
        # Whoever plans more of it stops, too.
        state=JudgeRun.State.CANCELLED,
        message="",
        finished_at=at or now(),
        planning_until=None,
    ):
        raise RunIsOver("This run is not at work.")
    # Nobody takes up a batch of a run that is over: in shares, and what is left does no harm.
    pending = RunBatch.objects.filter(run=run, state__in=PENDING_STATES, run__state=JudgeRun.State.CANCELLED)
    for share in in_shares(list(pending.order_by("pk").values_list("pk", flat=True)), of=SHARE):
        # Asked again: the run may have been started anew meanwhile.
        pending.filter(pk__in=share).delete()
    run.refresh_from_db()
    return run
