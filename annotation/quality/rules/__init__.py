"""How well raters work, as pure functions over their votes."""

from annotation.quality.rules.figures import FEWEST, Figure, Tally
from annotation.quality.rules.measuring import measure_raters
from annotation.quality.rules.reports import Difference, RaterReport
from annotation.quality.rules.votes import Ballots, Decided, KnownVote, Rater, Repeat, Vote

__all__ = [
    "FEWEST",
    "Ballots",
    "Decided",
    "Difference",
    "Figure",
    "KnownVote",
    "Rater",
    "RaterReport",
    "Repeat",
    "Tally",
    "Vote",
    "measure_raters",
]
