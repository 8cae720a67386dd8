"""Let raters change what they said of an answer, until a person has decided it."""

from datetime import datetime

from django.db import transaction

from annotation.assignments.models import Assignment, Purpose
from annotation.assignments.services import (
    hold_again,
    lock_question,
    release_slots,
    require_may_judge,
    version_in_use,
)
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.rules import AnswerGiven, problem_of_answer
from annotation.judgments.selectors import get_own_judgment
from annotation.judgments.services.recording import add_revisions
from annotation.judgments.services.settling_due import mark_due
from annotation.projects.models import Membership
from annotation.projects.rules import Credit, Protocol
from common.clock import now
from common.errors import Conflict, Invalid
from common.events import publish


class JudgmentChanged(Conflict):
    """The judgment is not what its rater was looking at: they changed it elsewhere."""

    code = "judgment_changed"


class UnusableEdit(Invalid):
    """The label is not one of the protocol's, or lacks the evidence or comment it needs."""

    code = "unusable_edit"


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
    "judgment_changing" may raise a Conflict.
    """
    at = at or now()
    require_may_judge(rater=rater)
    judgment = _lock(rater, sheet_id=sheet_id, answer_id=given.id)
    version = version_in_use(rater=rater, former=judgment.assignment.sheet.protocol_version)
    if _says(judgment, given):
        return judgment
    if judgment.judged_at != seen_at:
        raise JudgmentChanged(
            "You have changed this judgment elsewhere, perhaps in another tab. Load the page again."
        )
    problem = problem_of_answer(answer=given, protocol=version.rules)
    if problem:
        raise UnusableEdit(problem, details={"fields": {"label": [problem]}})
    # A hidden sheet is refused as a vote is; a pilot, which is told, never.
    if judgment.purpose != Purpose.PILOT:
        judged_at = {judgment.candidate_id: judgment.judged_at}
        publish(event="judgment_changing", project_id=rater.project_id, judged_at=judged_at)
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
