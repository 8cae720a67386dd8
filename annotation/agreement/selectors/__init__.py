"""Read what agreement is computed from: first-round votes, checks, pilots, and the parts of a study."""

from annotation.agreement.selectors.checks import find_checks
from annotation.agreement.selectors.decisions import bound_decisions, count_decisions, sign_decisions
from annotation.agreement.selectors.disputes import find_disputed, items_in_part
from annotation.agreement.selectors.pilots import find_differences, read_pilot
from annotation.agreement.selectors.reports import (
    Way,
    read_report,
    read_slices,
    sign_agreement,
    sign_pilot,
)
from annotation.agreement.selectors.votes import read_first_round
