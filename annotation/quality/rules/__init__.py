"""How well raters work, as pure functions over their votes."""

from annotation.quality.rules.figures import FEWEST, Figure, Tally
from annotation.quality.rules.measuring import measure_raters
from annotation.quality.rules.reports import Difference, RaterReport
from annotation.quality.rules.votes import Ballots, Decisions, KnownVote, Rater, Repeat, Votes

__all__ = [
    "FEWEST",
    "Ballots",
    "Decisions",
    "Difference",
    "Figure",
    "KnownVote",
    "Rater",
    "RaterReport",
    "Repeat",
    "Tally",
    "Votes",
    "measure_raters",
]
