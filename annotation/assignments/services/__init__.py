"""Hand out sheets, and keep the slots of answers."""

from annotation.assignments.services.handing_out import (
    NotHandedOut,
    freeze,
    hand_out,
    judges_blindly,
    require_may_judge,
)
from annotation.assignments.services.leases import expire_leases, lease_end
from annotation.assignments.services.locks import lock_due_questions, lock_question, lock_sheet
from annotation.assignments.services.piloting import (
    NoPilot,
    PilotGoesOn,
    UnusablePilot,
    begin_pilot,
    drop_empty_pilot,
    end_pilot,
)
from annotation.assignments.services.planning import RaterWish, UnusablePlan, renew_priorities, save_plan
from annotation.assignments.services.receiving import receive_sheets
from annotation.assignments.services.reclaiming import (
    NotAtWork,
    pause_rater,
    resume_rater,
    take_back_sheets,
)
from annotation.assignments.services.recorded import hand_out_recorded
from annotation.assignments.services.remarks import flag_question
from annotation.assignments.services.slots import hold_again, release_slots
from annotation.assignments.services.versions import renew_versions, version_in_use

__all__ = [
    "NoPilot",
    "NotAtWork",
    "NotHandedOut",
    "PilotGoesOn",
    "RaterWish",
    "UnusablePilot",
    "UnusablePlan",
    "begin_pilot",
    "drop_empty_pilot",
    "end_pilot",
    "expire_leases",
    "flag_question",
    "freeze",
    "hand_out",
    "hand_out_recorded",
    "hold_again",
    "judges_blindly",
    "lease_end",
    "lock_due_questions",
    "lock_question",
    "lock_sheet",
    "pause_rater",
    "receive_sheets",
    "release_slots",
    "renew_priorities",
    "renew_versions",
    "require_may_judge",
    "resume_rater",
    "save_plan",
    "take_back_sheets",
    "version_in_use",
]
