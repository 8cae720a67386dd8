"""Read runs, what they still have to do, and what their judges get."""

from judges.runs.selectors.calls import (
    LOST,
    CallTotals,
    call_totals,
    find_cached_call,
    is_out_of_order,
    usual_reply,
)
from judges.runs.selectors.inputs import has_patterns, judge_inputs, read_corpus
from judges.runs.selectors.progress import (
    Failure,
    Holdup,
    RunNotFound,
    RunProgress,
    get_progress,
    get_run,
    list_progress,
)
from judges.runs.selectors.verdicts import VERDICTS, describe_verdicts, find_verdicts
from judges.runs.selectors.work import (
    ACTIVE_STATES,
    AS_RECORDED,
    PENDING_STATES,
    due_runs,
    has_gold_moved,
    next_batches,
    outdated_verdicts,
    sample_room,
    unplanned_candidates,
    waiting_runs,
)
from judges.runs.selectors.worker import is_worker_running

__all__ = [
    "ACTIVE_STATES",
    "AS_RECORDED",
    "LOST",
    "PENDING_STATES",
    "VERDICTS",
    "CallTotals",
    "Failure",
    "Holdup",
    "RunNotFound",
    "RunProgress",
    "call_totals",
    "describe_verdicts",
    "due_runs",
    "find_cached_call",
    "find_verdicts",
    "get_progress",
    "get_run",
    "has_gold_moved",
    "has_patterns",
    "is_out_of_order",
    "is_worker_running",
    "judge_inputs",
    "list_progress",
    "next_batches",
    "outdated_verdicts",
    "read_corpus",
    "sample_room",
    "unplanned_candidates",
    "usual_reply",
    "waiting_runs",
]
