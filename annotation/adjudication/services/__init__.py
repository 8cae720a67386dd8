"""Turn votes into decisions, by rule or by a person, and let machines decide what a policy leaves to them."""

from annotation.adjudication.services.deciding import (
    DecidedMeanwhile,
    NothingToReopen,
    UnusableDecision,
    decide_answer,
    reopen_answer,
)
from annotation.adjudication.services.discarding import VotesInUse, discard_replay
from annotation.adjudication.services.foreseeing import ChangeEffects, foresee_change, words_of_change
from annotation.adjudication.services.gold_equal import discard_gold_equal, settle_gold_equal
from annotation.adjudication.services.grouping import decide_answers, take_back
from annotation.adjudication.services.leaving import refuse_leaving
from annotation.adjudication.services.machines import (
    Ruling,
    decide_together,
    withdraw_together,
)
from annotation.adjudication.services.recorded import (
    DecisionsInUse,
    apply_recorded_decisions,
    discard_recorded_decisions,
)
from annotation.adjudication.services.replaying import (
    ReplayCounts,
    UnknownLabel,
    replay_votes,
)
from annotation.adjudication.services.resettling import resettle_project
from annotation.adjudication.services.reusing import (
    Offer,
    ReasonMissing,
    SourceNotFound,
    get_offer,
    list_offers,
    list_reused,
    reuse_decisions,
    undo_reuse,
)
from annotation.adjudication.services.sending_back import InRatersHands, NotSentBack, send_back
from annotation.adjudication.services.settling import settle_candidates

__all__ = [
    "ChangeEffects",
    "DecidedMeanwhile",
    "DecisionsInUse",
    "InRatersHands",
    "NotSentBack",
    "NothingToReopen",
    "Offer",
    "ReasonMissing",
    "ReplayCounts",
    "Ruling",
    "SourceNotFound",
    "UnknownLabel",
    "UnusableDecision",
    "VotesInUse",
    "apply_recorded_decisions",
    "decide_answer",
    "decide_answers",
    "decide_together",
    "discard_gold_equal",
    "discard_recorded_decisions",
    "discard_replay",
    "foresee_change",
    "get_offer",
    "list_offers",
    "list_reused",
    "refuse_leaving",
    "reopen_answer",
    "replay_votes",
    "resettle_project",
    "reuse_decisions",
    "send_back",
    "settle_candidates",
    "settle_gold_equal",
    "take_back",
    "undo_reuse",
    "withdraw_together",
    "words_of_change",
]
