"""Read what is open for a rater, and the sheets a rater holds."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    FilteredRelation,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.db.models.lookups import Exact

from annotation.assignments.models import UNFINISHED, Assignment, Pilot, PilotQuestion, Purpose, Sheet
from annotation.assignments.selectors.hidden_work import (
    HIDDEN,
    count_hidden_ahead,
    hidden_plan,
)
from annotation.assignments.selectors.pilots import count_pilot_questions_left
from annotation.assignments.selectors.planning import find_plan, is_begun_in_order, within_plan, work_order
from annotation.assignments.selectors.second_pass import count_second_questions_left
from annotation.items.models import Candidate, DataImport, Question
from annotation.known_answers.selectors import told_candidates
from annotation.projects.models import Membership, Project
from common.database.prepared import prepared
from common.database.rows import read_together
from common.errors import NotFound

NOT_IN_HAND = (Sheet.State.DUE, Sheet.State.EXPIRED)
HOLDING = (Assignment.State.LIVE, Assignment.State.DONE)


class SheetNotFound(NotFound):
    """The rater has no such sheet."""

    def __init__(self) -> None:
        super().__init__("This question is not assigned to you.")


def get_sheet(*, rater: Membership, public_id: str) -> Sheet:
    """Return a sheet of the rater's own; raises `SheetNotFound` for anybody else's, too."""
    sheet = Sheet.objects.filter(rater=rater, public_id=public_id).first()
    if sheet is None:
        raise SheetNotFound
    return sheet


@prepared
def sheets_beside(*, rater: int, public_id: str) -> QuerySet[Sheet]:
    """Return all sheets that a rater has of the question of this one, with `is_lagging`.

    That is whether the states of the question's answers lag behind what its raters did.
    """
    named = Sheet.objects.filter(rater=rater, public_id=public_id)
    due = Sheet.objects.filter(question=OuterRef("question"), settling_due=True)
    own = Sheet.objects.filter(rater=rater, question__in=named.values("question"))
    return own.select_related("protocol_version").annotate(is_lagging=Exists(due)).order_by("pk")


class Desk(NamedTuple):
    """The sheets that a rater has yet to hand in, in the order handed out.

    `is_overdue`: the lease of some sheet of the project, whoever holds it, has ended. `newest`: the rater's
    last sheet of all that were read. `uncounted`: answers of which the slots that are taken are counted again
    at the end of the transaction, whatever is handed out meanwhile among them; None where each act counts its
    own.
    """

    sheets: list[Sheet]
    is_overdue: bool
    newest: Sheet | None = None
    uncounted: list[int] | None = None

    def held(self, *, at: datetime) -> list[Sheet]:
        """Return the sheets in the rater's hands, those taken back first."""
        held = [each for each in self.sheets if each.state == Sheet.State.OPEN and each.lease_expires_at > at]
        return sorted(held, key=lambda sheet: sheet.draft is None)

    def due_checks(self) -> list[Sheet]:
        """Return the sheets that ask about a question again and are not in the rater's hands."""
        return sorted(filter(_is_due, self._at_rest()), key=lambda sheet: sheet.pk)

    def lapsed(self) -> list[Sheet]:
        """Return the sheets whose lease ended and that may come back, hidden or not."""
        return [each for each in self._at_rest() if _is_lapsed(each, of=(Purpose.VOTE, *HIDDEN))]

    def concerns(self, question_id: int) -> bool:
        """Whether the rater has a sheet of this question yet to hand in."""
        return any(each.question_id == question_id for each in self.sheets)

    def _at_rest(self) -> list[Sheet]:
        open_ = {each.question_id for each in self.sheets if each.state == Sheet.State.OPEN}
        return [each for each in self.sheets if each.question_id not in open_]


def _is_due(sheet: Sheet) -> bool:
    return sheet.asks_again == Sheet.Again.CHECKS and sheet.state in NOT_IN_HAND


def _is_lapsed(sheet: Sheet, *, of: Iterable[str]) -> bool:
    is_first = sheet.asks_again == Sheet.Again.NOTHING
    return is_first and sheet.state == Sheet.State.EXPIRED and sheet.purpose in of


