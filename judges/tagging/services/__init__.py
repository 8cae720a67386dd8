"""Keep sets of tags, draw rounds, and record what people say of their items."""

from judges.tagging.services.proposing import keep_proposals
from judges.tagging.services.rounds import foresee_round, start_round
from judges.tagging.services.sets import save_tag_set
from judges.tagging.services.tagging import tag_item, withdraw_tagging
