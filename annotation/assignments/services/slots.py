"""Take and free the slots of answers; the caller holds the question's lock."""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from annotation.assignments.models import Assignment
from annotation.assignments.rules import lowest_free_slot, round_of
from annotation.assignments.selectors import HOLDING, slots_of
from annotation.items.models import Candidate


def give_slots(*, assignments: Sequence[Assignment], raters_per_answer: int) -> None:
    """Give each assignment the lowest free slot of its answer and count the slot as taken.

    Assignments are changed in memory and left for the caller to store. A slot that is not there makes
    the database refuse the whole transaction.
    """
    held: dict[int, set[int]] = {assignment.candidate_id: set() for assignment in assignments}
    turns: Counter[int] = Counter()
    others = slots_of(held).exclude(pk__in=[item.pk for item in assignments if item.pk])
    for candidate_id, slot, state in others.values_list("candidate", "slot", "state"):
        turns[candidate_id] += slot > 0 and state != Assignment.State.EXPIRED
        if state in HOLDING:
            held[candidate_id].add(slot)
    for assignment in assignments:
        assignment.slot = lowest_free_slot(held=held[assignment.candidate_id])
        assignment.state = Assignment.State.LIVE
        assignment.round = round_of(
            slot=assignment.slot,
            raters_per_answer=raters_per_answer,
            turns_before=turns[assignment.candidate_id],
        )
    Candidate.objects.filter(pk__in=list(held)).update(taken=F("taken") + 1)


def release_slots(*, candidate_ids: Iterable[int]) -> None:
    """Count again how many slots of these answers are taken, after assignments stopped holding some."""
    holders = Assignment.objects.filter(candidate=OuterRef("pk"), state__in=HOLDING).order_by()
    count = holders.values("candidate").annotate(count=Count("pk")).values("count")
    Candidate.objects.filter(pk__in=list(candidate_ids)).update(taken=Coalesce(Subquery(count), 0))


def hold_again(*, assignments: Sequence[Assignment], raters_per_answer: int) -> list[Assignment]:
    """Give slots to those assignments whose answers still have a free one, and return these.

    For work that comes back: a sheet handed in after its lease ended, or an answer skipped and then
    taken back.
    """
    free = set(
        Candidate.objects.filter(
            pk__in=[assignment.candidate_id for assignment in assignments],
            state=Candidate.State.OPEN,
            taken__lt=F("wanted"),
        ).values_list("pk", flat=True)
    )
    holding = [assignment for assignment in assignments if assignment.candidate_id in free]
    if holding:
        give_slots(assignments=holding, raters_per_answer=raters_per_answer)
    return holding
