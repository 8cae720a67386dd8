"""Read the lead's queue, and everything a decision on one answer rests on."""

from annotation.adjudication.selectors.dossier import (
    CandidateNotFound,
    Dossier,
    current_labels,
    free_for_machines,
    get_candidate,
    get_dossier,
)
from annotation.adjudication.selectors.outcomes import how_people_decided
from annotation.adjudication.selectors.queue import (
    Queue,
    QueueItem,
    count_decided_since,
    read_queue,
    shows_systems,
)
from annotation.adjudication.selectors.votes import Flag, Vote, votes_of
from annotation.adjudication.selectors.waiting import count_waiting, waiting_answers

__all__ = [
    "CandidateNotFound",
    "Dossier",
    "Flag",
    "Queue",
    "QueueItem",
    "Vote",
    "count_decided_since",
    "count_waiting",
    "current_labels",
    "free_for_machines",
    "get_candidate",
    "get_dossier",
    "how_people_decided",
    "read_queue",
    "shows_systems",
    "votes_of",
    "waiting_answers",
]
