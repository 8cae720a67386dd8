"""What several forms of export read: votes that stand, names of questions, answers as files had them."""

from django.db.models import QuerySet

from annotation.items.models import Prediction, Question
from annotation.items.rules import raw_answer
from annotation.judgments.models import Judgment
from annotation.projects.models import Project


def question_id_of(question: Question) -> str:
    """Return the name under which a question leaves: the file's own, else its place counted from one."""
    return question.external_id or str(question.position + 1)


def standing_votes(project: Project) -> QuerySet[Judgment]:
    """Return the votes that leave, in the order in which they do; those taken back do not."""
    return (
        Judgment.objects.votes()
        .filter(candidate__project=project)
        .exclude(state=Judgment.State.WITHDRAWN)
        .order_by("candidate__question__position", "candidate__question_id", "candidate__position", "pk")
    )


def raw_answers(project: Project) -> dict[int, str]:
    """Return by candidate what the file of the first system that gave it had, where that is another text."""
    rows = Prediction.objects.filter(system__project=project, raw__isnull=False).order_by("-system_id", "-pk")
    # The first system comes last and stays.
    return {candidate: raw_answer(raw) or "" for candidate, raw in rows.values_list("candidate_id", "raw")}
