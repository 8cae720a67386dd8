"""Projects whose answers people decided."""

from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate
from annotation.projects.models import Project


def decide_all(project: Project) -> None:
    """Let the lead decide every answer: each second one is incorrect."""
    for number, candidate in enumerate(Candidate.objects.filter(project=project).order_by("pk")):
        decide_answer(
            project=project,
            candidate_id=candidate.public_id,
            by=project.created_by,
            label="incorrect" if number % 2 else "correct",
            reason="because",
        )
