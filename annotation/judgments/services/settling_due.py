"""Draw the consequences of what raters did once nobody waits for it: how long that takes tells of others.

A submit, an edit or taking back stores the rater's own act and marks the sheet, in one transaction. Whether
the votes agree, and so what becomes of the answers, is found out later by whoever sees the mark first: the
web server's own rounds, the sweeper, or a lead who wants to see results. See docs/decisions/0024.
"""

import logging
import time

from django.conf import settings
from django.db import transaction

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services import lock_due_questions
from annotation.judgments.services.asking_again import ask_again
from common.events import publish

logger = logging.getLogger(__name__)


def mark_due(*, sheet: Sheet) -> None:
    """Have the answers on a sheet settled after this transaction, which holds the question's lock."""
    Sheet.objects.filter(pk=sheet.pk).update(settling_due=True)
    sheet.settling_due = True
    settle_at_once(question_id=sheet.question_id)


def settle_at_once(*, question_id: int) -> None:
    """Settle in the act itself where the installation's settings ask for it, as tests of rules do."""
    if settings.ASSAY_SETTLES_AT_ONCE:
        _settle(question_id=question_id, waits=True)


def is_settling_due(*, question_id: int) -> bool:
    """Whether the states of a question's answers lag behind what its raters did."""
    return Sheet.objects.filter(question=question_id, settling_due=True).exists()


def settle_due(*, project_id: int | None = None, waits: bool = False) -> bool:
    """Settle whatever is due, one question a transaction, and return whether all of it could be done.

    Of one project or of all. Questions that somebody else holds are left to the next round, and half of the
    time to other writers, unless `waits`: somebody does, for the reply.
    Safe to repeat and to be ended at any moment. What fails is logged and stays due: it keeps nobody from
    the rest.
    """
    due = Sheet.objects.filter(settling_due=True)
    if project_id is not None:
        due = due.filter(project=project_id)
    is_done = True
    for question_id in list(due.order_by("question").values_list("question", flat=True).distinct()):
        began = time.monotonic()
        try:
            _settle(question_id=question_id, waits=waits)
        except Exception:
            logger.exception("could not settle question %s", question_id)
            is_done = False
        if not waits:
            # On SQLite raters wait for the same lock, and look for it only now and then.
            time.sleep(time.monotonic() - began)
    return is_done


def settle_before_reading(*, project_id: int) -> None:
    """Let whoever may see results see those of everything that was handed in."""
    settle_due(project_id=project_id, waits=True)


@transaction.atomic
def _settle(*, question_id: int, waits: bool) -> None:
    if not lock_due_questions(question_ids=[question_id], waits=waits):
        return
    # Read under the lock: another process may have settled it meanwhile.
    sheets = list(Sheet.objects.filter(question=question_id, settling_due=True).order_by("pk"))
    if not sheets:
        return
    Sheet.objects.filter(pk__in=[sheet.pk for sheet in sheets]).update(settling_due=False)
    votes = Assignment.objects.votes().filter(sheet__in=sheets).order_by("candidate")
    publish(
        event="answers_judged",
        project_id=sheets[0].project_id,
        candidate_ids=list(votes.values_list("candidate", flat=True)),
    )
    ask_again(project_id=sheets[0].project_id, question_id=question_id)
