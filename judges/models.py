"""Every table of the judges context, gathered so that Django finds them."""

from judges.answers.models import AnswerView
from judges.comparison.models import ReferenceScore
from judges.connections.models import Connection
from judges.prejudging.models import (
    CalibrationAnswer,
    CalibrationSample,
    Certificate,
    PolicyApplication,
    PrejudgedAnswer,
    PrejudgedVerdict,
    PrejudgingPolicy,
    RoutedAnswer,
    Routing,
)
from judges.prompts.models import ExampleSet, Prompt
from judges.runs.models import Call, JudgeRun, LastSweep, RunBatch, Verdict
from judges.tagging.models import RoundTagger, TaggedItem, Tagging, TaggingRound, TagSet
from judges.webhooks.models import Delivery, Webhook

__all__ = [
    "AnswerView",
    "CalibrationAnswer",
    "CalibrationSample",
    "Call",
    "Certificate",
    "Connection",
    "Delivery",
    "ExampleSet",
    "JudgeRun",
    "LastSweep",
    "PolicyApplication",
    "PrejudgedAnswer",
    "PrejudgedVerdict",
    "PrejudgingPolicy",
    "Prompt",
    "ReferenceScore",
    "RoundTagger",
    "RoutedAnswer",
    "Routing",
    "RunBatch",
    "TagSet",
    "TaggedItem",
    "Tagging",
    "TaggingRound",
    "Verdict",
    "Webhook",
]
