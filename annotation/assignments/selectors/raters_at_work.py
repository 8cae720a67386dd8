"""Read how much each rater has judged, holds and has left by the plan, for leads."""

from typing import NamedTuple

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.assignments.models import Assignment, PlannedRater, Sheet
from annotation.assignments.selectors.open_work import open_candidates
from annotation.assignments.selectors.planning import allowance_of
from annotation.projects.models import Membership, Project

JUDGED = (Assignment.State.DONE, Assignment.State.SURPLUS)


class RaterAtWork(NamedTuple):
    """One rater: what the plan says, sheets in hand, answers and questions judged, answers left."""

    member: Membership
    planned: PlannedRater
    open_sheets: int
    judged_answers: int
    judged_questions: int
    left_answers: int


def list_raters_at_work(*, project: Project) -> list[RaterAtWork]:
    """Return the annotators who can be handed work, or have done some, in the order they joined."""
    planned = {row.rater_id: row for row in PlannedRater.objects.filter(rater__project=project)}
    raters = (
        Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR, user__is_imported=False)
        .select_related("user", "project__protocol")
        .annotate(
            open_sheets=_count(Sheet.objects.filter(state=Sheet.State.OPEN), "pk"),
            judged_answers=_count(Assignment.objects.votes().filter(state__in=JUDGED), "pk"),
            judged_questions=_count(Sheet.objects.votes().filter(state=Sheet.State.SUBMITTED), "question"),
        )
        .exclude(Q(state=Membership.State.LEFT) & Q(judged_answers=0))
        .order_by("joined_at", "pk")
    )
    return [
        RaterAtWork(
            member=rater,
            planned=planned.get(rater.pk) or PlannedRater(rater=rater),
            open_sheets=rater.open_sheets,
            judged_answers=rater.judged_answers,
            judged_questions=rater.judged_questions,
            left_answers=_left(rater),
        )
        for rater in raters
    ]


def _left(rater: Membership) -> int:
    if rater.state != Membership.State.ACTIVE or rater.unblinded_at is not None:
        return 0
    left = open_candidates(rater=rater).count()
    at_most = allowance_of(rater=rater).answers
    return left if at_most is None else min(left, at_most)


def _count(rows: QuerySet[Sheet] | QuerySet[Assignment], field: str) -> Coalesce:
    of_the_rater = rows.filter(rater=OuterRef("pk")).order_by().values("rater")
    return Coalesce(Subquery(of_the_rater.annotate(n=Count(field, distinct=True)).values("n")), 0)
