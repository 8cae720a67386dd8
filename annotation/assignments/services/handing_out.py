"""Hand sheets out, and receive them and flags about their questions."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F

from annotation.assignments.models import UNFINISHED, Assignment, Pilot, Purpose, QuestionFlag, Sheet
from annotation.assignments.rules import (
    MAY_HAND_IN,
    NOT_BLIND,
    REFUSAL_WORDS,
    Refusal,
    filler_count,
    why_refused,
)
from annotation.assignments.selectors.hidden_work import hidden_plan
from annotation.assignments.selectors.open_work import (
    COUNTED_ANEW,
    NOT_IN_HAND,
    Desk,
    OpenAnswers,
    get_sheet,
    lapsed_work,
    open_answers,
    rank_questions,
    read_desk,
    read_questions_left,
    settled_candidates,
)
from annotation.assignments.selectors.pilots import rank_pilot_questions
from annotation.assignments.selectors.planning import allowance_of
from annotation.assignments.selectors.raters_at_work import names_to_ask
from annotation.assignments.services.hidden import hand_out_hidden, reopen_sheet, shortest_last
from annotation.assignments.services.pilots import hand_out_pilot
from annotation.assignments.services.slots import (
    expire_leases,
    give_slots,
    in_own_order,
    lease_end,
    release_slots,
    take_turn,
    try_lock_question,
    wait_for_question,
)
from annotation.assignments.services.work_plans import hand_out_second_pass
from annotation.items.models import Candidate, Question
from annotation.known_answers.selectors import is_training_due
from annotation.projects.models import Membership, Project, ProtocolVersion
from annotation.projects.selectors import unread_guidelines
from common.clock import now
from common.database.rows import insert_objects
from common.errors import Forbidden
from common.memory import reading_once

# More than any number of clients that hold a question at one moment.
RANKED_QUESTIONS = 60
# Each round meets only questions that came free since the one before.
WAITING_ROUNDS = 5


class NotHandedOut(Forbidden):
    """This member is given no work, and the code says why."""


@reading_once()
def hand_out(
    *, rater: Membership, ahead: int = 1, at: datetime | None = None, only_question: Question | None = None
) -> list[Sheet]:
    """Return up to `ahead` sheets for the rater: those held already, then new ones.

    Asking again returns the same sheets until they are handed in or their lease ends. None at all means
    that no answer waits for this rater. Raises `NotHandedOut`.
    """
    return _hand_out(rater, ahead=ahead, at=at or now(), only_question=only_question).sheets


class Received(NamedTuple):
    """Sheets for a rater, and all that they have yet to hand in where that was read with them."""

    sheets: list[Sheet]
    unfinished: list[Sheet] | None


class Ready(NamedTuple):
    """The protocol in force, the questions to try, and perhaps the only one that is asked for."""

    version: ProtocolVersion
    ranked: "Ranked"
    only_question: Question | None = None


def get_ready(*, rater: Membership, without: str) -> Ready | None:
    """Look for work before the turn of a rater who is about to hand in the sheet `without`.

    None where they may be handed none now, or none before they have read the guidelines, and in a pilot.
    """
    if unread_guidelines(member=rater) or Pilot.objects.open_in(project_id=rater.project_id) is not None:
        return None
    try:
        version = require_may_judge(rater=rater)
    except NotHandedOut:
        return None
    return Ready(version, _ranked(rater, only_question=None, without=without))


def _hand_out(rater: Membership, *, ahead: int, at: datetime, only_question: Question | None) -> Received:
    version = require_may_judge(rater=rater)
    # Before the turn: by some plans it looks at all that is open, and nobody is to wait for that.
    ready = Ready(version, _ranked(rater, only_question=only_question), only_question)
    with transaction.atomic():
        take_turn(rater=rater)
        desk = read_desk(rater=rater, at=at)
        received = hand_out_in_turn(rater=rater, ready=ready, desk=desk, ahead=ahead, at=at)
    return go_on(rater=rater, ready=ready, received=received, ahead=ahead, at=at)


def hand_out_in_turn(*, rater: Membership, ready: Ready, desk: Desk, ahead: int, at: datetime) -> Received:
    """Return up to `ahead` sheets without waiting for anybody, in a transaction that has the rater's turn.

    Fewer are not all there are: see `go_on`.
    """
    version, ranked, only_question = ready
    if desk.is_overdue:
        expire_leases(project_id=rater.project_id, at=at)
        ranked = _ranked(rater, only_question=only_question)
        desk = read_desk(rater=rater, at=at)._replace(uncounted=desk.uncounted)
    if version.rules.skipping_keys and Pilot.objects.open_in(project_id=rater.project_id) is None:
        desk = _hand_out_due(rater, desk, ahead=ahead, at=at)
    sheets = desk.held(at=at)
    if only_question is not None:
        sheets = [sheet for sheet in sheets if sheet.question_id == only_question.pk]
    if len(sheets) < ahead:
        sheets += _hand_out_free(rater, version, desk, ranked, room=ahead - len(sheets), at=at)
    return Received(sheets, list({each.pk: each for each in (*desk.sheets, *sheets)}.values()))


def go_on(*, rater: Membership, ready: Ready, received: Received, ahead: int, at: datetime) -> Received:
    """Return what was received and, where that is not enough, what is worth waiting for or comes last."""
    version, only_question = ready.version, ready.only_question
    sheets, unfinished = received
    if not sheets:
        sheets, unfinished = _hand_out_waiting(rater, version, at=at, only_question=only_question), None
    if len(sheets) < ahead and only_question is None:
        second = hand_out_second_pass(rater=rater, version=version, room=ahead - len(sheets), at=at)
        sheets, unfinished = sheets + second, None if second else unfinished
    return Received(sheets[:ahead], unfinished)


def require_may_judge(*, rater: Membership, is_reading: bool = False) -> ProtocolVersion:
    """Return the protocol in force for somebody who may judge; raises `NotHandedOut` for others.

    `is_reading`: the rater is at the guidelines, which come before the training.
    """
    version = rater.project.protocol
    refusal = _refusal(rater, is_reading=is_reading)
    if refusal is not None or version is None:
        refusal = refusal or Refusal.NO_PROTOCOL
        raise NotHandedOut(_words_of(refusal, rater), code=refusal)
    return version


def judges_blindly(*, rater: Membership) -> bool:
    """Whether what a rater hands in of what they hold may count, by the same rule as `require_may_judge`.

    Who is paused hands in what they hold. Who has seen how others judged is heard, too, but not counted:
    False. Raises `NotHandedOut` for who is no annotator.
    """
    refusal = _refusal(rater, is_reading=True)
    if refusal is None or refusal in MAY_HAND_IN | NOT_BLIND:
        return refusal not in NOT_BLIND
    raise NotHandedOut(_words_of(refusal, rater), code=refusal)


def _refusal(rater: Membership, *, is_reading: bool) -> Refusal | None:
    return why_refused(
        is_annotator=rater.role == Membership.Role.ANNOTATOR,
        is_unblinded=rater.unblinded_at is not None,
        is_active=rater.state == Membership.State.ACTIVE,
        is_archived=rater.project.state == Project.State.ARCHIVED,
        has_protocol=rater.project.protocol is not None,
        is_trained=is_reading or not is_training_due(rater=rater),
    )


def _words_of(refusal: Refusal, rater: Membership) -> str:
    lead = names_to_ask(rater=rater) if refusal is Refusal.PAUSED else ""
    return REFUSAL_WORDS[refusal].replace("{lead}", lead)


class Ranked(NamedTuple):
    """The questions to try; `are_all`: of all that is open, not of a pilot or a single one."""

    question_ids: list[int]
    are_all: bool


def _ranked(rater: Membership, *, only_question: Question | None, without: str = "") -> Ranked:
    if only_question is not None:
        return Ranked([only_question.pk], False)
    pilot = Pilot.objects.open_in(project_id=rater.project_id)
    if pilot is not None:
        return Ranked(rank_pilot_questions(rater=rater, pilot=pilot), False)
    return Ranked(rank_questions(rater=rater, limit=RANKED_QUESTIONS, without=without), True)


def _hand_out_due(rater: Membership, desk: Desk, *, ahead: int, at: datetime) -> Desk:
    """Put into the rater's hands what asks about a question again; such sheets hold no slots."""
    due = [sheet.pk for sheet in desk.due_checks()[:ahead]]
    if not due:
        return desk
    # Some may not be due any more: what votes come to is settled meanwhile.
    held = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN).values("question")
    still_due = Sheet.objects.filter(pk__in=due, asks_again=Sheet.Again.CHECKS, state__in=NOT_IN_HAND)
    still_due = still_due.exclude(question__in=held)
    still_due.update(
        state=Sheet.State.OPEN,
        version=F("version") + 1,
        handed_out_at=at,
        lease_expires_at=lease_end(at=at),
        closed_at=None,
    )
    return read_desk(rater=rater, at=at)._replace(uncounted=desk.uncounted)


