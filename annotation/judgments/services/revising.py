"""Raters change what they said, or take a sheet back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from annotation.assignments.models import Assignment, Pilot, Purpose, Sheet
from annotation.assignments.services.handing_out import require_may_judge
from annotation.assignments.services.slots import (
    hold_again,
    lease_end,
    lock_question,
    lock_sheet,
    release_slots,
    version_in_use,
)
from annotation.items.models import Candidate
from annotation.judgments.events import JudgmentChanging, JudgmentsTakenBack
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.judgments.rules import SKIPPED_BY_CHECK, AnswerGiven, problem_of_answer
from annotation.judgments.selectors import get_own_judgment
from annotation.judgments.services.recording import add_revisions
from annotation.judgments.services.settling import mark_due, merge_later_sheets, settle_at_once
from annotation.projects.models import Membership
from annotation.projects.rules import Credit, Protocol
from common.clock import now
from common.errors import Conflict, Invalid
from common.events import publish


class JudgmentChanged(Conflict):
    """The judgment is not what its rater was looking at: they changed it elsewhere."""


class UnusableEdit(Invalid):
    """The label is not one of the protocol's, or lacks the evidence or comment it needs."""


@transaction.atomic
def edit_judgment(
    *,
    rater: Membership,
    sheet_id: str,
    given: AnswerGiven,
    seen_at: datetime,
    at: datetime | None = None,
) -> Judgment:
    """Change a judgment of one's own; its answer is settled anew. The same again changes nothing.

    `given` names the answer on the sheet; `seen_at`: the `judged_at` that the rater was looking at. A vote
    that did not count does not count afterwards either, and the rater learns neither. Raises
    `JudgmentNotFound`, `JudgmentChanged`, `UnusableEdit`, `NotHandedOut`; a subscriber of
    `JudgmentChanging` may raise a Conflict.
    """
    at = at or now()
    require_may_judge(rater=rater)
    judgment = _lock(rater, sheet_id=sheet_id, answer_id=given.id)
    version = version_in_use(rater=rater, former=judgment.assignment.sheet.protocol_version)
    if _says(judgment, given):
        return judgment
    if judgment.judged_at != seen_at:
        raise JudgmentChanged("You changed this judgment elsewhere, perhaps in another tab. Reload the page.")
    problem = problem_of_answer(answer=given, protocol=version.rules)
    if problem:
        raise UnusableEdit(problem, details={"fields": {"label": [problem]}})
    # A hidden sheet is refused as a vote is; a pilot, which is told, never.
    if judgment.purpose != Purpose.PILOT:
        judged_at = {judgment.candidate_id: judgment.judged_at}
        publish(JudgmentChanging(project_id=rater.project_id, judged_at=judged_at))
    _move(judgment, label=given.label or "", protocol=version.rules)
    _store(judgment, given, protocol_version_id=version.pk, at=at)
    mark_due(sheet=judgment.assignment.sheet)
    return judgment


def _lock(rater: Membership, *, sheet_id: str, answer_id: str) -> Judgment:
    found = get_own_judgment(rater=rater, sheet_id=sheet_id, answer_id=answer_id)
    lock_question(question_id=found.candidate.question_id)
    # Read under the lock: whatever was read before may have changed while waiting for it.
    return get_own_judgment(rater=rater, sheet_id=sheet_id, answer_id=answer_id)


def _says(judgment: Judgment, given: AnswerGiven) -> bool:
    stands = (judgment.label, judgment.comment, judgment.evidence_url, judgment.evidence_quote)
    return stands == (given.label, given.comment, given.evidence_url, given.evidence_quote)


def _move(judgment: Judgment, *, label: str, protocol: Protocol) -> None:
    """Pass the slot on where the rater cannot judge after all, and take one where they now can."""
    says_nothing = protocol.credit(label) is Credit.MISSING
    if says_nothing and judgment.state != Judgment.State.MISSING:
        # Done as well where no slot is held: whether one is must not be seen by the time.
        is_held = judgment.state == Judgment.State.COUNTED
        judgment.state = Judgment.State.MISSING if is_held else judgment.state
        _end(judgment.assignment, Assignment.State.SKIPPED if is_held else judgment.assignment.state)
        release_slots(candidate_ids=[judgment.candidate_id])
    elif judgment.state == Judgment.State.MISSING and not says_nothing:
        _take_slot(judgment, protocol)


