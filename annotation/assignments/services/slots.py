"""Who holds which answers until when: slots, leases, and the locks around them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.accounts.models import User
from annotation.assignments.models import Assignment, Sheet, WorkEvent
from annotation.assignments.rules import lowest_free_slot, own_order, round_of
from annotation.assignments.selectors.open_work import (
    HOLDING,
    ON_THE_WAY,
    SheetNotFound,
    sheets_beside,
    slots_of,
)
from annotation.assignments.selectors.rater import Before, read_before
from annotation.items.models import Candidate, Question
from annotation.projects.models import Membership, Project, ProtocolVersion
from annotation.projects.selectors import unread_guidelines
from annotation.projects.services.members import MemberNotFound, change_member
from common.clock import now
from common.database.prepared import Change, prepared
from common.errors import Conflict


def in_own_order(rater: Membership, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return answers to one question in the order in which this rater sees them."""
    names = {f"{item.pool_hash} {item.group} {item.duplicate}": item for item in candidates}
    order = own_order(seed=rater.project.seed, rater=rater.public_id, names=names)
    return [names[name] for name in order]


# A sheet whose lease ended was perhaps judged before, without a network; handed out again it is renewed.
IN_HAND = (Sheet.State.DUE, Sheet.State.OPEN)


def renew_versions(*, member_id: int) -> None:
    """Put what a rater has in hand under the version whose guidelines they have just read.

    What was handed in before keeps the version under which it was judged.
    """
    rater = Membership.objects.select_related("project").get(pk=member_id)
    if rater.project.protocol_id is not None:
        in_hand = Sheet.objects.filter(rater=rater, state__in=IN_HAND)
        in_hand.update(protocol_version=rater.project.protocol_id)


def version_in_use(*, rater: Membership, former: ProtocolVersion) -> ProtocolVersion:
    """Return the version under which a rater judges a sheet that comes back.

    It is the one in force once they know its guidelines.
    """
    current = rater.project.protocol
    return former if current is None or unread_guidelines(member=rater) else current


# The first half of the advisory lock's key keeps it apart from any other use of advisory locks.
RATER_LOCKS = 7301


def lock_question(*, question_id: int) -> Question:
    """Lock a question until the transaction ends; whoever changes slots of its answers does this first.

    On SQLite the transaction itself (IMMEDIATE) is the lock.
    """
    return Question.objects.select_for_update().get(pk=question_id)


def try_lock_question(*, question_id: int) -> Question | None:
    """Lock a question to hand it out, or return None at once where somebody else holds it.

    The same where an import that brought answers to it is not through yet, or is being taken out.
    """
    return next(iter(_unlocked(question=question_id)), None)


@prepared
def _unlocked(*, question: int) -> QuerySet[Question]:
    questions = Question.objects.select_for_update(skip_locked=True).filter(pk=question)
    return questions.exclude(candidates__data_import__state__in=ON_THE_WAY)


def wait_for_question(*, question_id: int) -> Question | None:
    """Do the same, however long somebody else holds it."""
    lock_question(question_id=question_id)
    return try_lock_question(question_id=question_id)


def lock_due_questions(*, question_ids: Iterable[int], waits: bool) -> list[int]:
    """Lock several questions in one fixed order and return those that were locked."""
    questions = Question.objects.select_for_update(skip_locked=not waits).filter(pk__in=list(question_ids))
    return list(questions.order_by("pk").values_list("pk", flat=True))


class LockedSheet(NamedTuple):
    """A sheet under its question's lock, and the same rater's other ones of the question, in order.

    `is_lagging`: the states of the question's answers lag behind what its raters did.
    """

    sheet: Sheet
    beside: list[Sheet]
    is_lagging: bool


def lock_sheet(*, rater: Membership, public_id: str) -> LockedSheet:
    """Lock the question of one's own sheet and return the sheet as it stands now.

    Raises `SheetNotFound`.
    """
    if connection.features.has_select_for_update:
        own = Question.objects.filter(sheets__rater=rater, sheets__public_id=public_id)
        own.select_for_update(of=("self",)).first()
    # Read under the lock: whatever was read before may have changed while waiting for it.
    found = sheets_beside(rater=rater.pk, public_id=public_id)
    sheet = next((each for each in found if each.public_id == public_id), None)
    if sheet is None:
        raise SheetNotFound
    return LockedSheet(sheet, [each for each in found if each != sheet], vars(sheet)["is_lagging"])


