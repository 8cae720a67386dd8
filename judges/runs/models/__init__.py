"""Tables of runs: a judge at work in batches, its verdicts, the calls it paid for, the sweeper's sign."""

from judges.runs.models.calls import Call
from judges.runs.models.runs import JudgeRun, RunBatch
from judges.runs.models.sweeps import LastSweep
from judges.runs.models.verdicts import Verdict

__all__ = ["Call", "JudgeRun", "LastSweep", "RunBatch", "Verdict"]
