"""Read the failure boards, and the answers behind their cells."""

from judges.comparison.selectors.failures.boards import (
    Choice,
    FailureBoard,
    Wanted,
    answers_behind,
    read_failure_board,
)

__all__ = ["Choice", "FailureBoard", "Wanted", "answers_behind", "read_failure_board"]
