"""Read a rater at the judging page, with all that does not change between two requests of theirs."""

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from annotation.accounts.models import User
from annotation.assignments.models import Pilot, PlannedRater
from annotation.known_answers.models import KnownAnswer, QualityPlan, TrainingAnswer
from annotation.projects.models import GuidelinesReading, Membership
from annotation.projects.selectors import memberships_in, only_membership
from common.database.prepared import prepared
from common.memory import know

BESIDE = ("project__quality_plan", "project__work_plan", "planned")


def find_rater(*, user: User, slug: str) -> Membership:
    """Return somebody's membership; plans, pilot, training and guidelines are then known to `once`.

    All of it is one row, read anew by each request: nothing has to be told to other processes. What a study
    mostly lacks (a pilot, hidden known answers, answers told in training) is only known to be lacking, and
    is read where it is there. Raises `ProjectNotFound`.
    """
    rater = only_membership(_with_all_that_stands_still(user=user.pk, slug=slug))
    rater.user = user
    _know(rater, **{name: vars(rater)[name] for name in ("text_read", "in_pilot", "has_hidden", "was_told")})
    return rater


@prepared
def _with_all_that_stands_still(*, user: int, slug: str) -> QuerySet[Membership]:
    readings = GuidelinesReading.objects.filter(member=OuterRef("pk")).order_by("-read_at", "-pk")
    pilots = Pilot.objects.filter(project=OuterRef("project"), ended_at=None)
    hidden = KnownAnswer.objects.filter(
        project=OuterRef("project"), use=KnownAnswer.Use.HIDDEN, withdrawn_at=None
    )
    found = memberships_in(user=user, slug=slug).select_related("project__protocol", *BESIDE)
    return found.annotate(
        text_read=Subquery(readings.values("text")[:1]),
        in_pilot=Exists(pilots),
        has_hidden=Exists(hidden),
        was_told=Exists(TrainingAnswer.objects.filter(attempt__rater=OuterRef("pk"))),
    )


def _know(
    rater: Membership, *, text_read: str | None, in_pilot: bool, has_hidden: bool, was_told: bool
) -> None:
    project = rater.project
    know(("work plan", project.pk), getattr(project, "work_plan", None))
    know(
        ("quality plan", project.pk),
        getattr(project, "quality_plan", None) or QualityPlan(project=project),
    )
    know(("planned", rater.pk), getattr(rater, "planned", None) or PlannedRater(rater=rater))
    reading = None if text_read is None else GuidelinesReading(member=rater, text=text_read)
    know(("reading", rater.pk), reading)
    if not in_pilot:
        know(("pilot", project.pk), None)
    if not has_hidden:
        know(("hidden", rater.pk), False)
    if not was_told:
        know(("told", rater.pk), [])
