"""Hand a sheet in, or skip it."""

import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import F, Q, QuerySet

from annotation.assignments.blind_view import asked_keys
from annotation.assignments.models import UNFINISHED, Assignment, Purpose, Sheet
from annotation.assignments.rules import is_tie_break
from annotation.assignments.selectors.open_work import read_desk
from annotation.assignments.selectors.rater import Before
from annotation.assignments.services.handing_out import (
    Ready,
    Received,
    get_ready,
    go_on,
    hand_out_in_turn,
    judges_blindly,
)
from annotation.assignments.services.slots import (
    LockedSheet,
    hold_again,
    lock_before,
    lock_sheet,
    release_slots,
)
from annotation.items.models import Candidate
from annotation.judgments.models import CheckAnswer
from annotation.judgments.rules import (
    SKIPPED_BY_CHECK,
    SKIPPED_UNBLINDED,
    AnswerGiven,
    Fate,
    fate_of,
    heard_checks,
    problems_of_sheet,
    skipping_check,
)
from annotation.judgments.services.recording import (
    ASSIGNMENT_STATE,
    STILL_OPEN,
    IncompleteSheet,
    SheetChanged,
    SheetClosed,
    SubmitOutcome,
    Vote,
    close_sheet,
    outcome_of,
    repeated_outcome,
    require_open,
    store_judgments,
)
from annotation.judgments.services.settling import settle_at_once
from annotation.projects.models import Membership
from annotation.projects.rules import Protocol
from common.clock import now
from common.database.prepared import prepared
from common.database.rows import insert_objects, update_rows

logger = logging.getLogger(__name__)
WAITING = (Assignment.State.LIVE, Assignment.State.FILLER, Assignment.State.EXPIRED)
ON_A_SHEET = (Assignment.State.LIVE, Assignment.State.FILLER)


class Part(NamedTuple):
    """The sheet that a submit closes, and the answers on it that it speaks of.

    `known`: ids of answers that the rater has judged meanwhile in another tab.
    """

    sheet: Sheet
    assignments: list[Assignment]
    known: frozenset[str]


def is_older(*, sheet: Sheet, version: int | None, ids: Collection[str]) -> bool:
    """Whether a submit speaks of what the sheet showed before it was given anew or its lease ended.

    A client that sends no version does where it names other answers than a sheet shows that came back.
    """
    # Of a sheet that was given anew and expired since, no row tells any more which answers it showed last.
    if sheet.state == Sheet.State.EXPIRED and sheet.version > 1:
        return True
    if version is not None:
        return version < sheet.version
    shown = Assignment.objects.filter(sheet=sheet, state__in=ON_A_SHEET)
    is_open = sheet.state in STILL_OPEN
    return (
        is_open
        and sheet.version > 1
        and set(shown.values_list("candidate__public_id", flat=True)) != set(ids)
    )


def older_part(*, sheet: Sheet, ids: Collection[str], at: datetime) -> Part:
    """Return what an older version brought that is not judged yet; what it did not show stays as it is.

    The sheet itself is closed where nothing else is on it; otherwise the answers move to a sheet of their
    own. The caller holds the question's lock. Raises `SheetClosed` where all was judged already.
    """
    mine = _mine(sheet, ids)
    waiting = [item for item in mine if item.state in WAITING]
    taken = {item.candidate.public_id for item in waiting}
    known = frozenset(item.candidate.public_id for item in mine) - taken
    if not waiting and (known or sheet.state not in STILL_OPEN):
        raise SheetClosed("You already submitted these answers, perhaps in another tab. Reload the page.")
    target = sheet if _is_all_of(sheet, waiting) else _sheet_beside(sheet)
    _move(waiting, to=target, at=at)
    return Part(target, waiting, known)


def _mine(sheet: Sheet, ids: Collection[str]) -> list[Assignment]:
    # What expired on one sheet may have been given anew on a later one.
    elsewhere = Q(sheet__question=sheet.question_id, sheet__purpose=sheet.purpose, purpose=Purpose.VOTE)
    mine = Assignment.objects.filter(
        Q(sheet=sheet) | elsewhere, rater=sheet.rater_id, candidate__public_id__in=list(ids)
    )
    return list(mine.select_related("candidate", "judgment").order_by("position", "pk"))


