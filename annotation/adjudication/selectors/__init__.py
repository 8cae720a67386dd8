"""Read the lead's queue, and everything a decision on one answer rests on."""

from annotation.adjudication.selectors.dossier import (
    CandidateNotFound,
    Dossier,
    current_labels,
    free_for_machines,
    get_candidate,
    get_dossier,
)
from annotation.adjudication.selectors.judged import judged_questions
from annotation.adjudication.selectors.outcomes import how_people_decided
from annotation.adjudication.selectors.queue import (
    Queue,
    QueueItem,
    count_decided_since,
    read_queue,
    shows_systems,
)
from annotation.adjudication.selectors.recorded import do_votes_settle, find_label_conflicts
from annotation.adjudication.selectors.sending_back import count_votes, send_back_refusal
from annotation.adjudication.selectors.votes import (
    Flag,
    Skip,
    Vote,
    by_letter,
    skips_of,
    standing_judgments,
    vote_of,
    votes_of,
)
from annotation.adjudication.selectors.waiting import count_waiting, shown_states, waiting_answers

__all__ = [
    "CandidateNotFound",
    "Dossier",
    "Flag",
    "Queue",
    "QueueItem",
    "Skip",
    "Vote",
    "by_letter",
    "count_decided_since",
    "count_votes",
    "count_waiting",
    "current_labels",
    "do_votes_settle",
    "find_label_conflicts",
    "free_for_machines",
    "get_candidate",
    "get_dossier",
    "how_people_decided",
    "judged_questions",
    "read_queue",
    "send_back_refusal",
    "shown_states",
    "shows_systems",
    "skips_of",
    "standing_judgments",
    "vote_of",
    "votes_of",
    "waiting_answers",
]
