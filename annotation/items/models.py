"""Items: questions, gold answers, systems, predictions, pooled candidates, and imports."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.projects.models import Project
from common.identifiers import new_public_id


class DataImport(models.Model):
    """A set of files on its way into a project; every row it made points back, so it can be undone whole."""

    class State(models.TextChoices):
        """Where an import stands."""

        CHECKING = "checking"
        READY = "ready"
        REFUSED = "refused"
        APPLYING = "applying"
        APPLIED = "applied"
        FAILED = "failed"
        UNDONE = "undone"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="imports")
    state = models.CharField(max_length=20, choices=State, default=State.CHECKING)
    format = models.CharField(max_length=60, blank=True)
    options = models.JSONField(default=dict, blank=True)
    # [{"name", "size", "path" relative to the data folder, "sha256"}]
    files = models.JSONField(default=list)
    counts = models.JSONField(default=dict, blank=True)
    sample = models.JSONField(default=list, blank=True)
    problems = models.JSONField(default=list, blank=True)
    problem_count = models.PositiveIntegerField(default=0)
    rows_total = models.PositiveIntegerField(default=0)
    rows_done = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    # Renewed with every chunk; a background import whose lease ended is taken up or failed by the sweeper.
    lease_expires_at = models.DateTimeField(null=True)
    applied_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.format} {self.state}"


class Question(models.Model):
    """A question of a project; this row is the lock under which its answers are handed out and settled."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="questions")
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="questions")
    # Joins questions across files: the rule QKEY over the text, or the file's own id.
    key = models.TextField()
    key_hash = models.CharField(max_length=64)
    external_id = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    dataset = models.CharField(max_length=100, blank=True)
    tags = models.JSONField(default=list, blank=True)
    position = models.PositiveIntegerField()
    in_sample = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key_hash"], name="question_key_once"),
        ]
        indexes = [models.Index(fields=["project", "position"], name="question_order")]

    def __str__(self) -> str:
        return self.text


class GoldAnswer(models.Model):
    """A gold answer as imported; changes made later live in the ledger (`annotation.gold`)."""

    class Kind(models.TextChoices):
        """How a gold answer is compared."""

        STRING = "string"
        REGEX = "regex"

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="gold_answers")
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="gold_answers")
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.STRING)
    text = models.TextField()
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "position"], name="gold_position_once"),
        ]

    def __str__(self) -> str:
        return self.text


class System(models.Model):
    """A system under evaluation, or another source of answers."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="systems")
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="systems")
    # The file's stem, or the name in the file; `label` is what pages show.
    name = models.CharField(max_length=200)
    label = models.CharField(max_length=200)
    group = models.CharField(max_length=60, blank=True)
    # {"retrieval_depth": int, "size_bytes": int, "track": str, "closed_book": bool}
    description = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="system_name_once")]

    def __str__(self) -> str:
        return self.label


class Candidate(models.Model):
    """An answer to a question, pooled over the systems that gave it; what raters and judges judge."""

    class State(models.TextChoices):
        """Where an answer stands. `UNASKED`: nobody is to judge it (outside the sample, or linked only)."""

        UNASKED = "unasked"
        OPEN = "open"
        DISPUTED = "disputed"
        DECIDED = "decided"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="candidates")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="candidates")
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="candidates")
    text = models.TextField()
    pool_hash = models.CharField(max_length=64)
    group = models.CharField(max_length=60, blank=True)
    # 0 but for rows of a file that keeps duplicates.
    duplicate = models.PositiveIntegerField(default=0)
    position = models.PositiveIntegerField(default=0)
    # False: answers that equal a row are linked to it, but nobody is asked (whatever the sample).
    is_judgeable = models.BooleanField(default=True)
    state = models.CharField(max_length=20, choices=State, default=State.UNASKED)
    # Slots that may be filled, and slots that are (handed out or judged): the second never passes the first.
    wanted = models.PositiveSmallIntegerField(default=0)
    taken = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "group", "pool_hash", "duplicate"], name="candidate_pooled_once"
            ),
            models.CheckConstraint(condition=Q(taken__lte=F("wanted")), name="taken_at_most_wanted"),
        ]
        indexes = [
            models.Index(fields=["project", "state"], name="candidate_state"),
            models.Index(
                fields=["project", "question"],
                name="candidate_with_open_slot",
                condition=Q(state="open") & Q(taken__lt=F("wanted")),
            ),
        ]

    def __str__(self) -> str:
        return self.text


class Prediction(models.Model):
    """What one system answered to one question, as the file had it, and the candidate it was pooled into."""

    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="predictions")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="predictions")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="predictions")
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="predictions")
    text = models.TextField()
    # The list as the file had it, where the file had one.
    raw = models.JSONField(null=True)
    confidence = models.FloatField(null=True)
    metadata = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["system", "question"], name="one_prediction_a_question"),
        ]

    def __str__(self) -> str:
        return self.text
