"""Read what agreement is computed from, and measure it: of a project, in its parts and in its pilots."""

from annotation.agreement.selectors.reports import (
    Way,
    find_disputed,
    items_in_part,
    read_report,
)
from annotation.agreement.selectors.votes import read_first_round
