"""Read how people decided, for raters who may know it."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from annotation.adjudication.models import Decision
from annotation.assignments.blind_view import HowDecided
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.projects.models import Project

UNDECIDED = (Candidate.State.OPEN, Candidate.State.DISPUTED)


def how_people_decided(*, judged_at: Mapping[int, datetime]) -> dict[int, HowDecided]:
    """Return by answer what a person decided after it was judged, once the first raters judged its question.

    `judged_at`: when the rater who asks judged each answer. Whether they agree has no part in it: who
    edits another answer of the question would read from a decision that comes and goes how others judged it.
    """
    first = Judgment.objects.votes().filter(
        candidate=OuterRef("pk"), state=Judgment.State.COUNTED, slot__lte=_raters_per_answer(judged_at)
    )
    count = first.order_by().values("candidate").annotate(n=Count("pk")).values("n")
    waiting = Candidate.objects.filter(state__in=UNDECIDED, is_judgeable=True).annotate(
        votes=Coalesce(Subquery(count), 0)
    )
    waiting = waiting.filter(votes__lt=_raters_per_answer(judged_at))
    decisions = Decision.objects.filter(
        candidate__in=list(judged_at),
        is_current=True,
        is_reopening=False,
        source=Decision.Source.ADJUDICATED,
    ).exclude(
        candidate__question__in=waiting.filter(question__candidates__in=list(judged_at)).values("question")
    )
    return {
        decision.candidate_id: HowDecided(
            label=decision.label, words=decision.reason if decision.is_reason_shown else ""
        )
        for decision in decisions.order_by("pk")
        if decision.decided_at >= judged_at[decision.candidate_id]
    }


def _raters_per_answer(candidate_ids: Iterable[int]) -> int:
    project = Project.objects.select_related("protocol").filter(candidates__in=list(candidate_ids)).first()
    return project.protocol.rules.raters_per_answer if project and project.protocol else 0