def count_left(*, rater: Membership, received: Received, at: datetime) -> int:
    """Return how many questions hold work for a rater who has received sheets.

    Where all that is open had to be counted, the newest sheet keeps the number for those after it.
    """
    unfinished = received.unfinished
    if unfinished is None:
        unfinished = list(Sheet.objects.filter(rater=rater, state__in=UNFINISHED))
    left = read_questions_left(rater=rater, unfinished=unfinished, at=at)
    newest = max(unfinished, key=lambda sheet: sheet.pk, default=None)
    if newest is not None and left.waiting is not None and left.waiting >= COUNTED_ANEW:
        # Only told: whichever of a rater's tabs comes last is right.
        Sheet.objects.filter(pk=newest.pk).update(waiting_after=left.waiting, waiting_counted_at=at)
    return left.questions


def _hand_out_free(
    rater: Membership,
    version: ProtocolVersion,
    desk: Desk,
    ranked: Ranked,
    *,
    room: int,
    at: datetime,
) -> list[Sheet]:
    """Return new sheets, from questions nobody else holds, without ever waiting."""
    lapsed = lapsed_work(rater=rater, desk=desk) if ranked.are_all else []
    if not ranked.question_ids and not lapsed:
        return []
    plan = hidden_plan(rater=rater) if ranked.are_all else None
    # Hidden sheets lock their question before they read what is on it, so work does as well where any come.
    lock = try_lock_question if plan is not None or connection.features.has_select_for_update else None
    made: list[Sheet] = []
    for sheet in lapsed:
        if len(made) >= room:
            break
        made += _come_back(rater, version, desk, sheet, at=at)
    for question_id in shortest_last(rater=rater, plan=plan, ranked=ranked.question_ids):
        left = room - len(made)
        hidden = hand_out_hidden(rater=rater, version=version, plan=plan, room=left, at=at)
        _look_at_work(rater, version, desk, question_id, instead=hidden)
        made += hidden
        if len(made) >= room:
            break
        desk = desk._replace(newest=made[-1]) if made else desk
        made += _try_question(rater, version, desk, question_id, lock=lock, at=at)
    return made