def read_desk(*, rater: Membership, at: datetime) -> Desk:
    """Return all that a rater has yet to hand in; the same query looks for leases that have ended."""
    return desk_of(rater=rater, found=_unfinished(rater=rater.pk, project=rater.project_id, at=at), at=at)


def desk_of(*, rater: Membership, found: Sequence[Sheet], at: datetime) -> Desk:
    """Return the desk of a rater, of all sheets that lie on it and of those whose lease ended, in order."""
    sheets = [each for each in found if each.rater_id == rater.pk and each.state in UNFINISHED]
    for sheet in sheets:
        sheet.rater = rater
    is_overdue = any(each.state == Sheet.State.OPEN and each.lease_expires_at <= at for each in found)
    newest = max((each for each in found if each.rater_id == rater.pk), key=_number, default=None)
    return Desk(sheets, is_overdue, newest)


def _number(sheet: Sheet) -> int:
    return sheet.pk


@prepared
def _unfinished(*, rater: int, project: int, at: datetime) -> QuerySet[Sheet]:
    mine = Q(rater=rater, state__in=UNFINISHED)
    overdue = Q(project=project, state=Sheet.State.OPEN, lease_expires_at__lte=at)
    return Sheet.objects.filter(mine | overdue).order_by("handed_out_at", "pk")


def open_candidates(*, rater: Membership, at_once: bool = False) -> QuerySet[Candidate]:
    """Return the answers with a free slot that this rater may fill by the project's work plan.

    at_once: for a read that looks at all of them.
    """
    told_ids = told_candidates(rater=rater)
    free = _without_a_plan(
        at_once,
        _first_votes_of(rater.project),
        rater=rater.pk,
        project=rater.project_id,
        group=rater.group,
    )
    return within_plan(free.exclude(pk__in=told_ids) if told_ids else free, rater=rater)


def _first_votes_of(project: Project) -> int:
    """Return how many first votes an answer has where raters are handed these alone; 0: they get everything.

    Where what goes first holds raters, that is until all its first votes are given or in somebody's hands.
    Until it is settled, its further votes then come among the rest of the work: a sheet that comes after
    nothing was left could only be one, and tell that raters differ.
    """
    if not project.hands_out_first_only:
        return 0
    first = project.raters_at_first
    held = Candidate.objects.filter(project=project, state=Candidate.State.OPEN, goes_first=True)
    if held.filter(taken__lt=F("wanted")).filter(taken__lt=first).exists():
        return first
    return 0 if held.exists() else first


def _without_a_plan(
    at_once: bool, first_votes: int, *, rater: int, project: int, group: str = ""
) -> QuerySet[Candidate]:
    free = _of_group(group).filter(project=project, state=Candidate.State.OPEN, taken__lt=F("wanted"))
    if first_votes:
        free = free.filter(goes_first=True, taken__lt=first_votes)
    mine = Assignment.objects.votes().filter(rater=rater).exclude(state=Assignment.State.EXPIRED)
    # Looked up anew under the question's lock: a pilot may just have begun.
    in_pilot = PilotQuestion.objects.filter(pilot__ended_at=None)
    if at_once and connection.vendor == "postgresql":
        # Without statistics it goes through a whole table for each answer rather than look it up.
        return free.exclude(question__in=in_pilot.values("question")).exclude(pk__in=mine.values("candidate"))
    in_pilot = in_pilot.filter(question=OuterRef("question"))
    # Looked up answer by answer: as a join, which "exists" becomes, PostgreSQL without statistics compares
    # each answer with all that the rater has judged. It estimates "is null" at 0.5% of the rows and sorts
    # all that is open; "not 1" at 99.5%, and it reads the head of an index.
    judged = Coalesce(Subquery(mine.filter(candidate=OuterRef("pk")).values(one=Value(1))[:1]), 0)
    return free.filter(~Exists(in_pilot), ~Q(Exact(judged, 1)))


