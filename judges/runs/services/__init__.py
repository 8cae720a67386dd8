"""Start judges, work through their batches, and take over verdicts from files."""

from judges.runs.services.batches import claim_batch, settle_batch
from judges.runs.services.recorded import apply_recorded_verdicts, discard_recorded_verdicts
from judges.runs.services.starting import (
    GOLD_OPTION,
    cancel_run,
    extend_lexical_runs,
    retry_failed,
    start_run,
)
from judges.runs.services.working import sweep_runs, work_on_run

__all__ = [
    "GOLD_OPTION",
    "apply_recorded_verdicts",
    "cancel_run",
    "claim_batch",
    "discard_recorded_verdicts",
    "extend_lexical_runs",
    "retry_failed",
    "settle_batch",
    "start_run",
    "sweep_runs",
    "work_on_run",
]
