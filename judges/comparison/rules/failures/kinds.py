"""Which failure boards there are, and which sets of tags each can be made of."""

from collections.abc import Mapping
from enum import StrEnum

from judges.tagging.rules import Subject


class BoardKind(StrEnum):
    """One board; what its rows, columns and shares are stands in docs/failure-modes.md."""

    MISSES = "misses"
    REPAIRS = "repairs"
    WRONG = "wrong"
    ERRORS = "errors"
    LENGTH = "length"
    CREDIT = "credit"
    UNATTRIBUTABLE = "unattributable"


_ANSWERS = frozenset({Subject.ANSWER})
_SUBJECTS: Mapping[BoardKind, frozenset[Subject]] = {
    BoardKind.MISSES: _ANSWERS,
    BoardKind.REPAIRS: _ANSWERS,
    BoardKind.WRONG: _ANSWERS,
    BoardKind.ERRORS: frozenset({Subject.VERDICT}),
    BoardKind.CREDIT: frozenset({Subject.ANSWER, Subject.QUESTION}),
}
_USUAL: Mapping[BoardKind, str] = {
    BoardKind.MISSES: "kamalloo",
    BoardKind.REPAIRS: "kamalloo",
    BoardKind.WRONG: "evouna-answers",
    BoardKind.ERRORS: "evouna-evaluators",
    BoardKind.CREDIT: "efficientqa",
}


def subjects_of(kind: BoardKind) -> frozenset[Subject]:
    """Return what the tags of a board's set belong to; nothing where the board has no set."""
    return _SUBJECTS.get(kind, frozenset())


def usual_set(kind: BoardKind) -> str:
    """Return the key of the set that a board is made for; empty where it has none."""
    return _USUAL.get(kind, "")
