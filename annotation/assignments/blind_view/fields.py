"""Every field that an annotator receives, and the columns that it is read from: this list and no other.

Nothing here may know of systems, gold marks, verdicts or anybody else's labels, and nothing that is
returned may differ with them: no round, no number of raters, no order that follows systems.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

SHEET_FIELDS = (
    "pk",
    "public_id",
    "handed_out_at",
    "version",
    "lease_expires_at",
    "draft",
    "state",
    "asks_again",
    "purpose",
    "protocol_version_id",
    "question_id",
    "question__public_id",
    "question__text",
)
ANSWER_FIELDS = ("sheet_id", "candidate__public_id", "candidate__text")
PAST_FIELDS = (
    "pk",
    "public_id",
    "handed_out_at",
    "closed_at",
    "purpose",
    "question_id",
    "question__public_id",
    "question__text",
)


class BlindQuestion(NamedTuple):
    """A question as its rater sees it; `references` only where the protocol shows them."""

    id: str
    text: str
    references: list[str] | None
    flags: list[str]


@dataclass(frozen=True)
class BlindCheck:
    """A yes/no question about the question; `skips_answers`: a yes makes judging the answers pointless."""

    key: str
    text: str
    skips_answers: bool


@dataclass(frozen=True)
class BlindAnswer:
    """An answer to judge."""

    id: str
    text: str


class BlindSheet(NamedTuple):
    """A sheet as its rater sees it.

    `version` is raised whenever the sheet is given anew, perhaps with other answers.
    `asks_again`: the rater has handed in this question before and is asked for "checks" or "answers" once
    more; the protocol wants that, and it is all that is said of how others saw the question.
    `checks_first`: the answers are shown only once the checks are answered. `is_pilot`: what is said on it
    is no vote, and its rater knows that.
    """

    id: str
    version: int
    is_pilot: bool
    asks_again: str
    question: BlindQuestion
    checks: list[BlindCheck]
    checks_first: bool
    answers: list[BlindAnswer]
    lease_expires_at: datetime
    draft: dict[str, Any] | None


@dataclass(frozen=True)
class Said:
    """What a rater says of an answer, as it stands; `judged_at` changes with every act of theirs."""

    label: str
    comment: str
    evidence_url: str
    evidence_quote: str
    judged_at: datetime


@dataclass(frozen=True)
class HowDecided:
    """What a person decided, and the words that raters may read; nothing of who, when or why else."""

    label: str
    words: str


@dataclass(frozen=True)
class PastAnswer:
    """An answer the rater has judged, and what they say of it.

    `decided`: how a person decided it since, where the protocol lets raters read that; nothing else of
    what became of it.
    """

    id: str
    text: str
    said: Said
    decided: HowDecided | None


@dataclass(frozen=True)
class PastCheck:
    """A check about the question and the rater's own answer to it."""

    text: str
    answer: bool


class PastSheet(NamedTuple):
    """A sheet its rater has handed in."""

    id: str
    question: BlindQuestion
    checks: list[PastCheck]
    answers: list[PastAnswer]
    handed_in_at: datetime


class Progress(NamedTuple):
    """How far a rater has come and at what pace; nothing about anybody else."""

    judged_questions: int
    judged_answers: int
    left_questions: int
    median_seconds: float | None
    can_undo: bool


class Work(NamedTuple):
    """What the judging page needs: sheets, the first one first, and progress.

    `guidelines_unread`: names the guidelines that the rater is to read before going on, or nothing.
    `in_pilot`: a pilot goes on, so that nothing else comes before the lead ends it.
    """

    sheets: list[BlindSheet]
    progress: Progress
    nothing_left: bool
    guidelines_unread: str
    in_pilot: bool
