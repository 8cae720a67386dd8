"""Turn votes into decisions, by rule or by a person, and let machines decide what a policy leaves to them."""

from annotation.adjudication.services.deciding import (
    decide_answer,
    decide_answers,
    reopen_answer,
    send_back,
    take_back,
)
from annotation.adjudication.services.protocol_changes import foresee_change, words_of_change
from annotation.adjudication.services.recorded import (
    apply_recorded_decisions,
    discard_recorded_decisions,
    discard_replay,
    refuse_leaving,
    replay_votes,
)
from annotation.adjudication.services.reuse import (
    Offer,
    get_offer,
    list_offers,
    list_reused,
    reuse_decisions,
    undo_reuse,
)
from annotation.adjudication.services.settling import (
    Ruling,
    decide_together,
    discard_gold_equal,
    resettle_project,
    settle_candidates,
    settle_gold_equal,
    withdraw_together,
)
