"""What a set of tags is, which answers a round draws, and what a rule proposes, as plain values."""

from judges.tagging.rules.proposals import Proposal, propose, rules_signature
from judges.tagging.rules.ready_made import READY_MADE
from judges.tagging.rules.rounds import (
    FLAGS,
    AnswerFacts,
    Filter,
    People,
    ProposalComparison,
    RoundResults,
    Said,
    TagPair,
    compare_tags,
    count_tags,
    draw,
    fits,
)
from judges.tagging.rules.sets import JudgeKind, SetSpec, Subject, Tag, UnusableSet, read_set