def lock_before(*, rater: Membership, public_id: str, ahead: int, at: datetime) -> Before:
    """Take the rater's turn, lock the question of their sheet, and return both as they stand now.

    `ahead`: of how many other sheets in their hands the answers are read, too.

    The turn comes first, as wherever both are taken: who has it never waits for somebody who waits for it.
    Raises `SheetNotFound`.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # A row to lock is found by the turn, so the turn is taken before: by one statement, not two.
            cursor.execute(_TURN_AND_QUESTION, [RATER_LOCKS, rater.pk % 2**31, rater.pk, public_id])
    # Read under the locks: whatever was read before may have changed while waiting for them.
    return read_before(rater=rater, public_id=public_id, ahead=ahead, at=at)


_TURN_AND_QUESTION = """
    WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(%s, %s))
    SELECT question.id FROM turn CROSS JOIN annotation_sheet AS sheet
    JOIN annotation_question AS question ON question.id = sheet.question_id
    WHERE sheet.rater_id = %s AND sheet.public_id = %s FOR UPDATE OF question
"""


def take_turn(*, rater: Membership) -> None:
    """Let the requests of one rater, who may have two tabs, take turns until the transaction ends."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [RATER_LOCKS, rater.pk % 2**31])


def give_slots(
    *,
    rater_id: int,
    candidates: Sequence[Candidate],
    turns: Iterable[Assignment],
    raters_per_answer: int,
    uncounted: list[int] | None = None,
) -> list[Assignment]:
    """Give a rater the lowest free slot of each answer and count the slot as taken.

    `uncounted`: the caller's list of answers to count later in the transaction, instead of here.

    `turns`: all that were for a vote, at these answers and perhaps at others (`slots_of`). Returns one
    assignment an answer in the order given, the rater's earlier one where there is one, left for the caller
    to put on a sheet and store. A slot that is not there makes the database refuse the transaction.
    """
    assignments = {
        candidate.pk: Assignment(candidate=candidate, rater_id=rater_id) for candidate in candidates
    }
    held: dict[int, set[int]] = {candidate_id: set() for candidate_id in assignments}
    turns_before: Counter[int] = Counter()
    for other in turns:
        if other.candidate_id not in held:
            continue
        if other.rater_id == rater_id:
            assignments[other.candidate_id] = other
            continue
        turns_before[other.candidate_id] += other.slot > 0 and other.state != Assignment.State.EXPIRED
        if other.state in HOLDING:
            held[other.candidate_id].add(other.slot)
    for candidate_id, assignment in assignments.items():
        assignment.state = Assignment.State.LIVE
        assignment.slot = lowest_free_slot(held=held[candidate_id])
        assignment.round = round_of(
            slot=assignment.slot,
            raters_per_answer=raters_per_answer,
            turns_before=turns_before[candidate_id],
        )
    if uncounted is None:
        _take(candidates=tuple(held))
    else:
        uncounted += held
    return list(assignments.values())


@prepared
def _take(*, candidates: tuple[int, ...] = ()) -> Change:
    return Change(Candidate.objects.filter(pk__in=candidates), {"taken": F("taken") + 1})


# The SQL for each number of answers is kept: for as many as two sheets may hold, one handed in and the next.
MOST_AT_ONCE = 80


def release_slots(*, candidate_ids: Iterable[int] | QuerySet[Assignment, Any]) -> None:
    """Count again how many slots of these answers are taken, after assignments stopped holding some."""
    chosen = candidate_ids if isinstance(candidate_ids, QuerySet) else tuple(candidate_ids)
    if isinstance(chosen, tuple) and len(chosen) <= MOST_AT_ONCE:
        _count_again(candidates=chosen)
    else:
        Candidate.objects.filter(pk__in=chosen).update(taken=_holders())


@prepared
def _count_again(*, candidates: tuple[int, ...] = ()) -> Change:
    return Change(Candidate.objects.filter(pk__in=candidates), {"taken": _holders()})


def _holders() -> Coalesce:
    holders = Assignment.objects.votes().filter(candidate=OuterRef("pk"), state__in=HOLDING).order_by()
    count = holders.values("candidate").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(count), 0)


def hold_again(
    *, sheet: Sheet, assignments: Sequence[Assignment], raters_per_answer: int
) -> list[Assignment]:
    """Give slots to those assignments whose answers still have a free one, and return these.

    For work that comes back: a sheet handed in after its lease ended, or an answer skipped and then
    taken back.
    """
    if not assignments:
        return []
    free = Candidate.objects.filter(
        pk__in=[assignment.candidate_id for assignment in assignments],
        state=Candidate.State.OPEN,
        taken__lt=F("wanted"),
    )
    candidates = list(free.order_by("pk"))
    slots = give_slots(
        rater_id=sheet.rater_id,
        candidates=candidates,
        turns=slots_of(item.pk for item in candidates),
        raters_per_answer=raters_per_answer,
    )
    given = {item.candidate_id: item for item in slots}
    holding = [item for item in assignments if item.candidate_id in given]
    for item in holding:
        slot = given[item.candidate_id]
        item.state, item.slot, item.round = slot.state, slot.slot, slot.round
    return holding


ON_A_SHEET = (Assignment.State.LIVE, Assignment.State.FILLER)


