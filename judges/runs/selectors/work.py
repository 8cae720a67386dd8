"""Read what a run still has to do."""

from collections import Counter
from datetime import datetime, timedelta

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet

from annotation.gold.selectors import ORIGINAL_VERSION, gold_version
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question
from annotation.items.selectors import gold_only
from judges import registry
from judges.registry import Reads
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.rules import BURST_SECONDS, NO_GOLD

ACTIVE_STATES = (JudgeRun.State.QUEUED, JudgeRun.State.RUNNING)
PENDING_STATES = (RunBatch.State.OPEN, RunBatch.State.CLAIMED)
AS_RECORDED = "as-recorded"


def next_batches(*, run_id: int, at: datetime, most: int) -> list[RunBatch]:
    """Return the first batches of a run that may be taken now; open ones before those with an ended lease."""
    if not workable_runs(at=at).filter(pk=run_id).exists():
        return []
    # One after the other, without a join: each is read from the index in order, however long the run is.
    for condition in (is_free(at=at), is_abandoned(at=at)):
        if found := list(RunBatch.objects.filter(condition, run=run_id).order_by("number")[:most]):
            return found
    return []


def workable_runs(*, at: datetime) -> QuerySet[JudgeRun]:
    """Return active runs that need no connection, or one that may be called now."""
    is_awake = Q(connection__rests_until=None) | Q(connection__rests_until__lte=at)
    booked_until = at + timedelta(seconds=BURST_SECONDS)
    has_turn = Q(connection__next_call_at=None) | Q(connection__next_call_at__lte=booked_until)
    is_unlimited = Q(connection__requests_per_minute=None)
    may_call = Q(connection=None) | is_awake & (is_unlimited | has_turn)
    return JudgeRun.objects.filter(may_call, state__in=ACTIVE_STATES)


def is_free(*, at: datetime) -> Q:
    """Return the condition that a batch is open and has rested."""
    return Q(state=RunBatch.State.OPEN) & (Q(not_before=None) | Q(not_before__lte=at))


def is_abandoned(*, at: datetime) -> Q:
    """Return the condition that whoever took a batch has let its lease end."""
    return Q(state=RunBatch.State.CLAIMED, lease_expires_at__lte=at)


def waiting_runs(*, at: datetime) -> QuerySet[JudgeRun]:
    """Return the runs with work that a worker may take now."""
    claimable = RunBatch.objects.filter(is_free(at=at) | is_abandoned(at=at), run=OuterRef("pk"))
    return workable_runs(at=at).filter(Exists(claimable)).order_by("pk")


def whose_turn(*, run_id: int, at: datetime, may_call: bool) -> JudgeRun | None:
    """Return the run to take up when this one rings; None where this one has no work to take now.

    It is that of a project with the fewest runs in workers' hands; else the one that rings. may_call:
    whether it may be a run over a connection.
    """
    waiting = [run for run in waiting_runs(at=at) if may_call or run.connection_id is None]
    mine = next((run for run in waiting if run.pk == run_id), None)
    if mine is None:
        return None
    active = JudgeRun.objects.filter(state__in=ACTIVE_STATES)
    held = RunBatch.objects.filter(run__in=active, state=RunBatch.State.CLAIMED, lease_expires_at__gt=at)
    at_work = Counter(project for project, _ in held.values_list("run__project", "run").distinct().order_by())

    def place(run: JudgeRun) -> tuple[int, bool, bool, int]:
        return at_work[run.project_id], run.project_id != mine.project_id, run.pk != run_id, run.pk

    return min(waiting, key=place)


def due_runs(*, at: datetime) -> QuerySet[JudgeRun]:
    """Return runs over connections with work to take now and nobody at it: their wait is over."""
    held = RunBatch.objects.filter(run=OuterRef("pk"), state=RunBatch.State.CLAIMED, lease_expires_at__gt=at)
    return waiting_runs(at=at).exclude(Exists(held)).exclude(connection=None)


