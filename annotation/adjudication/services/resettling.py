"""Bring work done in line with a protocol that changed."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, QuerySet

from annotation.adjudication.services.settling import (
    Renumbered,
    add_decisions,
    find_settlements,
    is_in_a_persons_hands,
    move_candidates,
    rule_decision,
)
from annotation.assignments.models import Assignment
from annotation.assignments.rules import slots_in_order
from annotation.assignments.services import lock_due_questions
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from common.clock import now
from common.shares import in_shares

HOLDING = (Assignment.State.LIVE, Assignment.State.DONE)
# Answers settled at a time, while raters wait.
SHARE = 200
# Larger than any number of slots: numbers pass through it so that two are never equal on the way.
APART = 1_000


def resettle_project(*, project_id: int, at: datetime | None = None) -> None:
    """Read every vote by the protocol in force: answers are decided, opened or closed as it says.

    No vote is lost or set aside: one that is not looked at now counts again under a protocol that asks
    for more. What a person, a machine or a file decided stays. Share by share, each in a transaction of
    its own; safe to repeat.
    """
    project = Project.objects.get(pk=project_id)
    for candidate_ids in shares(affected_answers(project)):
        _resettle(project_id, candidate_ids, at=at or now())


@transaction.atomic
def _resettle(project_id: int, candidate_ids: Sequence[int], *, at: datetime) -> None:
    questions = Candidate.objects.filter(pk__in=candidate_ids).values_list("question_id", flat=True)
    lock_due_questions(question_ids=set(questions), waits=True)
    # Read under the locks: whoever changes the protocol again finds these answers as it says.
    protocol = Project.objects.select_related("protocol").get(pk=project_id).protocol
    assert protocol is not None
    _renumber(renumbered(candidate_ids))
    settlements = [
        settlement
        for settlement in find_settlements(candidate_ids=candidate_ids, protocol=protocol.rules)
        if not is_in_a_persons_hands(settlement)
    ]
    why = f"The protocol was changed to version {protocol.number}."
    changes = [rule_decision(settlement, why=why) for settlement in settlements]
    move_candidates(settlements)
    made = [change for change in changes if change is not None]
    add_decisions(project_id=project_id, decisions=made, at=at)


def affected_answers(project: Project) -> QuerySet[Candidate]:
    """Answers that people judge; those outside the sample keep what their votes came to when it was drawn."""
    asked = Candidate.objects.filter(project=project, question__in_sample=True, is_judgeable=True)
    return asked.exclude(state=Candidate.State.UNASKED).order_by("question_id", "pk")


def shares(candidates: QuerySet[Candidate]) -> Iterator[Sequence[int]]:
    """Yield the ids of answers in shares that fit into memory with their votes."""
    return in_shares(list(candidates.values_list("pk", flat=True)), of=SHARE)


def renumbered(candidate_ids: Sequence[int]) -> Renumbered:
    """Return the slots that would be numbered otherwise, by answer."""
    held: dict[int, list[tuple[int, bool]]] = {}
    holders = Assignment.objects.votes().filter(candidate__in=candidate_ids, state__in=HOLDING).order_by("pk")
    for candidate_id, slot, state in holders.values_list("candidate_id", "slot", "state"):
        held.setdefault(candidate_id, []).append((slot, state == Assignment.State.DONE))
    orders = {candidate_id: slots_in_order(held=slots) for candidate_id, slots in held.items()}
    return {pk: order for pk, order in orders.items() if any(old != new for old, new in order.items())}


def _renumber(renumbered: Renumbered) -> None:
    for candidate_id, order in renumbered.items():
        moving = {old: new for old, new in order.items() if old != new}
        counted = Judgment.objects.votes().filter(candidate=candidate_id, state=Judgment.State.COUNTED)
        holders = Assignment.objects.votes().filter(candidate=candidate_id, state__in=HOLDING)
        for old, new in moving.items():
            counted.filter(slot=old).update(slot=APART + new)
            holders.filter(slot=old).update(slot=APART + new)
        counted.filter(slot__gt=APART).update(slot=F("slot") - APART)
        holders.filter(slot__gt=APART).update(slot=F("slot") - APART)
