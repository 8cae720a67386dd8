"""Read how much each rater has judged, holds and has left by the plan, for leads."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Aggregate, Count, Exists, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.assignments.models import Assignment, PlannedRater, Sheet, WorkEvent
from annotation.assignments.selectors.open_work import open_candidates
from annotation.assignments.selectors.planning import allowance_of
from annotation.projects.models import Membership, Project

ON_A_SHEET = (Assignment.State.LIVE, Assignment.State.FILLER)
SHOWN_EVENTS = 50
JUDGED = (Assignment.State.DONE, Assignment.State.SURPLUS)


@dataclass(frozen=True)
class RaterAtWork:
    """An annotator’s part of the work plan, open sheets, and progress.

    `is_unblinded`: whether they have seen what blind annotators must not see. `stand_in`: the ID of the
    annotator who judges their part instead, or empty. `held_since`, `held_until`: when the first open sheet
    was assigned, and when the last one expires; null without open sheets.
    """

    member_id: str
    name: str
    pseudonym: str
    state: Membership.State
    is_unblinded: bool
    takes_part: bool
    stand_in: str
    first_question: int | None
    last_question: int | None
    share: int
    answers_at_most: int | None
    questions_at_most: int | None
    open_sheets: int
    held_answers: int
    held_since: datetime | None
    held_until: datetime | None
    judged_answers: int
    judged_questions: int
    left_answers: int


def list_raters_at_work(*, project: Project) -> list[RaterAtWork]:
    """Return the annotators who can be handed work, have done some, or have a part, as they joined.

    Whoever left with a part stays until the plan gives it to somebody else: it would be lost unseen.
    """
    rows = PlannedRater.objects.filter(rater__project=project).select_related("stand_in")
    planned = {row.rater_id: row for row in rows}
    parts = rows.filter(Q(takes_part=True) | Q(share__gt=0))
    held = Sheet.objects.filter(state=Sheet.State.OPEN)
    raters = (
        Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR, user__is_imported=False)
        .select_related("user", "project__protocol")
        .annotate(
            open_sheets=_count(held, "pk"),
            held_answers=_count(
                Assignment.objects.filter(sheet__state=Sheet.State.OPEN, state__in=ON_A_SHEET), "pk"
            ),
            held_since=_moment(held, Min("handed_out_at")),
            held_until=_moment(held, Max("lease_expires_at")),
            judged_answers=_count(Assignment.objects.votes().filter(state__in=JUDGED), "pk"),
            judged_questions=_count(Sheet.objects.votes().filter(state=Sheet.State.SUBMITTED), "question"),
        )
        .exclude(
            ~Exists(parts.filter(rater=OuterRef("pk"))),
            state=Membership.State.LEFT,
            judged_answers=0,
            open_sheets=0,
        )
        .order_by("joined_at", "pk")
    )
    return [
        RaterAtWork(
            member_id=rater.public_id,
            name=rater.user.name,
            pseudonym=rater.pseudonym,
            state=Membership.State(rater.state),
            is_unblinded=rater.unblinded_at is not None,
            takes_part=part.takes_part,
            stand_in=part.stand_in.public_id if part.stand_in else "",
            first_question=part.first_question,
            last_question=part.last_question,
            share=part.share,
            answers_at_most=part.answers_at_most,
            questions_at_most=part.questions_at_most,
            open_sheets=rater.open_sheets,
            held_answers=rater.held_answers,
            held_since=rater.held_since,
            held_until=rater.held_until,
            judged_answers=rater.judged_answers,
            judged_questions=rater.judged_questions,
            left_answers=_left(rater),
        )
        for rater in raters
        for part in [planned.get(rater.pk) or PlannedRater(rater=rater)]
    ]


def _left(rater: Membership) -> int:
    if rater.state != Membership.State.ACTIVE or rater.unblinded_at is not None:
        return 0
    left = open_candidates(rater=rater, at_once=True).count()
    at_most = allowance_of(rater=rater).answers
    return left if at_most is None else min(left, at_most)


def _count(rows: QuerySet[Sheet] | QuerySet[Assignment], field: str) -> Coalesce:
    of_the_rater = rows.filter(rater=OuterRef("pk")).order_by().values("rater")
    return Coalesce(Subquery(of_the_rater.annotate(n=Count(field, distinct=True)).values("n")), 0)


def _moment(sheets: QuerySet[Sheet], moment: Aggregate) -> Subquery:
    of_the_rater = sheets.filter(rater=OuterRef("pk")).order_by().values("rater")
    return Subquery(of_the_rater.annotate(moment=moment).values("moment"))


def list_work_events(*, project: Project) -> QuerySet[WorkEvent]:
    """Return the latest acts of leads on the work, the newest first."""
    events = WorkEvent.objects.filter(project=project).select_related("rater__user", "by")
    return events.order_by("-at", "-pk")[:SHOWN_EVENTS]


def names_to_ask(*, rater: Membership) -> str:
    """Return who can let a paused rater go on: the lead who paused them, or else the project's leads."""
    paused = WorkEvent.objects.filter(rater=rater, kind=WorkEvent.Kind.PAUSED).select_related("by")
    last = paused.order_by("-at", "-pk").first()
    if last is not None:
        return last.by.name
    leads = Membership.objects.filter(
        project=rater.project_id, role=Membership.Role.LEAD, state=Membership.State.ACTIVE
    )
    return " or ".join(leads.order_by("joined_at", "pk").values_list("user__name", flat=True))
