"""Keep decisions that people made from losing the votes they rest on."""

from collections.abc import Iterable

from annotation.adjudication.models import Decision
from annotation.judgments.rules import edit_refusal
from common.errors import Conflict


class DecidedByPerson(Conflict):
    """A person decided an answer, having read its votes."""

    code = "decided_by_person"


def refuse_taking_back(*, project_id: int, candidate_ids: Iterable[int]) -> None:
    """Refuse that votes are taken back on which a person's decision rests; raises `DecidedByPerson`."""
    if _is_decided_by_person(project_id, candidate_ids):
        raise DecidedByPerson("The lead has decided an answer on this sheet, so it cannot be taken back.")


def refuse_editing(*, project_id: int, candidate_ids: Iterable[int]) -> None:
    """Refuse that a vote is edited on which a person's decision rests; raises `DecidedByPerson`."""
    why = edit_refusal(is_decided_by_person=_is_decided_by_person(project_id, candidate_ids))
    if why:
        raise DecidedByPerson(why, code="judgment_closed")


def _is_decided_by_person(project_id: int, candidate_ids: Iterable[int]) -> bool:
    return Decision.objects.filter(
        candidate__project=project_id,
        candidate__in=list(candidate_ids),
        is_current=True,
        is_reopening=False,
        source=Decision.Source.ADJUDICATED,
    ).exists()
