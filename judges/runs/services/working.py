"""Work through a run's batches, and ring for whatever lies open."""

import logging
import math
import random
import secrets
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connections, transaction

from annotation.gold.selectors import ORIGINAL_VERSION
from common.clock import now
from common.events import publish
from common.tasks import enqueue_on_commit
from judges import registry
from judges.protocol import Judge, JudgeFailed, JudgeInput, NotWanted, Verdict, looking
from judges.runs.models import JudgeRun
from judges.runs.rules import MAX_REFUSALS, is_taken_over, pause_seconds, reason_not_to_ask, split_into_slices
from judges.runs.selectors import (
    ACTIVE_STATES,
    PENDING_STATES,
    due_runs,
    has_gold_moved,
    is_out_of_order,
    judge_inputs,
    waiting_runs,
)
from judges.runs.services.batches import (
    Claim,
    claim_batch,
    fail_batch,
    finish_if_done,
    is_held,
    let_batch_wait,
    put_back_batch,
    settle_batch,
)
from judges.runs.services.controlling import pause_at_once
from judges.runs.services.extending import WORK_TASK, plan_on
from judges.runs.services.holding import Keeper
from judges.runs.services.spending import ClaimLost, NotYet, rest_connection, settle_lost_calls
from judges.runs.services.storing import store_verdicts
from judges.runs.services.tooling import Tools

logger = logging.getLogger(__name__)

GOLD_MOVED = (
    "The gold list changed while the judge was at work. Start it again to judge against the new list."
)
REFUSED = "The provider’s rate limit refused an answer {times} times in a row. Let the run go on later."
OUTAGE = "The provider failed every call for a while. Let the run go on later."
# So many failed calls in a row are no accident; a call a rest finds out when it is over.
OUTAGE_CALLS = 10
# A doorbell for what only waited is worth nothing once the next one rings.
WAKE_SECONDS = 2


class Turn(NamedTuple):
    """How much a worker does before others come in: batches with each hand; until when, by monotonic time."""

    batches: int
    ends_at: float

    @property
    def is_over(self) -> bool:
        """Whether its time is up."""
        return time.monotonic() >= self.ends_at


def work_on_run(*, run_id: int, batches: int, seconds: float = math.inf, rings: bool = True) -> int:
    """Judge up to so many batches of a run (of a run over a connection, so many with each hand).

    After so many seconds it is enough, too: the batch in hand is parted, and its rest is judged another
    time; not so over a connection, where batches are small and calls are waited for. Rings again if more
    may be free and `rings` says so, and returns how many batches were taken up.
    """
    run = JudgeRun.objects.select_related("project", "connection").filter(pk=run_id).first()
    if run is None or not waiting_runs(at=now()).filter(pk=run_id).exists():
        finish_if_done(run_id, at=now())
        return 0
    try:
        tools = Tools(run)
    except JudgeFailed as error:
        pause_at_once(run_id=run_id, reason=error.reason)
        return 0
    try:
        turn = Turn(batches, math.inf if run.connection_id else time.monotonic() + seconds)
        done = _with_all_hands(run_id, tools, turn)
    finally:
        tools.close()
    if rings and done and (turn.is_over or done == turn.batches * tools.hands):
        enqueue_on_commit(WORK_TASK, run_id)
    finish_if_done(run_id, at=now())
    return done


def _with_all_hands(run_id: int, tools: Tools, turn: Turn) -> int:
    with Keeper() as keeper:
        if tools.hands == 1:
            return _work_through(run_id, tools, keeper, turn)
        with ThreadPoolExecutor(tools.hands, thread_name_prefix="hand") as pool:
            hands = [pool.submit(_one_hand, run_id, tools, keeper, turn) for _ in range(tools.hands)]
            return sum(hand.result() for hand in hands)


def _one_hand(run_id: int, tools: Tools, keeper: Keeper, turn: Turn) -> int:
    try:
        return _work_through(run_id, tools, keeper, turn)
    finally:
        connections.close_all()


def _work_through(run_id: int, tools: Tools, keeper: Keeper, turn: Turn) -> int:
    done = 0
    goes_on = True
    while goes_on and done < turn.batches and (claim := claim_batch(run_id=run_id, at=now())):
        with keeper.holding(claim):
            goes_on = _work_on_batch(claim, tools, turn) and not turn.is_over
        done += 1
    return done


def _work_on_batch(claim: Claim, tools: Tools, turn: Turn) -> bool:
    """Judge a batch; return whether it makes sense to take another one now."""
    run = JudgeRun.objects.select_related("project", "connection").get(pk=claim.run_id)
    if has_gold_moved(run):
        _stop(run, at=now())
        return False
    if run.connection_id and is_taken_over(attempt=claim.attempt, waits=claim.waits):
        settle_lost_calls(at=now(), run_id=run.pk, candidate_ids=claim.candidate_ids)
    try:
        with looking(partial(_require_held, claim)):
            _judge_and_settle(run, claim, tools, turn)
    except JudgeFailed as error:
        return _handle_failure(run, claim, error)
    except NotWanted:
        return True
    except IntegrityError:
        # An import was undone meanwhile: the next attempt reads what is left.
        put_back_batch(claim=claim, reason="Answers disappeared meanwhile.", at=now(), chance=0.0)
    except DatabaseError:
        # No fault of the judge, and no way to write it down: the batch is free when its lease ends.
        raise
    except Exception:
        # A bug of one judge must not hold the batch until its lease ends three times.
        reference = secrets.token_hex(4)
        logger.exception("bug %s in judge %s", reference, run.judge_key)
        fail_batch(claim=claim, reason=f"The judge broke. Reference: {reference}", at=now())
    return True