def _take_slot(judgment: Judgment, protocol: Protocol) -> None:
    assignment = judgment.assignment
    held = hold_again(
        sheet=assignment.sheet, assignments=[assignment], raters_per_answer=protocol.raters_per_answer
    )
    judgment.state = Judgment.State.COUNTED if held else Judgment.State.SURPLUS
    judgment.slot, judgment.round = assignment.slot, assignment.round
    _end(assignment, Assignment.State.DONE if held else Assignment.State.SURPLUS)


def _end(assignment: Assignment, state: str) -> None:
    assignment.state = state
    assignment.save(update_fields=["state", "slot", "round"])


def _store(judgment: Judgment, given: AnswerGiven, *, protocol_version_id: int, at: datetime) -> None:
    judgment.label = given.label or ""
    judgment.comment = given.comment
    judgment.evidence_url = given.evidence_url
    judgment.evidence_quote = given.evidence_quote
    judgment.judged_at = at
    judgment.save()
    last = judgment.revisions.filter(seconds__isnull=False).order_by("-number").first()
    add_revisions(
        judgments=[judgment],
        action=JudgmentRevision.Action.EDIT,
        protocol_version_id=protocol_version_id,
        # What judging took stays; looking back at it is not measured.
        seconds=last.seconds if last else None,
        at=at,
        are_new=False,
    )


TAKEN_BACK = (
    Assignment.State.DONE,
    Assignment.State.SURPLUS,
    Assignment.State.SKIPPED,
    # At hand on a later sheet of the same question.
    Assignment.State.LIVE,
    Assignment.State.FILLER,
    Assignment.State.EXPIRED,
)


PASSED_ON = (Assignment.State.SKIPPED, Assignment.State.EXPIRED)


class NothingToUndo(Conflict):
    """The rater has no submit that could be taken back."""


@transaction.atomic
def undo_submit(*, rater: Membership, sheet_id: str = "", at: datetime | None = None) -> Sheet:
    """Take back the rater's last submit and return the sheet, open again under a new lease.

    With `sheet_id` only that sheet is taken back: a repeated request finds it open and changes
    nothing. Raises `NothingToUndo`, and `NotHandedOut` for those who may not judge; a subscriber of
    `JudgmentsTakenBack` may raise a Conflict where a person's decision rests on them.
    """
    at = at or now()
    require_may_judge(rater=rater)
    sheet = _last_submitted(rater, sheet_id=sheet_id)
    if sheet.state == Sheet.State.OPEN:
        return sheet
    merge_later_sheets(sheet=sheet, at=at)
    assignments = list(
        Assignment.objects.filter(sheet=sheet, state__in=TAKEN_BACK)
        .select_related("candidate")
        .order_by("position", "pk")
    )
    # A hidden sheet is refused as work is; a pilot, which is told, never.
    if sheet.purpose != Purpose.PILOT:
        assert sheet.closed_at is not None
        judged_at = dict.fromkeys((item.candidate_id for item in assignments), sheet.closed_at)
        publish(JudgmentsTakenBack(project_id=sheet.project_id, judged_at=judged_at))
    sheet.draft = _draft(sheet, assignments)
    _withdraw(sheet, assignments, at=at)
    _hold(sheet, assignments)
    sheet.protocol_version = version_in_use(rater=rater, former=sheet.protocol_version)
    sheet.state = Sheet.State.OPEN
    sheet.version += 1
    sheet.former_keys = [*sheet.former_keys, sheet.submission_key]
    sheet.outcome = None
    sheet.closed_at = None
    sheet.lease_expires_at = lease_end(at=at)
    sheet.settling_due = True
    sheet.save()
    settle_at_once(question_id=sheet.question_id)
    return sheet


