"""What only later steps know about decisions."""

from annotation.adjudication.rules import JudgeConflicts
from annotation.projects.models import Project
from common.events import Port


@Port
def find_judge_conflicts(*, project: Project) -> JudgeConflicts:
    """Return which runs judged the answers otherwise than people."""
    raise NotImplementedError
