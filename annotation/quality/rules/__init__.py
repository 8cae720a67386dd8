"""How well raters work, as pure functions over their votes."""

from annotation.quality.rules.figures import FEWEST
from annotation.quality.rules.measuring import measure_raters
from annotation.quality.rules.reports import Differing, RaterFigures, RaterReport, RaterRow
from annotation.quality.rules.votes import Ballots, Decisions, KnownVote, Rater, Repeat, Votes
