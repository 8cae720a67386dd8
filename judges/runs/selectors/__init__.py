"""Read runs, what they still have to do, and what their judges get."""

from judges.runs.selectors.inputs import has_patterns, judge_inputs
from judges.runs.selectors.progress import (
    AS_RECORDED,
    Failure,
    RunNotFound,
    RunProgress,
    get_progress,
    get_run,
    list_progress,
)
from judges.runs.selectors.work import (
    ACTIVE_STATES,
    PENDING_STATES,
    claimable_batches,
    outdated_verdicts,
    unplanned_candidates,
)
from judges.runs.selectors.worker import is_worker_running

__all__ = [
    "ACTIVE_STATES",
    "AS_RECORDED",
    "PENDING_STATES",
    "Failure",
    "RunNotFound",
    "RunProgress",
    "claimable_batches",
    "get_progress",
    "get_run",
    "has_patterns",
    "is_worker_running",
    "judge_inputs",
    "list_progress",
    "outdated_verdicts",
    "unplanned_candidates",
]