def _is_all_of(sheet: Sheet, waiting: Sequence[Assignment]) -> bool:
    shown = Assignment.objects.filter(sheet=sheet, state__in=ON_A_SHEET)
    return sheet.state in STILL_OPEN and not shown.exclude(pk__in=[item.pk for item in waiting]).exists()


def _sheet_beside(sheet: Sheet) -> Sheet:
    # Not in its rater's hands for a moment: of a question only one sheet may be.
    return Sheet.objects.create(
        project_id=sheet.project_id,
        question_id=sheet.question_id,
        rater_id=sheet.rater_id,
        protocol_version=sheet.protocol_version,
        state=Sheet.State.EXPIRED,
        purpose=sheet.purpose,
        asks_again=sheet.asks_again,
        handed_out_at=sheet.handed_out_at,
        lease_expires_at=sheet.lease_expires_at,
    )


def _move(waiting: Sequence[Assignment], *, to: Sheet, at: datetime) -> None:
    left = {item.sheet_id for item in waiting if item.sheet_id != to.pk and item.state in ON_A_SHEET}
    Assignment.objects.filter(pk__in=[item.pk for item in waiting]).update(sheet=to)
    for item in waiting:
        item.sheet = to
    changed = Sheet.objects.filter(pk__in=left)
    changed.update(version=F("version") + 1)
    # A sheet that shows nothing any more is nobody's work.
    shows = Assignment.objects.filter(sheet__in=left, state__in=ON_A_SHEET).values("sheet")
    changed.filter(state=Sheet.State.OPEN).exclude(pk__in=shows).update(
        state=Sheet.State.SKIPPED, closed_at=at
    )


class HandedIn(NamedTuple):
    """A sheet as its client hands it in; `version`: as its rater saw it, None from clients that send none."""

    sheet_id: str
    submission_key: str
    answers: Sequence[AnswerGiven]
    checks: Mapping[str, bool]
    version: int | None = None
    seconds: float | None = None


@transaction.atomic
def submit_sheet(
    *,
    rater: Membership,
    sheet_id: str,
    submission_key: str,
    answers: Sequence[AnswerGiven],
    checks: Mapping[str, bool] | None = None,
    version: int | None = None,
    seconds: float | None = None,
    at: datetime | None = None,
) -> SubmitOutcome:
    """Take in a whole sheet and return what it came to; the same key again returns the same.

    After the lease ended an answer counts where a slot is still free and is kept as surplus elsewhere.
    From somebody who was unblinded since, all is kept as surplus.
    `version`: of the sheet as its rater saw it; what they were given on an older one is taken in alike, and
    what is new on the sheet stays to be judged. Raises `SheetNotFound`, `IncompleteSheet`, `SheetClosed`,
    `SubmissionKeyReused`, `NotHandedOut`.
    """
    given = HandedIn(sheet_id, submission_key, answers, checks or {}, version, seconds)
    is_blind = judges_blindly(rater=rater)
    locked = lock_sheet(rater=rater, public_id=sheet_id)
    return _take_in(given, locked, is_blind=is_blind, at=at or now(), uncounted=None).outcome


def submit_and_go_on(
    *, rater: Membership, given: HandedIn, ahead: int
) -> tuple[SubmitOutcome, Received | None]:
    """Do the same and hand the next sheets out, in one transaction.

    Without sheets where none could be handed out so: whoever asks gets them by a request for work. What was
    handed in is taken in all the same, in a transaction of its own. Raises what `submit_sheet` does.
    """
    at = now()
    is_blind = judges_blindly(rater=rater)
    ready = get_ready(rater=rater, without=given.sheet_id)
    if ready is not None:
        try:
            outcome, received = _take_in_and_hand_out(
                rater, given, ready, is_blind=is_blind, ahead=ahead, at=at
            )
        except (_NothingHandedOut, DatabaseError):
            logger.warning("A sheet was submitted, but the next one could not be handed out.", exc_info=True)
        else:
            return outcome, go_on(rater=rater, ready=ready, received=received, ahead=ahead, at=at)
    return submit_sheet(rater=rater, **given._asdict(), at=at), None


