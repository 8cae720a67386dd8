"""Hand in a whole sheet: once, completely, and without throwing anybody's work away."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.assignments.rules import is_tie_break
from annotation.assignments.services import hold_again, lease_end, lock_sheet, release_slots
from annotation.items.models import Candidate
from annotation.judgments.models import CheckAnswer
from annotation.judgments.rules import (
    SKIPPED_BY_CHECK,
    AnswerGiven,
    Fate,
    fate_of,
    heard_checks,
    problems_of_sheet,
    skipping_check,
)
from annotation.judgments.services.asking_again import ask_again
from annotation.judgments.services.outcomes import (
    IncompleteSheet,
    Outcome,
    SheetChanged,
    close_sheet,
    outcome_of,
    repeated_outcome,
)
from annotation.judgments.services.recording import Vote, store_judgments
from annotation.projects.models import Membership
from annotation.projects.rules import Protocol
from common.clock import now
from common.events import publish

WAITING = (Assignment.State.LIVE, Assignment.State.FILLER, Assignment.State.EXPIRED)
ASSIGNMENT_STATE = {
    Fate.COUNTED: Assignment.State.DONE,
    Fate.SURPLUS: Assignment.State.SURPLUS,
    Fate.MISSING: Assignment.State.SKIPPED,
    Fate.SKIPPED: Assignment.State.SKIPPED,
}


@transaction.atomic
def submit_sheet(
    *,
    rater: Membership,
    sheet_id: str,
    submission_key: str,
    answers: Sequence[AnswerGiven],
    checks: Mapping[str, bool] | None = None,
    seconds: float | None = None,
    at: datetime | None = None,
) -> Outcome:
    """Take in a whole sheet and return what it came to; the same key again returns the same.

    After the lease ended an answer counts where a slot is still free and is kept as surplus elsewhere.
    Raises `SheetNotFound`, `IncompleteSheet`, `SheetChanged`, `SheetClosed`, `SubmissionKeyReused`.
    """
    at = at or now()
    sheet = lock_sheet(rater=rater, public_id=sheet_id)
    repeated = repeated_outcome(sheet=sheet, submission_key=submission_key)
    if repeated is not None:
        return repeated
    assignments = _assignments(sheet)
    asked = _asked_checks(sheet)
    # Only checks that were asked speak: a sheet with answers alone may not bring a stray yes.
    checks = {key: answer for key, answer in (checks or {}).items() if key in asked}
    _require_complete(sheet, assignments, answers, checks, asked)
    late = [item for item in assignments if item.state == Assignment.State.EXPIRED]
    given = _complete(sheet.protocol_version.rules, assignments, answers, checks)
    votes = _votes(sheet, assignments, late, given)
    outcome = _outcome(votes, late)
    close_sheet(
        sheet=sheet,
        state=Sheet.State.SUBMITTED,
        submission_key=submission_key,
        outcome=outcome,
        at=at,
        seconds=seconds,
    )
    _store_votes(sheet, votes, seconds=seconds, at=at)
    heard = heard_checks(protocol=sheet.protocol_version.rules, asked=asked, checks=checks)
    _store_checks(sheet, heard, at=at)
    publish(
        event="answers_judged",
        project_id=sheet.project_id,
        candidate_ids=[item.candidate_id for item in assignments if item.purpose == Purpose.VOTE],
    )
    ask_again(sheet=sheet, at=at)
    return outcome


def _assignments(sheet: Sheet) -> list[Assignment]:
    waiting = Assignment.objects.filter(sheet=sheet, state__in=WAITING)
    return list(waiting.select_related("candidate").order_by("position", "pk"))


def _asked_checks(sheet: Sheet) -> list[str]:
    """Return the checks this rater has still to answer on the sheet: each once, unless asked again."""
    protocol = sheet.protocol_version.rules
    if sheet.asks_again == Sheet.Again.CHECKS:
        return list(protocol.skipping_keys)
    answered = CheckAnswer.objects.filter(
        question=sheet.question_id, rater=sheet.rater_id, purpose=sheet.purpose
    )
    is_second = sheet.purpose == Purpose.SECOND
    if is_second or not protocol.question_checks or answered.exists():
        return []
    return [check.key for check in protocol.question_checks]


def _require_complete(
    sheet: Sheet,
    assignments: list[Assignment],
    answers: Sequence[AnswerGiven],
    checks: Mapping[str, bool],
    asked: list[str],
) -> None:
    # On a sheet that came back the answers others took meanwhile are no longer shown.
    shown = [item for item in assignments if item.state != Assignment.State.EXPIRED]
    problems = problems_of_sheet(
        protocol=sheet.protocol_version.rules,
        given=answers,
        required={item.candidate.public_id for item in shown or assignments},
        allowed={item.candidate.public_id for item in assignments},
        checks=checks,
        asked=asked,
    )
    if problems and _came_back(sheet):
        raise SheetChanged("You were given this sheet again with other answers. Load the page again.")
    if problems:
        first = next(iter(problems.values()))[0]
        raise IncompleteSheet(first, details={"fields": problems})


def _came_back(sheet: Sheet) -> bool:
    return sheet.lease_expires_at > lease_end(at=sheet.handed_out_at)


def _complete(
    protocol: Protocol,
    assignments: list[Assignment],
    answers: Sequence[AnswerGiven],
    checks: Mapping[str, bool],
) -> dict[str, AnswerGiven]:
    """Return what is said of each answer by id; a check that skips the answers speaks for all of them."""
    check = skipping_check(protocol=protocol, checks=checks)
    if not check:
        return {answer.id: answer for answer in answers}
    ids = [item.candidate.public_id for item in assignments]
    return {id_: AnswerGiven(id=id_, label=None, skip_reason=SKIPPED_BY_CHECK + check) for id_ in ids}


def _votes(
    sheet: Sheet, assignments: list[Assignment], late: list[Assignment], given: Mapping[str, AnswerGiven]
) -> list[Vote]:
    protocol = sheet.protocol_version.rules
    spoken = [item for item in assignments if item.candidate.public_id in given]
    labelled_late = [
        item
        for item in late
        if item in spoken and given[item.candidate.public_id].label and item.purpose == Purpose.VOTE
    ]
    hold_again(sheet=sheet, assignments=labelled_late, raters_per_answer=protocol.raters_per_answer)
    return [_vote(item, given[item.candidate.public_id], protocol) for item in spoken]


def _vote(assignment: Assignment, given: AnswerGiven, protocol: Protocol) -> Vote:
    holds_slot = assignment.state == Assignment.State.LIVE and assignment.purpose == Purpose.VOTE
    fate = fate_of(
        credit=None if given.label is None else protocol.credit(given.label),
        holds_slot=holds_slot,
        is_needless=assignment.candidate.state == Candidate.State.DECIDED
        and is_tie_break(slot=assignment.slot, raters_per_answer=protocol.raters_per_answer),
    )
    return Vote(assignment=assignment, given=given, fate=fate, held_slot=holds_slot)


def _outcome(votes: list[Vote], late: list[Assignment]) -> Outcome:
    # Fillers, needless tie-breaks and what is no vote are told as counted: the reply must not give them away.
    labelled = [vote for vote in votes if vote.given.label is not None]
    too_late = [
        vote
        for vote in labelled
        if vote.fate is Fate.SURPLUS and vote.assignment in late and vote.assignment.purpose == Purpose.VOTE
    ]
    return outcome_of(taken=len(labelled) - len(too_late), late=len(too_late))


def _store_votes(sheet: Sheet, votes: list[Vote], *, seconds: float | None, at: datetime) -> None:
    store_assignments(votes)
    passed_on = [vote for vote in votes if vote.held_slot and vote.fate is not Fate.COUNTED]
    if passed_on:
        release_slots(candidate_ids=[vote.assignment.candidate_id for vote in passed_on])
    share = seconds / len(votes) if seconds is not None and votes else None
    store_judgments(sheet=sheet, votes=votes, seconds=share, at=at)


def store_assignments(votes: Sequence[Vote]) -> None:
    """Let each answer on a sheet end as its vote says."""
    for vote in votes:
        vote.assignment.state = ASSIGNMENT_STATE[vote.fate]
        vote.assignment.skip_reason = vote.given.skip_reason if vote.fate is Fate.SKIPPED else ""
    # Most of a sheet ends alike: one plain UPDATE for each way is far quicker than `bulk_update`.
    alike: dict[tuple[str, int, str, str], list[int]] = defaultdict(list)
    for item in (vote.assignment for vote in votes):
        alike[item.state, item.slot, item.round, item.skip_reason].append(item.pk)
    for (state, slot, round_name, skip_reason), ids in alike.items():
        Assignment.objects.filter(pk__in=ids).update(
            state=state, slot=slot, round=round_name, skip_reason=skip_reason
        )


def _store_checks(sheet: Sheet, checks: Mapping[str, bool | None], *, at: datetime) -> None:
    again = sheet.asks_again == Sheet.Again.CHECKS
    CheckAnswer.objects.bulk_create(
        CheckAnswer(
            sheet=sheet,
            question_id=sheet.question_id,
            rater_id=sheet.rater_id,
            check_key=key,
            round=CheckAnswer.Round.AGAIN if again else CheckAnswer.Round.FIRST,
            answer=bool(answer),
            purpose=sheet.purpose,
            answered_at=at,
        )
        for key, answer in checks.items()
    )
