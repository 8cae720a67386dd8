"""Read what people decided in a project, as what could be shown to a model."""

from annotation.adjudication.models import Decision
from annotation.gold.selectors import gold_lists
from annotation.projects.models import Project
from judges.methods.llm.prompts import WorkedExample


def decided_items(*, project: Project, system: str = "") -> list[WorkedExample]:
    """Return the answers that people decided, with their original golds, in the order of the questions.

    system: only what a system of this name answered; all answers where it is empty. What a program decided
    is left out, and so are questions without a gold answer.
    """
    accepted = project.protocol.rules.accepted_keys if project.protocol else frozenset()
    golds = gold_lists(project, False)
    decisions = Decision.objects.filter(
        candidate__project=project, is_current=True, is_reopening=False
    ).exclude(source=Decision.Source.PREJUDGED)
    if system:
        decisions = decisions.filter(candidate__predictions__system__name=system)
    rows = (
        decisions.order_by("candidate__question__position", "candidate__question_id", "candidate_id")
        .values_list("candidate__question_id", "candidate__question__text", "candidate__text", "label")
        .distinct()
    )
    return [
        WorkedExample(question, tuple(golds[question_id]), answer, label in accepted)
        for question_id, question, answer, label in rows
        if golds[question_id]
    ]
