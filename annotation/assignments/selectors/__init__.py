"""Read what is open for whom, and what raters hold."""

from annotation.assignments.selectors.hidden_work import (
    hidden_candidates,
    hidden_plan,
    known_candidates,
    known_questions,
    longest_known_sheet,
    next_turn,
    repeatable_sheets,
    turn_number,
)
from annotation.assignments.selectors.open_work import (
    HOLDING,
    count_questions_left,
    due_checks,
    get_sheet,
    lapsed_work,
    open_candidates,
    open_sheets,
    rank_questions,
    settled_candidates,
    slots_of,
    work_sizes,
)
from annotation.assignments.selectors.pilots import (
    pilot_candidates,
    piloted_questions,
    rank_pilot_questions,
    read_pilots,
    untouched_questions,
)
from annotation.assignments.selectors.planning import allowance_of, find_gap, find_plan, raters_left
from annotation.assignments.selectors.raters_at_work import (
    list_raters_at_work,
    list_work_events,
    names_to_ask,
)
from annotation.assignments.selectors.second_pass import (
    count_second_judgments,
    has_second_pass,
    lapsed_second_sheets,
    second_pass_candidates,
    second_pass_questions,
)
