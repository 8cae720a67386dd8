"""The two locks of handing out work: a question's row, and the turn of one rater's requests."""

from collections.abc import Iterable

from django.db import connection

from annotation.assignments.models import Sheet
from annotation.assignments.selectors import get_sheet
from annotation.items.models import DataImport, Question
from annotation.projects.models import Membership

# The first half of the advisory lock's key keeps it apart from any other use of advisory locks.
RATER_LOCKS = 7301
ON_THE_WAY = (DataImport.State.APPLYING, DataImport.State.UNDOING)


def lock_question(*, question_id: int) -> Question:
    """Lock a question until the transaction ends; whoever changes slots of its answers does this first.

    On SQLite the transaction itself (IMMEDIATE) is the lock.
    """
    return Question.objects.select_for_update().get(pk=question_id)


def try_lock_question(*, question_id: int) -> Question | None:
    """Lock a question to hand it out, or return None at once where somebody else holds it.

    The same where an import that brought answers to it is not through yet, or is being taken out.
    """
    questions = Question.objects.select_for_update(skip_locked=True).filter(pk=question_id)
    return questions.exclude(candidates__data_import__state__in=ON_THE_WAY).first()


def wait_for_question(*, question_id: int) -> Question | None:
    """Do the same, however long somebody else holds it."""
    lock_question(question_id=question_id)
    return try_lock_question(question_id=question_id)


def lock_due_questions(*, question_ids: Iterable[int], waits: bool) -> list[int]:
    """Lock several questions in one fixed order and return those that were locked."""
    questions = Question.objects.select_for_update(skip_locked=not waits).filter(pk__in=list(question_ids))
    return list(questions.order_by("pk").values_list("pk", flat=True))


def lock_sheet(*, rater: Membership, public_id: str) -> Sheet:
    """Lock the question of one's own sheet and return the sheet as it stands now.

    Raises `SheetNotFound`.
    """
    own = Question.objects.filter(sheets__rater=rater, sheets__public_id=public_id)
    own.select_for_update(of=("self",)).first()
    # Read under the lock: whatever was read before may have changed while waiting for it.
    return get_sheet(rater=rater, public_id=public_id)


def take_turn(*, rater: Membership) -> None:
    """Let the requests of one rater, who may have two tabs, take turns until the transaction ends."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [RATER_LOCKS, rater.pk % 2**31])
