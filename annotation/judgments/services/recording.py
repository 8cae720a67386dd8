"""Judgments are written: of sheets that are handed in, and of files; the reply says what that came to."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError

from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.assignments.services.slots import lease_end, release_slots
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.judgments.rules import (
    CAME_BACK_WORDS,
    KNOWN_WORDS,
    LATE_WORDS,
    UNBLINDED_WORDS,
    AnswerGiven,
    Fate,
)
from annotation.projects.models import Membership, ProtocolVersion
from common.clock import now
from common.database.rows import insert_objects, insert_rows, reserve_keys
from common.errors import Conflict, Invalid
from common.identifiers import new_public_id

STILL_OPEN = (Sheet.State.OPEN, Sheet.State.EXPIRED)


class SheetClosed(Conflict):
    """The sheet was handed in or skipped already, by another request than this one."""


class SubmissionKeyReused(Conflict):
    """This request's key was used before, for another sheet or for a submit that was taken back."""


class IncompleteSheet(Invalid):
    """The sheet lacks labels, or names answers, labels or checks it does not have."""


class SheetChanged(Conflict):
    """The sheet was given to its rater again since this request's client saw it."""


@dataclass(frozen=True)
class SubmitOutcome:
    """The result of submitting a sheet.

    `counted`: the number of judgments that count. `surplus`: the number that came too late to count.
    `message`: what the annotator should know about it; may be empty. `came_back`: whether the sheet had since
    been assigned again with other answers, or some answers were already judged in another window; the
    judgments are kept anyway. `unblinded`: whether the annotator has since seen others’ judgments; if so,
    none of these judgments count.
    """

    counted: int
    surplus: int
    message: str
    came_back: bool = False
    unblinded: bool = False


def outcome_of(
    *, taken: int, late: int, came_back: bool = False, known: int = 0, is_blind: bool = True
) -> SubmitOutcome:
    """Return an outcome with its words.

    `came_back`: it was handed in as an older version; `known`: answers judged meanwhile in another tab.
    """
    words = [
        "" if is_blind else UNBLINDED_WORDS,
        LATE_WORDS.format(answers=_answers_gone(late)) if late and is_blind else "",
        CAME_BACK_WORDS if came_back else "",
        KNOWN_WORDS.format(count=known) if known else "",
    ]
    return SubmitOutcome(
        counted=taken,
        surplus=late,
        message=" ".join(filter(None, words)),
        came_back=came_back,
        unblinded=not is_blind,
    )


def _answers_gone(count: int) -> str:
    return "1 of its answers has" if count == 1 else f"{count} of its answers have"


def repeated_outcome(*, sheet: Sheet, beside: Sequence[Sheet], submission_key: str) -> SubmitOutcome | None:
    """Return what the same request came to the first time, or None where it is new.

    `beside`: the rater's other sheets of the question. Raises `SubmissionKeyReused` where it was taken back
    since.
    """
    # An older version is handed in on a sheet of its own, beside the one that the request names.
    for each in [sheet, *(beside if sheet.version > 1 else ())]:
        same = each.submission_key == submission_key
        if submission_key in each.former_keys or (each.state in STILL_OPEN and same):
            raise SubmissionKeyReused("You have undone this submission. Submit the question again.")
        outcome = SubmitOutcome(**each.outcome) if same and each.outcome is not None else None
        if outcome is not None and (each == sheet or outcome.came_back):
            return outcome
    return None


def require_open(*, sheet: Sheet) -> None:
    """Raise `SheetClosed` where another request closed the sheet."""
    if sheet.state in STILL_OPEN:
        return
    done = "skipped" if sheet.state == Sheet.State.SKIPPED else "submitted"
    raise SheetClosed(f"This question was already {done}, perhaps in another tab. Reload the page.")


def close_sheet(
    *,
    sheet: Sheet,
    state: str,
    submission_key: str,
    outcome: SubmitOutcome,
    at: datetime,
    seconds: float | None = None,
) -> None:
    """Close a sheet by one conditional UPDATE, and have it settled.

    Raises `SheetClosed`, `SubmissionKeyReused`, which end the caller's transaction.
    """
    try:
        closed = Sheet.objects.filter(pk=sheet.pk, state__in=STILL_OPEN).update(
            state=state,
            submission_key=submission_key,
            outcome=asdict(outcome),
            draft=None,
            seconds=seconds,
            closed_at=at,
            settling_due=True,
        )
    except IntegrityError:
        raise SubmissionKeyReused(
            "This request was already used for another question. Reload the page."
        ) from None
    if not closed:
        raise SheetClosed("This question was already closed, perhaps in another tab. Reload the page.")
    # As the row now says, for whoever has the object.
    sheet.state = state


