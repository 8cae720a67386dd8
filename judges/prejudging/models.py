"""Pre-judging: a policy, its applications and what they settled; calibration samples, certificates."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.adjudication.models import Decision
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.identifiers import new_public_id
from judges.runs.models import Verdict


class PrejudgingPolicy(models.Model):
    """The rules that a project's lead has saved; what was ever applied is kept by `PolicyApplication`."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="prejudging_policy")
    # [{"runs": [public ids], "condition": "any_accepts"}], in order.
    rules = models.JSONField(default=list, blank=True)
    audit_share = models.FloatField()
    seed = models.PositiveBigIntegerField()
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{len(self.rules)} rules"


class CalibrationSample(models.Model):
    """Answers drawn at random for people alone; the newest is the project's until it is closed."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="calibration_samples", db_index=False
    )
    number = models.PositiveIntegerField()
    seed = models.PositiveBigIntegerField()
    # How many answers were open for machines when it was drawn, and with which probability each was drawn.
    population = models.PositiveIntegerField()
    probability = models.FloatField()
    # The newest answer there was: what comes later was not to be drawn.
    newest_answer = models.PositiveBigIntegerField()
    # Public ids of the systems there were.
    systems = models.JSONField(default=list)
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    drawn_at = models.DateTimeField()
    # Once it is given up, or another is drawn: machines may settle what people have not decided.
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="calibration_number_once"),
            models.UniqueConstraint(
                fields=["project"], condition=Q(closed_at__isnull=True), name="one_calibration_sample"
            ),
        ]

    def __str__(self) -> str:
        return f"sample {self.number}"


class CalibrationAnswer(models.Model):
    """An answer of a calibration sample, which no rule may settle while the sample stands."""

    sample = models.ForeignKey(
        CalibrationSample, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="calibrations")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sample", "candidate"], name="drawn_once_a_sample"),
        ]

    def __str__(self) -> str:
        return f"answer {self.candidate_id} of sample {self.sample_id}"


class Certificate(models.Model):
    """What a calibration sample proved of a rule at its place, or why nothing; all of it as it was then."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    sample = models.ForeignKey(
        CalibrationSample, on_delete=models.CASCADE, related_name="certificates", db_index=False
    )
    # The first, second … try on its sample: each has half the chance of error of the one before.
    number = models.PositiveIntegerField()
    # As rules of a policy; those before it take their answers away, so they belong to what is certified.
    rule = models.JSONField()
    before = models.JSONField(default=list)
    by_score = models.BooleanField()
    text = models.TextField()
    # Of all runs that these rules read, by public id.
    signatures = models.JSONField()
    alpha = models.FloatField()
    delta = models.FloatField()
    # The part of δ that this try was given.
    spent = models.FloatField()
    # The least confidence that may be settled; null where it was refused.
    threshold = models.FloatField(null=True)
    refusal = models.CharField(max_length=40, blank=True)
    words = models.TextField()
    labels = models.PositiveIntegerField()
    settled_labels = models.PositiveIntegerField()
    errors = models.PositiveIntegerField()
    upper = models.FloatField(null=True)
    settled_share = models.FloatField()
    needed = models.PositiveIntegerField()
    # [threshold, settled share, labels, errors, upper bound], from the surest answers to all.
    curve = models.JSONField(default=list)
    # What people had decided of the sample, and what this was computed from, hashed.
    labels_hash = models.CharField(max_length=64)
    content_hash = models.CharField(max_length=64)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    made_at = models.DateTimeField()
    # Why it holds no longer, a `Lapse`, and since when: it never holds again, however things look later.
    lapse = models.CharField(max_length=40, blank=True)
    lapsed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(lapse="", lapsed_at=None) | ~Q(lapse="") & Q(lapsed_at__isnull=False),
                name="lapsed_at_a_time",
            ),
            models.UniqueConstraint(fields=["sample", "number"], name="certificate_number_once"),
            models.UniqueConstraint(fields=["sample", "content_hash"], name="certified_once"),
        ]

    def __str__(self) -> str:
        return f"certificate {self.number} of sample {self.sample_id}"


class PolicyApplication(models.Model):
    """A policy as it was applied; applied again for new answers it is the same row until it is undone."""

    class State(models.TextChoices):
        """Where an application stands; UNDOING is going on where a worker takes it back."""

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        UNDOING = "undoing"
        UNDONE = "undone"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="policy_applications", db_index=False
    )
    number = models.PositiveIntegerField()
    # As in the policy, each with its "text" and the "signatures" of its runs as they were then.
    rules = models.JSONField()
    audit_share = models.FloatField()
    seed = models.PositiveBigIntegerField()
    content_hash = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=State, default=State.QUEUED)
    # While UNDOING: the one rule that is undone; null where all of it is.
    undoing_rule = models.PositiveSmallIntegerField(null=True)
    applied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    applied_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    undo_reason = models.TextField(blank=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="application_number_once"),
            models.UniqueConstraint(
                fields=["project", "content_hash"],
                condition=~Q(state="undone"),
                name="policy_in_force_once",
            ),
        ]

    def __str__(self) -> str:
        return f"application {self.number} {self.state}"


