"""Runs: a judge at work on a project, in batches, and its verdicts."""

from django.conf import settings
from django.db import models

from annotation.items.models import Candidate, DataImport
from annotation.projects.models import Project
from common.identifiers import new_public_id


class JudgeRun(models.Model):
    """One judge with one set of options over a project's candidates; repeated starts are the same row."""

    class State(models.TextChoices):
        """Where a run stands."""

        QUEUED = "queued"
        RUNNING = "running"
        FINISHED = "finished"
        FAILED = "failed"
        CANCELLED = "cancelled"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="judge_runs")
    # Set for verdicts read from a file.
    data_import = models.ForeignKey(
        DataImport, on_delete=models.PROTECT, null=True, related_name="judge_runs"
    )
    judge_key = models.CharField(max_length=120)
    options = models.JSONField(default=dict, blank=True)
    # "original", or the version of the amended gold list that was judged against.
    gold_version = models.CharField(max_length=80, default="original")
    signature = models.TextField()
    signature_hash = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=State, default=State.QUEUED)
    message = models.TextField(blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "signature_hash"], name="one_run_a_signature"),
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
    attempt = models.PositiveIntegerField(default=0)
    lease_expires_at = models.DateTimeField(null=True)
    not_before = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="batch_number_once")]
        indexes = [models.Index(fields=["run", "state"], name="batches_of_run")]

    def __str__(self) -> str:
        return f"batch {self.number} {self.state}"


class Verdict(models.Model):
    """What a run said of a candidate; `accepted` is null where it could not judge, with the reason."""

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="verdicts")
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="verdicts")
    accepted = models.BooleanField(null=True)
    score = models.FloatField(null=True)
    unscored_reason = models.CharField(max_length=60, blank=True)
    raw_reply = models.TextField(blank=True)
    # Words, parted by commas, for what a person should look at before believing it.
    flags = models.CharField(max_length=200, blank=True)
    judged_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "candidate"], name="one_verdict_a_candidate"),
            models.CheckConstraint(
                condition=models.Q(accepted__isnull=False) | ~models.Q(unscored_reason=""),
                name="unscored_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.accepted} ({self.score})"
