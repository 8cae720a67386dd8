"""Let answers that equal a gold answer count as correct unjudged, where the protocol says so."""

from collections import defaultdict
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Q, QuerySet

from analysis.text import normalize_answer
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE, WITHDRAWN_TOGETHER
from annotation.adjudication.selectors import free_for_machines
from annotation.adjudication.services.machines import Ruling, decide_together, withdraw_together
from annotation.assignments.services import lock_due_questions
from annotation.items.models import Candidate, GoldAnswer
from annotation.projects.models import Project
from annotation.projects.rules import GoldEqual

REASON = "It equals a gold answer, and the protocol has such answers count as correct."
WITHDRAWN = "The protocol or the gold answers no longer have this answer count as correct unjudged."
# Answers settled at a time.
SHARE = 1_000


@transaction.atomic
def settle_gold_equal(*, project_id: int) -> None:
    """Settle all answers that equal a gold answer, or give them back to raters; all of them as a group.

    Equal after SQuAD's normalization to a gold answer of the files. What a person has to do with is left
    to people. Safe to repeat.
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
    if stale:
        lock_due_questions(question_ids={each.candidate.question_id for each in stale}, waits=True)
        ids = [decision.pk for decision in stale]
        withdraw_together(project=project, decision_ids=ids, by=None, reason=WITHDRAWN)
    if settles:
        label = next(label.key for label in protocol.labels if label.key in protocol.accepted_keys)
        for share in _shares(_free(project)):
            _settle(project, share, Ruling(label=label, rule=GOLD_EQUAL_RULE, reason=REASON))


def discard_gold_equal(*, data_import_id: int) -> None:
    """Take the protocol's decisions on an import's answers out with it, where nobody had a part in them."""
    rows = Decision.objects.filter(candidate__data_import=data_import_id, candidate__assignments=None)
    by_rule = Q(rule=GOLD_EQUAL_RULE) | Q(rule=WITHDRAWN_TOGETHER, reason=WITHDRAWN)
    others = rows.exclude(by_rule).values("candidate")
    ours = rows.filter(by_rule).exclude(candidate__in=others)
    answers = set(ours.values_list("candidate", flat=True))
    ours.delete()
    # Those that another import takes over are settled anew when this one is out.
    Candidate.objects.filter(pk__in=answers).update(state=Candidate.State.UNASKED, wanted=0)
    left = Candidate.objects.filter(pk__in=answers, question__in_sample=True, is_judgeable=True)
    protocol = Project.objects.select_related("protocol").get(imports=data_import_id).protocol
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


def _shares(answers: QuerySet[Candidate]) -> Iterator[list[Candidate]]:
    found = list(answers)
    for start in range(0, len(found), SHARE):
        yield found[start : start + SHARE]


def _settle(project: Project, answers: list[Candidate], ruling: Ruling) -> None:
    equal = _equal_to_gold(answers)
    questions = {each.question_id for each in answers if each.pk in equal}
    if questions:
        lock_due_questions(question_ids=questions, waits=True)
        decide_together(project_id=project.pk, rulings=dict.fromkeys(equal, ruling))


def _equal_to_gold(answers: list[Candidate]) -> list[int]:
    golds: dict[int, set[str]] = defaultdict(set)
    strings = GoldAnswer.objects.filter(
        question__in={answer.question_id for answer in answers}, kind=GoldAnswer.Kind.STRING
    )
    for question_id, text in strings.order_by("pk").values_list("question_id", "text"):
        golds[question_id].add(normalize_answer(text))
    return [
        answer.pk
        for answer in answers
        if (key := normalize_answer(answer.text)) and key in golds[answer.question_id]
    ]
