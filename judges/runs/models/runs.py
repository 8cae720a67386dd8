"""Runs: a judge at work on a project, in batches."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.items.models import DataImport
from annotation.projects.models import Project
from common.identifiers import new_public_id
from judges.connections.models import Connection


class JudgeRun(models.Model):
    """One judge with one set of options over a project's candidates; repeated starts are the same row.

    All money is integer pico-USD (1e-12 USD).
    """

    class State(models.TextChoices):
        """Where a run stands."""

        QUEUED = "queued"
        RUNNING = "running"
        # Until a person lets it go on; `message` says why.
        PAUSED = "paused"
        # The sample it was started with is judged.
        SAMPLED = "sampled"
        FINISHED = "finished"
        FAILED = "failed"
        CANCELLED = "cancelled"

    class Purpose(models.TextChoices):
        """What the program is asked for; only verdicts are anything to compare, score or settle by."""

        VERDICTS = "verdicts"
        TAGS = "tags"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="judge_runs")
    purpose = models.CharField(max_length=20, choices=Purpose, default=Purpose.VERDICTS)
    # Set for verdicts read from a file.
    data_import = models.ForeignKey(
        DataImport, on_delete=models.PROTECT, null=True, related_name="judge_runs"
    )
    connection = models.ForeignKey(Connection, on_delete=models.RESTRICT, null=True, related_name="runs")
    judge_key = models.CharField(max_length=120)
    options = models.JSONField(default=dict, blank=True)
    # "original", or the version of the amended gold list that was judged against.
    gold_version = models.CharField(max_length=80, default="original")
    signature = models.TextField()
    signature_hash = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=State, default=State.QUEUED)
    message = models.TextField(blank=True)
    spend_cap = models.BigIntegerField(null=True)
    spent = models.BigIntegerField(default=0)
    # For calls in flight: what each of them may cost at most.
    reserved = models.BigIntegerField(default=0)
    # How many answers to judge before anything else; null judges all.
    sample_size = models.PositiveIntegerField(null=True)
    sample_seed = models.PositiveIntegerField(default=0)
    # Which answers it takes at all: those that people judge, of one data set, of one system (its public id).
    only_judged = models.BooleanField(default=False)
    only_dataset = models.CharField(max_length=100, blank=True)
    only_system = models.CharField(max_length=20, blank=True)
    # While its batches are planned, in shares: the token of whoever does, free for others from then on.
    planning_until = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "signature_hash"], name="one_run_a_signature"),
            models.CheckConstraint(condition=Q(spent__gte=0, reserved__gte=0), name="run_money_not_negative"),
            models.CheckConstraint(
                condition=Q(spend_cap=None) | Q(spend_cap__gte=F("spent") + F("reserved")),
                name="run_never_past_its_cap",
            ),
        ]

    def __str__(self) -> str:
        return self.signature


class RunBatch(models.Model):
    """A share of a run's candidates, claimed by one worker at a time under a lease."""

    class State(models.TextChoices):
        """Where a batch stands."""

        OPEN = "open"
        CLAIMED = "claimed"
        DONE = "done"
        FAILED = "failed"

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    candidate_ids = models.JSONField()
    size = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State, default=State.OPEN)
    owner = models.CharField(max_length=64, blank=True)
    # The version of the row: raised by every claim.
    attempt = models.PositiveIntegerField(default=0)
    # How many of the attempts only waited for their turn, and how often the provider's rate limit said no.
    waits = models.PositiveIntegerField(default=0)
    refusals = models.PositiveIntegerField(default=0)
    lease_expires_at = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="batch_number_once")]
        indexes = [models.Index(fields=["run", "state", "number"], name="batches_of_run")]

    def __str__(self) -> str:
        return f"batch {self.number} {self.state}"
