"""Tables of sheets, and of the plan by which they are handed out."""

from annotation.assignments.models.events import WorkEvent
from annotation.assignments.models.pilots import Pilot, PilotQuestion
from annotation.assignments.models.plans import PlannedRater, PriorityQuestion, WorkPlan
from annotation.assignments.models.purposes import IS_VOTE, Purpose, RowsByPurpose, are_votes
from annotation.assignments.models.sheets import UNFINISHED, Assignment, QuestionFlag, Sheet

__all__ = [
    "IS_VOTE",
    "UNFINISHED",
    "Assignment",
    "Pilot",
    "PilotQuestion",
    "PlannedRater",
    "PriorityQuestion",
    "Purpose",
    "QuestionFlag",
    "RowsByPurpose",
    "Sheet",
    "WorkEvent",
    "WorkPlan",
    "are_votes",
]