class PrejudgedAnswer(models.Model):
    """An answer that a rule speaks for: decided by it, or drawn for raters; `undone_at` once taken back."""

    application = models.ForeignKey(
        PolicyApplication, on_delete=models.PROTECT, related_name="answers", db_index=False
    )
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="prejudgments")
    rule_number = models.PositiveSmallIntegerField()
    # What the rule says of it: a key of the protocol's labels.
    label = models.CharField(max_length=60)
    # Drawn for raters, who decide it; the label above is then only what is audited.
    is_audited = models.BooleanField(default=False)
    # With which probability it was to be drawn.
    audit_probability = models.FloatField()
    decision = models.OneToOneField(Decision, on_delete=models.PROTECT, null=True, related_name="prejudgment")
    settled_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["candidate"], condition=Q(undone_at__isnull=True), name="prejudged_once"
            ),
            models.CheckConstraint(
                condition=Q(is_audited=True, decision__isnull=True)
                | Q(is_audited=False, decision__isnull=False),
                name="audited_or_decided",
            ),
        ]
        indexes = [models.Index(fields=["application", "rule_number"], name="answers_of_rule")]

    def __str__(self) -> str:
        return f"{self.label} by rule {self.rule_number}"


class PrejudgedVerdict(models.Model):
    """A verdict behind a prejudged answer, and what it said then, which outlives the verdict."""

    answer = models.ForeignKey(
        PrejudgedAnswer, on_delete=models.CASCADE, related_name="verdicts", db_index=False
    )
    # Null once the judge judged again.
    verdict = models.ForeignKey(Verdict, on_delete=models.SET_NULL, null=True, related_name="+")
    run_public_id = models.CharField(max_length=20)
    accepted = models.BooleanField()
    score = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["answer", "run_public_id"], name="run_once_behind_answer"),
        ]

    def __str__(self) -> str:
        return f"{self.run_public_id}: {self.accepted}"


class Routing(models.Model):
    """One rater settles an answer where a judge says the same, surely enough; another rule is another row."""

    class State(models.TextChoices):
        """ON: one rater is asked first. OFF: all are again, what it settled stands. UNDONE: nor does that."""

        ON = "on"
        OFF = "off"
        UNDONE = "undone"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="routings", db_index=False)
    number = models.PositiveIntegerField()
    # The run whose verdicts it reads, which may go; its signature and the rule in words as they were then.
    run_public_id = models.CharField(max_length=20)
    signature = models.TextField()
    text = models.TextField()
    # How sure the judge must be; null: every verdict counts.
    threshold = models.FloatField(null=True)
    audit_share = models.FloatField()
    seed = models.PositiveBigIntegerField()
    state = models.CharField(max_length=20, choices=State, default=State.ON)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    started_at = models.DateTimeField()
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="routing_number_once"),
            models.UniqueConstraint(fields=["project"], condition=Q(state="on"), name="one_routing"),
        ]

    def __str__(self) -> str:
        return f"routing {self.number} {self.state}"


class RoutedAnswers(models.QuerySet["RoutedAnswer"]):
    """What was noted of answers on a route."""

    def in_force(self) -> "RoutedAnswers":
        """Return the rows of routings that were not undone: at most one an answer."""
        return self.exclude(routing__state=Routing.State.UNDONE)


class RoutedAnswer(models.Model):
    """An answer on a route, once its first rater has judged it: what the judge said then holds for it."""

    routing = models.ForeignKey(Routing, on_delete=models.CASCADE, related_name="answers", db_index=False)
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="routes")
    # What the judge says, as a key of the protocol's labels; empty where it is not sure enough, or is silent.
    label = models.CharField(max_length=60, blank=True)
    confidence = models.FloatField(null=True)
    # Goes on to further raters whatever the first one says, as it was to with this probability.
    is_drawn = models.BooleanField(default=False)
    audit_probability = models.FloatField()
    # What the first rater says now; empty where nobody's vote is left.
    first_label = models.CharField(max_length=60, blank=True)
    weighed_at = models.DateTimeField()

    objects = RoutedAnswers.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["routing", "candidate"], name="routed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.first_label} beside {self.label}"
