"""Turn votes into decisions, by rule or by a person, and let machines decide what a policy leaves to them."""

from annotation.adjudication.services.deciding import (
    decide_answer,
    decide_answers,
    reopen_answer,
    send_back,
    take_back,
)
from annotation.adjudication.services.leaving import refuse_leaving
from annotation.adjudication.services.protocol_changes import foresee_change, words_of_change
from annotation.adjudication.services.recorded import (
    apply_recorded_decisions,
    discard_recorded_decisions,
    discard_replay,
    replay_votes,
)
from annotation.adjudication.services.reuse import (
    Offer,
    discard_gold_equal,
    get_offer,
    list_offers,
    list_reused,
    reuse_decisions,
    settle_gold_equal,
    undo_reuse,
)
from annotation.adjudication.services.settling import (
    Ruling,
    decide_together,
    resettle_project,
    settle_candidates,
    withdraw_together,
)
