"""Read which questions people have judged, whether or not that settled anything."""

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE
from annotation.judgments.models import Judgment
from annotation.projects.models import Project


def judged_questions(*, project: Project) -> frozenset[int]:
    """Return the questions on which a vote or a decision by people stands.

    A judgment that says "cannot judge" counts: somebody was asked. What verdicts or equality
    with gold settled does not, nor do pilots, training and repeats.
    """
    voted = Judgment.objects.votes().filter(candidate__project=project)
    voted = voted.exclude(state=Judgment.State.WITHDRAWN)
    decided = Decision.objects.filter(candidate__project=project, is_current=True, is_reopening=False)
    decided = decided.exclude(source=Decision.Source.PREJUDGED).exclude(rule=GOLD_EQUAL_RULE)
    return frozenset(
        (
            *voted.order_by().values_list("candidate__question", flat=True).distinct(),
            *decided.order_by().values_list("candidate__question", flat=True).distinct(),
        )
    )
