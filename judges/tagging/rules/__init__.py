"""What a set of tags is, which answers a round draws, and what a rule proposes, as plain values."""

from judges.tagging.rules.comparing import Comparison, TagCount, TagPair, compare_tags
from judges.tagging.rules.drawing import FLAGS, AnswerFacts, Filter, People, Said, draw, fits
from judges.tagging.rules.proposing import Proposal, propose, rules_signature
from judges.tagging.rules.ready_made import READY_MADE
from judges.tagging.rules.results import Results, TagShare, count_tags
from judges.tagging.rules.sets import JudgeKind, SetSpec, Subject, Tag, UnusableSet, read_set

__all__ = [
    "FLAGS",
    "READY_MADE",
    "AnswerFacts",
    "Comparison",
    "Filter",
    "JudgeKind",
    "People",
    "Proposal",
    "Results",
    "Said",
    "SetSpec",
    "Subject",
    "Tag",
    "TagCount",
    "TagPair",
    "TagShare",
    "UnusableSet",
    "compare_tags",
    "count_tags",
    "draw",
    "fits",
    "propose",
    "read_set",
    "rules_signature",
]
