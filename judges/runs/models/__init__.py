"""Tables of runs: a judge at work in batches, its verdicts, and the calls it paid for."""

from judges.runs.models.calls import Call
from judges.runs.models.runs import JudgeRun, RunBatch
from judges.runs.models.verdicts import Verdict

__all__ = ["Call", "JudgeRun", "RunBatch", "Verdict"]
