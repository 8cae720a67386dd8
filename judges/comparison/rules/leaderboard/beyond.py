"""What people accept of the answers that exact match rejects."""

from typing import NamedTuple

from analysis.sampling import Ratio, Share, measure_shares
from judges.comparison.rules.study.arrays import ACCEPTED, POSSIBLE, UNDECIDED, Codes, Flags, Floats, Integers

SIGNATURE = "human|answers:decided by people|rejected:exact_match|gold:original"


class Rejected(NamedTuple):
    """Answers that exact match rejects, one value an answer: its question, and what people decided.

    weights: how many answers a decided one stands for.
    """

    question: Integers
    worth: Codes
    weights: Floats

    def of(self, which: Flags | Integers) -> "Rejected":
        """Return some of them, by flags or places."""
        return Rejected(self.question[which], self.worth[which], self.weights[which])


class Beyond(NamedTuple):
    """Of so many rejected answers people decided some; definite, possible: what they called right.

    The shares are of what the decided ones stand for, with intervals over questions; at_least_possible adds
    both.
    """

    rejected: int
    decided: int
    definite: int
    possible: int
    definite_share: Share
    possible_share: Share
    at_least_possible_share: Share


def measure_beyond(rejected: Rejected) -> Beyond:
    """Count what people accept of rejected answers.

    Source: Min et al. 2021 (EfficientQA), section 6: of the predictions that match no reference 13 % are
    definitely and 17 % possibly correct.
    """
    is_decided = rejected.worth != UNDECIDED
    worth, weights = rejected.worth[is_decided], rejected.weights[is_decided]
    accepted = (worth == ACCEPTED, worth == POSSIBLE, worth >= POSSIBLE)
    shares = measure_shares(
        ratios=[Ratio(each * weights, weights, weights) for each in accepted],
        clusters=rejected.question[is_decided],
    )
    definite, possible, _ = (int(each.sum()) for each in accepted)
    return Beyond(len(rejected.worth), len(worth), definite, possible, *shares)
