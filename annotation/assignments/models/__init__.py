"""Tables of sheets, and of the plan by which they are handed out."""

from annotation.assignments.models.plans import PlannedRater, PriorityQuestion, WorkPlan
from annotation.assignments.models.sheets import Assignment, QuestionFlag, Sheet

__all__ = ["Assignment", "PlannedRater", "PriorityQuestion", "QuestionFlag", "Sheet", "WorkPlan"]