ASSIGNMENT_STATE = {
    Fate.COUNTED: Assignment.State.DONE,
    Fate.SURPLUS: Assignment.State.SURPLUS,
    Fate.MISSING: Assignment.State.SKIPPED,
    Fate.SKIPPED: Assignment.State.SKIPPED,
}
JUDGMENT_STATE = {
    Fate.COUNTED: Judgment.State.COUNTED,
    Fate.SURPLUS: Judgment.State.SURPLUS,
    Fate.MISSING: Judgment.State.MISSING,
}
JUDGMENT_FIELDS = [
    "slot",
    "round",
    "state",
    "label",
    "comment",
    "evidence_url",
    "evidence_quote",
    "judged_at",
]


class Vote(NamedTuple):
    """An answer on the sheet, what its rater says of it, and what becomes of that."""

    assignment: Assignment
    given: AnswerGiven
    fate: Fate
    held_slot: bool


def store_judgments(*, sheet: Sheet, votes: Sequence[Vote], seconds: float | None, at: datetime) -> None:
    """Store the labels of votes and add to their history; skipped answers have none.

    The assignments come with their judgments, where they have one. `seconds`: of one answer.
    """
    labelled = [vote for vote in votes if vote.fate is not Fate.SKIPPED]
    judgments = [_judgment(vote, at=at) for vote in labelled]
    known = [judgment for judgment in judgments if judgment.pk is not None]
    insert_objects([item for item in judgments if item.pk is None])
    Judgment.objects.bulk_update(known, JUDGMENT_FIELDS)
    add_revisions(
        judgments=judgments,
        action=JudgmentRevision.Action.SUBMIT,
        protocol_version_id=sheet.protocol_version_id,
        seconds=seconds,
        at=at,
        are_new=not known,
    )


def _judgment(vote: Vote, *, at: datetime) -> Judgment:
    assignment, given = vote.assignment, vote.given
    known: Judgment | None = getattr(assignment, "judgment", None)
    judgment = known or Judgment(assignment=assignment)
    judgment.candidate_id = assignment.candidate_id
    judgment.rater_id = assignment.rater_id
    judgment.slot = assignment.slot
    judgment.round = assignment.round
    judgment.purpose = assignment.purpose
    judgment.state = JUDGMENT_STATE[vote.fate]
    judgment.label = given.label or ""
    judgment.comment = given.comment
    judgment.evidence_url = given.evidence_url
    judgment.evidence_quote = given.evidence_quote
    judgment.judged_at = at
    return judgment


def add_revisions(
    *,
    judgments: Sequence[Judgment],
    action: str,
    protocol_version_id: int,
    seconds: float | None,
    at: datetime,
    are_new: bool,
) -> None:
    """Add one row to the history of each judgment, as the judgment now stands."""
    numbers = {} if are_new else _last_numbers(judgments)
    insert_objects(
        [
            JudgmentRevision(
                judgment=judgment,
                number=numbers.get(judgment.pk, 0) + 1,
                action=action,
                state=judgment.state,
                label=judgment.label,
                comment=judgment.comment,
                evidence_url=judgment.evidence_url,
                evidence_quote=judgment.evidence_quote,
                seconds=seconds,
                protocol_version_id=protocol_version_id,
                at=at,
            )
            for judgment in judgments
        ]
    )


def _last_numbers(judgments: Sequence[Judgment]) -> dict[int, int]:
    rows = JudgmentRevision.objects.filter(judgment__in=judgments).order_by("number")
    return dict(rows.values_list("judgment", "number"))


class RecordedAnswer(NamedTuple):
    """An answer on a recorded sheet, its slot (0 where it held none), and what became of it."""

    candidate_id: int
    slot: int
    round: str
    given: AnswerGiven
    fate: Fate


class RecordedSheet(NamedTuple):
    """What one rater said of one question, in the order of their sheet; `checks`: answered with it.

    `is_asked_for`: handed out and handed in, not kept beside the work.
    """

    rater: Membership
    question_id: int
    answers: Sequence[RecordedAnswer]
    checks: Mapping[str, bool]
    is_asked_for: bool = True


def insert_recorded(sheets: Sequence[RecordedSheet], *, version: ProtocolVersion, at: datetime) -> None:
    """Store sheets that were handed in at one moment with their answers, judgments, history and checks.

    The caller holds the questions' locks, counts the slots that are taken, and settles the answers.
    """
    if not sheets:
        return
    keys = reserve_keys(Sheet, len(sheets))
    _insert_sheets(sheets, keys, version, at=at)
    _insert_answers(sheets, keys, version, at=at)
    insert_rows(
        CheckAnswer,
        ("sheet", "question", "rater", "check_key", "round", "answer", "purpose", "answered_at"),
        [
            (
                key,
                sheet.question_id,
                sheet.rater.pk,
                check,
                CheckAnswer.Round.FIRST.value,
                answer,
                Purpose.VOTE.value,
                at,
            )
            for key, sheet in zip(keys, sheets, strict=True)
            for check, answer in sheet.checks.items()
        ],
    )


