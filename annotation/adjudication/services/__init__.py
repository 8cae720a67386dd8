"""Turn votes into decisions, by rule or by a person."""

from annotation.adjudication.services.deciding import (
    DecidedMeanwhile,
    NothingToReopen,
    UnusableDecision,
    decide_answer,
    reopen_answer,
)
from annotation.adjudication.services.replaying import (
    Ballot,
    RecordedVote,
    ReplayCounts,
    UnknownLabel,
    replay_votes,
)
from annotation.adjudication.services.settling import settle_candidates

__all__ = [
    "Ballot",
    "DecidedMeanwhile",
    "NothingToReopen",
    "RecordedVote",
    "ReplayCounts",
    "UnknownLabel",
    "UnusableDecision",
    "decide_answer",
    "reopen_answer",
    "replay_votes",
    "settle_candidates",
]
