"""What only later steps know about work that is handed out."""

from annotation.projects.models import Project
from common.events import Port


@Port
def improper_questions(project: Project) -> frozenset[int]:
    """Return the questions that raters took out of every score."""
    raise NotImplementedError
