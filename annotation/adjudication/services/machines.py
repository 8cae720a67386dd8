"""Decide answers that nobody has anything to do with, as a group, and withdraw that together."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import WITHDRAWN_TOGETHER
from annotation.adjudication.selectors import free_for_machines
from annotation.adjudication.services.settling import add_decisions, find_settlements, move_candidates
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.clock import now


class Ruling(NamedTuple):
    """A decision of one group: the label, the rule's short name, and the rule in words."""

    label: str
    rule: str
    reason: str


@transaction.atomic
def decide_together(
    *,
    project_id: int,
    rulings: Mapping[int, Ruling],
    source: str = Decision.Source.PREJUDGED,
    by: User | None = None,
    at: datetime | None = None,
) -> dict[int, Decision]:
    """Decide a group of answers, and return the decisions made, both by candidate id.

    An answer that was decided, voted on or handed out meanwhile is left to people. The caller holds the
    locks of the questions.
    """
    free = list(free_for_machines(project_id=project_id).filter(pk__in=list(rulings)).order_by("pk"))
    rows = Decision.objects.filter(candidate__in=free).order_by("number")
    last_numbers = dict(rows.values_list("candidate_id", "number"))
    decisions = [
        Decision(
            candidate=candidate,
            number=last_numbers.get(candidate.pk, 0) + 1,
            source=source,
            decided_by=by,
            **rulings[candidate.pk]._asdict(),
        )
        for candidate in free
    ]
    Candidate.objects.filter(pk__in=[candidate.pk for candidate in free]).update(
        state=Candidate.State.DECIDED, wanted=0
    )
    add_decisions(project_id=project_id, decisions=decisions, at=at or now())
    return {decision.candidate_id: decision for decision in decisions}


@transaction.atomic
def withdraw_together(
    *,
    project: Project,
    decision_ids: Iterable[int],
    source: str = Decision.Source.PREJUDGED,
    by: User | None,
    reason: str,
    at: datetime | None = None,
) -> int:
    """Give answers back to raters by a further row each, and return how many.

    What a person has decided anew stays. The caller holds the locks of the questions.
    """
    assert project.protocol is not None
    decisions = list(
        Decision.objects.filter(
            pk__in=list(decision_ids),
            candidate__project=project,
            source=source,
            is_current=True,
            is_reopening=False,
        )
        .select_related("candidate")
        .order_by("pk")
    )
    move_candidates(
        find_settlements(
            candidate_ids=[decision.candidate_id for decision in decisions], protocol=project.protocol.rules
        )
    )
    withdrawals = [_withdrawal(decision, by=by, reason=reason) for decision in decisions]
    add_decisions(project_id=project.pk, decisions=withdrawals, at=at or now())
    return len(withdrawals)


def _withdrawal(decision: Decision, *, by: User | None, reason: str) -> Decision:
    return Decision(
        candidate=decision.candidate,
        number=decision.number + 1,
        is_reopening=True,
        source=decision.source,
        rule=WITHDRAWN_TOGETHER,
        reason=reason,
        decided_by=by,
    )
