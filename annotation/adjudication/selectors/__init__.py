"""Read the lead's queue, and everything a decision on one answer rests on."""

from annotation.adjudication.selectors.decisions import (
    do_votes_settle,
    find_given_before,
    find_label_conflicts,
    how_people_decided,
    judged_questions,
)
from annotation.adjudication.selectors.dossier import (
    CandidateNotFound,
    DecisionLine,
    Dossier,
    count_votes,
    current_labels,
    decisions_of,
    free_for_machines,
    get_candidate,
    get_dossier,
    send_back_refusal,
)
from annotation.adjudication.selectors.queue import (
    QueueVote,
    Skip,
    Vote,
    by_letter,
    count_waiting,
    read_queue,
    shown_states,
    shows_systems,
    skips_of,
    standing_judgments,
    vote_of,
    votes_of,
    waiting_answers,
)
