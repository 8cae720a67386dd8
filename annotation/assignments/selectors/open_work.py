"""Read what is open for a rater, and the sheets a rater holds."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, islice

from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, When

from annotation.assignments.models import Assignment, Pilot, PilotQuestion, Purpose, Sheet
from annotation.assignments.selectors.hidden_work import (
    HIDDEN,
    count_hidden_ahead,
    hidden_plan,
    lapsed_sheets,
)
from annotation.assignments.selectors.pilots import count_pilot_questions_left
from annotation.assignments.selectors.planning import is_begun_in_order, within_plan, work_order
from annotation.assignments.selectors.second_pass import count_second_questions_left
from annotation.items.models import Candidate, Question
from annotation.known_answers.selectors import told_candidates
from annotation.projects.models import Membership, Project
from common.errors import NotFound

NOT_IN_HAND = (Sheet.State.DUE, Sheet.State.EXPIRED)
HOLDING = (Assignment.State.LIVE, Assignment.State.DONE)


class SheetNotFound(NotFound):
    """The rater has no such sheet."""


def get_sheet(*, rater: Membership, public_id: str) -> Sheet:
    """Return a sheet of the rater's own; raises `SheetNotFound` for anybody else's, too."""
    sheet = Sheet.objects.select_related("protocol_version").filter(rater=rater, public_id=public_id).first()
    if sheet is None:
        raise SheetNotFound("There is no such sheet among yours.")
    return sheet


def open_sheets(*, rater: Membership, at: datetime) -> QuerySet[Sheet]:
    """Return the sheets a rater holds, those taken back first, then in the order handed out."""
    taken_back_first = Case(When(draft__isnull=False, then=0), default=1)
    return Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN, lease_expires_at__gt=at).order_by(
        taken_back_first, "handed_out_at", "pk"
    )


def due_checks(*, rater: Membership) -> QuerySet[Sheet]:
    """Return the sheets that ask a rater about a question again and are not in the rater's hands."""
    held = Sheet.objects.filter(rater=rater, question=OuterRef("question"), state=Sheet.State.OPEN)
    return Sheet.objects.filter(
        ~Exists(held), rater=rater, asks_again=Sheet.Again.CHECKS, state__in=NOT_IN_HAND
    ).order_by("pk")


def open_candidates(*, rater: Membership) -> QuerySet[Candidate]:
    """Return the answers with a free slot that this rater may fill by the project's work plan."""
    mine = Assignment.objects.votes().filter(rater=rater, candidate=OuterRef("pk"))
    told_ids = told_candidates(rater=rater)
    # Looked up anew under the question's lock: a pilot may just have begun.
    in_pilot = PilotQuestion.objects.filter(question=OuterRef("question"), pilot__ended_at=None)
    free = _of_the_raters_group(rater).filter(
        ~Exists(in_pilot),
        ~Exists(mine.exclude(state=Assignment.State.EXPIRED)),
        project=rater.project_id,
        state=Candidate.State.OPEN,
        taken__lt=F("wanted"),
    )
    return within_plan(free.exclude(pk__in=told_ids) if told_ids else free, rater=rater)


def settled_candidates(*, rater: Membership, question: Question) -> QuerySet[Candidate]:
    """Return the decided answers of a question that this rater has never been handed."""
    mine = Assignment.objects.filter(rater=rater, candidate=OuterRef("pk"))
    return _of_the_raters_group(rater).filter(
        ~Exists(mine), question=question, state=Candidate.State.DECIDED, taken__gt=0
    )


def _of_the_raters_group(rater: Membership) -> QuerySet[Candidate]:
    # A rater without a group judges the answers of every group.
    return Candidate.objects.filter(group=rater.group) if rater.group else Candidate.objects.all()


def rank_questions(*, rater: Membership, limit: int) -> list[int]:
    """Return the questions with work for this rater, in the order in which they are to be begun.

    First what the plan puts first, then what others have begun, then in the order of the plan.
    """
    held = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN).values("question")
    free = open_candidates(rater=rater).exclude(question__in=held)
    if is_begun_in_order(rater.project):
        # Keys of questions ascend with their places, so both are the head of an index, however much is open.
        # The second is asked for even where the first is enough: how much others began must not show.
        heads = (free.filter(taken__gt=0), free.filter(taken=0))
        keys = chain.from_iterable(_first_questions(head, limit) for head in heads)
        return list(islice(dict.fromkeys(keys), limit))
    return rank_by_plan(free, rater.project, limit=limit)


