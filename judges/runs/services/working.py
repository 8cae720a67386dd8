"""Work through a run's batches, and ring for whatever lies open."""

import logging
import random
import secrets
from datetime import datetime

from django.db import IntegrityError, transaction

from annotation.gold.selectors import ORIGINAL_VERSION, gold_version
from common.clock import now
from common.tasks import enqueue_on_commit
from judges import registry
from judges.protocol import Judge, JudgeFailed, JudgeInput, Verdict
from judges.runs.models import JudgeRun
from judges.runs.rules import reason_not_to_ask
from judges.runs.selectors import ACTIVE_STATES, PENDING_STATES, claimable_batches, judge_inputs
from judges.runs.services.batches import (
    Claim,
    claim_batch,
    fail_batch,
    finish_if_done,
    put_back_batch,
    settle_batch,
)
from judges.runs.services.starting import WORK_TASK

logger = logging.getLogger(__name__)

GOLD_MOVED = (
    "The gold list changed while the judge was at work. Start it again to judge against the new list."
)


def work_on_run(*, run_id: int, batches: int) -> int:
    """Judge up to so many batches of a run, ring again if more are free, and return how many were judged."""
    done = 0
    while done < batches and (claim := claim_batch(run_id=run_id, at=now())):
        _work_on_batch(claim)
        done += 1
    if done == batches:
        enqueue_on_commit(WORK_TASK, run_id)
    finish_if_done(run_id, at=now())
    return done


def _work_on_batch(claim: Claim) -> None:
    run = JudgeRun.objects.select_related("project").get(pk=claim.run_id)
    if _has_gold_moved(run):
        _stop(run, at=now())
        return
    read_at = now()
    try:
        judge = registry.make_judge(registry.get_entry(run.judge_key), _own_options(run))
        verdicts = _judge(run, judge, judge_inputs(run, claim.candidate_ids))
        # By the time the input was read: gold that came in meanwhile is newer than the verdict.
        settle_batch(claim=claim, verdicts=verdicts, at=read_at)
    except JudgeFailed as error:
        _handle_failure(claim, error)
    except IntegrityError:
        # An import was undone meanwhile: the next attempt reads what is left.
        put_back_batch(claim=claim, reason="Answers disappeared meanwhile.", at=now(), chance=0.0)
    except Exception:
        # A bug of one judge must not hold the batch until its lease ends three times.
        reference = secrets.token_hex(4)
        logger.exception("bug %s in judge %s", reference, run.judge_key)
        fail_batch(claim=claim, reason=f"The judge broke. Reference: {reference}", at=now())


def _handle_failure(claim: Claim, error: JudgeFailed) -> None:
    if error.retryable:
        put_back_batch(claim=claim, reason=error.reason, at=now(), chance=random.random())
    else:
        fail_batch(claim=claim, reason=error.reason, at=now())


def _own_options(run: JudgeRun) -> dict[str, object]:
    return {name: value for name, value in run.options.items() if name != "gold"}


def _judge(run: JudgeRun, judge: Judge, inputs: dict[int, JudgeInput]) -> dict[int, Verdict]:
    is_original = run.gold_version == ORIGINAL_VERSION
    reads = registry.get_entry(run.judge_key).reads
    verdicts = {pk: _without_judge(item, reads=reads, is_original=is_original) for pk, item in inputs.items()}
    asked = [pk for pk, verdict in verdicts.items() if verdict is None]
    replies = judge.judge([inputs[pk] for pk in asked])
    judged = dict(zip(asked, replies, strict=True))
    return {pk: verdict or judged[pk] for pk, verdict in verdicts.items()}


def _without_judge(item: JudgeInput, *, reads: registry.Reads, is_original: bool) -> Verdict | None:
    reason = reason_not_to_ask(item, reads=reads, is_original=is_original)
    return Verdict(accepted=None, unscored_reason=reason) if reason else None


def _has_gold_moved(run: JudgeRun) -> bool:
    is_original = run.gold_version == ORIGINAL_VERSION
    return not is_original and run.gold_version != gold_version(run.project, amended=True)


@transaction.atomic
def _stop(run: JudgeRun, *, at: datetime) -> None:
    active = JudgeRun.objects.filter(pk=run.pk, state__in=ACTIVE_STATES)
    active.update(state=JudgeRun.State.FAILED, message=GOLD_MOVED, finished_at=at)
    run.batches.filter(state__in=PENDING_STATES).delete()


def sweep_runs(*, at: datetime) -> int:
    """Ring for every run whose batches wait for a worker, end those with none, and return how many waited."""
    waiting = sorted(set(claimable_batches(at=at).values_list("run_id", flat=True).order_by("run_id")))
    for run_id in waiting:
        enqueue_on_commit(WORK_TASK, run_id)
    idle = JudgeRun.objects.filter(state__in=ACTIVE_STATES).exclude(pk__in=waiting)
    for run_id in idle.order_by("pk").values_list("pk", flat=True):
        finish_if_done(run_id, at=at)
    return len(waiting)
