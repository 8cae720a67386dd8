"""Keep decisions that people made from losing the votes they rest on."""

from collections.abc import Mapping
from datetime import datetime

from annotation.adjudication.models import Decision
from annotation.items.models import DataImport
from annotation.judgments.rules import edit_refusal
from annotation.projects.models import Project
from common.errors import Conflict


class DecidedByPerson(Conflict):
    """A person decided an answer, having read its votes."""

    code = "decided_by_person"


class ImportLeaves(Conflict):
    """An import is being taken out, and what a person decides now might go with it."""

    code = "import_leaves"


def refuse_while_undoing(*, project: Project) -> None:
    """Let nobody decide while an import goes; asked under a question's lock. Raises `ImportLeaves`."""
    if DataImport.objects.filter(project=project, state=DataImport.State.UNDOING).exists():
        raise ImportLeaves("An import is being taken out of this project. Decide when it is gone.")


def refuse_taking_back(*, project_id: int, judged_at: Mapping[int, datetime]) -> None:
    """Refuse that judgments are taken back which a person may have read and decided on.

    Raises `DecidedByPerson`.
    """
    if _is_decided_since(project_id, judged_at):
        raise DecidedByPerson("The lead has decided an answer on this sheet, so it cannot be taken back.")


def refuse_editing(*, project_id: int, judged_at: Mapping[int, datetime]) -> None:
    """Refuse that a judgment is edited which a person may have read and decided on.

    Raises `DecidedByPerson`.
    """
    why = edit_refusal(is_decided_by_person=_is_decided_since(project_id, judged_at))
    if why:
        raise DecidedByPerson(why, code="judgment_closed")


def _is_decided_since(project_id: int, judged_at: Mapping[int, datetime]) -> bool:
    """Whether a person has decided one of these answers after it was judged.

    A decision made before says that the answer was a known one, or filled the sheet: it refuses nothing.
    """
    decisions = Decision.objects.filter(
        candidate__project=project_id,
        candidate__in=list(judged_at),
        is_current=True,
        is_reopening=False,
        source=Decision.Source.ADJUDICATED,
    )
    return any(
        decided_at >= judged_at[candidate_id]
        for candidate_id, decided_at in decisions.values_list("candidate_id", "decided_at")
    )
