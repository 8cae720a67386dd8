"""Rows of the long lists, which the client pages through; times are as the API writes them (ISO 8601)."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Vote:
    """A vote on an answer; the letter stands for its annotator on this answer alone."""

    letter: str
    label: str


@dataclass(frozen=True)
class JudgedBy:
    """What a run says of an answer; `accepted` is None where it could not judge it, and `reason` says why."""

    run: str
    accepted: bool | None
    score: float | None
    reason: str


@dataclass(frozen=True)
class Answer:
    """An answer with its state, its label once it is decided, its votes, and verdicts of the listed judges.

    `systems` is None where they are hidden from you.
    """

    id: str
    question_id: str
    question: str
    dataset: str
    tags: list[str]
    flags: list[str]
    answer: str
    state: str
    label: str | None
    source: str | None
    systems: list[str] | None
    votes: list[Vote]
    verdicts: list[JudgedBy]


@dataclass(frozen=True)
class RunVerdict:
    """A verdict of a run; `accepted` is None where it could not judge, and `unscored_reason` says why."""

    answer_id: str
    question: str
    answer: str
    golds: list[str]
    accepted: bool | None
    score: float | None
    unscored_reason: str
    raw_reply: str
    flags: list[str]
    judged_at: str


@dataclass(frozen=True)
class JudgedQuestion:
    """A question as its annotator saw it."""

    id: str
    text: str


@dataclass(frozen=True)
class Said:
    """What you said of an answer."""

    label: str
    comment: str
    evidence_url: str
    evidence_quote: str
    judged_at: str


@dataclass(frozen=True)
class JudgedAnswer:
    """An answer that you judged."""

    id: str
    text: str
    said: Said


@dataclass(frozen=True)
class JudgedSheet:
    """A sheet that you handed in."""

    id: str
    question: JudgedQuestion
    answers: list[JudgedAnswer]
    handed_in_at: str


@dataclass(frozen=True)
class Activity:
    """What a lead or adjudicator did: an operation of the API, and the ids in its address."""

    id: int
    person: str
    operation: str
    place: str
    token: str
    request_id: str
    begun_at: str
    finished_at: str | None


@dataclass(frozen=True)
class GoldChange:
    """An answer that was added to a gold list or removed from it, and why; `undone_at` is set if undone."""

    id: str
    question: str
    question_id: str
    answer_id: str | None
    action: str
    text: str
    kind: str
    reason: str
    rule: str
    by: str
    at: str
    undone_at: str | None
    undone_by: str
    undo_reason: str
    group: str


@dataclass(frozen=True)
class GoldEntry:
    """An answer on a gold list, or one that was removed from it."""

    text: str
    is_pattern: bool
    is_added: bool
    is_removed: bool


@dataclass(frozen=True)
class GoldQuestion:
    """A question with its gold list, and the changes of this."""

    id: str
    question: str
    dataset: str
    answers: list[GoldEntry]
    changes: list[GoldChange]
    proposals: int


@dataclass(frozen=True)
class GoldProposal:
    """An answer that a gold list may lack; `right`, `wrong`, `open`: how many answers it would accept."""

    id: str
    kind: str
    question: str
    question_id: str
    text: str
    examples: list[str]
    source: str
    supported: int
    right: int
    wrong: int
    open: int


@dataclass(frozen=True)
class AmendedAnswer:
    """An answer that changes of its gold list made correct or incorrect; `question` and `answer` are ids."""

    question: str
    question_text: str
    answer: str
    text: str
    is_right: bool
    systems: list[str] | None
    changes: list[str]


@dataclass(frozen=True)
class RuleVerdict:
    """A verdict that a rule used."""

    judge: str
    accepted: bool
    score: float | None


@dataclass(frozen=True)
class SettledAnswer:
    """An answer that a pre-judging rule settled, or sent to people for the audit."""

    id: str
    question: str
    answer: str
    state: str
    rule: int
    label: str
    people: str | None
    audited: bool
    audit_probability: float
    verdicts: list[RuleVerdict]
    settled_at: str
    undone_at: str | None


@dataclass(frozen=True)
class RightByQuestion:
    """A question with its gold answers as imported."""

    id: str
    question: str
    gold: list[str]


@dataclass(frozen=True)
class GivenAnswer:
    """A system's answer, with its label once it is decided."""

    id: str
    text: str
    label: str | None


@dataclass(frozen=True)
class QuestionOfTwo:
    """A question with what two systems answered."""

    id: str
    question: str
    gold: list[str]
    first: GivenAnswer
    second: GivenAnswer
