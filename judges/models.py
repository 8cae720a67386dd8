"""Every table of the judges context, gathered so that Django finds them."""

from judges.connections.models import Connection
from judges.prejudging.models import PolicyApplication, PrejudgedAnswer, PrejudgedVerdict, PrejudgingPolicy
from judges.prompts.models import ExampleSet, Prompt
from judges.runs.models import JudgeRun, RunBatch, Verdict

__all__ = [
    "Connection",
    "ExampleSet",
    "JudgeRun",
    "PolicyApplication",
    "PrejudgedAnswer",
    "PrejudgedVerdict",
    "PrejudgingPolicy",
    "Prompt",
    "RunBatch",
    "Verdict",
]
