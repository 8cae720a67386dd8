"""Tables of runs: a judge at work in batches, its verdicts, the calls it paid for, the sweeper's sign."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.items.models import Candidate, DataImport
from annotation.projects.models import Organization, Project
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
        CANCELLED = "cancelled", "Canceled"

    class Purpose(models.TextChoices):
        """What the program is asked for; only verdicts are anything to compare, score or settle by."""

        VERDICTS = "verdicts"
        TAGS = "tags"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="judge_runs", db_index=False)
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
    # What makes its verdicts, [name, text] each: judge, options, model, hashes of prompt, examples, corpus.
    stated = models.JSONField(default=list, blank=True)
    # The same in one line, to be read and cited.
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
    # Whether it is extended whenever answers come, as lexical judges are; some runs cannot be.
    follows = models.BooleanField(default=False)
    # While its batches are planned, in chunks: the token of whoever does, free for others from then on.
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
            models.CheckConstraint(
                condition=Q(follows=False) | Q(sample_size=None), name="no_sample_follows"
            ),
        ]

    def __str__(self) -> str:
        return self.signature


class RunBatch(models.Model):
    """A chunk of a run's candidates, claimed by one worker at a time under a lease."""

    class State(models.TextChoices):
        """Where a batch stands."""

        OPEN = "open"
        CLAIMED = "claimed"
        DONE = "done"
        FAILED = "failed"

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="batches", db_index=False)
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


class MonthlySpend(models.Model):
    """What an organization paid for calls of a month (UTC), in pico-USD; kept when a project goes."""

    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="monthly_spends", db_index=False
    )
    # 2026-11
    month = models.CharField(max_length=7)
    spent = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "month"], name="month_of_organization_once"),
        ]

    def __str__(self) -> str:
        return f"{self.organization_id} in {self.month}"


class Call(models.Model):
    """One call to a provider, or one answered from an earlier equal call. Money is integer pico-USD."""

    class State(models.TextChoices):
        """Where a call stands."""

        # In flight: `reserved` is taken from what its run and its connection may spend.
        RESERVED = "reserved"
        # Paid for: by the provider's count of tokens or, where it is not known, by the bound reserved.
        SETTLED = "settled"
        # The provider surely asked nothing for it.
        RELEASED = "released"

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="calls", db_index=False)
    connection = models.ForeignKey(
        Connection, on_delete=models.RESTRICT, related_name="calls", db_index=False
    )
    # What was paid stays paid when an import is undone.
    candidate = models.ForeignKey(Candidate, on_delete=models.SET_NULL, null=True, related_name="calls")
    # Whose limit it was reserved within, wherever its project is by now.
    charged_to = models.ForeignKey(
        MonthlySpend, on_delete=models.SET_NULL, null=True, related_name="calls", db_index=False
    )
    repeat = models.PositiveIntegerField(default=0)
    # Equal keys are equal requests to the same model at the same address.
    cache_key = models.CharField(max_length=64)
    # Whose batch it is for; when that claim has ended, nobody will settle it but the sweeper.
    owner = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=State, default=State.RESERVED)
    reserved = models.BigIntegerField(default=0)
    cost = models.BigIntegerField(default=0)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    # Of the input, from the provider's own cache.
    cached_tokens = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    model = models.CharField(max_length=200, blank=True)
    fingerprint = models.CharField(max_length=200, blank=True)
    finish_reason = models.CharField(max_length=60, blank=True)
    reply = models.TextField(blank=True)
    # Pairs of token and natural logarithm, as the provider gave them.
    logprobs = models.JSONField(default=list, blank=True)
    is_cache_hit = models.BooleanField(default=False)
    # Whether its reply is the one that counts; not where it was lost, failed, or is to be asked anew.
    is_counted = models.BooleanField(default=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "cache_key"], condition=Q(state="reserved"), name="one_call_in_flight"
            ),
            models.UniqueConstraint(
                fields=["run", "candidate", "repeat"],
                condition=Q(state="settled", is_counted=True),
                name="one_counted_call_a_repeat",
            ),
            models.CheckConstraint(
                condition=Q(state="reserved", settled_at=None) | ~Q(state="reserved") & ~Q(settled_at=None),
                name="call_settled_or_in_flight",
            ),
            models.CheckConstraint(condition=Q(reserved__gte=0, cost__gte=0), name="call_money_not_negative"),
        ]
        indexes = [
            models.Index(fields=["connection", "cache_key"], name="calls_by_key"),
            models.Index(fields=["run", "candidate"], name="calls_of_run"),
            models.Index(
                fields=["charged_to"], condition=Q(state="reserved"), name="calls_in_flight_of_month"
            ),
        ]

    def __str__(self) -> str:
        return f"call {self.state} ({self.cost})"


class LastSweep(models.Model):
    """When the sweeper last came round: one row, written by a worker that the clock's message reached."""

    swept_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="one_last_sweep")]

    def __str__(self) -> str:
        return f"last sweep at {self.swept_at}"


class Verdict(models.Model):
    """What a run said of a candidate; `accepted` is null where it could not judge, with the reason."""

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="verdicts", db_index=False)
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
