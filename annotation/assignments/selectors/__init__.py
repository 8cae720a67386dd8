"""Read what is open for whom, and what raters hold."""

from annotation.assignments.selectors.open_work import (
    HOLDING,
    NOT_IN_HAND,
    SheetNotFound,
    count_questions_left,
    due_checks,
    get_sheet,
    open_candidates,
    open_sheets,
    rank_questions,
    settled_candidates,
    slots_of,
)
from annotation.assignments.selectors.planning import (
    Allowance,
    Gap,
    allowance_of,
    find_gap,
    find_plan,
    present_raters,
    raters_left,
)
from annotation.assignments.selectors.raters_at_work import (
    RaterAtWork,
    list_raters_at_work,
    list_work_events,
    names_to_ask,
)

__all__ = [
    "HOLDING",
    "NOT_IN_HAND",
    "Allowance",
    "Gap",
    "RaterAtWork",
    "SheetNotFound",
    "allowance_of",
    "count_questions_left",
    "due_checks",
    "find_gap",
    "find_plan",
    "get_sheet",
    "list_raters_at_work",
    "list_work_events",
    "names_to_ask",
    "open_candidates",
    "open_sheets",
    "present_raters",
    "rank_questions",
    "raters_left",
    "settled_candidates",
    "slots_of",
]
