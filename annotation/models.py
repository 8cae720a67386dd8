"""Every table of the annotation context, gathered so that Django finds them."""

from annotation.accounts.models import ApiToken, IdempotencyKey, User, WrongTries
from annotation.adjudication.models import Decision
from annotation.assignments.models import (
    Assignment,
    Pilot,
    PilotQuestion,
    PlannedRater,
    PriorityQuestion,
    QuestionFlag,
    Sheet,
    WorkEvent,
    WorkPlan,
)
from annotation.gold.models import DismissedProposal, GoldChange
from annotation.items.models import (
    Candidate,
    DataImport,
    GoldAnswer,
    Passage,
    Prediction,
    Question,
    RetrievedPassage,
    System,
)
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.known_answers.models import (
    KnownAnswer,
    QualityPlan,
    TrainingAnswer,
    TrainingAttempt,
    TrainingPass,
)
from annotation.projects.models import (
    Activity,
    Change,
    GuidelinesReading,
    Invitation,
    Membership,
    Project,
    ProtocolVersion,
)
from annotation.release.models import Export

__all__ = [
    "Activity",
    "ApiToken",
    "Assignment",
    "Candidate",
    "Change",
    "CheckAnswer",
    "DataImport",
    "Decision",
    "DismissedProposal",
    "Export",
    "GoldAnswer",
    "GoldChange",
    "GuidelinesReading",
    "IdempotencyKey",
    "Invitation",
    "Judgment",
    "JudgmentRevision",
    "KnownAnswer",
    "Membership",
    "Passage",
    "Pilot",
    "PilotQuestion",
    "PlannedRater",
    "Prediction",
    "PriorityQuestion",
    "Project",
    "ProtocolVersion",
    "QualityPlan",
    "Question",
    "QuestionFlag",
    "RetrievedPassage",
    "Sheet",
    "System",
    "TrainingAnswer",
    "TrainingAttempt",
    "TrainingPass",
    "User",
    "WorkEvent",
    "WorkPlan",
    "WrongTries",
]
