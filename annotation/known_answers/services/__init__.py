"""Mark known answers, and take people through the training."""

from annotation.known_answers.services.marking import (
    KnownAnswerNotFound,
    UnusableMark,
    mark_known,
    withdraw_mark,
)
from annotation.known_answers.services.training import (
    NoTraining,
    UnusableTrainingSheet,
    answer_training,
    let_through,
    start_again,
)

__all__ = [
    "KnownAnswerNotFound",
    "NoTraining",
    "UnusableMark",
    "UnusableTrainingSheet",
    "answer_training",
    "let_through",
    "mark_known",
    "start_again",
    "withdraw_mark",
]
