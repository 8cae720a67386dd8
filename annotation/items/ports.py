"""What only later steps know about items."""

from collections.abc import Sequence

from annotation.items.formats.records import VoteRecord
from annotation.items.rules import LabelConflict
from annotation.projects.models import Project
from common.events import Port


@Port
def judged_questions(*, project: Project) -> frozenset[int]:
    """Return the questions on which people's votes or decisions stand."""
    raise NotImplementedError


@Port
def find_label_conflicts(*, project: Project, records: Sequence[VoteRecord]) -> list[LabelConflict]:
    """Return the rows whose own label is not what their votes come to."""
    raise NotImplementedError


@Port
def do_votes_settle(*, project: Project, columns: Sequence[Sequence[str]]) -> list[bool]:
    """Say of each answer whether its votes in a file, rater by rater, come to a decision."""
    raise NotImplementedError
