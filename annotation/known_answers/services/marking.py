"""Say of answers that their label is known."""

from datetime import datetime

from django.db import transaction

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.known_answers.models import KnownAnswer
from annotation.known_answers.services.training import finish_what_is_done
from annotation.projects.models import Project
from annotation.projects.rules import Credit
from common.clock import now
from common.errors import Invalid, NotFound


class UnusableMark(Invalid):
    """The label is not one of the protocol's, or people are still to judge the answer."""

    code = "unusable_mark"


class KnownAnswerNotFound(NotFound):
    """The project has no such known answer."""

    code = "known_answer_not_found"


@transaction.atomic
def mark_known(
    *,
    project: Project,
    candidate: Candidate,
    by: User,
    use: str,
    label: str,
    explanation: str = "",
    at: datetime | None = None,
) -> KnownAnswer:
    """Say that an answer's label is known; the same answer again changes what was said.

    Only answers that nobody is to judge any more, or ever was. Raises `UnusableMark`.
    """
    locked = Candidate.objects.select_for_update().get(pk=candidate.pk, project=project)
    _require_usable(project, locked, label)
    known, _ = KnownAnswer.objects.update_or_create(
        candidate=locked,
        defaults={
            "project": project,
            "use": use,
            "label": label,
            "explanation": explanation.strip(),
            "marked_by": by,
            "marked_at": at or now(),
            "withdrawn_at": None,
        },
    )
    return known


def _require_usable(project: Project, candidate: Candidate, label: str) -> None:
    protocol = project.protocol.rules if project.protocol else None
    found = protocol.label(label) if protocol else None
    if found is None or found.credit is Credit.MISSING:
        raise UnusableMark(
            "A known label is one of the protocol's that says what is right.",
            details={"fields": {"label": ["Choose one of the protocol's labels."]}},
        )
    if candidate.state not in (Candidate.State.DECIDED, Candidate.State.UNASKED):
        raise UnusableMark(
            "People are still judging this answer. Decide it first; then its label is known.",
            details={"fields": {"answer": ["This answer is not decided yet."]}},
        )


@transaction.atomic
def withdraw_mark(*, project: Project, public_id: str, at: datetime | None = None) -> None:
    """Use an answer as a known one no longer; what was said of it counts for nobody then.

    Raises `KnownAnswerNotFound`.
    """
    at = at or now()
    mine = KnownAnswer.objects.filter(project=project, public_id=public_id, withdrawn_at=None)
    if not mine.update(withdrawn_at=at):
        raise KnownAnswerNotFound("This project has no such known answer.")
    finish_what_is_done(project=project, at=at)
