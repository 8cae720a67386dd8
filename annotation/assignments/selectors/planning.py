"""Read what the work plan leaves to whom, and what nobody is left to judge."""

from typing import NamedTuple

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce
from django.db.models.lookups import LessThan

from annotation.assignments.models import Assignment, PlannedRater, Sheet, WorkPlan
from annotation.assignments.rules import CIRCLE, PRIME, mixing_of
from annotation.items.models import Candidate
from annotation.known_answers.selectors import told_answers
from annotation.projects.models import Membership, Project
from common.memory import once

Sharing = WorkPlan.Sharing
# Answers that count towards a rater's limit: at hand, or judged whether the judgment counts or not.
RECEIVED = (Assignment.State.LIVE, Assignment.State.DONE, Assignment.State.SURPLUS)
BEGUN = (Sheet.State.OPEN, Sheet.State.SUBMITTED)
NOBODY = Q(pk__in=[])


class Allowance(NamedTuple):
    """How many answers and questions a rater may still be handed; None: no limit."""

    answers: int | None
    questions: int | None


class Gap(NamedTuple):
    """Answers nobody is left to judge, with the raters a new answer needs now and those who take part."""

    raters_needed: int
    raters_present: int
    answers: int


def find_plan(*, project_id: int) -> WorkPlan | None:
    """Return the project's work plan, or None where everybody judges everything in the project's order."""
    return once(("work plan", project_id), lambda: WorkPlan.objects.filter(project=project_id).first())


def is_begun_in_order(project: Project) -> bool:
    """Whether questions are begun in the order of the project, none before others."""
    plan = find_plan(project_id=project.pk)
    return plan is None or (plan.order == WorkPlan.Order.IMPORTED and not plan.goes_first)


def work_order(project: Project) -> Combinable:
    """Return the number by which questions are begun: their place, or one that the seed mixes."""
    plan = find_plan(project_id=project.pk)
    if plan is None or plan.order == WorkPlan.Order.IMPORTED:
        return _big(F("question__position"))
    return point_of(project, use="order")


def allowance_of(*, rater: Membership) -> Allowance:
    """Return how much the plan's limits still leave to a rater."""
    return _allowance(_planned(rater), rater_id=rater.pk)


def within_plan(free: QuerySet[Candidate], *, rater: Membership) -> QuerySet[Candidate]:
    """Return those of these answers that the plan leaves to the rater; a file's raters stand outside it."""
    plan = find_plan(project_id=rater.project_id)
    if plan is None or rater.user.is_imported:
        return free
    planned = _planned(rater)
    left = _allowance(planned, rater_id=rater.pk)
    if left.answers == 0:
        return free.none()
    if left.questions == 0:
        begun = Sheet.objects.votes().filter(rater=rater, state__in=BEGUN)
        free = free.filter(question__in=begun.values("question"))
    if plan.sharing == Sharing.NAMED:
        return free.filter(_parts(rater))
    return _by_share(free, planned, rater) if plan.sharing == Sharing.SHARES else free


def raters_left(project: Project) -> QuerySet[Membership]:
    """Return, for the answer of an outer query, the raters who may still be handed it.

    To be used inside `Exists` or `Subquery` over candidates.
    """
    had_a_turn = (
        Assignment.objects.votes()
        .filter(rater=OuterRef("pk"), candidate=OuterRef(OuterRef("pk")))
        .exclude(state=Assignment.State.EXPIRED)
    )
    raters = present_raters(project).filter(Q(group="") | Q(group=OuterRef("group")))
    plan = find_plan(project_id=project.pk)
    if plan is not None and plan.sharing == Sharing.NAMED:
        place = OuterRef(OuterRef("question__position"))
        parts = _parts_judged_by(OuterRef("pk")).filter(
            Q(first_question=None) | Q(first_question__lte=place + 1),
            Q(last_question=None) | Q(last_question__gt=place),
        )
        raters = raters.filter(Exists(parts))
    told = told_answers(project=project)
    if told.exists():
        was_told = told.filter(attempt__rater=OuterRef("pk"), known__candidate=OuterRef(OuterRef("pk")))
        raters = raters.exclude(Exists(was_told))
    return raters.exclude(Exists(had_a_turn))


def present_raters(project: Project) -> QuerySet[Membership]:
    """Return the raters who take part at present: active, blind, in the plan and within their limits."""
    raters = raters_of_plan(project)
    plan = find_plan(project_id=project.pk)
    return raters if plan is None else raters.exclude(pk__in=_spent_raters(project))


def raters_of_plan(project: Project) -> QuerySet[Membership]:
    """Return the raters who are active, blind and in the plan, whatever their limits."""
    raters = Membership.objects.filter(
        project=project,
        role=Membership.Role.ANNOTATOR,
        state=Membership.State.ACTIVE,
        unblinded_at=None,
        user__is_imported=False,
    )
    plan = find_plan(project_id=project.pk)
    if plan is not None and plan.sharing == Sharing.NAMED:
        raters = raters.filter(Exists(_parts_judged_by(OuterRef("pk"))))
    if plan is not None and plan.sharing == Sharing.SHARES:
        raters = raters.filter(planned__share__gt=0)
    return raters