class _NothingHandedOut(Exception):
    """The next sheets could not be handed out, for whatever reason; nothing of the transaction stays."""


@transaction.atomic
def _take_in_and_hand_out(
    rater: Membership, given: HandedIn, ready: Ready, *, is_blind: bool, ahead: int, at: datetime
) -> tuple[SubmitOutcome, Received]:
    before = lock_before(rater=rater, public_id=given.sheet_id, ahead=ahead, at=at)
    uncounted: list[int] = []
    taken_in = _take_in(given, before, is_blind=is_blind, at=at, uncounted=uncounted)
    try:
        desk = before.desk if taken_in.is_plain else read_desk(rater=rater, at=at)
        left = [sheet for sheet in desk.sheets if sheet.state in UNFINISHED]
        desk = desk._replace(sheets=left, uncounted=uncounted)
        received = hand_out_in_turn(rater=rater, ready=ready, desk=desk, ahead=ahead, at=at)
        # Which labels count, and in which slots, depends on others: that must make no query more.
        release_slots(candidate_ids=uncounted)
    except Exception as error:
        raise _NothingHandedOut from error
    return taken_in.outcome, received


class _TakenIn(NamedTuple):
    """What handing in came to; `is_plain`: of what its rater has yet to hand in only this sheet changed."""

    outcome: SubmitOutcome
    is_plain: bool


def _take_in(
    handed_in: HandedIn,
    locked: LockedSheet | Before,
    *,
    is_blind: bool,
    at: datetime,
    uncounted: list[int] | None,
) -> _TakenIn:
    """Take in a sheet under its question's lock.

    uncounted: the list of answers whose slots the caller counts at the end of the transaction; None: here.
    """
    sheet, beside = locked.sheet, locked.beside
    repeated = repeated_outcome(sheet=sheet, beside=beside, submission_key=handed_in.submission_key)
    if repeated is not None:
        return _TakenIn(repeated, is_plain=True)
    answers = handed_in.answers
    asked = asked_keys(sheet=sheet, own=[sheet, *beside])
    # Only checks that were asked speak: a sheet with answers alone may not bring a stray yes.
    checks = {key: answer for key, answer in handed_in.checks.items() if key in asked}
    part = _part(sheet, handed_in.version, answers, checks, at=at)
    came_back = part.sheet != sheet or bool(part.known)
    is_plain = not came_back and sheet.state == Sheet.State.OPEN
    sheet, assignments = part.sheet, part.assignments
    _require_complete(part, answers, checks, asked)
    late = [item for item in assignments if item.state == Assignment.State.EXPIRED]
    given = _complete(sheet.protocol_version.rules, assignments, answers, checks, is_blind=is_blind)
    votes = _votes(sheet, assignments, late, given, is_blind=is_blind, is_lagging=locked.is_lagging)
    taken, too_late = _count_labels(votes, late, is_blind=is_blind)
    outcome = outcome_of(
        taken=taken, late=too_late, came_back=came_back, known=len(part.known), is_blind=is_blind
    )
    close_sheet(
        sheet=sheet,
        state=Sheet.State.SUBMITTED,
        submission_key=handed_in.submission_key,
        outcome=outcome,
        at=at,
        seconds=handed_in.seconds,
    )
    _store_votes(sheet, votes, seconds=handed_in.seconds, at=at, uncounted=uncounted)
    heard = heard_checks(protocol=sheet.protocol_version.rules, asked=asked, checks=checks)
    _store_checks(sheet, heard if is_blind else {}, at=at)
    if settings.ASSAY_SETTLES_AT_ONCE:
        release_slots(candidate_ids=uncounted or [])
        settle_at_once(question_id=sheet.question_id)
        is_plain = False
    return _TakenIn(outcome, is_plain)


