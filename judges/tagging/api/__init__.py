"""HTTP for tagging, for leads and adjudicators: sets of tags, rounds, and their items."""

from judges.tagging.api.items import ItemTagsView, ItemView, ItemWithdrawView
from judges.tagging.api.results import RoundResultsView
from judges.tagging.api.rounds import RoundPreviewView, RoundsView, RoundView
from judges.tagging.api.sets import TagSetsView, TagSetView