def of_what_is_open(read: Callable[..., Any], *, at_once: bool = False) -> Callable[..., list[Any]]:
    """Return a read of what is open for a rater; its SQL is written once where no plan limits that.

    `read` takes the answers, then shape and values as `prepared` says.
    """

    @prepared
    def without_a_plan(
        first_votes: int, *shape: Any, rater: int, project: int, group: str = "", **values: Any
    ) -> Any:
        free = _without_a_plan(at_once, first_votes, rater=rater, project=project, group=group)
        return read(free, *shape, **values)

    def of_rater(rater: Membership, *shape: Any, **values: Any) -> list[Any]:
        if told_candidates(rater=rater) or find_plan(project_id=rater.project_id) is not None:
            found = read(open_candidates(rater=rater, at_once=at_once), *shape, **values)
            return list(found) if isinstance(found, QuerySet) else read_together(*found)
        group = {"group": rater.group} if rater.group else {}
        first = _first_votes_of(rater.project)
        return without_a_plan(first, *shape, rater=rater.pk, project=rater.project_id, **group, **values)

    return of_rater


def settled_candidates(*, rater: Membership, question: Question) -> QuerySet[Candidate]:
    """Return the decided answers of a question that this rater has never been handed."""
    mine = Assignment.objects.filter(rater=rater, candidate=OuterRef("pk"))
    return _of_group(rater.group).filter(
        ~Exists(mine), question=question, state=Candidate.State.DECIDED, taken__gt=0
    )


def _of_group(group: str) -> QuerySet[Candidate]:
    # A rater without a group judges the answers of every group.
    return Candidate.objects.filter(group=group) if group else Candidate.objects.all()


def rank_questions(*, rater: Membership, limit: int, without: str = "") -> list[int]:
    """Return the questions with work for this rater, in the order in which they are to be begun.

    First what was drawn for people, then what the plan puts first, then what others have begun, then in the
    order of the plan. None that they hold a sheet of; `without`: the sheet that they are about to hand in,
    which is none by then.
    """
    if is_begun_in_order(rater.project):
        first = dict.fromkeys(
            question_id for _, question_id in _heads(rater, limit, by=rater.pk, without=without)
        )
        return list(first)[:limit]
    held = _held_by(rater.pk, without=without)
    free = open_candidates(rater=rater, at_once=True).exclude(question__in=held)
    return rank_by_plan(free, rater.project, limit=limit)


def _held_by(rater: int, *, without: str) -> QuerySet[Sheet, Any]:
    held = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN)
    return held.exclude(public_id=without).values("question")


@of_what_is_open
def _heads(free: QuerySet[Candidate], limit: int, *, by: int, without: str) -> list[QuerySet[Candidate, Any]]:
    # Keys of questions ascend with their places, so each is the head of an index, however much is open.
    # All are asked for even where the first is enough: how much others began must not show.
    free = free.exclude(question__in=_held_by(by, without=without)).order_by("question_id")
    heads = (free.filter(goes_first=True), free.filter(taken__gt=0), free.filter(taken=0))
    return [head.values_list("question_id").distinct()[:limit] for head in heads]


def rank_by_plan(free: QuerySet[Candidate], project: Project, *, limit: int) -> list[int]:
    """Return the first questions of these answers in the order of any plan, which looks at all of them."""
    rows = (
        free.order_by()
        .values("question", "question__position")
        .annotate(
            is_drawn=Max(Case(When(goes_first=True, then=1), default=0)),
            is_begun=Max(Case(When(taken__gt=0, then=1), default=0)),
            first=Min("question__priority__place"),
            turn=work_order(project),
        )
    )
    ranked = rows.order_by(
        "-is_drawn", F("first").asc(nulls_last=True), "-is_begun", "turn", "question__position", "question"
    )
    return list(ranked.values_list("question", flat=True)[:limit])


class Part(NamedTuple):
    """What comes of a question on one sheet: the answers that go first, or the rest."""

    question_id: int
    goes_first: bool