def _part(
    sheet: Sheet,
    version: int | None,
    answers: Sequence[AnswerGiven],
    checks: Mapping[str, bool],
    *,
    at: datetime,
) -> Part:
    ids = {answer.id for answer in answers if answer.label is not None or answer.skip_reason}
    speaks_for_all = bool(skipping_check(protocol=sheet.protocol_version.rules, checks=checks))
    if not speaks_for_all and is_older(sheet=sheet, version=version, ids=ids):
        return older_part(sheet=sheet, ids=ids, at=at)
    require_open(sheet=sheet)
    return Part(sheet, _assignments(sheet) if sheet.on_it is None else sheet.on_it, frozenset())


def _assignments(sheet: Sheet) -> list[Assignment]:
    return _waiting_on(sheet=sheet.pk)


@prepared
def _waiting_on(*, sheet: int) -> QuerySet[Assignment]:
    waiting = Assignment.objects.filter(sheet=sheet, state__in=WAITING)
    return waiting.select_related("candidate", "judgment").order_by("position", "pk")


def _require_complete(
    part: Part,
    answers: Sequence[AnswerGiven],
    checks: Mapping[str, bool],
    asked: list[str],
) -> None:
    # On a sheet that came back the answers others took meanwhile are no longer shown.
    shown = [item for item in part.assignments if item.state != Assignment.State.EXPIRED]
    problems = problems_of_sheet(
        protocol=part.sheet.protocol_version.rules,
        given=answers,
        required={item.candidate.public_id for item in shown or part.assignments},
        allowed={item.candidate.public_id for item in part.assignments} | part.known,
        checks=checks,
        asked=asked,
    )
    if problems:
        first = next(iter(problems.values()))[0]
        raise IncompleteSheet(first, details={"fields": problems})


def _complete(
    protocol: Protocol,
    assignments: list[Assignment],
    answers: Sequence[AnswerGiven],
    checks: Mapping[str, bool],
    *,
    is_blind: bool,
) -> dict[str, AnswerGiven]:
    """Return what is said of each answer by id; a check that skips the answers speaks for all of them."""
    check = skipping_check(protocol=protocol, checks=checks)
    if not check:
        return {answer.id: answer for answer in answers}
    ids = [item.candidate.public_id for item in assignments]
    reason = (SKIPPED_BY_CHECK if is_blind else SKIPPED_UNBLINDED) + check
    return {id_: AnswerGiven(id=id_, label=None, skip_reason=reason) for id_ in ids}


def _votes(
    sheet: Sheet,
    assignments: list[Assignment],
    late: list[Assignment],
    given: Mapping[str, AnswerGiven],
    *,
    is_blind: bool,
    is_lagging: bool,
) -> list[Vote]:
    protocol = sheet.protocol_version.rules
    spoken = [item for item in assignments if item.candidate.public_id in given]
    labelled_late = [
        item
        for item in late
        if item in spoken and given[item.candidate.public_id].label and item.purpose == Purpose.VOTE
    ]
    if is_blind:
        hold_again(sheet=sheet, assignments=labelled_late, raters_per_answer=protocol.raters_per_answer)
    return [
        _vote(item, given[item.candidate.public_id], protocol, is_blind=is_blind, is_lagging=is_lagging)
        for item in spoken
    ]


def _vote(
    assignment: Assignment, given: AnswerGiven, protocol: Protocol, *, is_blind: bool, is_lagging: bool
) -> Vote:
    holds_slot = assignment.state == Assignment.State.LIVE and assignment.purpose == Purpose.VOTE
    # As long as the states lag behind nothing is called needless: what is too many is set aside on settling.
    fate = fate_of(
        credit=None if given.label is None else protocol.credit(given.label),
        holds_slot=holds_slot and is_blind,
        is_needless=assignment.candidate.state == Candidate.State.DECIDED
        and not is_lagging
        and is_tie_break(slot=assignment.slot, raters_per_answer=protocol.raters_per_answer),
    )
    return Vote(assignment=assignment, given=given, fate=fate, held_slot=holds_slot)