def _first_questions(free: QuerySet[Candidate], limit: int) -> Iterator[int]:
    yield from free.order_by("question_id").values_list("question_id", flat=True).distinct()[:limit]


def rank_by_plan(free: QuerySet[Candidate], project: Project, *, limit: int) -> list[int]:
    """Return the first questions of these answers in the order of any plan, which looks at all of them."""
    rows = (
        free.order_by()
        .values("question", "question__position")
        .annotate(
            is_begun=Max(Case(When(taken__gt=0, then=1), default=0)),
            first=Min("question__priority__place"),
            turn=work_order(project),
        )
    )
    ranked = rows.order_by(
        F("first").asc(nulls_last=True), "-is_begun", "turn", "question__position", "question"
    )
    return list(ranked.values_list("question", flat=True)[:limit])


def count_questions_left(*, rater: Membership) -> int:
    """Return how many questions hold work for this rater, those on open sheets included.

    While a pilot goes on, it is all that is left. Hidden sheets are told from the beginning as if they were
    work, so that none moves the count.
    """
    pilot = Pilot.objects.open_in(project_id=rater.project_id)
    if pilot is not None:
        return count_pilot_questions_left(rater=rater, pilot=pilot)
    due = Q(asks_again=Sheet.Again.CHECKS, state__in=NOT_IN_HAND)
    lapsed = Q(purpose__in=HIDDEN, state=Sheet.State.EXPIRED)
    sheets = Sheet.objects.filter(Q(state=Sheet.State.OPEN) | due | lapsed, rater=rater)
    rows = list(sheets.values_list("purpose", "question", "state"))
    # A question in hand for a second time may still hold work: that is a sheet of its own.
    repeats = sum(purpose == Purpose.REPEAT for purpose, _, _ in rows)
    held = {question for purpose, question, _ in rows if purpose != Purpose.REPEAT}
    free = open_candidates(rater=rater).exclude(question__in=held).values_list("question", flat=True)
    left = len(held) + repeats + count_second_questions_left(rater=rater)
    plan = hidden_plan(rater=rater)
    if plan is None:
        return left + free.distinct().count()
    waiting = set(free.distinct())
    if waiting:
        sizes = work_sizes(rater=rater).values()
        left += count_hidden_ahead(rater=rater, plan=plan, waiting=waiting, sizes=sizes)
    return left + len(waiting)


def work_sizes(*, rater: Membership) -> dict[int, int]:
    """Return of how many answers the sheets would be that wait for a rater, by question, in order.

    Without questions that do not fit on one sheet, and without those that only wait for a tie to be broken
    where such sheets are filled up.
    """
    protocol = rater.project.protocol
    held = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN).values("question")
    free = open_candidates(rater=rater).exclude(question__in=held)
    if protocol is not None and protocol.rules.fill_tie_break_sheets:
        free = free.filter(taken__lt=protocol.rules.raters_per_answer)
    rows = (
        free.order_by()
        .values("question")
        .annotate(size=Count("pk"))
        .order_by("question__position", "question")
    )
    most = protocol.rules.sheet_size if protocol else 0
    return {question: size for question, size in rows.values_list("question", "size") if size <= most}


def lapsed_work(*, rater: Membership) -> list[Sheet]:
    """Return the sheets whose lease ended and that come back, in the order they were handed out."""
    lapsed = list(lapsed_sheets(rater=rater))
    votes = [sheet.question_id for sheet in lapsed if sheet.purpose == Purpose.VOTE]
    still_open: set[int] = set()
    if votes:
        free = open_candidates(rater=rater).filter(question__in=votes)
        still_open = set(free.values_list("question", flat=True))
    return [sheet for sheet in lapsed if sheet.purpose != Purpose.VOTE or sheet.question_id in still_open]


def slots_of(candidate_ids: Iterable[int]) -> QuerySet[Assignment]:
    """Return every turn at these answers that was for a vote, in the order they were made."""
    return Assignment.objects.votes().filter(candidate__in=list(candidate_ids)).order_by("candidate", "pk")
