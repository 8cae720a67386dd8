"""Gold answers, systems, predictions, passages: what nothing that serves annotators may import."""

from django.db import models

from annotation.items.models.imports import DataImport
from annotation.items.models.questions import Candidate, Question
from annotation.projects.models import Project
from common.identifiers import new_public_id


class GoldAnswer(models.Model):
    """A gold answer as imported; changes made later live in the ledger (`annotation.gold`)."""

    class Kind(models.TextChoices):
        """How a gold answer is compared."""

        STRING = "string"
        REGEX = "regex"

    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="gold_answers", db_index=False
    )
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
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="systems", db_index=False)
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


class Prediction(models.Model):
    """What one system answered to one question, as the file had it, and the candidate it was pooled into."""

    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="predictions", db_index=False)
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="predictions")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="predictions")
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="predictions")
    text = models.TextField()
    # As the file had it, where `text` is not: the list, or the answer before it was cleaned.
    raw = models.JSONField(null=True)
    # The gold answers of its own file where they differ from the question's; scores against the
    # original gold use them. Released files of one data set do differ.
    golds = models.JSONField(null=True)
    confidence = models.FloatField(null=True)
    metadata = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["system", "question"], name="one_prediction_a_question"),
        ]

    def __str__(self) -> str:
        return self.text


class Passage(models.Model):
    """A passage beside a question: given for all systems, or what some of them retrieved.

    Each text once for either. A passage without text is named by its title or source alone.
    """

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="passages", db_index=False)
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="passages")
    # False: only systems have it, as `RetrievedPassage` says.
    is_given = models.BooleanField()
    text = models.TextField(blank=True)
    text_hash = models.CharField(max_length=64)
    title = models.CharField(max_length=300, blank=True)
    source = models.CharField(max_length=2000, blank=True)
    # Whether the file says that it holds the answer; null where it does not say.
    is_gold = models.BooleanField(null=True)
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "is_given", "text_hash"], name="passage_once"),
            models.CheckConstraint(
                condition=~models.Q(text="", title="", source=""), name="passage_says_something"
            ),
        ]

    def __str__(self) -> str:
        return self.text or self.title or self.source


class RetrievedPassage(models.Model):
    """A passage that a system retrieved for its prediction, and how high it ranked it."""

    prediction = models.ForeignKey(
        Prediction, on_delete=models.CASCADE, related_name="retrieved_passages", db_index=False
    )
    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="retrieved_by")
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="retrieved_passages")
    # From 1.
    rank = models.PositiveIntegerField()
    score = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["prediction", "passage"], name="passage_retrieved_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rank}: {self.passage}"
