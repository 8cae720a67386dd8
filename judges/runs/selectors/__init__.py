"""Read runs, what they still have to do, and what their judges get."""

from judges.runs.selectors.calls import (
    LOST,
    CallTotals,
    ServedModel,
    call_totals,
    find_cached_call,
    is_out_of_order,
    served_models,
    usual_reply,
)
from judges.runs.selectors.inputs import has_patterns, judge_inputs, read_corpus
from judges.runs.selectors.progress import RunProgress, get_progress, get_run, list_progress, list_scopes
from judges.runs.selectors.verdicts import VERDICTS, describe_verdicts, find_verdicts
from judges.runs.selectors.work import (
    ACTIVE_STATES,
    AS_RECORDED,
    PENDING_STATES,
    answers_in_scope,
    due_runs,
    has_gold_moved,
    has_sample,
    next_batches,
    outdated_verdicts,
    sample_room,
    unplanned_candidates,
    waiting_runs,
    whose_turn,
)
from judges.runs.selectors.worker import Lack, background_lack, is_worker_running
