"""Correct the words of a question, and describe a system."""

from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.accounts.models import User
from annotation.items import selectors
from annotation.items.models import Question, QuestionCorrection, System
from annotation.projects.models import Project
from common.clock import now
from common.errors import Invalid


class UnusableCorrection(Invalid):
    """The correction changes nothing, leaves nothing, or does not say why."""


@transaction.atomic
def correct_question(
    *, project: Project, public_id: str, text: str, reason: str, by: User, at: datetime | None = None
) -> Question:
    """Change a question's text; its key stays, so that later files still find it.

    Votes and decisions stand: who corrects sees which were given before, and may ask again. Raises
    `QuestionNotFound`, `UnusableCorrection`.
    """
    at = at or now()
    found = selectors.get_question(project=project, public_id=public_id)
    # The lock under which the question's sheets are handed out.
    question = Question.objects.select_for_update().get(pk=found.pk)
    _require_usable(question, text=text.strip(), reason=reason.strip())
    QuestionCorrection.objects.create(
        question=question,
        number=question.corrections.count() + 1,
        former_text=question.text,
        reason=reason.strip(),
        corrected_by=by,
        corrected_at=at,
    )
    question.text, question.corrected_at = text.strip(), at
    question.save(update_fields=["text", "corrected_at"])
    return question


def _require_usable(question: Question, *, text: str, reason: str) -> None:
    if not text or text == question.text:
        raise _unusable("text", "Enter the corrected question.")
    if not reason:
        raise _unusable("reason", "Enter a reason for correcting the question.")


def _unusable(field: str, message: str) -> UnusableCorrection:
    return UnusableCorrection(message, details={"fields": {field: [message]}})


DESCRIPTION = ("retrieval_depth", "size_bytes", "track", "closed_book")


def describe_system(
    *, project: Project, public_id: str, label: str | None = None, description: dict[str, Any] | None = None
) -> System:
    """Change what pages call a system, or how it is described; raises `SystemNotFound`."""
    system = selectors.get_system(project=project, public_id=public_id)
    system.label = label or system.label
    if description is not None:
        given = {**system.description, **description}
        system.description = {name: given[name] for name in DESCRIPTION if given.get(name) is not None}
    system.save(update_fields=["label", "description"])
    return system
