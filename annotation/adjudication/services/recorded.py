"""Take over decisions that a file records without the votes they rest on, and take them back."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import RELEASED_LIST, WITHDRAWN_TOGETHER
from annotation.adjudication.services.discarding import QUESTIONS_A_SHARE, forget_decisions
from annotation.adjudication.services.replaying import label_meant
from annotation.adjudication.services.settling import add_decisions
from annotation.assignments.services import freeze, lock_due_questions
from annotation.items.models import Candidate, DataImport
from annotation.items.rules import RecordedDecision
from annotation.projects.models import Project
from common.errors import Conflict
from common.shares import in_shares


class DecisionsInUse(Conflict):
    """People went on from what the file had decided."""

    code = "decisions_in_use"


@transaction.atomic
def apply_recorded_decisions(*, project: Project, decisions: Iterable[RecordedDecision], at: datetime) -> int:
    """Decide answers as a file says, and return how many; nobody is asked about these.

    An answer that somebody holds, voted on or ever decided stays as it is. `at` is when the import was
    made, by which its decisions are found again. Raises `UnknownLabel`.
    """
    assert project.protocol is not None
    protocol = project.protocol.rules
    labels = {each.candidate_id: label_meant(each.word, protocol=protocol) for each in decisions}
    candidates = Candidate.objects.filter(pk__in=list(labels))
    lock_due_questions(question_ids=set(candidates.values_list("question_id", flat=True)), waits=True)
    # Read under the lock.
    free = [each for each in candidates.filter(decisions=None).order_by("pk") if each.is_untouched]
    # Labels that decisions are made of may change only as a new version.
    freeze(project.protocol, at=at)
    Candidate.objects.filter(pk__in=[each.pk for each in free]).update(
        state=Candidate.State.DECIDED, wanted=0
    )
    made = [_decision(each, labels[each.pk]) for each in free]
    add_decisions(project_id=project.pk, decisions=made, at=at)
    return len(made)


def _decision(candidate: Candidate, label: str) -> Decision:
    return Decision(
        candidate=candidate, number=1, label=label, source=Decision.Source.IMPORTED, rule=RELEASED_LIST
    )


def recorded_answers(data_import: DataImport) -> QuerySet[Candidate]:
    """Return the answers that an import decided."""
    return Candidate.objects.filter(
        project=data_import.project_id,
        decisions__source=Decision.Source.IMPORTED,
        decisions__rule=RELEASED_LIST,
        decisions__decided_at=data_import.created_at,
    )


def refuse_forgetting(*, data_import: DataImport) -> None:
    """Refuse that an import goes whose decisions people went on from; raises `DecisionsInUse`."""
    by_people = Decision.objects.filter(
        candidate__in=recorded_answers(data_import).values("pk"), decided_by__isnull=False
    )
    if by_people.exclude(rule=WITHDRAWN_TOGETHER).exists():
        raise DecisionsInUse("A person decided answers of this import anew. They stay.")


def discard_recorded_decisions(*, data_import: DataImport) -> None:
    """Delete the decisions of an import; answers that stay are open again, as if it had never been.

    Share by share, each in a transaction of its own; safe to repeat. Raises `DecisionsInUse` where a person
    reopened or decided one of the answers.
    """
    refuse_forgetting(data_import=data_import)
    answers = recorded_answers(data_import)
    question_ids = sorted(set(answers.values_list("question_id", flat=True)))
    for share in in_shares(question_ids, of=QUESTIONS_A_SHARE):
        with transaction.atomic():
            locked = lock_due_questions(question_ids=share, waits=True)
            ids = set(answers.filter(question__in=locked).values_list("pk", flat=True))
            forget_decisions(ids, project=data_import.project, question_ids=locked)
