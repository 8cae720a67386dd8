"""Hand out sheets, and keep the slots of answers."""

from annotation.assignments.services.handing_out import (
    NotHandedOut,
    flag_question,
    freeze,
    hand_out,
    judges_blindly,
    receive_sheets,
    require_may_judge,
)
from annotation.assignments.services.pilots import begin_pilot, drop_empty_pilot, end_pilot
from annotation.assignments.services.slots import (
    hold_again,
    lease_end,
    lock_due_questions,
    lock_question,
    lock_sheet,
    pause_rater,
    release_slots,
    renew_versions,
    resume_rater,
    take_back_sheets,
    version_in_use,
)
from annotation.assignments.services.work_plans import RaterWish, renew_priorities, save_plan
