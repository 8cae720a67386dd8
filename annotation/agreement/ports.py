"""What only later steps know of the votes that agreement is computed from."""

from annotation.projects.models import Project
from common.events import Port


@Port
def routed_unequally(*, project: Project) -> frozenset[int]:
    """Return the answers that had a second rater, or none, because of what the first one said."""
    raise NotImplementedError