def _judge_and_settle(run: JudgeRun, claim: Claim, tools: Tools, turn: Turn) -> None:
    read_at = now()
    inputs = judge_inputs(run, claim.candidate_ids)
    judge = tools.judge_for(claim)
    verdicts: dict[int, Verdict] = {}
    for share in split_into_slices(inputs):
        if verdicts and not is_held(claim=claim):
            return
        verdicts |= _judge(run, judge, share)
        if turn.is_over:
            break
    rest = [pk for pk in inputs if pk not in verdicts]
    # By the time the input was read: gold that came in meanwhile is newer than the verdict.
    keep = store_verdicts if run.purpose == JudgeRun.Purpose.VERDICTS else _hand_over
    settle_batch(claim=claim, verdicts=verdicts, at=read_at, keep=keep, rest=rest)


def _require_held(claim: Claim) -> None:
    if not is_held(claim=claim):
        raise NotWanted


def _hand_over(*, run_id: int, verdicts: Mapping[int, Verdict], at: datetime) -> None:
    """Give a model's replies to whoever asked for tags."""
    publish(event="tags_proposed", run_id=run_id, replies=verdicts, at=at)


def _handle_failure(run: JudgeRun, claim: Claim, error: JudgeFailed) -> bool:
    if isinstance(error, ClaimLost):
        # Ours still, where it is only the run that was paused.
        let_batch_wait(claim=claim, until=None)
        return False
    if isinstance(error, NotYet):
        let_batch_wait(claim=claim, until=error.until)
        return not error.is_for_all
    if error.pauses_run:
        let_batch_wait(claim=claim, until=None)
        pause_at_once(run_id=run.pk, reason=error.reason)
        return False
    if error.retry_after_seconds is not None:
        _rest(run, claim, error.retry_after_seconds, _refused(claim), at=now())
        return False
    if error.retryable and _is_out_of_order(run):
        # Else every answer would be tried three times, and failed, while the provider is away.
        _rest(run, claim, settings.ASSAY_OUTAGE_REST_SECONDS, f"{OUTAGE} {error.reason}", at=now())
        return False
    if error.retryable:
        put_back_batch(claim=claim, reason=error.reason, at=now(), chance=random.random())
    else:
        fail_batch(claim=claim, reason=error.reason, at=now())
    return True


def _refused(claim: Claim) -> str:
    return REFUSED.format(times=claim.refusals + 1)


def _is_out_of_order(run: JudgeRun) -> bool:
    return run.connection_id is not None and is_out_of_order(
        connection_id=run.connection_id, calls=OUTAGE_CALLS
    )


def _rest(run: JudgeRun, claim: Claim, seconds: float, reason: str, *, at: datetime) -> None:
    """Let everybody leave the provider alone for so long; this batch rests by itself meanwhile.

    reason: why the run is paused where it never ends.
    """
    if run.connection_id:
        rest_connection(connection_id=run.connection_id, until=at + timedelta(seconds=seconds))
    own = timedelta(seconds=pause_seconds(attempt=claim.refusals, chance=random.random()))
    let_batch_wait(claim=claim, until=at + own, is_refused=True)
    if claim.refusals + 1 >= MAX_REFUSALS:
        pause_at_once(run_id=run.pk, reason=reason)


def _judge(run: JudgeRun, judge: Judge, inputs: dict[int, JudgeInput]) -> dict[int, Verdict]:
    entry = registry.get_entry(run.judge_key)
    is_original = run.gold_version == ORIGINAL_VERSION
    verdicts = {pk: _without_judge(item, entry=entry, is_original=is_original) for pk, item in inputs.items()}
    asked = [pk for pk, verdict in verdicts.items() if verdict is None]
    replies = judge.judge([inputs[pk] for pk in asked]) if asked else []
    judged = dict(zip(asked, replies, strict=True))
    return {pk: verdict or judged[pk] for pk, verdict in verdicts.items()}


def _without_judge(item: JudgeInput, *, entry: registry.JudgeEntry, is_original: bool) -> Verdict | None:
    reason = reason_not_to_ask(item, entry=entry, is_original=is_original)
    return Verdict(accepted=None, unscored_reason=reason) if reason else None


@transaction.atomic
def _stop(run: JudgeRun, *, at: datetime) -> None:
    active = JudgeRun.objects.filter(pk=run.pk, state__in=ACTIVE_STATES)
    active.update(state=JudgeRun.State.FAILED, message=GOLD_MOVED, finished_at=at)
    run.batches.filter(state__in=PENDING_STATES).delete()


def sweep_runs(*, at: datetime) -> int:
    """Ring for every run whose batches wait for a worker, end those with none, and return how many waited.

    Calls that were in flight when their worker died are charged, and what nobody plans on is planned.
    """
    settle_lost_calls(at=at)
    plan_on(at=at)
    waiting = list(waiting_runs(at=at).values_list("pk", flat=True))
    for run_id in waiting:
        enqueue_on_commit(WORK_TASK, run_id)
    idle = JudgeRun.objects.filter(state__in=ACTIVE_STATES).exclude(pk__in=waiting)
    for run_id in idle.order_by("pk").values_list("pk", flat=True):
        finish_if_done(run_id, at=at)
    return len(waiting)


def wake_runs(*, at: datetime) -> int:
    """Ring for runs whose wait for their connection is over, and return how many there are."""
    due = list(due_runs(at=at).values_list("pk", flat=True))
    for run_id in due:
        enqueue_on_commit(WORK_TASK, run_id, expires_seconds=WAKE_SECONDS)
    return len(due)