def _insert_sheets(
    sheets: Sequence[RecordedSheet], keys: Sequence[int], version: ProtocolVersion, *, at: datetime
) -> None:
    rows: list[Sequence[Any]] = []
    for key, sheet in zip(keys, sheets, strict=True):
        public_id = new_public_id()
        labels = sum(each.given.label is not None for each in sheet.answers)
        asked = sheet.is_asked_for
        rows.append(
            (
                key, public_id, sheet.rater.project_id, sheet.question_id, sheet.rater.pk, version.pk,
                Sheet.State.SUBMITTED.value, Purpose.VOTE.value, Sheet.Again.NOTHING.value, 1, at,
                lease_end(at=at) if asked else at, at, f"replay-{public_id}" if asked else None, [],
                asdict(outcome_of(taken=labels, late=0)) if asked else None, False, False,
            )
        )  # fmt: skip
    insert_rows(
        Sheet,
        (
            "id", "public_id", "project", "question", "rater", "protocol_version", "state", "purpose",
            "asks_again", "version", "handed_out_at", "lease_expires_at", "closed_at", "submission_key",
            "former_keys", "outcome", "settling_due", "goes_first",
        ),
        rows,
    )  # fmt: skip


def _insert_answers(
    sheets: Sequence[RecordedSheet], sheet_keys: Sequence[int], version: ProtocolVersion, *, at: datetime
) -> None:
    placed = [
        (sheet_key, sheet.rater.pk, position, answer)
        for sheet_key, sheet in zip(sheet_keys, sheets, strict=True)
        for position, answer in enumerate(sheet.answers)
    ]
    keys = reserve_keys(Assignment, len(placed))
    insert_rows(
        Assignment,
        (
            "id", "sheet", "candidate", "rater", "slot", "round", "state", "purpose", "skip_reason",
            "position",
        ),
        [
            (
                key, sheet, answer.candidate_id, rater, answer.slot, str(answer.round),
                ASSIGNMENT_STATE[answer.fate].value, Purpose.VOTE.value,
                answer.given.skip_reason if answer.fate is Fate.SKIPPED else "", position,
            )
            for key, (sheet, rater, position, answer) in zip(keys, placed, strict=True)
        ],
    )  # fmt: skip
    labelled = [
        (key, rater, answer)
        for key, (_, rater, _, answer) in zip(keys, placed, strict=True)
        if answer.fate is not Fate.SKIPPED
    ]
    judgment_keys = reserve_keys(Judgment, len(labelled)) if labelled else ()
    said = [
        (
            JUDGMENT_STATE[answer.fate].value, answer.given.label, answer.given.comment,
            answer.given.evidence_url, answer.given.evidence_quote, at,
        )
        for _, _, answer in labelled
    ]  # fmt: skip
    insert_rows(
        Judgment,
        (
            "id", "public_id", "assignment", "candidate", "rater", "slot", "round", "purpose", "state",
            "label", "comment", "evidence_url", "evidence_quote", "judged_at",
        ),
        [
            (
                key, new_public_id(), assignment, answer.candidate_id, rater, answer.slot, str(answer.round),
                Purpose.VOTE.value, *words,
            )
            for key, (assignment, rater, answer), words in zip(judgment_keys, labelled, said, strict=True)
        ],
    )  # fmt: skip
    insert_rows(
        JudgmentRevision,
        (
            "judgment", "number", "action", "protocol_version", "state", "label", "comment", "evidence_url",
            "evidence_quote", "at",
        ),
        [
            (key, 1, JudgmentRevision.Action.SUBMIT.value, version.pk, *words)
            for key, words in zip(judgment_keys, said, strict=True)
        ],
    )  # fmt: skip


def set_aside_tie_breaks(
    *, candidate_ids: Collection[int], raters_per_answer: int, at: datetime | None = None
) -> None:
    """Make the counted tie-breaks of these answers surplus: their first raters agree after all.

    That happens where one of them took a vote back. Votes that are too many only because the protocol
    asks fewer raters than before are no tie-breaks: they stay, and count again when it asks for more.
    The caller holds the questions' locks.
    """
    judgments = list(
        Judgment.objects.votes()
        .filter(
            candidate__in=candidate_ids,
            slot__gt=raters_per_answer,
            round=Assignment.Round.TIE_BREAK,
            state=Judgment.State.COUNTED,
        )
        .select_related("assignment__sheet")
        .order_by("pk")
    )
    for judgment in judgments:
        judgment.state = Judgment.State.SURPLUS
        judgment.assignment.state = Assignment.State.SURPLUS
        judgment.save(update_fields=["state"])
        judgment.assignment.save(update_fields=["state"])
        add_revisions(
            judgments=[judgment],
            action=JudgmentRevision.Action.SET_ASIDE,
            protocol_version_id=judgment.assignment.sheet.protocol_version_id,
            seconds=None,
            at=at or now(),
            are_new=False,
        )
    release_slots(candidate_ids=candidate_ids)
