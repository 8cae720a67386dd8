"""Read what another rater judges once more, after the work: EVOUNA's "another human"."""

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.lookups import LessThan

from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.assignments.ports import improper_questions
from annotation.assignments.rules import PRIME
from annotation.assignments.selectors.planning import Allowance, allowance_of, point_of
from annotation.items.models import Candidate
from annotation.known_answers.selectors import plan_of, told_answers
from annotation.projects.models import Membership, Project

IS_SECOND = Q(purpose=Purpose.SECOND)
AT_HAND_OR_JUDGED = (Assignment.State.LIVE, Assignment.State.SURPLUS)


def has_second_pass(*, project: Project) -> bool:
    """Whether a share of the answers is judged once more by another rater."""
    return plan_of(project=project).second_share > 0


def second_pass_candidates(*, rater: Membership) -> QuerySet[Candidate]:
    """Return the answers that the rater may judge as another human, in the project's order.

    Of the questions drawn by the project's seed those that raters' votes decided, which this rater was never
    handed and nobody else judges or has judged a second time. Groups of systems have no part in it: another
    rater's group is what makes it a second opinion.
    """
    share = plan_of(project=rater.project).second_share
    if share <= 0 or 0 in _limits(allowance_of(rater=rater)):
        return Candidate.objects.none()
    assigned = Assignment.objects.filter(candidate=OuterRef("pk"))
    told = told_answers(project=rater.project).filter(attempt__rater=rater)
    drawn = Q(LessThan(point_of(rater.project, use="second pass"), round(share * PRIME)))
    return (
        Candidate.objects.filter(
            drawn,
            ~Exists(assigned.filter(rater=rater)),
            ~Exists(assigned.filter(IS_SECOND, state__in=AT_HAND_OR_JUDGED)),
            project=rater.project_id,
            state=Candidate.State.DECIDED,
            taken__gt=0,
            question__in_sample=True,
        )
        .exclude(question__in=improper_questions(rater.project))
        .exclude(pk__in=told.values("known__candidate"))
        .order_by("question__position", "question", "group", "pk")
    )


def second_pass_questions(*, rater: Membership) -> list[int]:
    """Return the questions of these answers, but those of which the rater holds a sheet."""
    held = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN).values("question")
    candidates = second_pass_candidates(rater=rater).exclude(question__in=held)
    return list(dict.fromkeys(candidates.values_list("question", flat=True)))


def lapsed_second_sheets(*, rater: Membership) -> QuerySet[Sheet]:
    """Return sheets of a second pass whose lease ended: they come back as any other does."""
    held = Sheet.objects.filter(rater=rater, question=OuterRef("question"), state=Sheet.State.OPEN)
    return Sheet.objects.filter(IS_SECOND, ~Exists(held), rater=rater, state=Sheet.State.EXPIRED).order_by(
        "handed_out_at", "pk"
    )


def count_second_questions_left(*, rater: Membership) -> int:
    """Return of how many questions the rater will be handed answers a second time, those at hand left out."""
    if not has_second_pass(project=rater.project):
        return 0
    lapsed = lapsed_second_sheets(rater=rater).values_list("question", flat=True)
    # A question whose first answers are in hand comes once more with the others.
    coming = second_pass_candidates(rater=rater).values_list("question", flat=True)
    return len({*lapsed, *coming})


def count_second_judgments(*, project: Project) -> int:
    """Return how many answers were judged in the second pass so far."""
    turns = Assignment.objects.filter(IS_SECOND, candidate__project=project, state=Assignment.State.SURPLUS)
    return turns.count()


def _limits(allowance: Allowance) -> tuple[int | None, int | None]:
    return allowance.answers, allowance.questions