def _count_labels(votes: list[Vote], late: list[Assignment], *, is_blind: bool) -> tuple[int, int]:
    """Return how many labels were taken in, and how many were not counted, as their rater is told."""
    # Fillers, needless tie-breaks and what is no vote are told as counted: the reply must not give them away.
    labelled = [vote for vote in votes if vote.given.label is not None]
    too_late = [
        vote
        for vote in labelled
        if vote.fate is Fate.SURPLUS and vote.assignment in late and vote.assignment.purpose == Purpose.VOTE
    ]
    uncounted = len(too_late) if is_blind else len(labelled)
    return len(labelled) - uncounted, uncounted


def _store_votes(
    sheet: Sheet, votes: list[Vote], *, seconds: float | None, at: datetime, uncounted: list[int] | None
) -> None:
    _store_fates(votes)
    kept = [vote for vote in votes if vote.given.skip_reason.startswith(SKIPPED_BY_CHECK)]
    ids = [vote.assignment.candidate_id for vote in votes]
    if uncounted is None or kept:
        # Which labels count, and in which slots, depends on others: that must make no query more.
        release_slots(candidate_ids=ids)
    else:
        uncounted += ids
    _keep_for_later(kept)
    share = seconds / len(votes) if seconds is not None and votes else None
    store_judgments(sheet=sheet, votes=votes, seconds=share, at=at)


def _keep_for_later(votes: Sequence[Vote]) -> None:
    """Let nobody else have the slots that a rater gives up by a yes to a check: they may get them back."""
    held = [vote.assignment.candidate_id for vote in votes if vote.held_slot]
    if not held:
        return
    kept = Candidate.objects.filter(pk__in=held, state=Candidate.State.OPEN)
    kept.filter(wanted__gt=F("taken")).update(wanted=F("wanted") - 1)


def _store_fates(votes: Sequence[Vote]) -> None:
    """Let each answer end as its vote says."""
    for vote in votes:
        _end(vote)
    ended = [vote.assignment for vote in votes]
    update_rows(
        Assignment,
        ("state", "slot", "round", "skip_reason"),
        [(item.pk, str(item.state), item.slot, str(item.round), item.skip_reason) for item in ended],
    )


def _end(vote: Vote) -> None:
    vote.assignment.state = ASSIGNMENT_STATE[vote.fate]
    vote.assignment.skip_reason = vote.given.skip_reason if vote.fate is Fate.SKIPPED else ""


def _store_checks(sheet: Sheet, checks: Mapping[str, bool | None], *, at: datetime) -> None:
    again = sheet.asks_again == Sheet.Again.CHECKS
    insert_objects(
        [
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
        ]
    )


@transaction.atomic
def skip_sheet(
    *,
    rater: Membership,
    sheet_id: str,
    submission_key: str,
    reason: str,
    version: int | None = None,
    at: datetime | None = None,
) -> SubmitOutcome:
    """Pass every answer of a sheet on; the same key again changes nothing.

    `version`: of the sheet as its rater saw it; answers that they were not shown are not passed on. Raises
    `SheetNotFound`, `SheetChanged`, `SheetClosed`, `SubmissionKeyReused`, `NotHandedOut`.
    """
    at = at or now()
    judges_blindly(rater=rater)
    sheet, beside, _ = lock_sheet(rater=rater, public_id=sheet_id)
    repeated = repeated_outcome(sheet=sheet, beside=beside, submission_key=submission_key)
    if repeated is not None:
        return repeated
    require_open(sheet=sheet)
    if version is not None and version < sheet.version:
        raise SheetChanged(
            "You were given this question again, perhaps with other answers. Reload the page and review "
            "it first."
        )
    outcome = outcome_of(taken=0, late=0)
    close_sheet(sheet=sheet, state=Sheet.State.SKIPPED, submission_key=submission_key, outcome=outcome, at=at)
    waiting = Assignment.objects.filter(sheet=sheet, state__in=WAITING)
    # Of hidden sheets, too, which hold no slots: they take as long as work does.
    candidate_ids = list(waiting.order_by("pk").values_list("candidate", flat=True))
    waiting.update(state=Assignment.State.SKIPPED, skip_reason=reason)
    release_slots(candidate_ids=candidate_ids)
    settle_at_once(question_id=sheet.question_id)
    return outcome
