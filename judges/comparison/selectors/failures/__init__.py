"""Read the failure boards, and the answers behind their cells."""

from judges.comparison.selectors.failures.boards import (
    FailureBoard,
    Wanted,
    answers_behind,
    read_failure_board,
)
