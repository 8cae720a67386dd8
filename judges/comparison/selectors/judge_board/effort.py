"""Read what runs cost and how long they took."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count, F, Q, Sum

from analysis.undefined import Undefined, Value
from judges.comparison.rules import RunFacts, is_recorded
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.selectors import CallTotals, call_totals

THOUSAND = 1_000
FROM_A_FILE = "Its verdicts came from a file."
NOT_PAID = "It asks no paid model."
NOT_FINISHED = "It has not finished."


class Effort(NamedTuple):
    """What a thousand answers take; cost in pico-USD, by the connection's prices of today.

    Replies repeated from earlier calls cost what asking anew would. Seconds are those on the clock since the
    run was last set to work, waiting included, so they depend on how many answers were asked at once.
    """

    cost: Value
    seconds: Value


def read_efforts(runs: Sequence[RunFacts]) -> dict[int, Effort]:
    """Return by run what it took."""
    ids = [run.id for run in runs if not is_recorded(run.judge_key)]
    rows = list(JudgeRun.objects.filter(pk__in=ids).select_related("connection"))
    calls = call_totals(rows)
    done = _done_since_started(ids)
    paid = [row.pk for row in rows if row.connection_id]
    judged = dict(Verdict.objects.filter(run__in=paid).values_list("run_id").annotate(Count("pk")).order_by())
    nothing = Effort(Undefined(FROM_A_FILE), Undefined(FROM_A_FILE))
    found = {
        row.pk: Effort(_cost(row, calls.get(row.pk), judged.get(row.pk, 0)), _seconds(row, done.get(row.pk)))
        for row in rows
    }
    return {run.id: found.get(run.id, nothing) for run in runs}


def _done_since_started(run_ids: list[int]) -> dict[int, int]:
    batches = RunBatch.objects.filter(
        Q(state=RunBatch.State.DONE), run__in=run_ids, finished_at__gte=F("run__started_at")
    )
    return dict(batches.values_list("run_id").annotate(Sum("size")).order_by())


def _cost(run: JudgeRun, calls: CallTotals | None, judged: int) -> Value:
    if run.connection is None:
        return Undefined(NOT_PAID)
    if calls is None or not judged:
        return Undefined(NOT_FINISHED)
    price = (
        calls.input_tokens * run.connection.input_price + calls.output_tokens * run.connection.output_price
    )
    return THOUSAND * price / judged


def _seconds(run: JudgeRun, done: int | None) -> Value:
    if not done or run.started_at is None or run.finished_at is None:
        return Undefined(NOT_FINISHED)
    return THOUSAND * (run.finished_at - run.started_at).total_seconds() / done
