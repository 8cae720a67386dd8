"""Keep votes known from a file: sheets handed out and handed in long ago, inserted as a whole."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.assignments.services import lease_end
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.judgments.rules import AnswerGiven, Fate
from annotation.judgments.services.recording import JUDGMENT_STATE, outcome_of
from annotation.judgments.services.submitting import ASSIGNMENT_STATE
from annotation.projects.models import Membership, ProtocolVersion
from common.database.inserting import insert_rows, reserve_keys
from common.identifiers import new_public_id


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
                outcome_of(taken=labels, late=0)._asdict() if asked else None, False,
            )
        )  # fmt: skip
    insert_rows(
        Sheet,
        (
            "id", "public_id", "project", "question", "rater", "protocol_version", "state", "purpose",
            "asks_again", "version", "handed_out_at", "lease_expires_at", "closed_at", "submission_key",
            "former_keys", "outcome", "settling_due",
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
