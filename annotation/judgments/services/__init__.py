"""Take in what raters hand in, and give it back to them on demand."""

from annotation.judgments.services.asking_again import ask_again_about, ask_again_in_project
from annotation.judgments.services.editing import JudgmentChanged, UnusableEdit, edit_judgment
from annotation.judgments.services.outcomes import (
    IncompleteSheet,
    Outcome,
    SheetChanged,
    SheetClosed,
    SubmissionKeyReused,
)
from annotation.judgments.services.recorded import submit_recorded
from annotation.judgments.services.settling_due import settle_before_reading, settle_due
from annotation.judgments.services.skipping import skip_sheet
from annotation.judgments.services.submitting import submit_sheet
from annotation.judgments.services.surplus import AlreadyJudged, record_surplus, set_aside_tie_breaks
from annotation.judgments.services.undoing import NothingToUndo, undo_submit

__all__ = [
    "AlreadyJudged",
    "IncompleteSheet",
    "JudgmentChanged",
    "NothingToUndo",
    "Outcome",
    "SheetChanged",
    "SheetClosed",
    "SubmissionKeyReused",
    "UnusableEdit",
    "ask_again_about",
    "ask_again_in_project",
    "edit_judgment",
    "record_surplus",
    "set_aside_tie_breaks",
    "settle_before_reading",
    "settle_due",
    "skip_sheet",
    "submit_recorded",
    "submit_sheet",
    "undo_submit",
]
