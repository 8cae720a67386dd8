"""Read which answers wait for the lead, and why."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import CALLED_BACK, SENT_BACK, TAKEN_BACK, QueueReason, queue_reason
from annotation.assignments.models import Assignment
from annotation.assignments.selectors import raters_left
from annotation.items.models import Candidate
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project


class WaitingAnswer(NamedTuple):
    """An answer that waits, its question, and why."""

    id: int
    question_id: int
    reason: QueueReason


def count_waiting(*, project: Project) -> int:
    """Return how many answers wait for the lead."""
    return waiting_answers(project).count()


def waiting_answers(project: Project) -> QuerySet[Candidate]:
    """Return the answers no rule settles.

    Disputed ones, and those with an open slot that no active rater is left to fill.
    """
    asked = Candidate.objects.filter(project=project).exclude(question__in=improper_questions(project))
    disputed = Candidate.objects.filter(project=project, state=Candidate.State.DISPUTED)
    # Either or: PostgreSQL would look through every answer, and every assignment with it.
    return asked.filter(pk__in=disputed.values("pk").union(_out_of_raters(project).values("pk")))


def shown_states(candidates: Sequence[Candidate]) -> dict[int, str]:
    """Return the state that pages name, by key: what waits for the lead is disputed, as in the queue.

    The answers are of one project.
    """
    if not candidates:
        return {}
    ids = [candidate.pk for candidate in candidates]
    waiting = frozenset(
        waiting_answers(candidates[0].project).filter(pk__in=ids).values_list("pk", flat=True)
    )
    return {
        candidate.pk: Candidate.State.DISPUTED if candidate.pk in waiting else candidate.state
        for candidate in candidates
    }


def why_waiting(answers: QuerySet[Candidate]) -> list[WaitingAnswer]:
    """Return why each of these waiting answers waits, in the order of the questions; one query."""
    skipped = Assignment.objects.votes().filter(candidate=OuterRef("pk"), state=Assignment.State.SKIPPED)
    reopened = Decision.objects.filter(
        candidate=OuterRef("pk"), is_current=True, is_reopening=True, decided_by__isnull=False
    ).exclude(rule__in=[TAKEN_BACK, SENT_BACK, CALLED_BACK])
    rows = answers.order_by("question__position", "question_id", "position", "pk").values_list(
        "pk", "question_id", "state", Exists(skipped), Exists(reopened)
    )
    return [
        WaitingAnswer(
            pk,
            question_id,
            queue_reason(
                is_disputed=state == Candidate.State.DISPUTED, unable=unable, is_reopened=is_reopened
            ),
        )
        for pk, question_id, state, unable, is_reopened in rows
    ]


def _out_of_raters(project: Project) -> QuerySet[Candidate]:
    """Answers with an open slot on which everybody who may judge has had a turn, and somebody has."""
    open_slot = Candidate.objects.filter(
        project=project, state=Candidate.State.OPEN, taken__lt=F("wanted")
    ).filter(Exists(Assignment.objects.votes().filter(candidate=OuterRef("pk"))))
    return open_slot.exclude(Exists(raters_left(project)))