def unplanned_candidates(run: JudgeRun) -> list[int]:
    """Return the answers in a run's scope that have neither verdict nor place in a batch, in order.

    All of them for a run that is not stored yet.
    """
    candidates = answers_in_scope(run)
    planned: set[int] = set()
    if run.pk is not None:
        # Batches before verdicts: one that is settled in between is left out twice, not planned again.
        waiting = RunBatch.objects.filter(run=run).exclude(state=RunBatch.State.DONE)
        planned = {pk for ids in waiting.values_list("candidate_ids", flat=True) for pk in ids}
        judged = Verdict.objects.filter(run=run).values("candidate_id")
        candidates = candidates.exclude(pk__in=judged)
    ordered = candidates.order_by("question__position", "question_id", "pk").values_list("pk", flat=True)
    return [pk for pk in ordered if pk not in planned]


def answers_in_scope(run: JudgeRun) -> QuerySet[Candidate]:
    """Return the answers that a run takes."""
    answers = answers_of_systems(project_id=run.project_id)
    if run.only_judged:
        answers = answers.filter(is_judged_by_people())
    if run.only_dataset:
        answers = answers.filter(question__dataset=run.only_dataset)
    if run.only_system:
        given = Prediction.objects.filter(candidate=OuterRef("pk"), system__public_id=run.only_system)
        answers = answers.filter(Exists(given))
    return answers


def answers_of_systems(*, project_id: int) -> QuerySet[Candidate]:
    """Return the answers that programs judge: a gold answer that no system gave is none of them."""
    return Candidate.objects.filter(project=project_id).exclude(pk__in=gold_only(project_id=project_id))


def is_judged_by_people() -> Q:
    """Return the condition that an answer is in the judged sample, or has votes although it left it."""
    is_sampled = Q(is_judgeable=True, question__in_sample=True)
    has_votes = Q(state__in=(Candidate.State.DISPUTED, Candidate.State.DECIDED), taken__gt=0)
    return is_sampled | has_votes


def has_sample(*, project_id: int) -> bool:
    """Say whether people judge some of the answers, and not all."""
    answers = answers_of_systems(project_id=project_id)
    return answers.filter(is_judged_by_people()).exists() and answers.exclude(is_judged_by_people()).exists()


def outdated_verdicts(run: JudgeRun) -> QuerySet[Verdict]:
    """Return verdicts given before their question was corrected, or its gold answers came in or left again.

    A run that goes by an amended list is another run when the list changes; recorded verdicts and a jury's
    never are.
    """
    if run.gold_version == AS_RECORDED or registry.get_entry(run.judge_key).reads is Reads.VERDICTS:
        return Verdict.objects.none()
    corrected = Q(candidate__question__corrected_at__gt=F("judged_at"))
    if run.gold_version != ORIGINAL_VERSION:
        return Verdict.objects.filter(corrected, run=run)
    golds = GoldAnswer.objects.filter(question=OuterRef("candidate__question"))
    came_later = Exists(golds.filter(data_import__applied_at__gt=OuterRef("judged_at")))
    left_again = ~Exists(golds) & ~Q(unscored_reason=NO_GOLD)
    return Verdict.objects.filter(corrected | came_later | left_again, run=run)


def is_outdated(run: JudgeRun) -> bool:
    """Say whether a run has to be started again: since it judged, questions or gold answers have changed.

    Lexical judges are, by whatever brings gold answers.
    """
    if registry.get_entry(run.judge_key).is_lexical:
        return False
    # The newest change first, since there is none since most runs, and the verdicts are many.
    imports = DataImport.objects.filter(project=run.project_id)
    questions = Question.objects.filter(project=run.project_id)
    times = [
        *imports.aggregate(Max("applied_at"), Max("undone_at")).values(),
        *questions.aggregate(Max("corrected_at")).values(),
    ]
    newest = max((time for time in times if time), default=None)
    return newest is not None and outdated_verdicts(run).filter(judged_at__lt=newest).exists()


def has_gold_moved(run: JudgeRun) -> bool:
    """Say whether a run goes by an amended gold list that is no longer the present one."""
    is_amended = run.gold_version not in {ORIGINAL_VERSION, AS_RECORDED}
    return is_amended and run.gold_version != gold_version(run.project, amended=True)


def sample_room(run: JudgeRun, *, unplanned: int) -> int:
    """Return how many answers its sample still lacks, where so many have neither verdict nor place."""
    planned = answers_in_scope(run).count() - unplanned
    return max(0, (run.sample_size or 0) - planned)
