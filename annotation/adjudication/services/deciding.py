"""Let people decide what no rule settles, and withdraw decisions."""

from datetime import datetime

from django.db import transaction

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import DECISION_CATEGORIES
from annotation.adjudication.selectors import get_candidate
from annotation.adjudication.services.guarding import refuse_while_undoing
from annotation.adjudication.services.settling import add_decisions, find_settlements
from annotation.assignments.services import lock_question
from annotation.items.models import Candidate
from annotation.projects.models import Project
from annotation.projects.rules import Credit
from common.clock import now
from common.errors import Conflict, Invalid


class UnusableDecision(Invalid):
    """The label is not one of the protocol's, or nothing says why."""

    code = "unusable_decision"


class DecidedMeanwhile(Conflict):
    """Somebody decided the answer after it was looked at."""

    code = "decided_meanwhile"


class NothingToReopen(Conflict):
    """The answer is not decided."""

    code = "nothing_to_reopen"


@transaction.atomic
def decide_answer(
    *,
    project: Project,
    candidate_id: str,
    by: User,
    label: str,
    reason: str = "",
    category: str = "",
    seen_number: int | None = None,
    is_reason_shown: bool = False,
    at: datetime | None = None,
) -> Decision:
    """Decide an answer as a person, whatever the votes say; open slots close.

    `is_reason_shown`: to raters, where the protocol lets them read decisions. `seen_number`: the
    number of the decision the person was looking at (0: none), where known.
    Raises `CandidateNotFound`, `UnusableDecision`, `DecidedMeanwhile`.
    """
    candidate = lock_candidate(project=project, candidate_id=candidate_id)
    require_usable(project=project, label=label, reason=reason, category=category)
    last = candidate.decisions.order_by("-number").first()
    refuse_if_changed(last=last, seen_number=seen_number)
    candidate.state = Candidate.State.DECIDED
    candidate.wanted = candidate.taken
    candidate.save(update_fields=["state", "wanted"])
    decision = Decision(
        candidate=candidate,
        number=last.number + 1 if last else 1,
        label=label,
        source=Decision.Source.ADJUDICATED,
        reason=reason.strip(),
        category=category,
        is_reason_shown=is_reason_shown,
        decided_by=by,
    )
    add_decisions(project_id=project.pk, decisions=[decision], at=at or now())
    return decision


def lock_candidate(*, project: Project, candidate_id: str) -> Candidate:
    """Return the answer, read again under its question's lock.

    Raises `CandidateNotFound`, `ImportLeaves`.
    """
    candidate = get_candidate(project=project, public_id=candidate_id)
    lock_question(question_id=candidate.question_id)
    refuse_while_undoing(project=project)
    return Candidate.objects.get(pk=candidate.pk)


def refuse_if_changed(*, last: Decision | None, seen_number: int | None) -> None:
    """Refuse where the history went on after it was looked at; raises `DecidedMeanwhile`."""
    if seen_number is not None and seen_number != (last.number if last else 0):
        raise DecidedMeanwhile("Somebody decided this answer in the meantime. Look at it again.")


def require_usable(*, project: Project, label: str, reason: str, category: str) -> None:
    """Refuse what cannot be a decision; raises `UnusableDecision`, which names the field."""
    protocol = project.protocol.rules if project.protocol else None
    found = protocol.label(label) if protocol else None
    if found is None or found.credit is Credit.MISSING:
        raise _unusable("label", "A decision is one of the protocol's labels that says what is right.")
    if category and category not in DECISION_CATEGORIES:
        raise _unusable("category", "There is no such category.")
    if not reason.strip() and not category:
        raise _unusable("reason", "Say why, in words or by a category.")


def _unusable(field: str, message: str) -> UnusableDecision:
    return UnusableDecision(message, details={"fields": {field: [message]}})


@transaction.atomic
def reopen_answer(
    *, project: Project, candidate_id: str, by: User, reason: str, at: datetime | None = None
) -> Decision:
    """Withdraw a decision: raters go on where votes are lacking, else the lead's queue gets it back.

    Raises `CandidateNotFound`, `UnusableDecision`, `NothingToReopen`.
    """
    candidate = lock_candidate(project=project, candidate_id=candidate_id)
    if not reason.strip():
        raise _unusable("reason", "Say why the decision is withdrawn.")
    current = candidate.decisions.filter(is_current=True, is_reopening=False).first()
    if current is None:
        raise NothingToReopen("This answer is not decided.")
    reopen_slots(project=project, candidate=candidate)
    reopening = Decision(
        candidate=candidate,
        number=current.number + 1,
        is_reopening=True,
        source=current.source,
        reason=reason.strip(),
        decided_by=by,
    )
    add_decisions(project_id=project.pk, decisions=[reopening], at=at or now())
    return reopening


def reopen_slots(*, project: Project, candidate: Candidate) -> None:
    """Give an answer back to raters where votes lack, else to the lead; the caller holds the lock."""
    assert project.protocol is not None
    (settlement,) = find_settlements(candidate_ids=[candidate.pk], protocol=project.protocol.rules)
    lacks_votes = settlement.outcome.votes_missing > 0
    candidate.state = Candidate.State.OPEN if lacks_votes else Candidate.State.DISPUTED
    candidate.wanted = settlement.wanted
    candidate.save(update_fields=["state", "wanted"])
