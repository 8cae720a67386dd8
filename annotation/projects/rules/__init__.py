"""The protocol of a study as plain values, what contradicts itself in one, and the rules about roles."""

from annotation.projects.rules.comparing import (
    Difference,
    Line,
    differences,
    guideline_lines,
    is_improper,
    labels_across,
    skipping_check_key,
)
from annotation.projects.rules.consistency import problems_of_protocol
from annotation.projects.rules.names import RESERVED_SLUGS, pseudonym_for
from annotation.projects.rules.protocol import Protocol
from annotation.projects.rules.reading import (
    CheckRule,
    Credit,
    DecisionRule,
    GoldEqual,
    Label,
    ProtocolError,
    QuestionCheck,
    TieBreak,
)

__all__ = [
    "RESERVED_SLUGS",
    "CheckRule",
    "Credit",
    "DecisionRule",
    "Difference",
    "GoldEqual",
    "Label",
    "Line",
    "Protocol",
    "ProtocolError",
    "QuestionCheck",
    "TieBreak",
    "differences",
    "guideline_lines",
    "is_improper",
    "labels_across",
    "problems_of_protocol",
    "pseudonym_for",
    "skipping_check_key",
]
