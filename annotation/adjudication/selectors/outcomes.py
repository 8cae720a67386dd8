"""Read how people decided, for raters who may know it."""

from collections.abc import Mapping
from datetime import datetime

from annotation.adjudication.models import Decision
from annotation.assignments.blind_view import HowDecided
from annotation.items.models import Candidate

UNDECIDED = (Candidate.State.OPEN, Candidate.State.DISPUTED)


def how_people_decided(*, judged_at: Mapping[int, datetime]) -> dict[int, HowDecided]:
    """Return by answer what a person decided after it was judged, once its whole question is decided.

    `judged_at`: when the rater who asks judged each answer.
    """
    waiting = Candidate.objects.filter(state__in=UNDECIDED, is_judgeable=True)
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
