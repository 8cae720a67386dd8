"""What people accept of the answers that exact match rejects."""

from typing import NamedTuple

import numpy as np

from analysis.sampling import Ratio, Share, measure_shares
from judges.comparison.rules.study.arrays import ACCEPTED, POSSIBLE, UNDECIDED, Codes, Flags, Integers
from judges.comparison.rules.study.resampling import RESAMPLES, SEED

SIGNATURE = "human|answers:decided by people|rejected:exact_match|gold:original"


class Rejected(NamedTuple):
    """Answers that exact match rejects, one value an answer: its question, and what people decided."""

    question: Integers
    worth: Codes


class Beyond(NamedTuple):
    """Of so many rejected answers people decided some; definite, possible: what they called right.

    The shares are of the decided ones, with intervals over questions; at_least_possible adds both.
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
    worth = rejected.worth[is_decided]
    accepted = (worth == ACCEPTED, worth == POSSIBLE, worth >= POSSIBLE)
    everything = np.ones(len(worth))
    shares = measure_shares(
        ratios=[Ratio(_weights(each), everything, everything) for each in accepted],
        clusters=rejected.question[is_decided],
        seed=SEED,
        resamples=RESAMPLES,
    )
    definite, possible, _ = (int(each.sum()) for each in accepted)
    return Beyond(len(rejected.worth), len(worth), definite, possible, *shares)


def _weights(which: Flags) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return which.astype(np.float64)