def find_gap(*, project: Project, apart_from: QuerySet[Candidate] | None = None) -> Gap:
    """Return how many open answers have more free slots than raters who may fill them.

    apart_from: answers that are told of elsewhere.
    """
    count = raters_left(project).order_by().values("project").annotate(count=Count("pk")).values("count")
    short = Candidate.objects.filter(
        project=project, state=Candidate.State.OPEN, taken__lt=F("wanted")
    ).annotate(left=Coalesce(Subquery(count), 0))
    if apart_from is not None:
        short = short.exclude(pk__in=apart_from)
    return Gap(
        raters_needed=project.raters_at_first,
        raters_present=present_raters(project).count(),
        answers=short.filter(wanted__gt=F("taken") + F("left")).count(),
    )


def _planned(rater: Membership) -> PlannedRater:
    def read() -> PlannedRater:
        return PlannedRater.objects.filter(rater=rater).first() or PlannedRater(rater=rater)

    return once(("planned", rater.pk), read)


def _allowance(planned: PlannedRater, *, rater_id: int) -> Allowance:
    answers, questions = planned.answers_at_most, planned.questions_at_most
    if answers is not None:
        received = Assignment.objects.votes().filter(rater=rater_id, state__in=RECEIVED).count()
        answers = max(0, answers - received)
    if questions is not None:
        begun = (
            Sheet.objects.votes()
            .filter(rater=rater_id, state__in=BEGUN)
            .values("question")
            .distinct()
            .count()
        )
        questions = max(0, questions - begun)
    return Allowance(answers=answers, questions=questions)


def _spent_raters(project: Project) -> list[int]:
    limited = PlannedRater.objects.filter(rater__project=project).exclude(
        answers_at_most=None, questions_at_most=None
    )
    return [planned.rater_id for planned in limited if 0 in _allowance(planned, rater_id=planned.rater_id)]


def _parts_judged_by(rater: OuterRef | Membership) -> QuerySet[PlannedRater]:
    """Return the parts that fall to a rater: their own unless another judges it, and those of others."""
    own = Q(rater=rater, stand_in=None)
    return PlannedRater.objects.filter(own | Q(stand_in=rater), takes_part=True)


def _parts(rater: Membership) -> Q:
    parts = NOBODY
    for planned in _parts_judged_by(rater):
        parts |= _part(planned)
    return parts


def _part(planned: PlannedRater) -> Q:
    # Not an empty condition: joined to another by "or" it would be dropped.
    part = Q(pk__isnull=False)
    if planned.first_question is not None:
        part &= Q(question__position__gte=planned.first_question - 1)
    if planned.last_question is not None:
        part &= Q(question__position__lt=planned.last_question)
    return part


def _by_share(free: QuerySet[Candidate], planned: PlannedRater, rater: Membership) -> QuerySet[Candidate]:
    """Return a rater's own share, and what goes beyond those whose share an answer is.

    Beyond: a third vote, a slot that somebody skipped, the share of whoever is paused or has left. So
    no slot waits for somebody who will not come.
    """
    if not planned.share:
        return free.none()
    raters = _raters_per_answer(rater.project)
    own = _meets(
        F("point"), start=Value(planned.piece_start), length=Value(planned.piece_length), raters=raters
    )
    others = _sharers_left(rater.project, raters=raters).exclude(pk=rater.pk)
    count = others.order_by().values("project").annotate(count=Count("pk")).values("count")
    free = free.annotate(point=point_of(rater.project, use="shares") % CIRCLE)
    return free.annotate(kept=Coalesce(Subquery(count), 0)).filter(own | Q(wanted__gt=F("taken") + F("kept")))


def _sharers_left(project: Project, *, raters: int) -> QuerySet[Membership]:
    """Return, for an outer answer with a `point`, those whose share it is and who may still come."""
    meets = _meets(
        OuterRef("point"), start=F("planned__piece_start"), length=F("planned__piece_length"), raters=raters
    )
    return raters_left(project).filter(meets)


def _meets(point: Combinable, *, start: Combinable, length: Combinable, raters: int) -> Q:
    """Whether a point lies in a piece that is taken `raters` times as long."""
    distance = (point + CIRCLE - _big(start) * raters % CIRCLE) % CIRCLE
    return Q(LessThan(distance, _big(length) * raters))


def point_of(project: Project, *, use: str) -> Combinable:
    """Return a number below `PRIME` that the seed mixes from the place of a candidate's question."""
    mixing = mixing_of(seed=project.seed, use=use)
    return (_big(F("question__position")) * mixing.factor + mixing.shift) % PRIME


def _big(number: Combinable) -> Combinable:
    # A product of two 32-bit numbers must not be computed in 32 bits.
    return Cast(number, BigIntegerField())


def _raters_per_answer(project: Project) -> int:
    return project.protocol.rules.raters_per_answer if project.protocol else 0
