"""Take in what raters hand in, and give it back to them on demand."""

from annotation.judgments.services.recording import (
    RecordedAnswer,
    RecordedSheet,
    insert_recorded,
    set_aside_tie_breaks,
)
from annotation.judgments.services.revising import edit_judgment, undo_submit
from annotation.judgments.services.settling import (
    ask_again_about,
    ask_again_in_project,
    settle_before_reading,
    settle_due,
)
from annotation.judgments.services.submitting import skip_sheet, submit_sheet
