"""One rater and stop where a judge agrees: what may be chosen, said in words."""

import hashlib

from annotation.release.rules import count_of
from judges.prejudging.rules.audit import SEEDS

# Tried in the replay, from every verdict with a stated confidence to the surest.
THRESHOLDS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
SMALLEST_AUDIT = 0.01
# With fewer, more than 5% may end otherwise though not one of them did: .95^59 < .05.
LEAST_JUDGED = 59

FIXED_VOTES = (
    "This project’s decision rule uses a fixed number of votes, so one annotator can never be enough."
)
ONE_RATER = "The protocol has one annotator per answer, so routing would save nothing."
NO_PROTOCOL = "Choose a protocol first."


def describe(*, judge: str, least: float | None) -> str:
    """Return a rule in words."""
    sure = "" if least is None else f", at least {100 * least:.1f}% sure"
    return f"one annotator and {judge}{sure}"


def reason_of(*, judge: str, least: float | None) -> str:
    """Return what a decision says that rests on one rater and a judge."""
    sure = "" if least is None else f", at least {100 * least:.1f}% sure,"
    return f"One annotator chose this label, and {judge}{sure} agreed, so no other annotator was asked."


def seed_of_routing(*, seed: int, number: int) -> int:
    """Return the seed by which a routing draws its audit: each its own."""
    digest = hashlib.sha256(f"routing\x00{seed}\x00{number}".encode()).digest()
    return int.from_bytes(digest[:8]) % SEEDS


def lacking_words(lacking: int) -> str:
    """Say how many more answers must be judged in full before a replay says anything; empty for none."""
    if not lacking:
        return ""
    return (
        f"First, people must judge {count_of(lacking, 'more answer')} under the full protocol. The rule is "
        "tested on all answers judged in this way before it can be turned on."
    )