# Fewer questions than this are counted anew for each reply. Of more, what others do is heard a second
# later for each hundred: so counting takes the same part of a rater's time in a study of any size.
COUNTED_ANEW = 100
COUNTED_A_SECOND = 100


class QuestionsLeft(NamedTuple):
    """How many questions hold work for a rater; `waiting`: beyond those in hand, where counted just now.

    A question of which some answers go first counts twice, as it comes twice.
    """

    questions: int
    waiting: int | None


def count_questions_left(*, rater: Membership) -> int:
    """Return how many questions hold work for this rater: see `read_questions_left`."""
    unfinished = list(Sheet.objects.filter(rater=rater, state__in=UNFINISHED))
    return read_questions_left(rater=rater, unfinished=unfinished, at=None).questions


def read_questions_left(
    *, rater: Membership, unfinished: Collection[Sheet], at: datetime | None
) -> QuestionsLeft:
    """Return how many questions hold work for this rater, those on open sheets included.

    While a pilot goes on, it is all that is left. Hidden sheets are told from the beginning as if they were
    work, so that none moves the count. `unfinished`: the sheets that the rater has yet to hand in; of those
    the newest tells how many wait beside them, unless that was counted too long before `at`. None: count.
    """
    pilot = Pilot.objects.open_in(project_id=rater.project_id)
    if pilot is not None:
        return QuestionsLeft(count_pilot_questions_left(rater=rater, pilot=pilot), None)
    told = [
        sheet
        for sheet in unfinished
        if sheet.state == Sheet.State.OPEN or _is_due(sheet) or _is_hidden_and_lapsed(sheet)
    ]
    # A question in hand for a second time may still hold work: that is a sheet of its own.
    repeats = sum(sheet.purpose == Purpose.REPEAT for sheet in told)
    held = {Part(sheet.question_id, sheet.goes_first) for sheet in told if sheet.purpose != Purpose.REPEAT}
    left = len(held) + repeats + count_second_questions_left(rater=rater)
    plan = hidden_plan(rater=rater)
    if plan is None:
        known = _known_waiting(rater, unfinished, at=at)
        if known is not None:
            return QuestionsLeft(left + known, None)
        first, rest = (_keys_of(held, goes_first=goes_first) for goes_first in (True, False))
        counted = sum(int(count) for _, count in _count_questions(rater, first=first, rest=rest))
        return QuestionsLeft(left + counted, counted)
    free = open_candidates(rater=rater, at_once=True)
    waiting = {Part(*row) for row in free.values_list("question", "goes_first").distinct()} - held
    if waiting:
        sizes = work_sizes(rater=rater).values()
        left += count_hidden_ahead(rater=rater, plan=plan, waiting=waiting, sizes=sizes)
    return QuestionsLeft(left + len(waiting), None)


def _known_waiting(rater: Membership, unfinished: Collection[Sheet], *, at: datetime | None) -> int | None:
    newest = max(unfinished, key=_number, default=None)
    # A plan's limits and shares make more than one question fewer by a sheet.
    if newest is None or at is None or find_plan(project_id=rater.project_id) is not None:
        return None
    waiting, counted_at = newest.waiting_after, newest.waiting_counted_at
    if waiting is None or counted_at is None or waiting < COUNTED_ANEW:
        return None
    return waiting if at - counted_at < timedelta(seconds=waiting / COUNTED_A_SECOND) else None


def _keys_of(held: Collection[Part], *, goes_first: bool) -> tuple[int, ...]:
    # A read is written for each number of sheets in hand: keys of no question make that one in eight.
    keys = sorted(part.question_id for part in held if part.goes_first == goes_first)
    return (*keys, *(0 for _ in range(-len(keys) % 8)))


@partial(of_what_is_open, at_once=True)
def _count_questions(
    free: QuerySet[Candidate], *, first: tuple[int, ...] = (), rest: tuple[int, ...] = ()
) -> list[QuerySet[Any, Any]]:
    parts = (
        free.filter(goes_first=True).exclude(question__in=first),
        free.filter(goes_first=False).exclude(question__in=rest),
    )
    return [
        part.order_by()
        .values("project")
        .annotate(count=Count("question", distinct=True))
        .values_list("count")
        for part in parts
    ]


