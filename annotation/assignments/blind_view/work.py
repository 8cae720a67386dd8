"""Build what the judging page receives: the sheets to judge, and how far their rater has come."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from django.db.models import Count, Q

from annotation.assignments.blind_view.fields import (
    ANSWER_FIELDS,
    SHEET_FIELDS,
    BlindAnswer,
    BlindSheet,
    Progress,
    Work,
)
from annotation.assignments.blind_view.questions import asked_checks, blind_question, flags_of
from annotation.assignments.models import UNFINISHED, Assignment, Pilot, Purpose, Sheet
from annotation.projects.models import Membership
from annotation.projects.selectors import unread_guidelines
from common.clock import is_measured

ON_A_SHEET = (Assignment.State.LIVE, Assignment.State.FILLER)
# Whatever its rater says of an answer, be it no vote: a state would tell what became of it.
IS_JUDGED = Q(judgment__isnull=False) & ~Q(judgment__state="withdrawn")
IS_PILOT = Q(purpose=Purpose.PILOT)
# A question that comes a second time, unmarked or for a second opinion, may be judged already.
IS_REPEAT = Q(purpose__in=(Purpose.REPEAT, Purpose.SECOND))
# Enough sheets for a steady pace, few enough to follow the rater's present one.
PACE_SHEETS = 30


def build_work(
    *,
    rater: Membership,
    sheets: Sequence[Sheet],
    left_questions: int,
    references: Mapping[int, list[str]],
) -> Work:
    """Return what a rater receives for these sheets of theirs.

    A sheet that was handed in or taken back since it was read has nothing left to show and is left
    out. `references`: gold answers by question, empty unless the protocol shows them.
    """
    pilot = Pilot.objects.open_in(project_id=rater.project_id)
    unread = unread_guidelines(member=rater)
    return Work(
        sheets=_sheets(rater=rater, sheet_ids=[sheet.pk for sheet in sheets], references=references),
        progress=_progress(rater=rater, pilot=pilot, left_questions=left_questions),
        # Nothing new comes before the guidelines are read, whatever is left.
        nothing_left=not sheets and not unread,
        guidelines_unread=unread,
        in_pilot=pilot is not None,
    )


def _sheets(
    *, rater: Membership, sheet_ids: list[int], references: Mapping[int, list[str]]
) -> list[BlindSheet]:
    rows = {row["pk"]: row for row in Sheet.objects.filter(pk__in=sheet_ids).values(*SHEET_FIELDS)}
    flags = flags_of(rater=rater, rows=rows.values())
    checks = asked_checks(rater=rater, rows=rows.values())
    answers = _answers(sheet_ids)
    answers |= {pk: [] for pk, row in rows.items() if pk not in answers and _asks_checks_only(row)}
    protocol = rater.project.protocol
    return [
        BlindSheet(
            id=row["public_id"],
            version=row["version"],
            is_pilot=row["purpose"] == Purpose.PILOT,
            asks_again=row["asks_again"],
            question=blind_question(rater=rater, row=row, references=references, flags=flags[row["pk"]]),
            checks=checks[row["pk"]],
            checks_first=protocol is not None and protocol.rules.checks_first,
            answers=answers[row["pk"]],
            lease_expires_at=row["lease_expires_at"],
            draft=row["draft"],
        )
        for row in (rows[sheet_id] for sheet_id in sheet_ids if sheet_id in answers)
    ]


def _asks_checks_only(row: Mapping[str, Any]) -> bool:
    return (row["asks_again"], row["state"]) == (Sheet.Again.CHECKS, Sheet.State.OPEN)


def _answers(sheet_ids: list[int]) -> dict[int, list[BlindAnswer]]:
    answers: dict[int, list[BlindAnswer]] = {}
    shown = Assignment.objects.filter(sheet__in=sheet_ids, state__in=ON_A_SHEET)
    for sheet_id, public_id, text in shown.order_by("sheet", "position", "pk").values_list(*ANSWER_FIELDS):
        answers.setdefault(sheet_id, []).append(BlindAnswer(id=public_id, text=text))
    return answers


def _progress(*, rater: Membership, pilot: Pilot | None, left_questions: int) -> Progress:
    # Of every purpose that is not told: what is silently not counted must move a rater's own figures like
    # anything else. A pilot is told, and its questions may come again as work, so it is counted by itself.
    all_submitted = Sheet.objects.filter(rater=rater, state=Sheet.State.SUBMITTED)
    last = all_submitted.order_by("-closed_at", "-pk").first()
    recent = all_submitted.filter(Q(seconds=0) | is_measured("seconds")).order_by("-closed_at", "-pk")
    seconds = [float(value or 0) for value in recent.values_list("seconds", flat=True)[:PACE_SHEETS]]
    sheets = Sheet.objects.filter(_of_phase(pilot, "question"), rater=rater)
    judged = Assignment.objects.filter(_of_phase(pilot, "candidate__question"), rater=rater)
    submitted = sheets.filter(state=Sheet.State.SUBMITTED)
    # A question that comes back is left, not judged: it would otherwise be "question 4 of 3".
    unfinished = sheets.filter(state__in=UNFINISHED).exclude(IS_REPEAT)
    is_over = ~IS_REPEAT & ~Q(question__in=unfinished.values("question"))
    # One that came a second time unmarked is a question like any other.
    count = submitted.aggregate(
        questions=Count("question", distinct=True, filter=is_over), repeats=Count("pk", filter=IS_REPEAT)
    )
    return Progress(
        judged_questions=count["questions"] + count["repeats"],
        judged_answers=judged.filter(IS_JUDGED).count(),
        left_questions=left_questions,
        median_seconds=median(seconds) if seconds else None,
        can_undo=last is not None and not Pilot.objects.has_ended_for(sheet=last),
    )


def _of_phase(pilot: Pilot | None, question: str) -> Q:
    """Return what counts for a rater's progress: this pilot, or without one all that is of no pilot."""
    return ~IS_PILOT if pilot is None else IS_PILOT & Q(**{f"{question}__in_pilot__pilot": pilot})
