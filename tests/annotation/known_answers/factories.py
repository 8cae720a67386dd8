"""Make answers whose label is known, and plans that use them."""

from annotation.items.models import Candidate
from annotation.known_answers.models import KnownAnswer, QualityPlan
from annotation.known_answers.services import mark_known
from annotation.projects.models import Project
from tests.annotation.assignments.factories import make_question


def make_known(
    *, project: Project, use: str = "hidden", answers: int | list[str] = 2, label: str = "correct"
) -> list[KnownAnswer]:
    """Make a question outside the sample whose answers are all known ones."""
    question = make_question(project=project, answers=answers)
    question.in_sample = False
    question.save()
    question.candidates.update(state=Candidate.State.UNASKED, wanted=0)
    return [
        mark_known(
            project=project,
            candidate=candidate,
            by=project.created_by,
            use=use,
            label=label,
            explanation=f"Because {candidate.text}.",
        )
        for candidate in question.candidates.order_by("position")
    ]


def use_plan(project: Project, **wish: object) -> QualityPlan:
    plan, _ = QualityPlan.objects.update_or_create(project=project, defaults=wish)
    return plan
