"""Read whether an answer can go back to raters."""

from django.db.models import Exists

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import Basis, SendBackRefusal, Situation, why_not_sent_back
from annotation.assignments.selectors import raters_left
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.projects.models import Project


def send_back_refusal(*, project: Project, candidate: Candidate) -> SendBackRefusal | None:
    """Return why an answer cannot be sent back to raters at present, or None where it can."""
    if project.protocol is None:
        return SendBackRefusal.NOT_WAITING
    decisions = Decision.objects.filter(candidate=candidate, is_current=True, is_reopening=False)
    situation = Situation(
        is_disputed=candidate.state == Candidate.State.DISPUTED,
        is_decided=candidate.state == Candidate.State.DECIDED,
        is_decided_by_votes=decisions.filter(source__in=list(Basis)).exists(),
        votes=count_votes(candidate),
        has_rater_left=Candidate.objects.filter(Exists(raters_left(project)), pk=candidate.pk).exists(),
    )
    return why_not_sent_back(situation=situation, protocol=project.protocol.rules)


def count_votes(candidate: Candidate) -> int:
    """Return how many votes on an answer count."""
    return Judgment.objects.votes().filter(candidate=candidate, state=Judgment.State.COUNTED).count()
