"""How well raters work, as pure functions over their votes."""

from annotation.quality.rules.figures import FEWEST, Figure, Tally
from annotation.quality.rules.measuring import measure_raters
from annotation.quality.rules.reports import RaterReport
from annotation.quality.rules.votes import Ballots, Decided, Rater, Vote

__all__ = [
    "FEWEST",
    "Ballots",
    "Decided",
    "Figure",
    "Rater",
    "RaterReport",
    "Tally",
    "Vote",
    "measure_raters",
]
