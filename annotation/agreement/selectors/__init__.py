"""Read what agreement is computed from: first-round votes, checks, pilots, and the parts of a study."""

from annotation.agreement.selectors.checks import find_checks, read_check_round
from annotation.agreement.selectors.parts import items_in_part, read_parts
from annotation.agreement.selectors.pilots import Difference, find_differences, read_pilot
from annotation.agreement.selectors.reports import Way, read_report, read_slices
from annotation.agreement.selectors.votes import read_first_round

__all__ = [
    "Difference",
    "Way",
    "find_checks",
    "find_differences",
    "items_in_part",
    "read_check_round",
    "read_first_round",
    "read_parts",
    "read_pilot",
    "read_report",
    "read_slices",
]