def _look_at_work(
    rater: Membership, version: ProtocolVersion, desk: Desk, question_id: int, *, instead: Sequence[Sheet]
) -> None:
    """Ask for each hidden sheet what is asked for one of work, so that the time of a reply tells neither."""
    for sheet in instead:
        candidates, *_ = open_answers(rater=rater, question_id=question_id)
        _fitting(rater, version, candidates)
        # Counted again under the lock of their question, which the sheet was made with: nothing changes.
        if desk.uncounted is None:
            release_slots(candidate_ids=sheet.assignments.values("candidate"))
        else:
            desk.uncounted.extend(item.candidate_id for item in sheet.on_it or ())


def _fitting(rater: Membership, version: ProtocolVersion, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the answers that come on one sheet, in the rater's own order: what goes first by itself."""
    at_most = allowance_of(rater=rater).answers
    size = version.rules.sheet_size if at_most is None else min(version.rules.sheet_size, at_most)
    return in_own_order(rater, _of_one_part(candidates))[:size]


def _of_one_part(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    return [candidate for candidate in candidates if candidate.goes_first] or candidates


def _come_back(
    rater: Membership, version: ProtocolVersion, desk: Desk, sheet: Sheet, *, at: datetime
) -> list[Sheet]:
    """Hand a sheet out again whose lease ended: in the order they had, hidden ones like any other."""
    if sheet.purpose == Purpose.VOTE:
        made = _try_question(rater, version, desk, sheet.question_id, lock=try_lock_question, at=at)
        for each in made:
            # Read anew, as a hidden one is: nothing asked is to tell which it was.
            each.on_it = None
        return made
    if try_lock_question(question_id=sheet.question_id) is None:
        return []
    # Read again under the lock: the other tab may have it by now.
    if not Sheet.objects.filter(pk=sheet.pk, state=Sheet.State.EXPIRED).exists():
        return []
    return [reopen_sheet(sheet, version, at=at)]


def _hand_out_waiting(
    rater: Membership, version: ProtocolVersion, *, at: datetime, only_question: Question | None
) -> list[Sheet]:
    """Ask once more, waiting for questions that others hold, before saying that nothing is left.

    One question a transaction: nobody who waits for a lock holds another one.
    """
    expire_leases(project_id=rater.project_id, at=at, waits=True)
    # One question that was waited for is as free as it gets.
    for _ in range(WAITING_ROUNDS if only_question is None else 1):
        ranked = _ranked(rater, only_question=only_question).question_ids
        if not ranked:
            break
        for question_id in ranked:
            with transaction.atomic():
                take_turn(rater=rater)
                desk = read_desk(rater=rater, at=at)
                made = _try_question(rater, version, desk, question_id, lock=wait_for_question, at=at)
            if made:
                return made
    # The other tab may have been given what this one was waiting for.
    held = read_desk(rater=rater, at=at).held(at=at)
    return [each for each in held if only_question is None or each.question_id == only_question.pk]


def _try_question(
    rater: Membership,
    version: ProtocolVersion,
    desk: Desk,
    question_id: int,
    *,
    lock: Callable[..., Question | None] | None,
    at: datetime,
) -> list[Sheet]:
    """Lock the question, look again at what is open, and return the one sheet made, or none.

    lock: None where the transaction itself is the lock.
    """
    looked_up = _look_up(rater, question_id, lock=lock)
    if looked_up is None:
        return []
    question, (candidates, turns, _) = looked_up
    mine: list[Sheet] = []
    # Whoever meets a question for the first time has no sheet of it, and makes one under their turn alone.
    if not candidates or desk.concerns(question.pk) or any(turn.rater_id == rater.pk for turn in turns):
        found = Sheet.objects.filter(rater=rater, question=question, state__in=UNFINISHED)
        mine = list(found.order_by("pk"))
    for sheet in mine:
        sheet.rater = rater
    if any(sheet.state == Sheet.State.OPEN for sheet in mine):
        return []
    unfinished = [
        sheet for sheet in mine if sheet.asks_again != Sheet.Again.CHECKS and sheet.purpose == Purpose.VOTE
    ]
    if not candidates:
        return _try_pilot(rater, version, question, at=at)
    freeze(version, at=at)
    # A sheet whose lease ended comes back, so that an old tab can go on with it.
    sheet = unfinished[-1] if unfinished else Sheet(question=question, rater=rater, handed_out_at=at)
    sheet.question = question
    _fill(sheet, version, candidates, turns, desk, at=at)
    return [sheet]


def _look_up(
    rater: Membership, question_id: int, *, lock: Callable[..., Question | None] | None
) -> tuple[Question, OpenAnswers] | None:
    """Lock a question and read what is open of it; None where it cannot be handed out now."""
    if lock is not None:
        question = lock(question_id=question_id)
        found = None if question is None else open_answers(rater=rater, question_id=question_id)
    else:
        found = open_answers(rater=rater, question_id=question_id, is_looked_up=True)
        first = next(iter(found.candidates), None)
        question = try_lock_question(question_id=question_id) if first is None else first.question
    return None if question is None or found is None or found.is_in_hand else (question, found)


def _try_pilot(
    rater: Membership, version: ProtocolVersion, question: Question, *, at: datetime
) -> list[Sheet]:
    pilot = Pilot.objects.filter(questions__question=question, ended_at=None).first()
    if pilot is None:
        return []
    sheets = hand_out_pilot(rater=rater, version=version, pilot=pilot, question=question, at=at)
    if sheets:
        freeze(version, at=at)
    return sheets


def freeze(version: ProtocolVersion, *, at: datetime) -> None:
    """Let the protocol change only as a new version from now on: work begins under it."""
    if version.frozen_at is None:
        ProtocolVersion.objects.filter(pk=version.pk, frozen_at=None).update(frozen_at=at)
        version.frozen_at = at


def _fill(
    sheet: Sheet,
    version: ProtocolVersion,
    candidates: list[Candidate],
    turns: list[Assignment],
    desk: Desk,
    *,
    at: datetime,
) -> None:
    protocol, rater = version.rules, sheet.rater
    chosen = _fitting(rater, version, candidates)
    sheet.goes_first = any(candidate.goes_first for candidate in chosen)
    _count_down(sheet, desk.newest if len(chosen) == len(_of_one_part(candidates)) else None)
    _open(sheet, version, at=at)
    assignments = give_slots(
        rater_id=rater.pk,
        candidates=chosen,
        turns=turns,
        raters_per_answer=protocol.raters_per_answer,
        uncounted=desk.uncounted,
    )
    for assignment in assignments:
        assignment.sheet = sheet
    fillers = filler_count(
        shown=len(chosen),
        sheet_size=protocol.sheet_size,
        slots=[assignment.slot for assignment in assignments],
        is_filling=protocol.fill_tie_break_sheets,
        raters_at_first=rater.project.raters_at_first,
    )
    if fillers:
        settled = settled_candidates(rater=rater, question=sheet.question).order_by("pk")
        # Of the same part: the first raters' sheet held no others, so one that does would stand out.
        filling = in_own_order(rater, list(settled.filter(goes_first=sheet.goes_first)))[:fillers]
        assignments += _fillers(sheet, filling)
        chosen += filling
    _store(rater, assignments, chosen)
    sheet.on_it = sorted(assignments, key=lambda item: (item.position, item.pk))


def _count_down(sheet: Sheet, newest: Sheet | None) -> None:
    """Let a sheet know how many questions wait beside it, from the one before; None: it cannot be said."""
    if newest is None or newest.waiting_after is None:
        sheet.waiting_after = sheet.waiting_counted_at = None
        return
    sheet.waiting_after = max(0, newest.waiting_after - 1)
    sheet.waiting_counted_at = newest.waiting_counted_at


def _open(sheet: Sheet, version: ProtocolVersion, *, at: datetime) -> None:
    sheet.project_id = sheet.rater.project_id
    if sheet.state == Sheet.State.DUE:
        sheet.handed_out_at = at
    if sheet.pk is not None:
        sheet.version += 1
    sheet.state = Sheet.State.OPEN
    sheet.protocol_version = version
    sheet.lease_expires_at = lease_end(at=at)
    sheet.closed_at = None
    sheet.save()


def _fillers(sheet: Sheet, candidates: list[Candidate]) -> list[Assignment]:
    return [
        Assignment(
            sheet=sheet,
            candidate=candidate,
            rater_id=sheet.rater_id,
            slot=0,
            round=Assignment.Round.TIE_BREAK,
            state=Assignment.State.FILLER,
        )
        for candidate in candidates
    ]


def _store(rater: Membership, assignments: list[Assignment], chosen: list[Candidate]) -> None:
    # Ordered anew, so that fillers do not stand at the end.
    places = {candidate.pk: place for place, candidate in enumerate(in_own_order(rater, chosen))}
    for assignment in assignments:
        assignment.position = places[assignment.candidate_id]
    # Chosen before the new ones are stored, for that gives them keys, too.
    renewed = [item for item in assignments if item.pk is not None]
    insert_objects([item for item in assignments if item.pk is None])
    Assignment.objects.bulk_update(renewed, ["sheet", "slot", "round", "state", "position"])


def receive_sheets(*, rater: Membership, ahead: int = 1, at: datetime | None = None) -> Received:
    """Return up to `ahead` sheets for the rater, none but those in hand while guidelines are unread.

    A question is nobody's before its rater is ready for it: it can still serve a pilot, or another rater.
    Guidelines come before the training, too. Raises `NotHandedOut`.
    """
    at = at or now()
    if not unread_guidelines(member=rater):
        return _hand_out(rater, ahead=ahead, at=at, only_question=None)
    require_may_judge(rater=rater, is_reading=True)
    expire_leases(project_id=rater.project_id, at=at)
    desk = read_desk(rater=rater, at=at)
    return Received(desk.held(at=at)[:ahead], desk.sheets)


def flag_question(
    *, rater: Membership, sheet_id: str, kind: str, note: str = "", at: datetime | None = None
) -> QuestionFlag:
    """Flag the question of one's own sheet; the same flag again changes its note.

    Raises `SheetNotFound`.
    """
    sheet = get_sheet(rater=rater, public_id=sheet_id)
    flag, _ = QuestionFlag.objects.update_or_create(
        question_id=sheet.question_id,
        rater=rater,
        kind=kind,
        defaults={"note": note, "flagged_at": at or now()},
    )
    return flag
