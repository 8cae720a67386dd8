"""What votes come to, what a changed protocol makes of that, and what is before the lead and why."""

from annotation.adjudication.rules.categories import CATEGORIES, DECISION_CATEGORIES, Category
from annotation.adjudication.rules.moving import Move, Moved, move_of
from annotation.adjudication.rules.queue import (
    JudgeConflicts,
    QueueEntry,
    QueueFilter,
    QueueReason,
    count_choices,
    keep,
    letters_of,
    pair_name,
    queue_reason,
)
from annotation.adjudication.rules.voting import (
    GOLD_EQUAL_RULE,
    RELEASED_LIST,
    TAKEN_BACK,
    WITHDRAWN_TOGETHER,
    WORDS_BY_CREDIT,
    Basis,
    Need,
    Outcome,
    decide,
    label_of_word,
    wanted_slots,
)

__all__ = [
    "CATEGORIES",
    "DECISION_CATEGORIES",
    "GOLD_EQUAL_RULE",
    "RELEASED_LIST",
    "TAKEN_BACK",
    "WITHDRAWN_TOGETHER",
    "WORDS_BY_CREDIT",
    "Basis",
    "Category",
    "JudgeConflicts",
    "Move",
    "Moved",
    "Need",
    "Outcome",
    "QueueEntry",
    "QueueFilter",
    "QueueReason",
    "count_choices",
    "decide",
    "keep",
    "label_of_word",
    "letters_of",
    "move_of",
    "pair_name",
    "queue_reason",
    "wanted_slots",
]
