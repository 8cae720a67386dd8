"""Turn votes into decisions, and let a lead decide what no rule settles."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import DECISION_CATEGORIES, Need, Outcome, decide, wanted_slots
from annotation.adjudication.selectors import get_candidate
from annotation.items.models import Candidate, Question
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.projects.rules import Credit, Protocol
from common.clock import now
from common.errors import Conflict, Invalid
from common.events import publish

BY_RULE = frozenset({Decision.Source.UNANIMOUS, Decision.Source.MAJORITY})
VOTES_CHANGED = "The votes no longer come to this decision."


class UnusableDecision(Invalid):
    """The label is not one of the protocol's, or nothing says why."""

    code = "unusable_decision"


class DecidedMeanwhile(Conflict):
    """Somebody decided the answer after it was looked at."""

    code = "decided_meanwhile"


class NothingToReopen(Conflict):
    """The answer is not decided."""

    code = "nothing_to_reopen"


class Settlement(NamedTuple):
    """An answer with its outcome by rule, its last decision row, and that row where it is current."""

    candidate: Candidate
    outcome: Outcome
    current: Decision | None
    next_number: int
    judged: int


@transaction.atomic
def settle_candidates(*, project_id: int, candidate_ids: Iterable[int], at: datetime | None = None) -> None:
    """Decide by rule what the votes allow, and open the slots that the rest still needs.

    Called inside the transaction of whoever handed in or took back votes, which holds the question
    rows. Safe to repeat. What a person decided stays, whatever votes come later.
    """
    project = Project.objects.select_related("protocol").get(pk=project_id)
    if project.protocol is None:
        return
    protocol = project.protocol.rules
    settlements = [
        settlement
        for settlement in _settlements(candidate_ids=candidate_ids, protocol=protocol)
        if not _is_in_a_persons_hands(settlement)
    ]
    changes = [_rule_decision(settlement) for settlement in settlements]
    _move_candidates(settlements)
    _add_decisions(
        project_id=project_id, decisions=[change for change in changes if change is not None], at=at or now()
    )


def _settlements(*, candidate_ids: Iterable[int], protocol: Protocol) -> list[Settlement]:
    candidates = Candidate.objects.filter(pk__in=sorted(set(candidate_ids))).order_by("pk")
    votes: Mapping[int, list[str]] = defaultdict(list)
    counted = Judgment.objects.filter(candidate__in=candidates, state=Judgment.State.COUNTED)
    for candidate_id, label in counted.order_by("pk").values_list("candidate_id", "label"):
        votes[candidate_id].append(label)
    last = {
        decision.candidate_id: decision
        for decision in Decision.objects.filter(candidate__in=candidates).order_by("candidate_id", "number")
    }
    return [
        Settlement(
            candidate=candidate,
            outcome=decide(votes=votes[candidate.pk], protocol=protocol),
            current=_in_force(last.get(candidate.pk)),
            next_number=last[candidate.pk].number + 1 if candidate.pk in last else 1,
            judged=len(votes[candidate.pk]),
        )
        for candidate in candidates
    ]


def _in_force(decision: Decision | None) -> Decision | None:
    return decision if decision is not None and decision.is_current else None


def _is_in_a_persons_hands(settlement: Settlement) -> bool:
    current = settlement.current
    if current is None:
        # Nobody is asked about this answer; votes of earlier work alone may still decide it.
        return settlement.candidate.state == Candidate.State.UNASKED and settlement.outcome.label is None
    if current.is_reopening:
        return current.decided_by_id is not None and settlement.candidate.state == Candidate.State.DISPUTED
    return current.source not in BY_RULE


def _rule_decision(settlement: Settlement) -> Decision | None:
    """Return the row that the history gains, or None where the votes change nothing."""
    current = settlement.current
    decided = current if current is not None and not current.is_reopening else None
    if settlement.outcome.label is None:
        return None if decided is None else _withdrawal(settlement, decided)
    made = Decision(
        candidate=settlement.candidate,
        number=settlement.next_number,
        label=settlement.outcome.label,
        source=str(settlement.outcome.basis),
        rule=str(settlement.outcome.basis),
    )
    same = decided is not None and (decided.label, decided.source) == (made.label, made.source)
    return None if same else made


