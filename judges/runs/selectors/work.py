"""Read what a run still has to do."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.items.models import Candidate, GoldAnswer
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.rules import NO_GOLD

ACTIVE_STATES = (JudgeRun.State.QUEUED, JudgeRun.State.RUNNING)
PENDING_STATES = (RunBatch.State.OPEN, RunBatch.State.CLAIMED)


def claimable_batches(*, at: datetime) -> QuerySet[RunBatch]:
    """Return the batches of active runs that a worker may take now: open ones, or with an ended lease."""
    is_rested = Q(not_before=None) | Q(not_before__lte=at)
    is_free = Q(state=RunBatch.State.OPEN) & is_rested
    is_abandoned = Q(state=RunBatch.State.CLAIMED, lease_expires_at__lte=at)
    return RunBatch.objects.filter(is_free | is_abandoned, run__state__in=ACTIVE_STATES).order_by(
        "number", "pk"
    )


def unplanned_candidates(run: JudgeRun) -> list[int]:
    """Return the project's answers that have neither verdict nor place in a batch, question by question."""
    # Batches before verdicts: one that is settled in between is left out twice rather than planned again.
    waiting = RunBatch.objects.filter(run=run).exclude(state=RunBatch.State.DONE)
    planned = {pk for ids in waiting.values_list("candidate_ids", flat=True) for pk in ids}
    judged = Verdict.objects.filter(run=run).values("candidate_id")
    candidates = Candidate.objects.filter(project=run.project_id).exclude(pk__in=judged)
    ordered = candidates.order_by("question__position", "question_id", "pk").values_list("pk", flat=True)
    return [pk for pk in ordered if pk not in planned]


def outdated_verdicts(run: JudgeRun) -> QuerySet[Verdict]:
    """Return verdicts given before the gold answers of their question came in, or before they left again."""
    golds = GoldAnswer.objects.filter(question=OuterRef("candidate__question"))
    came_later = Exists(golds.filter(data_import__applied_at__gt=OuterRef("judged_at")))
    left_again = ~Exists(golds) & ~Q(unscored_reason=NO_GOLD)
    return Verdict.objects.filter(came_later | left_again, run=run)
