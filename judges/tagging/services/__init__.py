"""Keep sets of tags, draw rounds, and record what people say of their items."""

from judges.tagging.services.proposing import keep_proposals
from judges.tagging.services.rounds import NothingToTag, UnusableRound, foresee_round, start_round
from judges.tagging.services.sets import TagSetRefused, TagSetTaken, keep_ready_made, save_tag_set
from judges.tagging.services.tagging import (
    NotATagger,
    StaleTagging,
    UnusableTagging,
    tag_item,
    withdraw_tagging,
)

__all__ = [
    "NotATagger",
    "NothingToTag",
    "StaleTagging",
    "TagSetRefused",
    "TagSetTaken",
    "UnusableRound",
    "UnusableTagging",
    "foresee_round",
    "keep_proposals",
    "keep_ready_made",
    "save_tag_set",
    "start_round",
    "tag_item",
    "withdraw_tagging",
]
