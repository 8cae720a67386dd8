"""Keep decisions that people made from losing the votes they rest on."""

from collections.abc import Iterable

from annotation.adjudication.models import Decision
from common.errors import Conflict


class DecidedByPerson(Conflict):
    """A person decided an answer on the sheet, having read its votes."""

    code = "decided_by_person"


def refuse_taking_back(*, project_id: int, candidate_ids: Iterable[int]) -> None:
    """Refuse that votes are taken back on which a person's decision rests; raises `DecidedByPerson`."""
    decided = Decision.objects.filter(
        candidate__project=project_id,
        candidate__in=list(candidate_ids),
        is_current=True,
        is_reopening=False,
        source=Decision.Source.ADJUDICATED,
    )
    if decided.exists():
        raise DecidedByPerson("The lead has decided an answer on this sheet, so it cannot be taken back.")