def lease_end(*, at: datetime) -> datetime:
    """Return when a sheet handed out now must be handed in."""
    return at + timedelta(seconds=settings.ASSAY_LEASE_SECONDS)


def expire_leases(*, project_id: int, at: datetime, waits: bool = False) -> None:
    """Take back every sheet whose lease has ended, and free the slots it held.

    Questions that somebody else holds at this moment are left to the next request, unless `waits`.
    """
    due = _due_sheets(project_id=project_id, at=at)
    question_ids = set(due.values_list("question", flat=True))
    if not question_ids:
        return
    with transaction.atomic():
        locked = lock_due_questions(question_ids=question_ids, waits=waits)
        # Read again under the locks: some may have been handed in since.
        sheets = list(due.filter(question__in=locked).values_list("pk", flat=True))
        end_leases(sheets, at=at)


def _due_sheets(*, project_id: int, at: datetime) -> QuerySet[Sheet]:
    return Sheet.objects.filter(project=project_id, state=Sheet.State.OPEN, lease_expires_at__lte=at)


def end_leases(sheet_ids: list[int], *, at: datetime) -> None:
    """Take these sheets back and free their slots; the caller holds the locks of their questions."""
    Sheet.objects.filter(pk__in=sheet_ids, state=Sheet.State.OPEN).update(
        state=Sheet.State.EXPIRED, closed_at=at
    )
    left = Assignment.objects.filter(sheet__in=sheet_ids, state__in=ON_A_SHEET)
    candidate_ids = set(left.values_list("candidate", flat=True))
    left.update(state=Assignment.State.EXPIRED)
    release_slots(candidate_ids=candidate_ids)


Kind = WorkEvent.Kind
State = Membership.State


class NotAtWork(Conflict):
    """Only who takes part can be paused, and only who is paused can go on."""


@transaction.atomic
def pause_rater(
    *, project: Project, member_id: str, by: User, takes_back: bool, at: datetime | None = None
) -> None:
    """Hand a rater nothing more; `takes_back`: and take back at once what lies in their hands.

    Otherwise they may hand it in until their time for it runs out. Raises `MemberNotFound`, `NotAtWork`.
    """
    at = at or now()
    rater = _change_state(project, member_id, before=State.ACTIVE, after=State.PAUSED)
    _record(rater, Kind.PAUSED, by=by, at=at)
    if takes_back:
        _take_back(rater, by=by, at=at)


@transaction.atomic
def resume_rater(*, project: Project, member_id: str, by: User, at: datetime | None = None) -> None:
    """Hand a paused rater work again; raises `MemberNotFound`, `NotAtWork`."""
    rater = _change_state(project, member_id, before=State.PAUSED, after=State.ACTIVE)
    _record(rater, Kind.RESUMED, by=by, at=at or now())


@transaction.atomic
def take_back_sheets(*, project: Project, member_id: str, by: User, at: datetime | None = None) -> None:
    """Take back every sheet in a rater's hands, as if their time for it had run out.

    What they still hand in counts where nobody has taken the slot meanwhile, and is kept as surplus
    elsewhere. Raises `MemberNotFound`.
    """
    _take_back(_find(project, member_id), by=by, at=at or now())


def _find(project: Project, member_id: str) -> Membership:
    rater = project.members.filter(public_id=member_id, role=Membership.Role.ANNOTATOR).first()
    if rater is None:
        raise MemberNotFound("This project has no such annotator.")
    return rater


def _change_state(project: Project, member_id: str, *, before: str, after: str) -> Membership:
    rater = _find(project, member_id)
    # The condition is asked under the lock of the project's row: two leads may press at once.
    Project.objects.locked(project.pk)
    rater.refresh_from_db(fields=["state"])
    if rater.state != before:
        words = {
            State.ACTIVE: "is already active",
            State.PAUSED: "is already paused",
            State.LEFT: "has left",
        }
        raise NotAtWork(f"{rater.user.name} {words[State(rater.state)]}. Reload the page.")
    return change_member(project=project, public_id=member_id, state=after)


def _take_back(rater: Membership, *, by: User, at: datetime) -> None:
    held = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN)
    locked = lock_due_questions(question_ids=set(held.values_list("question", flat=True)), waits=True)
    # Read again under the locks: some may have been handed in since.
    sheets = list(held.filter(question__in=locked).values_list("pk", flat=True))
    answers = Assignment.objects.filter(sheet__in=sheets, state__in=ON_A_SHEET).count()
    if sheets:
        end_leases(sheets, at=at)
        _record(rater, Kind.TAKEN_BACK, by=by, at=at, sheets=len(sheets), answers=answers)


def _record(
    rater: Membership, kind: str, *, by: User, at: datetime, sheets: int = 0, answers: int = 0
) -> None:
    WorkEvent.objects.create(
        project_id=rater.project_id, kind=kind, rater=rater, by=by, at=at, sheets=sheets, answers=answers
    )
