"""Let answers that equal a gold answer count as correct unjudged, where the protocol says so."""

from collections.abc import Iterator, Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from analysis.text import normalize_answer
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE, WITHDRAWN_TOGETHER
from annotation.adjudication.selectors import free_for_machines
from annotation.adjudication.services.machines import Ruling, decide_together, withdraw_together
from annotation.assignments.services import lock_due_questions
from annotation.items.models import Candidate, Question
from annotation.items.selectors import gold_entries
from annotation.projects.models import Project
from annotation.projects.rules import GoldEqual
from common.shares import in_shares

REASON = "It equals a gold answer, and the protocol has such answers count as correct."
WITHDRAWN = "The protocol or the gold answers no longer have this answer count as correct unjudged."
MADE_BY_THE_RULE = Q(rule=GOLD_EQUAL_RULE) | Q(rule=WITHDRAWN_TOGETHER, reason=WITHDRAWN)
# Answers settled at a time, while raters wait.
SHARE = 200


def settle_gold_equal(*, project_id: int) -> None:
    """Settle all answers that equal a gold answer, or give them back to raters; all of them as a group.

    Equal after SQuAD's normalization to a gold answer of the files. What a person has to do with is left
    to people. Share by share, each in a transaction of its own; safe to repeat.
    """
    project = Project.objects.select_related("protocol").get(pk=project_id)
    if project.protocol is None:
        return
    protocol = project.protocol.rules
    settles = protocol.gold_equal is GoldEqual.CORRECT
    standing = list(_settled(project).select_related("candidate"))
    stale = standing
    if settles and standing:
        equal = set(_equal_to_gold([decision.candidate for decision in standing]))
        stale = [decision for decision in standing if decision.candidate_id not in equal]
    for share in in_shares(stale, of=SHARE):
        _withdraw(project, share)
    if settles:
        label = next(label.key for label in protocol.labels if label.key in protocol.accepted_keys)
        for answers in _shares(_free(project)):
            _settle(project, answers, Ruling(label=label, rule=GOLD_EQUAL_RULE, reason=REASON))


@transaction.atomic
def _withdraw(project: Project, stale: Sequence[Decision]) -> None:
    lock_due_questions(question_ids={each.candidate.question_id for each in stale}, waits=True)
    ids = [decision.pk for decision in stale]
    withdraw_together(project=project, decision_ids=ids, by=None, reason=WITHDRAWN)


def discard_gold_equal(*, data_import_id: int) -> None:
    """Take the protocol's decisions on an import's answers out with it, where nobody had a part in them.

    Share by share, each in a transaction of its own; safe to repeat.
    """
    rows = Decision.objects.filter(candidate__data_import=data_import_id, candidate__assignments=None)
    others = rows.exclude(MADE_BY_THE_RULE).values("candidate")
    ours = rows.filter(MADE_BY_THE_RULE).exclude(candidate__in=others)
    answers = sorted(set(ours.values_list("candidate", flat=True)))
    protocol = Project.objects.select_related("protocol").get(imports=data_import_id).protocol
    for share in in_shares(answers, of=SHARE):
        with transaction.atomic():
            Decision.objects.filter(candidate__in=share).delete()
            # Those that another import takes over are settled anew when this one is out.
            Candidate.objects.filter(pk__in=share).update(state=Candidate.State.UNASKED, wanted=0)
            left = Candidate.objects.filter(pk__in=share, question__in_sample=True, is_judgeable=True)
            if protocol is not None:
                left.update(state=Candidate.State.OPEN, wanted=protocol.rules.raters_per_answer)


def count_gold_equal(*, project: Project) -> tuple[int, int]:
    """Return how many open answers equal a gold answer, and how many count as correct because they do."""
    equal = sum(len(_equal_to_gold(share)) for share in _shares(_free(project)))
    return equal, _settled(project).count()


def _settled(project: Project) -> QuerySet[Decision]:
    ours = Decision.objects.filter(candidate__project=project, rule=GOLD_EQUAL_RULE)
    return ours.filter(is_current=True, is_reopening=False).order_by("pk")


def _free(project: Project) -> QuerySet[Candidate]:
    return (
        free_for_machines(project_id=project.pk).filter(question__in_sample=True).order_by("question", "pk")
    )


def _shares(answers: QuerySet[Candidate]) -> Iterator[Sequence[Candidate]]:
    return in_shares(list(answers), of=SHARE)


def _settle(project: Project, answers: Sequence[Candidate], ruling: Ruling) -> None:
    equal = _equal_to_gold(answers)
    questions = {each.question_id for each in answers if each.pk in equal}
    if questions:
        with transaction.atomic():
            lock_due_questions(question_ids=questions, waits=True)
            decide_together(project_id=project.pk, rulings=dict.fromkeys(equal, ruling))


def _equal_to_gold(answers: Sequence[Candidate]) -> list[int]:
    asked = {answer.question_id for answer in answers}
    golds = gold_entries(questions=Question.objects.filter(pk__in=asked))
    # What normalizes to nothing equals nothing.
    return [
        answer.pk
        for answer in answers
        if normalize_answer(answer.text) and golds[answer.question_id].equals(answer.text)
    ]
