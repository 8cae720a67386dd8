"""What a protocol is made of."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Credit(StrEnum):
    """What a label is worth. `MISSING` ("cannot judge") counts as no vote: the next rater is asked."""

    DEFINITE = "definite"
    POSSIBLE = "possible"
    NONE = "none"
    MISSING = "missing"


class TieBreak(StrEnum):
    """Who settles what the first raters disagree on; `MORE_RATERS` one by one, up to a maximum."""

    THIRD_RATER = "third_rater"
    MORE_RATERS = "more_raters"
    LEAD = "lead"
    NOBODY = "nobody"


class DecisionRule(StrEnum):
    """How counted votes become a decision (`annotation.adjudication.rules.decide`)."""

    MAJORITY = "majority"
    TWO_OF_THREE = "two_of_three"
    ONLY_RATER = "only_rater"


class CheckRule(StrEnum):
    """When a question check counts as answered yes."""

    ANY = "any"
    AT_LEAST = "at_least"


class GoldEqual(StrEnum):
    """What becomes of answers that equal a gold answer: judged like any other, or correct without."""

    JUDGED = "judged"
    CORRECT = "correct"


@dataclass(frozen=True)
class Label:
    """One choice a rater has; its place in the protocol is its key on the keyboard."""

    key: str
    name: str
    credit: Credit


class Choice(NamedTuple):
    """A label as raters are offered it: with what it is taken in only."""

    key: str
    name: str
    credit: Credit
    needs_evidence: bool
    needs_comment: bool


@dataclass(frozen=True)
class QuestionCheck:
    """A yes/no question about the question itself, asked before its answers."""

    key: str
    text: str
    rule: CheckRule = CheckRule.ANY
    at_least: int = 1
    # A yes makes judging the answers pointless.
    skips_answers: bool = False
