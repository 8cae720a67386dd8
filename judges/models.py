"""Every table of the judges context, gathered so that Django finds them."""

from judges.runs.models import JudgeRun, RunBatch, Verdict

__all__ = ["JudgeRun", "RunBatch", "Verdict"]
