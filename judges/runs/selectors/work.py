"""Read what a run still has to do."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.items.models import Candidate, GoldAnswer
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.rules import BURST_SECONDS, NO_GOLD

ACTIVE_STATES = (JudgeRun.State.QUEUED, JudgeRun.State.RUNNING)
PENDING_STATES = (RunBatch.State.OPEN, RunBatch.State.CLAIMED)


def claimable_batches(*, at: datetime) -> QuerySet[RunBatch]:
    """Return the batches of active runs that a worker may take now: open ones, or with an ended lease.

    Those of a connection that rests are left out: whoever took one would only put it back.
    """
    is_rested = Q(not_before=None) | Q(not_before__lte=at)
    is_free = Q(state=RunBatch.State.OPEN) & is_rested
    is_abandoned = Q(state=RunBatch.State.CLAIMED, lease_expires_at__lte=at)
    batches = RunBatch.objects.filter(is_free | is_abandoned, may_call(at=at), run__state__in=ACTIVE_STATES)
    return batches.order_by("number", "pk")


def may_call(*, at: datetime) -> Q:
    """Return the condition that a batch's run needs no connection, or one that may be called now."""
    is_awake = Q(run__connection__rests_until=None) | Q(run__connection__rests_until__lte=at)
    booked_until = at + timedelta(seconds=BURST_SECONDS)
    has_turn = Q(run__connection__next_call_at=None) | Q(run__connection__next_call_at__lte=booked_until)
    is_unlimited = Q(run__connection__requests_per_minute=None)
    return Q(run__connection=None) | is_awake & (is_unlimited | has_turn)


def due_runs(*, at: datetime) -> list[int]:
    """Return runs over connections with work to take now and nobody at it: their wait is over."""
    held = RunBatch.objects.filter(state=RunBatch.State.CLAIMED, lease_expires_at__gt=at)
    waiting = claimable_batches(at=at).exclude(run__connection=None)
    idle = waiting.exclude(Exists(held.filter(run=OuterRef("run"))))
    return sorted(set(idle.order_by("run_id").values_list("run_id", flat=True).distinct()))


def unplanned_candidates(run: JudgeRun) -> list[int]:
    """Return the project's answers that have neither verdict nor place in a batch, question by question.

    All of them for a run that is not stored yet.
    """
    candidates = Candidate.objects.filter(project=run.project_id)
    planned: set[int] = set()
    if run.pk is not None:
        # Batches before verdicts: one that is settled in between is left out twice, not planned again.
        waiting = RunBatch.objects.filter(run=run).exclude(state=RunBatch.State.DONE)
        planned = {pk for ids in waiting.values_list("candidate_ids", flat=True) for pk in ids}
        judged = Verdict.objects.filter(run=run).values("candidate_id")
        candidates = candidates.exclude(pk__in=judged)
    ordered = candidates.order_by("question__position", "question_id", "pk").values_list("pk", flat=True)
    return [pk for pk in ordered if pk not in planned]


def outdated_verdicts(run: JudgeRun) -> QuerySet[Verdict]:
    """Return verdicts given before the gold answers of their question came in, or before they left again."""
    golds = GoldAnswer.objects.filter(question=OuterRef("candidate__question"))
    came_later = Exists(golds.filter(data_import__applied_at__gt=OuterRef("judged_at")))
    left_again = ~Exists(golds) & ~Q(unscored_reason=NO_GOLD)
    return Verdict.objects.filter(came_later | left_again, run=run)


def sample_room(run: JudgeRun, *, unplanned: int) -> int:
    """Return how many answers its sample still lacks, where so many have neither verdict nor place."""
    planned = Candidate.objects.filter(project=run.project_id).count() - unplanned
    return max(0, (run.sample_size or 0) - planned)
