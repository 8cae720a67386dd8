"""Every table that what is kept of a project is made of, with the way from its rows to the project."""

from typing import Any

from django.db.models import Model

from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment, QuestionFlag, Sheet
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
from annotation.known_answers.models import KnownAnswer
from annotation.projects.models import Change, Membership, Project, ProtocolVersion
from annotation.projects.rules import Area
from common.database.revisions import Revisions, Watched, stop_watching, watch
from judges.comparison.models import ReferenceScore
from judges.connections.models import Connection
from judges.prejudging.models import (
    CalibrationAnswer,
    CalibrationSample,
    Certificate,
    PolicyApplication,
    PrejudgedAnswer,
    PrejudgingPolicy,
    RoutedAnswer,
    Routing,
)
from judges.runs.models import Call, JudgeRun, RunBatch, Verdict
from judges.tagging.models import TaggedItem, Tagging, TaggingRound, TagSet

# How far the work on an answer is changes with every vote; what it is does not.
WORK_ON_ANSWERS = dict.fromkeys(("state", "wanted", "taken", "least_votes", "goes_first"), Area.WORK)

_ITEMS: dict[type[Model], str] = {
    Question: "project",
    GoldAnswer: "question__project",
    System: "project",
    Prediction: "system__project",
    Passage: "question__project",
    RetrievedPassage: "prediction__system__project",
}
_VERDICTS: dict[type[Model], str] = {
    JudgeRun: "project",
    Verdict: "run__project",
    Call: "run__project",
    RunBatch: "run__project",
    Connection: "project",
}
_WORK: dict[type[Model], str] = {
    Project: "",
    ProtocolVersion: "project",
    Membership: "project",
    KnownAnswer: "project",
    QuestionFlag: "question__project",
    Sheet: "project",
    Assignment: "rater__project",
    Judgment: "candidate__project",
    JudgmentRevision: "judgment__candidate__project",
    CheckAnswer: "question__project",
    Decision: "candidate__project",
    GoldChange: "question__project",
    DismissedProposal: "question__project",
    PrejudgingPolicy: "project",
    PolicyApplication: "project",
    PrejudgedAnswer: "application__project",
    CalibrationSample: "project",
    CalibrationAnswer: "sample__project",
    Certificate: "sample__project",
    Routing: "project",
    RoutedAnswer: "routing__project",
    TagSet: "project",
    TaggingRound: "project",
    TaggedItem: "round__project",
    Tagging: "item__round__project",
    ReferenceScore: "project",
}

REVISIONS = Revisions(
    projects=Project,
    changes=Change,
    areas=tuple(Area),
    watched=(
        Watched(Candidate, "project", Area.ITEMS, apart=WORK_ON_ANSWERS),
        *(Watched(model, path, Area.ITEMS) for model, path in _ITEMS.items()),
        *(Watched(model, path, Area.VERDICTS) for model, path in _VERDICTS.items()),
        *(Watched(model, path, Area.WORK) for model, path in _WORK.items()),
        # Not its progress, which is saved with every chunk.
        Watched(DataImport, "project", Area.WORK, only=("state",)),
    ),
)


def count_changes(**_: Any) -> None:
    """Make the triggers, after tables were made as they are now."""
    watch(REVISIONS)


def stop_counting(plan: list[Any], **_: Any) -> None:
    """Take the triggers away before tables change."""
    if plan:
        stop_watching()
