"""Take and free the slots of answers; the caller holds the question's lock."""

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import Count, F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.rules import lowest_free_slot, round_of
from annotation.assignments.selectors import HOLDING, slots_of
from annotation.items.models import Candidate


def give_slots(*, rater_id: int, candidates: Sequence[Candidate], raters_per_answer: int) -> list[Assignment]:
    """Give a rater the lowest free slot of each answer and count the slot as taken.

    Returns one assignment an answer in the order given, the rater's earlier one where there is one,
    left for the caller to put on a sheet and store. A slot that is not there makes the database refuse
    the transaction.
    """
    assignments = {
        candidate.pk: Assignment(candidate=candidate, rater_id=rater_id) for candidate in candidates
    }
    held: dict[int, set[int]] = {candidate_id: set() for candidate_id in assignments}
    turns: Counter[int] = Counter()
    for other in slots_of(held):
        if other.rater_id == rater_id:
            assignments[other.candidate_id] = other
            continue
        turns[other.candidate_id] += other.slot > 0 and other.state != Assignment.State.EXPIRED
        if other.state in HOLDING:
            held[other.candidate_id].add(other.slot)
    for candidate_id, assignment in assignments.items():
        assignment.state = Assignment.State.LIVE
        assignment.slot = lowest_free_slot(held=held[candidate_id])
        assignment.round = round_of(
            slot=assignment.slot,
            raters_per_answer=raters_per_answer,
            turns_before=turns[candidate_id],
        )
    Candidate.objects.filter(pk__in=list(held)).update(taken=F("taken") + 1)
    return list(assignments.values())


def release_slots(*, candidate_ids: Iterable[int]) -> None:
    """Count again how many slots of these answers are taken, after assignments stopped holding some."""
    holders = Assignment.objects.votes().filter(candidate=OuterRef("pk"), state__in=HOLDING).order_by()
    count = holders.values("candidate").annotate(count=Count("pk")).values("count")
    Candidate.objects.filter(pk__in=list(candidate_ids)).update(taken=Coalesce(Subquery(count), 0))


def hold_again(
    *, sheet: Sheet, assignments: Sequence[Assignment], raters_per_answer: int
) -> list[Assignment]:
    """Give slots to those assignments whose answers still have a free one, and return these.

    For work that comes back: a sheet handed in after its lease ended, or an answer skipped and then
    taken back.
    """
    if not assignments:
        return []
    free = Candidate.objects.filter(
        pk__in=[assignment.candidate_id for assignment in assignments],
        state=Candidate.State.OPEN,
        taken__lt=F("wanted"),
    )
    given = {
        item.candidate_id: item
        for item in give_slots(
            rater_id=sheet.rater_id, candidates=list(free.order_by("pk")), raters_per_answer=raters_per_answer
        )
    }
    holding = [item for item in assignments if item.candidate_id in given]
    for item in holding:
        slot = given[item.candidate_id]
        item.state, item.slot, item.round = slot.state, slot.slot, slot.round
    return holding
