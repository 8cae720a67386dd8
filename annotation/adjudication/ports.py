"""What only later steps know about decisions."""

from collections.abc import Collection, Mapping

from annotation.adjudication.rules import JudgeConflicts, Route
from annotation.projects.models import Project
from common.events import Port


@Port
def find_judge_conflicts(*, project: Project) -> JudgeConflicts:
    """Return which runs judged the answers otherwise than people."""
    raise NotImplementedError


@Port
def find_routes(*, project_id: int, candidate_ids: Collection[int]) -> Mapping[int, Route]:
    """Return which of these answers one rater and a judge may settle, and what that judge says."""
    raise NotImplementedError
