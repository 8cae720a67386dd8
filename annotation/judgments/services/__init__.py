"""Take in what raters hand in, and give it back to them on demand."""

from annotation.judgments.services.recorded import submit_recorded
from annotation.judgments.services.recording import (
    IncompleteSheet,
    Outcome,
    SheetChanged,
    SheetClosed,
    SubmissionKeyReused,
)
from annotation.judgments.services.revising import (
    JudgmentChanged,
    NothingToUndo,
    UnusableEdit,
    edit_judgment,
    undo_submit,
)
from annotation.judgments.services.settling import (
    ask_again_about,
    ask_again_in_project,
    settle_before_reading,
    settle_due,
)
from annotation.judgments.services.submitting import skip_sheet, submit_sheet
from annotation.judgments.services.surplus import AlreadyJudged, record_surplus, set_aside_tie_breaks

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
