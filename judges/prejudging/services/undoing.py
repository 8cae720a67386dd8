"""Take back what a policy settled: all of it, or what one rule did."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotation.accounts.models import User
from annotation.adjudication.services import withdraw_together
from annotation.assignments.services import lock_due_questions
from annotation.items.models import Candidate
from annotation.items.services.samples import close_unsampled_answers
from common.clock import now
from common.database.chunks import in_chunks
from common.errors import Conflict, Invalid
from common.tasks import enqueue_on_commit
from judges.prejudging.models import PolicyApplication, PrejudgedAnswer

WORK_TASK = "judges.prejudging.work"
State = PolicyApplication.State


class NotToBeUndone(Conflict):
    """The application was undone before, or is being undone, or is not yet through."""

    code = "not_to_be_undone"


class NoSuchRule(Invalid):
    """The application has no rule of this number."""

    code = "no_such_rule"


@transaction.atomic
def undo_application(
    *,
    application: PolicyApplication,
    by: User,
    reason: str,
    rule: int | None = None,
    at: datetime | None = None,
) -> PolicyApplication:
    """Ask for everything an application settled to be taken back, or only what one rule did.

    Its decisions are withdrawn by further rows and the answers go back to raters; answers drawn for the
    audit are then like any other. What a person has decided anew stays. Raises `NotToBeUndone`,
    `NoSuchRule`.
    """
    if rule is not None and not 1 <= rule <= len(application.rules):
        raise NoSuchRule(f"This application has {len(application.rules)} rules.")
    application = PolicyApplication.objects.select_for_update().get(pk=application.pk)
    if application.state in (State.UNDOING, State.UNDONE):
        raise NotToBeUndone("This was undone before, or is being undone.")
    if rule is not None and application.state != State.DONE:
        raise NotToBeUndone("The policy is still being applied. Wait for it, or undo all of it.")
    application.state = State.UNDOING
    application.undoing_rule = rule
    application.undone_by = by
    application.undo_reason = reason.strip()
    application.undone_at = at or now()
    application.save()
    enqueue_on_commit(WORK_TASK, application.pk)
    return application


def work_on_undoing(*, application_id: int) -> None:
    """Take back what an application that is being undone still holds; safe to repeat."""
    application = (
        PolicyApplication.objects.select_related("project__protocol", "undone_by")
        .filter(pk=application_id, state=State.UNDOING)
        .first()
    )
    if application is None:
        return
    held = _held(application)
    ids = list(
        held.order_by("candidate__question_id").values_list("candidate__question_id", flat=True).distinct()
    )
    for chunk in in_chunks(ids):
        _take_back_chunk(application, chunk, at=now())
    # Answers of questions that left the sample meanwhile are not to be judged.
    close_unsampled_answers(project=application.project)
    _finish(application)


def _held(application: PolicyApplication) -> QuerySet[PrejudgedAnswer]:
    held = PrejudgedAnswer.objects.filter(application=application, undone_at=None)
    rule = application.undoing_rule
    return held if rule is None else held.filter(rule_number=rule)


@transaction.atomic
def _take_back_chunk(application: PolicyApplication, question_ids: Sequence[int], *, at: datetime) -> None:
    assert application.undone_by is not None
    locked = lock_due_questions(question_ids=question_ids, waits=True)
    # By key: joined to its questions, SQLite goes through all of the application's answers each time.
    ids = list(Candidate.objects.filter(question__in=locked).order_by("pk").values_list("pk", flat=True))
    rows = _held(application).filter(candidate__in=ids).order_by("pk")
    held = dict(rows.values_list("pk", "decision_id"))
    withdraw_together(
        project=application.project,
        decision_ids=[decision for decision in held.values() if decision is not None],
        by=application.undone_by,
        reason=application.undo_reason,
        at=at,
    )
    PrejudgedAnswer.objects.filter(pk__in=list(held)).update(undone_at=at)


@transaction.atomic
def _finish(application: PolicyApplication) -> None:
    undoing = PolicyApplication.objects.select_for_update().filter(pk=application.pk, state=State.UNDOING)
    if undoing.first() is None or _held(application).exists():
        return
    is_left = PrejudgedAnswer.objects.filter(application=application, undone_at=None).exists()
    by_one_rule = application.undoing_rule is not None and is_left
    undoing.update(state=State.DONE if by_one_rule else State.UNDONE, undoing_rule=None)
