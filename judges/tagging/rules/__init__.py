"""What a set of tags is, which answers a round draws, and what a rule proposes, as plain values."""

from judges.tagging.rules.comparing import Comparison, TagPair, compare_tags
from judges.tagging.rules.drawing import FLAGS, AnswerFacts, Filter, People, Said, draw, fits
from judges.tagging.rules.proposing import Proposal, propose, rules_signature
from judges.tagging.rules.ready_made import READY_MADE
from judges.tagging.rules.results import Results, TagShare, count_tags
from judges.tagging.rules.sets import JudgeKind, SetSpec, Subject, Tag, UnusableSet, read_set