def _is_hidden_and_lapsed(sheet: Sheet) -> bool:
    return sheet.purpose in HIDDEN and sheet.state == Sheet.State.EXPIRED


def work_sizes(*, rater: Membership) -> dict[Part, int]:
    """Return of how many answers the sheets would be that wait for a rater, by what they hold, in order.

    Without questions that do not fit on one sheet, and without those that only wait for a tie to be broken
    where such sheets are filled up.
    """
    protocol = rater.project.protocol
    held = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN).values("question")
    free = open_candidates(rater=rater, at_once=True).exclude(question__in=held)
    if protocol is not None and protocol.rules.fill_tie_break_sheets:
        free = free.filter(taken__lt=rater.project.raters_at_first)
    rows = (
        free.order_by()
        .values("question", "goes_first")
        .annotate(size=Count("pk"))
        .order_by("question__position", "question", "-goes_first")
    )
    most = protocol.rules.sheet_size if protocol else 0
    sizes = rows.values_list("question", "goes_first", "size")
    return {Part(question, first): size for question, first, size in sizes if size <= most}


def lapsed_work(*, rater: Membership, desk: Desk) -> list[Sheet]:
    """Return the sheets whose lease ended and that come back, in the order they were handed out."""
    lapsed = desk.lapsed()
    votes = [sheet.question_id for sheet in lapsed if sheet.purpose == Purpose.VOTE]
    still_open: set[int] = set()
    if votes:
        free = open_candidates(rater=rater).filter(question__in=votes)
        still_open = set(free.values_list("question", flat=True))
    return [sheet for sheet in lapsed if sheet.purpose != Purpose.VOTE or sheet.question_id in still_open]


class OpenAnswers(NamedTuple):
    """What is open of a question, and every turn at these answers that was for a vote.

    Of a turn only who had it, its slot and its state. `is_in_hand`: the rater holds a sheet of the question;
    not told where nothing is open.
    """

    candidates: list[Candidate]
    turns: list[Assignment]
    is_in_hand: bool


def open_answers(*, rater: Membership, question_id: int, is_looked_up: bool = False) -> OpenAnswers:
    """Read what is open of a question for a rater, in one query.

    is_looked_up: with the question, and nothing where an import that brought answers to it is on the way.
    """
    rows = _open_answers(rater, is_looked_up, question=question_id, by=rater.pk)
    found = [{name: vars(row)[f"turn_{name}"] for name in OF_A_TURN} | {"candidate": row} for row in rows]
    turns = [Assignment(**each) for each in found if each["pk"] is not None]
    return OpenAnswers(list(dict.fromkeys(rows)), turns, bool(rows) and vars(rows[0])["is_in_hand"])


ON_THE_WAY = (DataImport.State.APPLYING, DataImport.State.UNDOING)
OF_A_TURN = ("pk", "rater_id", "slot", "state")


@of_what_is_open
def _open_answers(
    free: QuerySet[Candidate], is_looked_up: bool, *, question: int, by: int
) -> QuerySet[Candidate]:
    if is_looked_up:
        free = free.select_related("question").exclude(
            question__candidates__data_import__state__in=ON_THE_WAY
        )
    held = Sheet.objects.filter(rater=by, question=OuterRef("question"), state=Sheet.State.OPEN)
    turn = FilteredRelation("assignments", condition=Q(assignments__purpose=Purpose.VOTE))
    columns = {f"turn_{name}": F(f"turn__{name}") for name in OF_A_TURN}
    return (
        free.filter(question=question)
        .annotate(turn=turn)
        .annotate(is_in_hand=Exists(held), **columns)
        .order_by("pk")
    )


def slots_of(candidate_ids: Iterable[int]) -> QuerySet[Assignment]:
    """Return every turn at these answers that was for a vote, in the order they were made."""
    return Assignment.objects.votes().filter(candidate__in=list(candidate_ids)).order_by("candidate", "pk")
