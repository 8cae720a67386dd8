"""Send answers back to raters for one more blind vote, and take that back while nobody has them."""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import CALLED_BACK, SENT_BACK, TAKEN_BACK
from annotation.adjudication.selectors import count_votes, send_back_refusal
from annotation.adjudication.services.deciding import (
    UnusableDecision,
    lock_candidate,
    refuse_if_changed,
    reopen_slots,
)
from annotation.adjudication.services.settling import add_decisions
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.clock import now
from common.errors import Conflict


class NotSentBack(Conflict):
    """The answer cannot go back to raters, and the code says why."""

    code = "not_sent_back"


class InRatersHands(Conflict):
    """A rater was given the answer that was sent back."""

    code = "in_raters_hands"


@transaction.atomic
def send_back(
    *,
    project: Project,
    candidate_id: str,
    by: User,
    reason: str,
    seen_number: int | None = None,
    at: datetime | None = None,
) -> Decision:
    """Ask for one more blind vote on an answer before it settles again, by a further row of its history.

    From then on all its votes weigh alike. `seen_number`: the number of the decision the person was
    looking at (0: none), where known. Raises `CandidateNotFound`, `UnusableDecision`,
    `DecidedMeanwhile`, `NotSentBack`.
    """
    candidate = lock_candidate(project=project, candidate_id=candidate_id)
    if not reason.strip():
        message = "Say why another rater is to judge this answer."
        raise UnusableDecision(message, details={"fields": {"reason": [message]}})
    last = candidate.decisions.order_by("-number").first()
    refuse_if_changed(last=last, seen_number=seen_number)
    refusal = send_back_refusal(project=project, candidate=candidate)
    if refusal is not None:
        raise NotSentBack(refusal.words, code=refusal)
    candidate.least_votes = count_votes(candidate) + 1
    candidate.save(update_fields=["least_votes"])
    reopen_slots(project=project, candidate=candidate)
    row = Decision(
        candidate=candidate,
        number=last.number + 1 if last else 1,
        is_reopening=True,
        source=last.source if last else Decision.Source.ADJUDICATED,
        rule=SENT_BACK,
        reason=reason.strip(),
        decided_by=by,
    )
    add_decisions(project_id=project.pk, decisions=[row], at=at or now())
    return row


def call_back(*, sent: Decision, project: Project, by: User) -> Decision:
    """Ask for the one more vote no longer, and return the row that says so; the caller holds the lock.

    An answer whose decision a person had withdrawn is before the lead again. Any other is left open, for
    the caller to settle once the row is there: its votes may have changed since. Raises `InRatersHands`
    where somebody is at it already.
    """
    candidate = sent.candidate
    _lower_least_votes(sent)
    candidate.refresh_from_db()
    reopened = candidate.decisions.filter(is_reopening=True, decided_by__isnull=False).exclude(
        rule__in=[SENT_BACK, CALLED_BACK]
    )
    is_reopened = reopened.filter(number=sent.number - 1).exists()
    if is_reopened:
        reopen_slots(project=project, candidate=candidate)
    return Decision(
        candidate=candidate,
        number=sent.number + 1,
        is_reopening=True,
        source=sent.source,
        rule=TAKEN_BACK if is_reopened else CALLED_BACK,
        reason="Taken back.",
        decided_by=by,
    )


def _lower_least_votes(sent: Decision) -> None:
    candidate = sent.candidate
    least_votes = candidate.least_votes - 1 if _was_sent_before(sent) else 0
    waiting = Candidate.objects.filter(pk=candidate.pk, state=Candidate.State.OPEN, taken__lt=F("wanted"))
    if not waiting.update(least_votes=least_votes):
        raise InRatersHands(
            "A rater has been given this answer already, so it cannot be called back. "
            "You can decide it all the same."
        )


def _was_sent_before(sent: Decision) -> bool:
    """Say whether an earlier sending back stands; one that was called back asks for nothing."""
    rules = dict(sent.candidate.decisions.filter(number__lt=sent.number).values_list("number", "rule"))
    return any(
        rule == SENT_BACK and rules.get(number + 1) not in (CALLED_BACK, TAKEN_BACK)
        for number, rule in rules.items()
    )
