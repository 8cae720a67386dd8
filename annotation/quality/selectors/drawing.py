"""Read the decisions that known answers may be drawn from, and answers by id."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, QuerySet

from annotation.adjudication.models import Decision
from annotation.items.models import Candidate
from annotation.judgments.selectors import improper_questions
from annotation.known_answers.models import KnownAnswer
from annotation.projects.models import Project


def answers_named(*, project: Project, candidate_ids: Iterable[int]) -> dict[int, Candidate]:
    """Return answers with their questions, by id."""
    rows = Candidate.objects.filter(project=project).select_related("question")
    return rows.in_bulk(list(candidate_ids))


def drawable(*, project: Project, only_unanimous: bool) -> QuerySet[Decision]:
    """Return the decisions by people on sampled answers that are not known ones, in the project's order.

    What a machine settled is left out: it would measure raters against the machine.
    """
    sources = {Decision.Source.UNANIMOUS}
    if not only_unanimous:
        sources |= {Decision.Source.MAJORITY, Decision.Source.ADJUDICATED, Decision.Source.IMPORTED}
    known = KnownAnswer.objects.filter(candidate=OuterRef("candidate"), withdrawn_at=None)
    return (
        Decision.objects.filter(
            ~Exists(known),
            candidate__project=project,
            candidate__state=Candidate.State.DECIDED,
            candidate__is_judgeable=True,
            is_current=True,
            is_reopening=False,
            source__in=sources,
        )
        .exclude(candidate__question__in=improper_questions(project))
        .select_related("candidate")
        .order_by("candidate__question__position", "candidate__position", "candidate")
    )