def _last_submitted(rater: Membership, *, sheet_id: str) -> Sheet:
    submitted = Sheet.objects.filter(rater=rater, state=Sheet.State.SUBMITTED, submission_key__isnull=False)
    last = submitted.order_by("-closed_at", "-pk").first()
    if sheet_id:
        sheet = lock_sheet(rater=rater, public_id=sheet_id).sheet
        if sheet.state == Sheet.State.OPEN and sheet.draft is not None:
            return sheet
    if last is None or (sheet_id and last.public_id != sheet_id):
        raise NothingToUndo("You have no submission to undo.")
    sheet = lock_sheet(rater=rater, public_id=last.public_id).sheet
    if Pilot.objects.has_ended_for(sheet=sheet):
        raise NothingToUndo("The pilot has ended, so you can no longer undo your judgments in it.")
    if sheet.state != Sheet.State.SUBMITTED:
        raise NothingToUndo("You have already undone your last submission.")
    return sheet


def _draft(sheet: Sheet, assignments: Sequence[Assignment]) -> dict[str, Any]:
    judgments = {item.assignment_id: item for item in Judgment.objects.filter(assignment__in=assignments)}
    checks = CheckAnswer.objects.filter(sheet=sheet).order_by("pk")
    return {
        "answers": [_draft_answer(item, judgments.get(item.pk)) for item in assignments],
        "checks": dict(checks.values_list("check_key", "answer")),
    }


def _draft_answer(assignment: Assignment, judgment: Judgment | None) -> dict[str, Any]:
    return {
        "id": assignment.candidate.public_id,
        "label": judgment.label if judgment else None,
        "skip_reason": assignment.skip_reason,
        "comment": judgment.comment if judgment else "",
        "evidence_url": judgment.evidence_url if judgment else "",
        "evidence_quote": judgment.evidence_quote if judgment else "",
    }


def _withdraw(sheet: Sheet, assignments: Sequence[Assignment], *, at: datetime) -> None:
    judgments = list(
        Judgment.objects.filter(assignment__in=assignments).exclude(state=Judgment.State.WITHDRAWN)
    )
    for judgment in judgments:
        judgment.state = Judgment.State.WITHDRAWN
    Judgment.objects.bulk_update(judgments, ["state"])
    add_revisions(
        judgments=judgments,
        action=JudgmentRevision.Action.WITHDRAW,
        protocol_version_id=sheet.protocol_version_id,
        seconds=None,
        at=at,
        are_new=False,
    )
    # Checks are asked anew; the sheet's draft keeps what was answered.
    CheckAnswer.objects.filter(sheet=sheet).delete()


def _hold(sheet: Sheet, assignments: Sequence[Assignment]) -> None:
    """Keep the slots that are held, take those back that were passed on, and show the rest uncounted."""
    held = (Assignment.State.DONE, Assignment.State.LIVE)
    votes = [item for item in assignments if item.purpose == Purpose.VOTE]
    holding = [item for item in votes if item.state in held]
    passed_on = [item for item in votes if item.state in PASSED_ON]
    _free_slots(passed_on)
    raters = sheet.protocol_version.rules.raters_per_answer
    holding += hold_again(sheet=sheet, assignments=passed_on, raters_per_answer=raters)
    for item in assignments:
        is_filler = item in votes and item not in holding
        item.state = Assignment.State.FILLER if is_filler else Assignment.State.LIVE
        item.slot = item.slot if item in holding else 0
        item.skip_reason = ""
    Assignment.objects.bulk_update(assignments, ["state", "slot", "round", "skip_reason"])


def _free_slots(assignments: Sequence[Assignment]) -> None:
    """Open the slots again that were kept from others because a check had skipped the answers."""
    kept = [item.candidate_id for item in assignments if item.skip_reason.startswith(SKIPPED_BY_CHECK)]
    still_open = Candidate.objects.filter(pk__in=kept, state=Candidate.State.OPEN)
    still_open.update(wanted=F("wanted") + 1)