def _withdrawal(settlement: Settlement, decided: Decision) -> Decision:
    return Decision(
        candidate=settlement.candidate,
        number=settlement.next_number,
        is_reopening=True,
        source=decided.source,
        rule=decided.rule,
        reason=VOTES_CHANGED,
    )


def _move_candidates(settlements: list[Settlement]) -> None:
    for settlement in settlements:
        candidate, outcome = settlement.candidate, settlement.outcome
        candidate.state = _state_after(outcome)
        candidate.wanted = wanted_slots(outcome=outcome, judged=settlement.judged, held=candidate.taken)
    Candidate.objects.bulk_update([settlement.candidate for settlement in settlements], ["state", "wanted"])


def _state_after(outcome: Outcome) -> str:
    if outcome.label is not None:
        return Candidate.State.DECIDED
    return Candidate.State.DISPUTED if outcome.need is Need.LEAD else Candidate.State.OPEN


def _add_decisions(*, project_id: int, decisions: list[Decision], at: datetime) -> None:
    if not decisions:
        return
    candidates = [decision.candidate for decision in decisions]
    Decision.objects.filter(candidate__in=candidates, is_current=True).update(is_current=False)
    for decision in decisions:
        decision.decided_at = at
    Decision.objects.bulk_create(decisions)
    question_ids = sorted({candidate.question_id for candidate in candidates})
    publish(event="decisions_changed", project_id=project_id, question_ids=question_ids)


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
    at: datetime | None = None,
) -> Decision:
    """Decide an answer as a person, whatever the votes say; open slots close.

    `seen_number` is the number of the decision the person was looking at (0: none), where known.
    Raises `CandidateNotFound`, `UnusableDecision`, `DecidedMeanwhile`.
    """
    candidate = _lock(project=project, candidate_id=candidate_id)
    _require_usable(project=project, label=label, reason=reason, category=category)
    last = candidate.decisions.order_by("-number").first()
    number = last.number if last else 0
    if seen_number is not None and seen_number != number:
        raise DecidedMeanwhile("Somebody decided this answer in the meantime. Look at it again.")
    candidate.state = Candidate.State.DECIDED
    candidate.wanted = candidate.taken
    candidate.save(update_fields=["state", "wanted"])
    decision = Decision(
        candidate=candidate,
        number=number + 1,
        label=label,
        source=Decision.Source.ADJUDICATED,
        reason=reason.strip(),
        category=category,
        decided_by=by,
    )
    _add_decisions(project_id=project.pk, decisions=[decision], at=at or now())
    return decision


def _lock(*, project: Project, candidate_id: str) -> Candidate:
    """Return the answer, read again under its question's lock."""
    candidate = get_candidate(project=project, public_id=candidate_id)
    Question.objects.select_for_update().get(pk=candidate.question_id)
    return Candidate.objects.get(pk=candidate.pk)


def _require_usable(*, project: Project, label: str, reason: str, category: str) -> None:
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
    candidate = _lock(project=project, candidate_id=candidate_id)
    if not reason.strip():
        raise _unusable("reason", "Say why the decision is withdrawn.")
    current = candidate.decisions.filter(is_current=True, is_reopening=False).first()
    if current is None:
        raise NothingToReopen("This answer is not decided.")
    _reopen_slots(project=project, candidate=candidate)
    reopening = Decision(
        candidate=candidate,
        number=current.number + 1,
        is_reopening=True,
        source=current.source,
        reason=reason.strip(),
        decided_by=by,
    )
    _add_decisions(project_id=project.pk, decisions=[reopening], at=at or now())
    return reopening


def _reopen_slots(*, project: Project, candidate: Candidate) -> None:
    assert project.protocol is not None
    (settlement,) = _settlements(candidate_ids=[candidate.pk], protocol=project.protocol.rules)
    outcome = settlement.outcome
    candidate.state = Candidate.State.OPEN if outcome.votes_missing else Candidate.State.DISPUTED
    candidate.wanted = wanted_slots(outcome=outcome, judged=settlement.judged, held=candidate.taken)
    candidate.save(update_fields=["state", "wanted"])
