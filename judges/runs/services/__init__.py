"""Start judges, work through their batches, pay for their calls, and take over verdicts from files."""

from judges.runs.services.batches import claim_batch, close_batch
from judges.runs.services.control import (
    apply_recorded_verdicts,
    cancel_run,
    continue_run,
    discard_recorded_verdicts,
    extend_lexical_runs,
    pause_run,
    resume_run,
    retry_failed,
    start_proposing,
    start_run,
)
from judges.runs.services.planning import GOLD_OPTION, Estimate, estimate_run
from judges.runs.services.worker import SEATS, note_sweep, sweep_runs, take_turn, wake_runs, work_on_run
