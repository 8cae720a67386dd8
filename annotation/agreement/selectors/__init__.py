"""Read what agreement is computed from: first-round votes, checks, pilots, and the parts of a study."""

from annotation.agreement.selectors.checks import find_checks, read_check_round
from annotation.agreement.selectors.decisions import (
    LabelDecided,
    bound_decisions,
    count_decisions,
    sign_decisions,
)
from annotation.agreement.selectors.disputes import find_disputed, items_in_part
from annotation.agreement.selectors.parts import read_parts
from annotation.agreement.selectors.pilots import Difference, find_differences, read_pilot
from annotation.agreement.selectors.reports import (
    Way,
    read_report,
    read_slices,
    sign_agreement,
    sign_pilot,
)
from annotation.agreement.selectors.votes import read_first_round

__all__ = [
    "Difference",
    "LabelDecided",
    "Way",
    "bound_decisions",
    "count_decisions",
    "find_checks",
    "find_differences",
    "find_disputed",
    "items_in_part",
    "read_check_round",
    "read_first_round",
    "read_parts",
    "read_pilot",
    "read_report",
    "read_slices",
    "sign_agreement",
    "sign_decisions",
    "sign_pilot",
]
